"""Clauses about licences, ownership, warranty and what follows the end (``terms_commercial``)."""

from __future__ import annotations

from pipeline.corpus.sample.topic import Topic

TERMS: dict[str, Topic] = {
    "license": Topic(
        ("License", "Grant of License", "Grant of Rights", "Licensed Rights"),
        (
            "⟦License Grant:<P> {grants|hereby grants} <c> {a non-exclusive|a limited, nonexclusive}{|, "
            "royalty-free} license to {use|reproduce|display} the {marks|documentation|software} {supplied "
            "with|for} the <goods> {in|within} <territory>⟧⟦Non-Transferable License:, which {may not be|cannot "
            "be} {transferred|sublicensed} {to others|to anyone}⟧. {All rights not granted|Rights not expressly "
            "granted} {are reserved|remain with <p>}.",
            "⟦License Grant:{Subject to|On condition of} {payment|timely payment}, <c> {receives|is given} the "
            "right to {make|install|operate} {copies of |}the {program|platform} {for its internal business|at the "
            "sites in Schedule <letter>}⟧. ⟦Irrevocable Or Perpetual License:{Once|When} {fully paid|paid in "
            "full}, the {license|right} is {perpetual|irrevocable}.⟧ {Reverse engineering|Decompiling} is "
            "{prohibited|not allowed}.",
            "⟦Affiliate License-Licensee:The {license|permission} {extends to|may be used by} "
            "{companies|affiliates} under common control with <c>{, for as long as that control lasts|}.⟧ ⟦License "
            "Grant:{Under it|Thereby} <c> may {distribute|promote} the <goods> {under|by} the {trade names|logos} "
            "of <p>{, as shown in its guidelines|}.⟧ {Samples of use|Proofs} are {submitted|sent} for approval "
            "{first|beforehand}.",
        ),
    ),
    "ownership": Topic(
        ("Ownership of Work Product", "Work Product", "Title to Developments", "Results"),
        (
            "⟦Ip Ownership Assignment:{All|Any} {work product|developments} {created|made} by <p> {for <c>|in the "
            "course of the services} {belongs|shall belong} to <c>, and <p> {assigns|hereby assigns} {every|all} "
            "right{|, title and interest} in it.⟧ <P> {signs|will sign} {such papers|whatever documents} as {are "
            "needed|may be needed} to {record|perfect} that {transfer|title}.",
            "⟦Joint Ip Ownership:{Inventions|Improvements} {made jointly|to which both parties contributed} "
            "{are|shall be} owned {jointly|in equal shares}, and {each|either} may {exploit|use} them {without "
            "accounting|without payment} to the other.⟧ ⟦Ip Ownership Assignment:{Improvements|Changes} to the "
            "<goods> {devised|made} by <c> alone {pass|are assigned} to <p> {upon creation|as they arise}.⟧ "
            "Background {rights|technology} {stays|remains} where it was.",
            "⟦Ip Ownership Assignment:{Upon|On} {payment|acceptance}, title to the {deliverables|designs} {vests "
            "in|passes to} <c>{, including {copyright|the right to make changes}|}.⟧ {Tools|Skills} that <p> {had "
            "before|brings with it} are {excepted|not included}{, but may be used with the deliverables|}.",
        ),
    ),
    "warranty": Topic(
        ("Warranty", "Product Warranty", "Limited Warranty", "Quality Warranty"),
        (
            "⟦Warranty Duration:<P> {warrants|guarantees} {for|during} {a period of "
            "|}{twelve|eighteen|twenty-four|six} months {from|after} {delivery|acceptance} that the <goods> "
            "{conform to|meet} {the specifications|their description} and are free from {material |}defects in "
            "{workmanship|design and material}.⟧ {Wear and tear|Misuse} is not covered. {Notice|A claim} "
            "{must|shall} {describe|state} the {defect|fault}.",
            "<P> {represents|confirms} that it has {good title|authority} to {sell|supply} the <goods>. ⟦Warranty "
            "Duration:{The warranty period|This warranty} {is|runs for} {ninety days|one year|two years|three "
            "years} {from|as of} {shipment|the date of installation}{ and is renewed for replaced parts|}.⟧ {It is "
            "passed on|It extends} to {end users|the first buyer}.",
            "⟦Warranty Duration:{Services|Work} found {deficient|unsatisfactory} {within|in the first} "
            "{thirty|sixty|ninety} days after {completion|performance} {is|are} {done again|corrected} {free of "
            "charge|without charge}.⟧ The {warranty|promise} {lapses|is lost} if {others|persons not approved by "
            "<p>} have {altered|repaired} the {result|installation}.",
        ),
    ),
    "after": Topic(
        ("Effects of Termination", "After Termination", "Transition", "Consequences of Expiry"),
        (
            "⟦Post-Termination Services:{After|Following} {termination|expiry}, <p> {shall|will} for {up to "
            "|}{three|six|four} months {assist in|help with} {moving|the transfer of} the {services|work} to {<c> "
            "or its nominee|a new provider}, at the rates {then in force|last agreed}.⟧ {Property|Equipment} of "
            "the other party is {returned|given back} within <days>.",
            "⟦Post-Termination Services:<C> may {sell off|dispose of} its {remaining stock|inventory} of the "
            "<goods> for <days> after {the end|expiry}, {subject to|on} {the same terms|the terms of this "
            "Agreement}⟧; {stock left|what is left} {then|after that} may be {bought back|repurchased} by <p> at "
            "{cost|the invoice price}. {Use of the marks|Advertising} {ceases|stops}.",
            "⟦Post-Termination Services:{Support|Maintenance} for {installed|delivered} <goods> {continues|is "
            "continued} {until|to} the end of {their warranty|the paid-up period} {even if|although} this "
            "Agreement has {ended|expired}.⟧ {Sums|Amounts} {accrued|due} {at|by} that {time|date} {stay|remain} "
            "payable, and {confidentiality|the duty of confidence} survives.",
        ),
    ),
    "liquidated": Topic(
        ("Delay", "Service Levels", "Late Delivery", "Agreed Damages"),
        (
            "⟦Liquidated Damages:For {each|every} {full |}week {of delay|by which delivery is late}, <p> "
            "{credits|shall credit} <c> with <percent> of the price of the {late|delayed} <goods>{, as liquidated "
            "damages and not as a penalty|}.⟧ {Delays|A delay} {excused|announced} {under|as allowed by} the force "
            "majeure {clause|section} {does|do} not count.",
            "⟦Liquidated Damages:{If|Where} <c> {ends|terminates} this Agreement in the first {year|twelve "
            "months}, it pays {a termination fee of|an agreed sum of} <money>{, which the parties consider a fair "
            "estimate|}.⟧ {Availability|Uptime} is {measured|calculated} {monthly|each month}, {scheduled "
            "maintenance|planned outages} excluded.",
        ),
    ),
    "escrow": Topic(
        ("Escrow", "Source Code", "Deposit of Source Materials"),
        (
            "⟦Source Code Escrow:<P> {deposits|shall deposit} the {source code|build files} of the "
            "{software|firmware} with an {escrow agent|independent agent}, who {releases|hands} {it|them} to <c> "
            "if <p> {becomes insolvent|ceases business}{ or stops maintenance|}.⟧ {Deposits are refreshed|The "
            "deposit is updated} with {each|every} {major |}release.",
            "⟦Source Code Escrow:{Within|No later than} <days> {of|after} {acceptance|the Effective Date}, {a "
            "copy|a complete copy} of the source {materials|files} {goes|is lodged} into escrow {for the benefit "
            "of|in favor of} <c>, {to be released on|for release upon} {bankruptcy|abandonment}.⟧ {Fees|The "
            "agent's fees} are {shared equally|borne by <c>}.",
        ),
    ),
    "refusal": Topic(
        ("Right of First Refusal", "First Offer", "Preferential Rights"),
        (
            "⟦Rofr/Rofo/Rofn:{Before|Prior to} {selling|licensing} {its rights in |}the <goods> {line |}to "
            "{another|a third party}, <p> {shall first offer|first offers} {them|it} to <c> on the {same|proposed} "
            "terms; <c> has <days> to {accept|decide}.⟧ {Silence|Lack of an answer} {counts as|is taken as} "
            "{refusal|a refusal}.",
            "⟦Rofr/Rofo/Rofn:<C> {has|shall have} {a right|the right} of first {negotiation|refusal} for {new "
            "products|any extension of the range} {that|which} <p> {brings|intends to bring} to "
            "{market|<territory>}.⟧ {Talks|Negotiations} {last|run for} {at most|no more than} <days>, {after "
            "which|whereupon} <p> is free.",
        ),
    ),
}
