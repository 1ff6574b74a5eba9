"""The command line: thin commands over the library, with progress, reports and readable errors."""
