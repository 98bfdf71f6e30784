"""More of the unannotated body: how the parties work together from day to day (``boilerplate``)."""

from __future__ import annotations

from pipeline.corpus.sample.topic import Topic

OPERATIONS: dict[str, Topic] = {
    "definitions": Topic(
        ("Definitions", "Interpretation", "Defined Terms"),
        (
            '"Affiliate" means {a company|any entity} that {controls|owns}, is {controlled|owned} by or is under '
            "common control with a party, {control being|where control is} the {power|right} to {direct its "
            'affairs|appoint most of its directors}. "Business Day" {means|is} a day on which {banks|commercial '
            'banks} are open in <city>. "{Specifications|Requirements}" {means|are} the {drawings|technical '
            "descriptions} {in|attached as} {Schedule|Exhibit} <letter>, {as changed|with all changes made} by "
            "{agreement|change order}.",
            'In this Agreement "{Net Revenue|Net Receipts}" is {the amount|what is} {invoiced|billed} {to '
            'customers|in the market} less {returns|refunds}, {freight|insurance} and taxes; "{Launch|Start} Date" '
            'is the day of the first {commercial|regular} {sale|delivery}; and "{Records|Books}" {are|means} '
            "{ledgers|journals}, {vouchers|receipts} and {electronic files|data} {kept|held} {in the ordinary "
            "course|for tax purposes}. {Statutes|Laws} are {cited|meant} {as amended|in their current form}.",
        ),
    ),
    "training": Topic(
        ("Training", "Instruction of Personnel", "Training and Manuals"),
        (
            "<P> {trains|shall train} {up to|not more than} {six|ten|twelve} {people|employees} of <c> {at its "
            "works|on site} in {handling|the use of} the <goods>. {Travel|Board and lodging} {is|are} for the "
            "{account|cost} of {the trainees' employer|<c>}. {Refresher|Further} courses {are held|take place} {on "
            "request|every other year}. {Manuals|Guides} {come|are written} in English {and may be copied|with "
            "illustrations} {for internal use|as often as needed}.",
            "{Before opening|Prior to first use}, the {manager|supervisor} {appointed|chosen} by <c> "
            "{completes|attends} a {course|programme} of {two|three} weeks and {passes|sits} {a test|an "
            "examination}. {Those who fail|Candidates who fail} may {repeat it|try again} once. {Visual "
            "aids|Videos} are {lent|provided} {without charge|for a deposit} and {returned|sent back} "
            "{undamaged|in good order}.",
        ),
    ),
    "tax": Topic(
        ("Taxes", "Duties and Taxes", "Tax Matters"),
        (
            "{Customs duties|Import duties} and {brokerage|clearance fees} are {borne|paid} by <c>; {taxes on "
            "income|income taxes} by the party {that earns|earning} it. {If|Where} {withholding|deduction at "
            "source} is {required|prescribed}, the {payer|paying party} {delivers|supplies} "
            "{receipts|certificates} {in time|promptly} and the {parties|signatories} {use|claim} {treaty|reduced} "
            "rates.",
            "{Each|Either} party {files|submits} its own {returns|declarations}. {Exemption|Resale} certificates "
            "{are|shall be} {handed over|furnished} {with the first order|at the outset}. {An assessment|A claim} "
            "by {a tax office|the revenue service} that {concerns|touches} the other is {passed on|forwarded} "
            "{within a week|at once}, {together with|along with} the {papers|file}.",
        ),
    ),
    "security": Topic(
        ("Data Security", "Security", "Protection of Data"),
        (
            "{Access|Log-in} to the {systems|networks} of the other party is {limited|granted} to "
            "{named|registered} users with {two-factor|token} {authentication|sign-on}. {Backups|Copies} are "
            "{taken|made} {nightly|daily} and {kept|stored} {in another building|off site} for {thirty|ninety} "
            "days. {Incidents|Intrusions} are {reported|notified} within {24|48|72} hours, with {a first "
            "account|an outline} of {what happened|the data concerned} and {the steps taken|remedial action}.",
            "<P> {runs|maintains} {a written|an information} security {program|policy} {in line with|modelled on} "
            "{recognized|international} standards and {tests|reviews} it {every year|annually}. "
            "{Personal|Cardholder} data {is|are} {encrypted|masked} {in transit and at rest|wherever stored}. "
            "{Subprocessors|Hosting sites} are {listed|named} in {Schedule|Annex} <letter>; <c> may {object|raise "
            "objections} within {ten|twenty} days {of a change|after notice}.",
        ),
    ),
    "safety": Topic(
        ("Safety", "Health and Safety", "Site Rules"),
        (
            "{Visitors|Crews} {wear|use} {protective|safety} {equipment|gear} and {sign in|register} {at the "
            "gate|with security}. {Accidents|Near misses} are {investigated|recorded} {jointly|by both parties}. "
            "{Hazardous|Flammable} {substances|materials} are {labelled|declared} {before|prior to} "
            "{entry|transport} and {stored|kept} {apart|under lock}. {Unsafe|Dangerous} work {is stopped|stops} "
            "{until|and waits until} {corrected|made safe}.",
            "The {site|plant} manager may {exclude|send away} {anyone|a person} who {ignores|disregards} the "
            "{rules|instructions}. {Vehicles|Trucks} {keep to|observe} {marked routes|the speed limit}. "
            "{Waste|Scrap} is {sorted|separated} and {removed|carried off} by {its producer|the party that made "
            "it}. {Fire drills|Evacuation drills} {take place|are held} {twice a year|each spring}, {and "
            "contractors|contractors included} {take part|participate}.",
        ),
    ),
    "report": Topic(
        ("Reports", "Reporting", "Information and Reports"),
        (
            "{Within|Not later than} {ten|fifteen} days {of|after} each {month|quarter} end, <c> {sends|submits} "
            "{figures|a report} on {sales|stock}, {returns|complaints} and {prices in the market|the activity of "
            "competitors}, {by region|for each outlet}. <P> {answers|replies} with {a forecast|its view} of "
            "{availability|lead times}. {Neither|No} report {binds|commits} {its author|the sender}, {but|yet} "
            "{each|all} {is|are} {prepared|drawn up} {with care|in good faith}.",
            "{A dashboard|A shared file} {shows|lists} {open orders|tickets}, {their age|due dates} and "
            "{owners|the person in charge}. {Corrections|Errors} are {entered|marked} {within two days|as they "
            "come to light}. {At year end|Each December} the parties {compare|reconcile} {balances|volumes} and "
            "{sign|confirm} {the result|a statement}; {differences|gaps} {under|below} one percent are "
            "{ignored|written off}.",
        ),
    ),
    "transport": Topic(
        ("Shipping", "Freight and Packing", "Packing and Transport"),
        (
            "{Crates|Pallets} {are|shall be} {heat treated|standard size} and {marked|stencilled} with {order "
            "number|gross weight}. {Bills of lading|Waybills} {reach|are sent to} <c> {before|ahead of} the "
            "{cargo|consignment}. {Temperature|Humidity} {loggers|recorders} {travel with|accompany} "
            "{sensitive|perishable} {lots|loads}. Demurrage {caused|incurred} by {late documents|wrong papers} "
            "falls on the {party at fault|sender}.",
            "<P> {chooses|selects} the {carrier|forwarder} {unless|except where} <c> {names|has named} one. "
            "{Loading|Unloading} {takes place|is done} {between|from} {six|seven} and {four|three} o'clock. "
            "{Damage|Shortage} {seen|noticed} on {receipt|arrival} is {written|noted} on the {delivery "
            "note|consignment note} and {photographed|documented}. {Returnable|Reusable} {containers|racks} "
            "{stay|remain} the property of {their owner|the party that supplied them}.",
        ),
    ),
}
