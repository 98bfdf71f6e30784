"""cuad-audit: when may an AI that reviews contracts speak, and when must it abstain?"""


def version() -> str:
    """The installed package's version; "0" where the code runs without having been installed."""
    from importlib import metadata

    try:
        return metadata.version("cuad-audit")
    except metadata.PackageNotFoundError:
        return "0"
