"""The lexical judge: checks a claim's facts against a text, and shares no code with any auditor.

A claim is a set of checkable facts: quotes, quantities, section references, parties and who is
bound, polarity, exceptions, quantifiers, and the words that carry its content. What cannot be found
in the text is unsupported. Each module reads one kind of fact out of a sentence, claim and source
alike, and says why the claim's fact is not the source's.
"""
