"""Exit codes."""

OK = 0
OUTPUT_LOST = 1
BAD_INPUT = 2
INTERRUPTED = 130
"""What a shell reports for a program that Ctrl-C has ended."""
