"""The check tools as an MCP server offers them: names, arguments, descriptions; over one registry of sources.

``CheckTools(open_registry).listed()`` gives ``(function, title, description)`` for each. The registry is
opened at the first call and kept. Every tool answers with one JSON object.
"""

# No `from __future__ import annotations` here: the SDK reads the tools' annotations as objects.
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from pipeline.verification import tools
from pipeline.verification.folder_source import FolderSource
from pipeline.verification.index_source import PipelineSource
from pipeline.verification.sources import Registry

Text = Annotated[str, Field(strict=True, description="Markdown or plain text")]
CitationText = Annotated[str, Field(strict=True, description="one citation, e.g. [chunk:ID] or BGE 148 III 215 E. 3.2")]
Query = Annotated[str, Field(strict=True, description="words to look for")]
Claim = Annotated[str, Field(strict=True, description="one sentence")]
Limit = Annotated[int, Field(strict=True, ge=1, le=tools.MAX_HITS, description=f"how many, 1 to {tools.MAX_HITS}")]
Retrieved = Annotated[list[str], Field(description="a list of texts: every citation that the run retrieved")]
NOTE = " `executed: false` means that a source could not be asked: nothing is known then, relay that as it is."


def pipeline_registry(root: Path = Path(), documents: Path | None = None) -> Registry:
    """The sources under ``root``: chunks (of the library alone where a demo left no more), audited clauses;
    the standards of this repository; and a folder of documents if one is given."""
    data = root / "data"
    chunks = data / "chunks/chunks.parquet"
    sources: list[Any] = [
        PipelineSource(
            "index",
            chunks if chunks.exists() else data / "index/library.parquet",
            data / "raw/contracts.parquet",
            data / "verdicts/verdicts.jsonl",
            Path("data/standard"),
        )
    ]
    if documents is not None:
        sources.append(FolderSource("documents", documents))
    return Registry(sources)


class CheckTools:
    def __init__(self, open_registry: Callable[[], Registry] = pipeline_registry) -> None:
        self._open = open_registry
        self._registry: Registry | None = None
        self._lock = threading.Lock()

    def _sources(self) -> Registry:
        with self._lock:
            if self._registry is None:
                self._registry = self._open()
            return self._registry

    def extract_citations(self, document: Text) -> dict[str, Any]:
        return tools.extract_citations(document)

    def standardize_document_citations(self, document: Text) -> dict[str, Any]:
        return tools.standardize_document_citations(document)

    def validate_citation(self, citation: CitationText) -> dict[str, Any]:
        return tools.validate_citation(citation, self._sources())

    def cite(self, source: CitationText) -> dict[str, Any]:
        return tools.cite(source, self._sources())

    def find_citations(self, query: Query, limit: Limit = 5) -> dict[str, Any]:
        return tools.find_citations(query, self._sources(), limit)

    def check_claim_support(self, claim: Claim, citation: CitationText = "", text: Text = "") -> dict[str, Any]:
        return tools.check_claim_support(claim, self._sources(), citation, text)

    def review_citations(self, document: Text) -> dict[str, Any]:
        return tools.review_citations(document, self._sources())

    def attest_response(self, response: Text, retrieved: Retrieved) -> dict[str, Any]:
        return tools.attest_response(response, retrieved, self._sources())

    def listed(self) -> list[tuple[Callable[..., dict[str, Any]], str, str]]:
        return [
            (self.extract_citations, "Extract citations", "Every citation string of a text, with kind and place."),
            (
                self.standardize_document_citations,
                "Standardize citations",
                "The text with every well-formed citation in its canonical writing; malformed ones are listed.",
            ),
            (self.validate_citation, "Validate a citation", "Format, existence and pinpoint of one citation." + NOTE),
            (self.cite, "Cite a source", "The canonical citation of a source that exists, with its text." + NOTE),
            (
                self.find_citations,
                "Find citations",
                "Sources that share the most words with a query. It says nothing of support: check that apart.",
            ),
            (
                self.check_claim_support,
                "Check a claim",
                "Whether a cited source, or a text in hand, supports one sentence: SUPPORTED, PARTIAL or MISMATCH. It "
                "can refute; it cannot prove entailment." + NOTE,
            ),
            (
                self.review_citations,
                "Review citations",
                "The citation gate on a document: every citation looked up, its content compared, every quotation "
                "verbatim; `delivery_blocked` means do not deliver." + NOTE,
            ),
            (
                self.attest_response,
                "Attest a response",
                "Whether a response may be delivered: cited, each citation retrieved, real and supporting, each "
                "quotation verbatim." + NOTE,
            ),
        ]
