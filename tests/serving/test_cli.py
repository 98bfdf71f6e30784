"""The command line as a user meets it: output, exit codes, errors, one JSON a line."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time

import pytest
from serving.clauses import BREAD, GOOD, REDACTED, lines

from pipeline import cli


@pytest.fixture
def run(environment, tmp_path):
    """The command in a process of its own, in an unrelated folder."""

    def call(*arguments: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-m", "pipeline.cli", *arguments],
            input=stdin.encode(),
            capture_output=True,
            cwd=tmp_path,
            env={**environment, **env},
            timeout=60,
            check=False,
        )

    return call


def documented(arguments: tuple[str, ...]) -> set[int]:
    """The exit codes that the command's ``--help`` lists."""
    listed = cli.parser(arguments[0] if arguments else None)
    commands = listed._subparsers._group_actions[0].choices
    shown = commands[arguments[0]].epilog if arguments and arguments[0] in commands else listed.epilog
    return {int(code) for code in re.findall(r"^  (\d+) ", shown, re.MULTILINE)}


@pytest.fixture
def inside(world, root, monkeypatch, capsys, tmp_path):
    """The command in this process: (exit code, stdout, stderr)."""
    monkeypatch.setenv("CUAD_AUDIT_ROOT", str(world))
    monkeypatch.setenv("DVC_ROOT", str(root))
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["cuad-audit", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.run(cli.execute)
        captured = capsys.readouterr()
        monkeypatch.chdir(tmp_path)
        assert ended.value.code in documented(arguments), "an exit code that --help does not know"
        return ended.value.code, captured.out, captured.err

    return call


@pytest.fixture
def file(tmp_path):
    def make(text: str | bytes, name: str = "clause.txt") -> str:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name  # relative to where the user stands

    return make


def test_a_pipe_gets_json_and_no_colour(run):
    done = run("audit", "-", "--json", stdin=GOOD)
    result = json.loads(done.stdout)
    assert done.returncode == 0
    assert result["verdict"] == "acceptable"
    assert result["citation"]["chunk_id"].startswith("c")
    assert b"\x1b" not in done.stdout
    assert done.stderr == b""


def test_help_is_quick_and_says_the_exit_codes(run):
    started = time.monotonic()
    done = run("--help")
    assert done.returncode == 0
    for command in (b"audit", b"search", b"standard", b"serve", b"demo", b"record"):
        assert command in done.stdout
    assert b"130   interrupted" in done.stdout
    assert time.monotonic() - started < 5  # a tenth of it on an idle machine


def test_help_loads_nothing_heavy(root):
    code = (
        "import sys; from pipeline import cli\n"
        "try: cli.execute(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'pandas', 'pydantic', 'mcp', 'anthropic', 'onnxruntime', 'torch', 'rich', 'yaml'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=root, check=True)
    assert done.stderr.strip() == b"[]"


#: What neither an audit nor the server needs; scipy comes with bm25s, but for its sparse arrays alone.
NOT_NEEDED = "{'pandas', 'sklearn', 'scipy.stats', 'statsmodels', 'torch', 'anthropic', 'matplotlib', 'mlflow', 'dvc'}"
AN_AUDIT = "cli.execute(['audit', '-', '--json'])"
A_SERVER = (
    "from pipeline.grounding.engine import open_engine; from pipeline.server import Backstage, build\n"
    "build(Backstage(open_engine)); open_engine().load().audit('No party is liable for lost profits.')"
)


@pytest.mark.parametrize("does", [AN_AUDIT, A_SERVER])
def test_serving_loads_nothing_that_it_does_not_need(environment, root, world, does):
    code = (
        f"import sys\nfrom pipeline import cli\n{does}\nprint(sorted({NOT_NEEDED} & set(sys.modules)), file=sys.stderr)"
    )
    cwd = world if does is A_SERVER else root
    done = subprocess.run(
        [sys.executable, "-c", code], input=GOOD.encode(), capture_output=True, cwd=cwd, env=environment, check=True
    )
    assert done.stderr.splitlines()[-1] == b"[]"


@pytest.mark.parametrize(("clause", "code"), [(GOOD, 0), (REDACTED, 3), (BREAD, 3)])
def test_exit_codes_of_one_clause(inside, file, clause, code):
    assert inside("audit", file(clause))[0] == code


def test_human_output_names_verdict_evidence_and_gate(inside, file):
    _, out, _ = inside("audit", file(GOOD))
    assert out.startswith("acceptable\n")
    assert "evidence c0" in out
    assert "gate 1 " in out
    assert "P1 meets" in out


def test_terminal_sequences_of_a_clause_do_not_reach_the_terminal(inside, file):
    _, out, _ = inside("audit", file(GOOD + " \x1b[2J\x1b]0;owned\x07"))
    assert "\x1b" not in out
    assert "\x07" not in out


def test_many_clauses_come_out_in_order_one_a_line(inside, file):
    rows = [
        {"id": "one", "text": GOOD},
        {"id": "two", "text": BREAD},
        {"id": "three", "text": GOOD, "exclude_family": "family2"},
    ]
    code, out, _ = inside("audit", "--jsonl", file("\n".join(map(json.dumps, rows)) + "\n\n", "clauses.jsonl"))
    results = lines(out)
    assert [row["id"] for row in results] == ["one", "two", "three"]
    assert [row["failure_cause"] for row in results] == ["none", "gate1", "none"]
    assert code == 0
    assert set(results[0]) == {
        "id", "verdict", "reason", "citation", "positions", "gate1_score", "gate1_threshold", "faithfulness",
        "failure_cause", "auditor", "judge", "usage",
    }  # fmt: skip
    assert results[2]["citation"]["contract"] != "Contract 2"


def test_a_family_that_is_not_in_the_library_gets_a_note(inside, file):
    _, _, err = inside("audit", file(GOOD), "--exclude-family", "famly2")
    assert "no family 'famly2' in the library" in err
    rows = [
        {"id": "a", "text": GOOD, "exclude_family": "famly2"},
        {"id": "b", "text": GOOD, "exclude_family": "family2"},
    ]
    _, _, err = inside("audit", "--jsonl", file("\n".join(map(json.dumps, rows)), "c.jsonl"))
    assert "no family 'famly2'" in err and "'family2'" not in err


def test_many_abstentions_are_an_abstention(inside, file):
    assert inside("audit", "--jsonl", file(json.dumps({"id": "x", "text": BREAD}), "c.jsonl"))[0] == 3


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("not json", "c.jsonl:2: not JSON"),
        ("[1]", "c.jsonl:2: not a JSON object"),
        ('{"id": "a"}', "c.jsonl:2: text is not a text"),
        ('{"id": 3, "text": "x"}', "c.jsonl:2: id is not a text"),
        ('{"id": "a", "text": ""}', "c.jsonl:2: text is not a text"),
        ('{"id": "a", "text": "  "}', "c.jsonl:2: the clause is empty"),
        ('{"id": "a", "text": "x", "famliy": "y"}', "c.jsonl:2: unknown field 'famliy'"),
        ('{"id": "a", "text": "x", "exclude_family": 1}', "c.jsonl:2: exclude_family is not a text"),
        ('{"id": "a", "text": "a\\u0000b"}', "c.jsonl:2: the clause holds NUL"),
        ('{"id": "ok", "text": "x"}', "c.jsonl:2: the id 'ok' stands in line 1 too"),
    ],
)
def test_a_bad_line_stops_before_any_work(inside, file, line, says):
    code, out, err = inside("audit", "--jsonl", file(json.dumps({"id": "ok", "text": GOOD}) + "\n" + line, "c.jsonl"))
    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("audit",),
        ("audit", "missing.txt"),
        ("audit", "."),
        ("audit", "clause.txt", "--jsonl", "clause.txt"),
        ("audit", "clause.txt", "--clause-type", "warranty"),
        ("audit", "clause.txt", "--clause-type", "../x"),
        ("audit", "clause.txt", "--k", "0"),
        ("audit", "clause.txt", "--k", "many"),
        ("audit", "clause.txt", "--threshold", "high"),
        ("audit", "clause.txt", "--colour"),
        ("audit", "empty.txt"),
        ("audit", "latin.txt"),
        ("audit", "--jsonl", "empty.txt"),
        ("audit", "--jsonl", "clause.txt", "--exclude-family", "f"),
        ("search", ""),
        ("standard", "--clause-type", "warranty"),
        ("polish",),
        (),
    ],
)
def test_a_wrong_call_ends_with_two_and_one_line(inside, file, arguments):
    file(GOOD)
    file("", "empty.txt")
    file("Haftung für Schäden".encode("latin-1"), "latin.txt")
    code, out, err = inside(*arguments)
    assert (code, out) == (2, "")
    assert "error: " in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("option", "given", "says"),
    [
        ("--k", "1.5", "argument --k: '1.5' is not a whole number from 1 to 50"),
        ("--k", "51", "argument --k: '51' is not a whole number from 1 to 50"),
        ("--threshold", "high", "argument --threshold: 'high' is not a number from 0 to 1"),
        ("--threshold", "nan", "argument --threshold: 'nan' is not a number from 0 to 1"),
    ],
)
def test_a_number_out_of_bounds_is_named_with_its_bounds(inside, option, given, says):
    assert says in inside("search", "liability", option, given)[2]


def test_search(inside):
    code, out, _ = inside("search", "consequential damages are excluded for both parties", "--json", "--k", "2")
    found = json.loads(out)
    assert (code, found["below_threshold"], len(found["hits"])) == (0, False, 2)
    assert found["hits"][0]["chunk"]["title"] == "Contract 0"
    code, out, _ = inside("search", BREAD)
    assert code == 3
    assert "below the threshold" in out


def test_standard(inside):
    code, out, _ = inside("standard", "--json")
    assert code == 0
    assert [position["id"] for position in json.loads(out)["positions"]] == ["P1", "P2", "P3", "P4", "P5", "P6"]
    assert "Mutuality" in inside("standard")[1]


def test_without_an_index_the_mend_is_named(inside, file, tmp_path, monkeypatch, root):
    name = file(GOOD)
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "params.yaml").write_text((root / "params.yaml").read_text())
    monkeypatch.setenv("CUAD_AUDIT_ROOT", str(empty))
    monkeypatch.setenv("DVC_ROOT", str(empty))
    code, _, err = inside("audit", name)
    assert code == 1
    assert "make demo" in err
    assert "make repro" in err


def test_a_reader_that_goes_away_is_no_error(environment, tmp_path, file):
    rows = [json.dumps({"id": f"x{number}", "text": GOOD}) for number in range(40)]
    name = file("\n".join(rows), "c.jsonl")
    command = f"{sys.executable} -m pipeline.cli audit --jsonl {name} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, cwd=tmp_path, env=environment, check=False)
    assert len(lines(done.stdout.decode())) == 1
    assert b"Traceback" not in done.stderr


def test_ctrl_c_ends_with_130_and_one_line(environment, tmp_path, file):
    name = file("\n".join(json.dumps({"id": f"x{number}", "text": GOOD}) for number in range(5000)), "c.jsonl")
    process = subprocess.Popen(
        [sys.executable, "-m", "pipeline.cli", "audit", "--jsonl", name],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=environment,
    )  # fmt: skip
    process.stdout.readline()  # it is at work
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == b"error: interrupted; run the same command again\n"
