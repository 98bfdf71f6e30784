"""The product in one object: search, standard, audit. Server, command line and demo call it.

Opening reads parameters only; index, embedder and agents are loaded when first needed, or by
:meth:`Engine.load` ahead of time. Safe to share between threads.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.base import params
from pipeline.base.cache import cache_dir
from pipeline.base.errors import CuadAuditError
from pipeline.base.types import AuditResult, Evidence
from pipeline.grounding.agents import Auditor, FaithfulnessJudge, Meter
from pipeline.grounding.limits import CLAUSE_TYPE, checked_k, checked_text

if TYPE_CHECKING:
    from pipeline.grounding.evidence import Searcher
    from pipeline.standard import Standard


@dataclass(frozen=True)
class Place:
    """Where index, calibration and parameters come from; ``demo`` where they are the demo's."""

    root: Path
    demo: bool = False

    @property
    def index(self) -> Path:
        return self.root / "data" / "index"

    @property
    def probe(self) -> Path:
        return self.root / "data" / "calibration" / "probe.json"

    @property
    def params(self) -> Path:
        return self.root / "params.yaml"


def find_place() -> Place:
    """The index of `dvc repro` if there is one, else the one that `make demo` left in the cache folder."""
    places = (Place(Path()), Place(cache_dir() / "demo", demo=True))
    for place in places:
        if (place.index / "manifest.json").is_file():
            return place
    raise CuadAuditError(
        f"no index in {places[0].index} and none in {places[1].index}",
        "run `make demo` (sample corpus, minutes) or `make repro` (real CUAD)",
    )


@dataclass(frozen=True)
class Found:
    """A search's result. ``below_threshold``: this is not evidence enough for a verdict."""

    hits: tuple[Evidence, ...]
    gate1_score: float
    gate1_threshold: float

    @property
    def below_threshold(self) -> bool:
        from pipeline.grounding.contract import passes_gate1

        return not passes_gate1(self.hits, self.gate1_score, self.gate1_threshold)


class Engine:
    """``threshold`` and ``k`` given here stand in for those of the parameters."""

    def __init__(self, place: Place, threshold: float | None = None, k: int | None = None) -> None:
        self.place = place
        self.settings = params.load_all(place.params)
        self.threshold = self.settings.gate1.threshold if threshold is None else threshold
        self.k = self.settings.retrieval.k if k is None else k
        self._standards: dict[str, Standard] = {}
        self._lock = threading.RLock()

    @cached_property
    def _searcher(self) -> Searcher:
        from pipeline.grounding.evidence import Searcher
        from pipeline.grounding.gate1 import Probe
        from pipeline.retrieval.embedder import load_embedder
        from pipeline.retrieval.library import Library

        embedder = load_embedder(
            self.settings.embedder.name, self.settings.embedder.runtime, self.settings.embedder.window
        )
        library = Library.load(self.place.index)
        library.check(embedder)
        probe = Probe.load(self.place.probe) if self.settings.gate1.score == "probe" else None
        return Searcher(library, embedder, self.settings.retrieval, probe)

    @property
    def searcher(self) -> Searcher:
        with self._lock:
            return self._searcher

    @cached_property
    def _agents(self) -> tuple[Auditor, FaithfulnessJudge]:
        from pipeline.grounding.choose import choose_agents
        from pipeline.llm.client import open_client

        return choose_agents(self.settings.auditor, self.settings.judge, lambda: open_client(self.settings.llm))

    @property
    def agents(self) -> tuple[Auditor, FaithfulnessJudge]:
        with self._lock:
            return self._agents

    def load(self) -> Engine:
        """Load everything that the first audit needs, and warm the embedder."""
        self.searcher.vectors("limitation of liability")
        _ = self.agents
        self.standard(CLAUSE_TYPE)
        return self

    def standard(self, clause_type: str = CLAUSE_TYPE) -> Standard:
        """The standard for that clause type; ``UsageError`` lists the known ones."""
        from pipeline.standard import load_standard

        with self._lock:
            if clause_type not in self._standards:
                self._standards[clause_type] = load_standard(clause_type)
            return self._standards[clause_type]

    def search(self, query: str, k: int | None = None, exclude_family: str | None = None) -> Found:
        """The ``k`` best chunks for a text, and whether they would be evidence enough for a verdict."""
        query = checked_text(query, "query")
        vectors = self.searcher.vectors(query)
        hits = self.searcher.evidence(query, vectors, checked_k(k or self.k), exclude_family)
        kind = self.settings.gate1.score
        score = self.searcher.scores(vectors, exclude_family, (kind,))[kind]
        return Found(tuple(hits), score, self.threshold)

    def audit(
        self, clause: str, clause_type: str = CLAUSE_TYPE, k: int | None = None, exclude_family: str | None = None
    ) -> AuditResult:
        """Audit one clause. Every failure of a model call is a result; errors are about the input."""
        from pipeline.grounding.contract import audit

        clause = checked_text(clause, "clause")
        standard = self.standard(clause_type)
        found = self.search(clause, k, exclude_family)
        auditor, judge = self.agents
        return audit(clause, standard, found.hits, found.gate1_score, found.gate1_threshold, auditor, judge, Meter())


def open_engine(threshold: float | None = None, k: int | None = None) -> Engine:
    """The engine on the index that is there; nothing is loaded yet."""
    return Engine(find_place(), threshold, k)
