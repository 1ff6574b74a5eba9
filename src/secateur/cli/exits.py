"""Exit codes."""

OK = 0
OUTPUT_LOST = 1
BAD_INPUT = 2
INTERRUPTED = 130
TERMINATED = 143
"""What a shell reports for programs that Ctrl-C, or SIGTERM, has ended."""
