"""What holds for all tests."""

import gc
import signal

# Python looks through everything that Numba keeps, again and again while kernels are compiled, and
# takes a seventh of the time for it. There is next to nothing to find.
gc.set_threshold(100_000, 50, 100)

# A shell that starts the tests in the background lets them ignore Ctrl-C, and with them all the
# processes that they start; some tests are about Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
