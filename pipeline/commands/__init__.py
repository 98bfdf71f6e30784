"""The subcommands of ``cuad-audit``, one small module each.

A module has ``HELP`` (one line), ``arguments(parser)`` (adds to an argparse parser) and
``run(options) -> int | None`` (the exit code). Imports at its top are light, since every one of them is
read for ``--help``; what is heavy is imported inside ``run``. A module whose name begins with ``_``
is no command.
"""
