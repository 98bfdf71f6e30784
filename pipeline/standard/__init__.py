"""The standard: its positions as a document, and the deterministic reader of clauses against them.

``load_standard(clause_type)`` reads a standard, ``read_clause(text)`` reads a liability clause, and
``EXTRACTORS`` holds the reader of every clause type. A further standard is a YAML file in
``data/standard`` and an entry in ``EXTRACTORS``.
"""

from pipeline.standard.document import Position, Source, Standard, known_types, load_standard
from pipeline.standard.extractors import EXTRACTORS, extractor
from pipeline.standard.reader import read_clause
from pipeline.standard.reading import Reading
from pipeline.standard.rules import band_of, critical_of, verdict_of

__all__ = [
    "EXTRACTORS",
    "Position",
    "Reading",
    "Source",
    "Standard",
    "band_of",
    "critical_of",
    "extractor",
    "known_types",
    "load_standard",
    "read_clause",
    "verdict_of",
]
