"""One seam to language models: a completion function with typed failures, cache, budget, replay and fake."""
