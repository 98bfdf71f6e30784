"""The subcommands of ``cuad-audit``, one small module each.

A module has ``HELP`` (one line), ``arguments(parser)`` (adds to an argparse parser), ``run(options) -> int | None``
(the exit code) and, where its exit codes say more than "done" or "an error", ``EXITS`` (code -> what it means;
they stand in its ``--help``). Imports at its top are light, since every one of them is read for ``--help``; what
is heavy is imported inside ``run``. A module whose name begins with ``_`` is no command.
"""
