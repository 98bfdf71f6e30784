"""Figures, the audit memo, and the report as Markdown and as one self-contained page."""
