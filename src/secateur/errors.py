"""Every error that secateur raises on purpose.

    SecateurError
    ├── GameError        the rules of a game contradict themselves
    ├── ParameterError   a name or value that the caller chose cannot be used
    └── FileError        a file cannot be read, written, or belongs to something else
        └── RecordError  a run cannot be recorded any further, for example on a full disk

Messages say what was asked, show the value, and end with the remedy. The command line prints
them as one line and ends with exit code 2; with 1 if a run could not be recorded.
"""


class SecateurError(Exception):
    """Base of all errors that secateur raises on purpose."""


class GameError(SecateurError):
    """The rules of a game contradict themselves."""


class ParameterError(SecateurError):
    """A name or value that the caller chose cannot be used."""


class FileError(SecateurError):
    """A file cannot be read, cannot be written, or belongs to something else."""


class RecordError(FileError):
    """A run cannot be recorded any further; what was recorded is intact."""
