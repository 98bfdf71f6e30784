"""Floor 0: the vocabulary, parameters, tables, errors, the cache folder, work spread over cores."""
