"""The project's own corpus: contracts written from seeded templates, their labels known by construction."""

from pipeline.corpus.sample.generator import SampleCorpus, generate

__all__ = ["SampleCorpus", "generate"]
