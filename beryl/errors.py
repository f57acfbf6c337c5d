"""Every error that beryl raises on purpose.

    BerylError                  one clear sentence: what, where, what to do
    ├── InputError              a query, file or option that cannot be used
    │   ├── ParseError          text that does not follow its grammar; carries line and column
    │   └── NoSource            folders in which there is nothing to index
    ├── IndexError_             an index directory that cannot be opened, written or searched
    │   ├── IndexLocked         another process is writing it
    │   └── IndexNewer          a newer beryl wrote it
    ├── ModelError              weights or a configuration that do not fit
    └── MissingDependency       an optional package that is not installed

Only `beryl.cli` catches them; it prints the sentence and exits with 2.
"""

from __future__ import annotations


class BerylError(Exception):
    """Base of all errors meant for the person using beryl."""


class InputError(BerylError):
    """A query, a file or an option that cannot be used."""


class ParseError(InputError):
    """Text that does not follow its grammar."""

    def __init__(self, message: str, path: str = "", line: int = 0, column: int = 0, context: str = "") -> None:
        where = ":".join(str(part) for part in (path, line, column) if part)
        super().__init__(f"{where}: {message}" if where else message)
        self.path, self.line, self.column, self.context = path, line, column, context

    def __str__(self) -> str:
        """The sentence, then the line with a caret where there is one."""
        sentence = str(self.args[0])
        return f"{sentence}\n{self.context}" if self.context else sentence


class NoSource(InputError):
    """Folders in which there is nothing to index."""


class IndexError_(BerylError):
    """An index directory that cannot be opened, written or searched."""


class IndexLocked(IndexError_):
    """Another process is writing the index."""


class IndexNewer(IndexError_):
    """A newer beryl wrote the index."""


class ModelError(BerylError):
    """Weights or a model configuration that do not fit."""


class MissingDependency(BerylError):
    """An optional package that is not installed."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} needs the package {package!r}; install it with: pip install 'beryl[{extra}]'")
        self.package, self.extra = package, extra
