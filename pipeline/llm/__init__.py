"""One seam to language models: a completion function with typed failures, cache, budget, replay and fake.

Here is what callers exchange with it. ``client.open_client`` makes the live client, ``replay`` plays and
records cassettes, ``fake.ScriptedLlm`` is scripted; all three are an ``Llm``.
"""

from pipeline.llm.request import Complete, Completion, CompletionRequest, Llm, LlmFailure, Result, from_results

__all__ = ["Complete", "Completion", "CompletionRequest", "Llm", "LlmFailure", "Result", "from_results"]
