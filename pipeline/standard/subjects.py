"""Subjects of exceptions: the ones the standard permits, and those that it does not.

Convention: the text is one item of an exception, in which a section reference is written ``§``.
"""

from __future__ import annotations

from pipeline.standard.grammar import Pattern, any_of

PERMITTED = (
    Pattern("fraud", r"\bfraud\w*|\bdeceit|\bdishonest\w*|\bcriminal\b|\bbad faith\b"),
    Pattern(
        "wilful misconduct",
        any_of(
            (
                r"\b(?:wil+ful+(?:ly)?|intentional(?:ly)?|deliberate(?:ly)?|reckless(?:ness)?|wanton)\b(?:[,/]? ?(?:or"
                r"|and)?[ /]?[\w-]+){0,3}?[ /](?:mis-?conducts?|acts?|omissions?|wrongdoings?|wrongful|defaults?"
                r"|misrepresentations?|negligence|neglect|torts?|misappropriation|infringement|disregard|actions"
                r"|violations? of (?:applicable )?law|malfeasance)\b"
            ),
            r"\bcaused (?:wil+fully|intentionally)\b",
            r"\bmalicious",
        ),
    ),
    Pattern(
        "gross negligence", r"\bgross(?:ly)?(?: or wil+ful+)?[ -](?:negligen\w+|misconduct|fault)|\bgross negligence"
    ),
    Pattern(
        "death or personal injury",
        r"\b(?:personal|bodily) injur\w+|\bdeath\b|\binjur(?:y|ies) to (?:any )?persons?|\billness\b",
    ),
    Pattern(
        "confidentiality",
        r"\bconfiden(?:ce|t\w+)|\bsecre(?:cy|t)\b|\bnon-?disclosure|\bproprietary information|\btrade secrets?",
    ),
    Pattern(
        "intellectual property",
        any_of(
            r"\bintellectual property",
            r"\binfring\w+",
            r"\bmisappropriat\w+",
            r"\bpatents?\b",
            r"\bcopyrights?",
            r"\btrade-?marks?",
            r"\bproprietary rights?",
            r"\bownership",
            r"\blicen[sc]es? (?:grants?|restrictions?)",
            r"\bgrants? of (?:rights|licen[sc]es?)",
            r"\bsoftware licen\w+",
            r"\blicen[sc]ed marks?",
        ),
    ),
    Pattern(
        "indemnities",
        any_of(
            r"\bindemni\w+",
            r"\bhold(?:ing)? harmless",
            r"\b(?:third[- ]part(?:y|ies)(?:'s?)? (?:\w+ )?(?:claims?|actions?|suits?))",
            r"\bclaims? (?:\w+ )?(?:by|of|from) (?:a |any )?third part",
        ),
    ),
    Pattern(
        "sums due",
        any_of(
            r"\b(?:non|under)-?payments?",
            r"\bpayments? (?:obligations?|due|of (?:any |all )?(?:amounts?|fees|sums|charges|the))",
            r"\bobligations? to (?:make (?:any )?payments?|pay|reimburse)",
            (
                r"\b(?:amounts?|sums?|monies|moneys|fees|charges|royalties|payments|invoices?"
                r"|commissions)\b[^,;()]{0,40}?\b(?:due|owed|owing|payable|accrued|unpaid|required to be paid)"
            ),
            r"\bfail\w* to (?:make (?:any )?payments?|pay)",
            r"\bunpaid\b",
            r"\b(?:termination|cancellation) (?:fees?|charges?)",
            r"\bpayment or reimbursement",
            r"\bpurchase price (?:of|for)",
            r"\bpay(?:ing|ment)? (?:for|of) (?:the )?(?:products|goods|services|fees)",
        ),
    ),
    Pattern(
        "what the law forbids to limit",
        any_of(
            r"\b(?:applicable|mandatory|governing) law",
            r"\b(?:by|under|at) law\b",
            r"\bcannot (?:be |lawfully |legally )*(?:excluded|limited|restricted)",
            r"\bstatut\w+",
            r"\blawfully\b|\bmay not be (?:excluded|limited|restricted)",
            r"\bunlawful",
        ),
    ),
)
WIDE = Pattern(
    "ordinary breach",
    any_of(
        r"(?<!ful )(?<!onal )(?<!rate )(?<!ent )\b(?:breach(?:es)?|violations?|defaults?|non-?performance)"
        r"(?: by (?:either|any|a|the other) party)? (?:of|under) (?:any (?:provision|term|obligation)s? (?:of|under) )?"
        r"(?:this|the) agreement\b(?!'s)",
        r"(?<!ful )\bbreach(?:es)? by (?:either|any|a|the other) party of (?:any of )?its obligations\b"
        r"(?:[^;]{0,60}? (?:under this agreement|hereunder)|\W*$)",
        r"(?<!ful )\bbreach(?:es)?(?: by [^,;]{1,30}?)? of any of (?:its|their) (?:obligations|promises)",
        r"\bfailure(?: (?:of|by) [^,;]{1,30}?)? to perform (?:its|their|any)(?: of (?:its|their))? obligations? "
        r"(?:under this agreement|hereunder)",
    ),
)
#: At the end of a list of exceptions these take in all of the agreement; before "or" they may go on.
SWEEPING = Pattern(
    "sweeping",
    any_of(
        r"\b(?:any|every|all)(?: other)? (?:breach(?:es)?|defaults?|non-?performance|claims?|liabilit(?:y|ies)"
        r"|obligations?)(?: (?:whatsoever|hereof|hereunder|of contract|at all|of any kind|of every kind"
        r"|of any obligations?))*\W*$",
        r"\b(?:breach(?:es)? of (?:the )?(?:contract|(?:any|an|its) (?:obligation|duty|provision|term)s?)"
        r"|non-?performance(?: of (?:any|an|its) obligations?)?)(?: whatsoever| hereunder| hereof)?\W*$",
        r"\b(?:anything|whatever)(?: is)? (?:done|omitted|happens)\b",
        r"\b(?:liabilit(?:y|ies)|claims?|damages|losses) (?:arising|resulting) (?:from|under|out of|in connection with)"
        r" (?:this|the) agreement\b",
        r"\bfail\w* to comply with any (?:provision|term|obligation)s?\b"
        r"(?: (?:hereof|hereunder|of this agreement))?\W*$",
        r"(?<!each )(?<!party's )\b(?!party)[a-z0-9&.\-]+(?:'s|s') (?:own )?liabilit(?:y|ies)\W*$",
        r"\b(?:every|any) breach of (?:its|any) obligations?\b(?: without limit\w*)?\W*$",
    ),
)
#: An exception that names no subject and takes all limits away swallows the rule.
LIMITLESS = Pattern(
    "without any limit",
    r"(?<!including )(?<!including, )\bwithout (?:any )?(?:limit|limitation|cap|ceiling)\b(?! of)"
    r"|\b(?:unlimited|uncapped|limitless)\b|\bunrestricted in amount\b|\bnot (?:be )?(?:limited|capped)\b(?! to)",
)
OPEN = Pattern(
    "left open",
    any_of(
        (
            r"^(?:\W*)(?:as|where|to the extent|if|unless)?\W*(?:otherwise |expressly |specifically |explicitly "
            r"|may be |is |are |it is )*(?:set (?:forth|out)|provided|stated|agreed|specified|contained|permitted"
            r"|required|contemplated|described)\b"
        ),
        (
            r"\bas (?:may be |is |are )?(?:otherwise |expressly |specifically )*(?:set (?:forth|out)|provided|stated"
            r"|agreed|specified)"
        ),
    ),
)
OUTSIDE = Pattern(
    "outside the list",
    any_of(
        r"\bwil+ful+ breach",
        r"\bintentional breach",
        r"\bdamages? to\b[^,;]{0,30}\bproperty",
        r"\bproperty damage",
        r"\b(?:tangible|real|physical)(?: personal)? property|\bdamages? to (?:real|tangible|physical)\b",
        r"\bloss of (?:or damage to )?[^,;]{0,20}property",
        r"\brepresentations?\b",
        r"\bwarrant(?:y|ies)\b",
        r"\bcovenants?\b",
        r"\b(?:wrongful|early|improper|premature) terminat\w+",
        r"\bterminat\w+ (?:of (?:this|the) agreement|by|without)",
        r"\babandon\w+",
        r"\bprivacy",
        r"\bdata (?:protection|security|breach)",
        r"\bsecurity breach",
        r"\bcomplian\w+",
        r"\bproduct liabilit\w+",
        r"\brecall\w*",
        r"\binsurance",
        r"\bnon-?solicit\w+",
        r"\bnon-?compet\w+",
        r"\bexclusiv(?:e|ity)\b",
        r"\bnegligen(?:ce|t)\b",
        r"\bstrict liabilit\w+",
        r"\benvironment\w+",
        r"\bdelay\w*",
        r"\bfail\w* to (?:meet|deliver|perform|supply|achieve)\b",
        r"\blate (?:delivery|performance|completion)",
        r"\bliquidated damages",
        r"\brefund\w*",
        r"\bbreach(?:es)? of (?:its|their|any|the|a party's|such party's)\b(?! (?:§|this))",
        r"\bdefects?\b",
        r"\bpublicity",
        r"\btax(?:es)?\b",
        r"\bcost(?:s)? of cover",
        r"\bnon-?conform\w+",
    ),
)
NAMED_PARTY = Pattern(
    "named party",
    any_of(
        (
            r"\b(?P<owner>(?!party|parties|other|another|person|its|their|claimant|third|each|any|neither|either|no|day"
            r"|today|let|section|agreement|month|year)[a-z0-9&.\-]+)(?:'s|s')(?= [a-z])"
        ),
        (
            r"\bby (?P<agent>(?:the )?(?:supplier|distributor|customer|client|licen[sc]ee|licen[sc]or|vendor|company"
            r"|contractor|consultant|agent|seller|buyer|purchaser|provider|franchisee|franchisor|manufacturer|reseller"
            r"|sponsor|owner|operator|developer|bank|lessee|lessor|service provider|us|you)\b)"
        ),
        r"^\W*(?:the )?(?P<role>your|our|my)\b",
    ),
)
