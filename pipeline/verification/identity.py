"""Who is who: worker and evaluator resolved to what they effectively are, and compared.

A role may be an alias, be written in another case or with other blanks, take its model from another
role, or start the same command through a wrapper. All of that is resolved first. Two agents are the
same if any of these agree after resolution: the role; the command; the model, unless both have
prompts of their own that differ.
"""

from __future__ import annotations

import re
import shlex
import shutil
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.base.records import sha256

REFUSED = "REFUSED: worker and evaluator resolve to the same agent/role."
MEND = (
    "Give the worker and the evaluator different roles, models or prompts, and commands in the goal record; "
    "an artifact is not judged by its author."
)
_INVISIBLE = re.compile(r"[\s_\-./\u00ad\u200b-\u200f\u2060\ufeff]+")
#: Programs that only start another one, with the options of theirs that take a value.
WRAPPERS = {
    "env": ("-u", "--unset", "-C", "--chdir"),
    "nice": ("-n", "--adjustment"),
    "nohup": (),
    "timeout": ("-s", "--signal", "-k", "--kill-after"),
    "time": (),
    "setsid": (),
    "stdbuf": ("-i", "-o", "-e"),
    "sudo": ("-u", "-g"),
    "exec": (),
    "command": (),
}
SHELLS = ("sh", "bash", "dash", "zsh", "ksh")
#: Ways to start this engine: whoever runs them is the evaluator.
ENGINE = ("pipeline.verification", "pipeline.stages.verify", "pipeline.commands.evaluate", "pipeline.commands.loop")


class Refused(CuadAuditError):
    """Worker and evaluator are one: there is no verdict."""

    exit_code = 5

    def __init__(self, why: str) -> None:
        super().__init__(REFUSED.removesuffix("."), f"{why} {MEND}")
        self.why = why

    def __str__(self) -> str:
        return f"{REFUSED}\n{self.why} {MEND}"


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent as a goal record names it; every field may be empty but the role."""

    role: str
    model: str = ""
    prompt: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True)
class Effective:
    """An agent after resolution: every field in the form in which two are compared."""

    role: str
    model: str
    prompt_sha256: str
    command: str


def plain(name: str) -> str:
    """A name without what does not make another name: case, blanks, dashes, width, invisible signs."""
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", name).casefold())


def follow(name: str, aliases: Mapping[str, str]) -> str:
    """The plain name at the end of a chain of aliases; a circle is an error."""
    table = {plain(key): plain(value) for key, value in aliases.items()}
    seen, current = [], plain(name)
    while current in table and table[current] != current:
        seen.append(current)
        current = table[current]
        if current in seen:
            raise UsageError(f"aliases: {name!r} leads round in a circle", "let every alias end at a role")
    return current


def resolve(agent: Agent, roles: Mapping[str, Agent], aliases: Mapping[str, str], root: Path) -> Effective:
    """What ``agent`` effectively is. ``roles`` holds every role of the goal record, both agents included.

    A field that the agent leaves empty is taken from the role of its (resolved) name; ``model:
    role:NAME`` is the model, and, where none of its own is given, the prompt, of that role.
    """
    table: dict[str, Agent] = {}
    for name, one in roles.items():
        key = follow(name, aliases)
        known = table.get(key, one)
        table[key] = Agent(key, known.model or one.model, known.prompt or one.prompt, known.command or one.command)
    role = follow(agent.role, aliases)
    model, prompt = _model(agent, table, aliases, [])
    named = table.get(role)
    command = agent.command or (named.command if named else "")
    return Effective(role, model, prompt_digest(prompt, root), plain_command(command, root))


def _model(agent: Agent, table: Mapping[str, Agent], aliases: Mapping[str, str], seen: list[str]) -> tuple[str, str]:
    role = follow(agent.role, aliases)
    named = table.get(role, agent)
    model, prompt = agent.model or named.model, agent.prompt or named.prompt
    prefix, _, target = model.partition(":")
    if plain(prefix) == "role" and target.strip():
        other = follow(target, aliases)
        if other in seen:
            raise UsageError(f"model {model!r} leads round in a circle", "let a role name a model of its own")
        if other not in table:
            raise UsageError(f"model {model!r} names no role of the goal record", f"use one of {sorted(table)}")
        model, inherited = _model(table[other], table, aliases, [*seen, other])
        return model, prompt or inherited
    return follow(model, aliases) if model else "", prompt


def prompt_digest(prompt: str, root: Path) -> str:
    """Hex sha256 of a prompt's words: of the file's if ``prompt`` names one, else of the text itself."""
    if not prompt.strip():
        return ""
    text = prompt
    try:
        path = root / prompt.strip()
        if "\n" not in prompt and path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):  # too long for a file name, or not one: then it is the text
        pass
    return sha256(" ".join(text.split()).casefold())


def split(command: str) -> list[str]:
    """The words of a command as a shell would see them; an open quotation mark is an error."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise UsageError(f"command {command!r}: {error}", "close the quotation mark") from None


def plain_command(command: str, root: Path) -> str:
    """A command without its wrappers: the program by its real path, scripts by theirs, the rest as it is."""
    words = _unwrapped(split(command))
    if not words:
        return ""
    program = Path(words[0]).name
    if program == "cuad-audit" and words[1:2] and words[1] in ("evaluate", "loop"):
        return "engine"
    if re.fullmatch(r"python[\d.]*", program):
        words = ["python", *_python(words[1:])]
        if len(words) > 2 and words[1] == "-m" and words[2].startswith(ENGINE):
            return "engine"
    else:
        found = shutil.which(words[0]) or str(root / words[0])
        words[0] = str(Path(found).resolve())
    return shlex.join([words[0], *(_real(word, root) for word in words[1:])])


def _unwrapped(words: list[str]) -> list[str]:
    while words:
        name = Path(words[0]).name
        if name in SHELLS and "-c" in words[:-1]:
            inner = words[words.index("-c") + 1]
            words = split(inner)
        elif name in WRAPPERS:
            takes, words = WRAPPERS[name], words[1:]
            while words and (
                words[0].startswith("-") or "=" in words[0] or (name == "timeout" and words[0][0].isdigit())
            ):
                words = words[2:] if words[0] in takes else words[1:]
        elif re.fullmatch(r"[A-Za-z_]\w*=.*", words[0], re.DOTALL):
            words = words[1:]
        else:
            break
    return words


def _python(words: list[str]) -> list[str]:
    """A Python command line without the interpreter's own options."""
    while words and words[0].startswith("-") and words[0] not in ("-m", "-c", "-"):
        words = words[2:] if words[0] in ("-W", "-X") else words[1:]
    return words


def _real(word: str, root: Path) -> str:
    try:
        path = root / word
        return str(path.resolve()) if not word.startswith("-") and path.is_file() else word
    except (OSError, ValueError):
        return word


def same(worker: Effective, evaluator: Effective) -> str:
    """Why the two are one agent, or the empty string."""
    if worker.role == evaluator.role:
        return f"Both have the role {worker.role!r}."
    if worker.command and worker.command == evaluator.command:
        return "Both run the same command."
    if worker.command == "engine":
        return "The worker's command starts the evaluator."
    differ = worker.prompt_sha256 and evaluator.prompt_sha256 and worker.prompt_sha256 != evaluator.prompt_sha256
    if worker.model and worker.model == evaluator.model and not differ:
        return f"Both are the model {worker.model!r}, and no prompts of their own tell them apart."
    return ""


def refuse_same(worker: Effective, evaluator: Effective) -> None:
    """Raise :class:`Refused` where the two are one."""
    why = same(worker, evaluator)
    if why:
        raise Refused(why)
