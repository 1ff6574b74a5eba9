"""What holds for all tests."""

import signal

# A shell that starts the tests in the background lets them ignore Ctrl-C, and with them all the
# processes that they start; some tests are about Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
