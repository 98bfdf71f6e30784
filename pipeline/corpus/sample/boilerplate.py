"""The unannotated body of a contract: what is supplied, paid, kept secret, and the usual closing terms."""

from __future__ import annotations

from pipeline.corpus.sample.topic import Topic

#: Sections that other clauses refer to by number and heading; every contract has them.
ANCHORS: dict[str, Topic] = {
    "conf": Topic(
        ("Confidentiality", "Confidential Information", "Non-Disclosure", "Secrecy"),
        (
            "{Each|A} party {keeps|shall keep} secret {whatever|all information that} it {learns|receives} about "
            "the other's {business|trade} and that is {marked confidential|of a confidential nature}. It {uses|may "
            "use} such information {only|solely} {to perform|for the purposes of} this Agreement and "
            "{shows|discloses} it only to {staff|employees and advisers} who {need it|have a need to know}. "
            "Information that is {public|generally known}, {was already known|was lawfully known before} or is "
            "{independently developed|obtained from others without restriction} is not {covered|affected}. This "
            "duty {lasts|continues} for {three|five|seven} years after {disclosure|the end of this Agreement}.",
            '"{Confidential Information|Proprietary Information}" means {plans, prices, drawings|technical, '
            "financial and customer data} {and samples |}{disclosed|made available} by one party to the other {in "
            "any form|orally or in writing}. The {recipient|receiving party} {protects|shall protect} it with the "
            "{care|same care} it {gives|applies to} its own, {no less than|and at least} reasonable care, and "
            "{returns or destroys|hands back or deletes} it {on demand|when asked}. {A court order|Compulsion by "
            "law} {permits|allows} disclosure {to the extent|so far as} {ordered|required}, after {prompt "
            "|}notice.",
            "{Neither party|No party} will, without {written |}consent, {reveal|make known} the {terms of this "
            "Agreement|content of their talks} or {any|the} {secret process|trade secret} of the other. "
            "{Copies|Extracts} are {numbered|kept} {and locked away|in a secure place}. {Samples|Prototypes} may "
            "not be {analyzed|taken apart}. {Personal|Employee} data {is|are} handled {according to|in line with} "
            "the law {in force|that applies} {in <state>|where it was collected}.",
        ),
    ),
    "indem": Topic(
        ("Indemnification", "Indemnity", "Third-Party Claims", "Mutual Indemnities"),
        (
            "{Each party|The party at fault} {indemnifies and defends|shall indemnify and defend} the other "
            "against claims of third parties that {result from|are based on} {its breach of this Agreement|its "
            "negligent acts}. The {party claiming|indemnified party} {gives prompt notice|notifies the claim "
            "without delay}, leaves {control of the defense|conduct of the case} to the {other|indemnifying party} "
            "and {helps|cooperates} at {its|the latter's} expense. No {settlement|compromise} that {admits "
            "fault|burdens the indemnified party} is made without its {approval|agreement}.",
            "<P> {holds|shall hold} <c> harmless {from|against} suits {alleging|in which it is alleged} that the "
            "<goods> {infringe a patent or copyright|have injured a person}; <c> does {the same|likewise} {for|as "
            "to} {materials it provides|its use of the <goods> against instructions}. {Notice of a claim|A claim} "
            "{is to be|must be} {forwarded|sent} within {ten|fifteen|twenty} days; {delay|lateness} "
            "{matters|counts} only {so far as|where} it {causes prejudice|has harmed the defense}.",
            "{If|When} a {third person|stranger to this Agreement} {sues|claims against} one party {on account "
            "of|because of} conduct of the other, the {latter|other} {takes over|assumes} the defense with "
            "{counsel|attorneys} of its choice and {pays|satisfies} the judgment. {Until|Before} it does, the "
            "{party sued|defendant} {acts|may act} {reasonably|as a careful owner would} to {protect|preserve} the "
            "{position|interests} of both.",
        ),
    ),
    "ip": Topic(
        ("Intellectual Property", "Proprietary Rights", "Reserved Rights"),
        (
            "{Each|Either} party {keeps|retains} the {patents|trademarks}, {copyrights|designs} and know-how that "
            "it {held|owned} {before|when} this Agreement {was made|began}. {Nothing here|No term of this "
            "Agreement} {transfers|conveys} them {by implication|tacitly}. {Notices|Markings} of ownership {are "
            "left in place|may not be removed}. {Suspected|Any} infringement {by others|that comes to light} is "
            "{reported|notified} {promptly|as soon as known}, and the owner {decides|alone decides} whether to "
            "act.",
            "<P> is {and remains |}the {owner|sole owner} of {all rights in|everything that is protected in} the "
            "<goods>, their {names|packaging} and {documentation|manuals}. <C> {registers|shall register} no "
            "{domain|mark} {similar to|that resembles} them and {assists|helps}, {at the cost of <p>|against "
            "reimbursement}, {in recording|with filing} {licenses|registered user entries} where {customary|local "
            "law asks for it}.",
        ),
    ),
}

GENERAL: dict[str, Topic] = {
    "supply": Topic(
        ("Supply", "Scope of Work", "Orders and Delivery", "Performance"),
        (
            "<P> {supplies|shall supply} the <goods> {ordered|called for} by <c> on {purchase orders|order forms} "
            "that state {quantity|item number}, {place|point} of delivery and {desired date|delivery week}. {An "
            "order|Each order} {is binding|binds} when {confirmed|accepted}{, or if not refused within "
            "{five|seven} days|}. {Delivery|Shipment} is {made|effected} {carriage paid|ex works} and {risk|the "
            "risk of loss} {passes|is transferred} {on|upon} {handover to the carrier|arrival at the dock}. "
            "{Partial|Part} deliveries are {allowed|acceptable} {if announced|where useful}.",
            "The {work|assignment} {consists of|comprises} {the tasks|what is} {listed|described} in "
            "{Exhibit|Schedule} <letter>. <P> {assigns|appoints} {a manager|a lead} who {reports|gives an account} "
            "{weekly|monthly} on {progress|milestones}; {replacement|a change} of key {people|staff} is "
            "{discussed|agreed} with <c>. {Changes|Requests for change} are {priced|estimated} in writing and "
            "{begin|start} only {after|upon} {signature|approval}. <C> {gives|provides} {access|decisions} in "
            "{good|due} time.",
            "{Forecasts|Rolling forecasts} {covering|for} {six|twelve|nine} months are {sent|given} by <c> {on the "
            "first|by the tenth} day of {each|every} month; the {nearest|first} {two|three} months {bind|are "
            "firm}. <P> {holds|keeps} {safety stock|a reserve} of {four|six|two} weeks. {Packaging|Labels} "
            "{follow|follows} the {artwork|instructions} {approved|issued} by <c>, and {each lot|every batch} is "
            "{traceable|accompanied by a certificate of analysis}.",
        ),
    ),
    "price": Topic(
        ("Fees and Payment", "Prices", "Compensation", "Invoicing and Payment"),
        (
            "<C> {pays|shall pay} the {prices|fees} {set out|shown} in {Schedule|Exhibit} <letter>. {Invoices "
            "are|Each invoice is} due <days> after {receipt|its date}, {in|payable in} {United States dollars|the "
            "currency of the invoice}. {Overdue|Late} amounts {bear|carry} interest at {one|one and one-half} "
            "percent {a|per} month. {Disputed|Contested} items are {notified|raised} within {ten|fifteen} days, "
            "and the {undisputed|remaining} {part|balance} is paid {on time|without delay}.",
            "The {consideration|remuneration} for the {work|<goods>} is <money>{, payable|, due} in "
            "{four|six|three} {equal|quarterly} instalments. {Travel|Out-of-pocket} {costs|expenses} {are|shall "
            "be} {refunded|reimbursed} against receipts {if|where} {approved|agreed} beforehand. {Sales|Value "
            "added} tax is {added|charged} {where due|at the lawful rate}. {Set-off|Withholding} is "
            "{allowed|permitted} only for {admitted|acknowledged} {claims|credits}.",
            "{Payment|Settlement} is by {wire|bank} transfer to the account {named|stated} on the invoice. {A "
            "discount|An allowance} of {one|two} percent {applies|is given} for payment within {eight|ten} days. "
            "If <c> is {late|in arrears} {twice|more than once}, <p> may {ask for|demand} {prepayment|a letter of "
            "credit}. {Title|Ownership} {passes|goes over} on {payment|payment in full}.",
        ),
    ),
    "force": Topic(
        ("Force Majeure", "Events beyond Control", "Excused Performance"),
        (
            "{Neither party is in default|No party is in breach} {while|as long as} {fire, flood, strike|war, "
            "epidemic, embargo} or {another event|any other cause} {beyond its control|that it could not avert} "
            "{keeps it from performing|prevents performance}. It {tells|informs} the other {promptly|without "
            "delay} and {resumes|takes up} work {as soon as it can|when the event is over}. If the "
            "{hindrance|obstacle} lasts {more than|over} <days>, either may {withdraw|cancel affected orders}.",
            "{Performance|Time for performance} is {excused|extended} {to the extent|so far as} {natural "
            "disaster|an act of public authority|failure of utilities} {makes it impossible|stands in the way}. "
            "{Obligations to pay money|Payment duties} are not {excused|suspended}. {Scarce|Limited} supplies are "
            "{allocated|shared} {fairly|pro rata} among {customers|buyers}.",
        ),
    ),
    "notice": Topic(
        ("Notices", "Communications", "Addresses for Notice"),
        (
            "{Notices|Any notice} {must|shall} be in writing and {sent|delivered} by {courier|registered mail} to "
            "the {address|registered office} {on the first page|given above}, {for the attention of|marked for} "
            "the {general counsel|chief financial officer}. {They take|It takes} effect on {receipt|delivery}{, or "
            "on the third day after posting|}. {A change of address is|Changes of address are} "
            "{notified|announced} {likewise|in the same way}.",
            "{Day-to-day|Operational} messages may {go by|be sent by} e-mail between the {coordinators|project "
            "leads}. {Formal|Legal} notices {require|need} a {signed|dated} letter {handed over|delivered} against "
            "receipt. {A party|Whoever} {moves|changes address} {shall say|says} so within {five|ten} days, "
            "{failing which|or} the {old|last} address {remains good|stays valid}.",
        ),
    ),
    "entire": Topic(
        ("Entire Agreement", "Complete Agreement; Amendments", "Whole Agreement"),
        (
            "This {Agreement|document}, with its {schedules|exhibits}, {is|contains} the {whole|entire} "
            "{bargain|understanding} of the parties {on its subject|concerning its subject} and "
            "{replaces|supersedes} {earlier|all prior} {drafts|talks and letters}. {Amendments|Changes} "
            "{need|require} {a writing|a document} signed by {both|each of them}; {printed|preprinted} terms on "
            "{orders|invoices} {have no effect|are disregarded}.",
            "{No promise|No statement} {outside|not in} this {Agreement|text} {was relied on|has induced} {when it "
            "was signed|its signature}. {In case of conflict|If they conflict} the {body|main part} {prevails "
            "over|ranks before} the {schedules|annexes}, and {later|newer} {schedules|annexes} before "
            "{earlier|older} ones.",
        ),
    ),
    "sever": Topic(
        ("Severability", "Partial Invalidity", "Severability; Waiver"),
        (
            "{If|Where} a {court|tribunal} {holds|finds} {a term|one provision} {void|unenforceable}, the "
            "{others|rest} {stand|remain in force} and the {parties|signatories} {agree on|put in its place} a "
            "{valid|lawful} one {closest to|that comes nearest} their {aim|purpose}. {Failure to insist|Delay in "
            "insisting} on {a right|performance} is {no waiver|not a waiver} {of it|for the future}.",
            "{Waivers are|A waiver is} {good|effective} only {in writing|if written} and for the {instance|case} "
            "{named|stated}. {An invalid|A void} {clause|provision} {shall be|is} {cut down|reduced} to what the "
            "law {permits|allows} rather than struck out.",
        ),
    ),
    "relation": Topic(
        ("Relationship of the Parties", "Independent Contractors", "No Partnership"),
        (
            "The parties are {independent|separate} {contractors|enterprises}. {Nothing|No term} in this Agreement "
            "makes one {of them |}{the agent|the partner} of the other{| or a joint venturer}, and {neither|none "
            "of them} may {bind|commit} the other. {Each|Either} {pays|is responsible for} its own "
            "{staff|employees}, {taxes|contributions} and {licenses|permits}.",
            "<P> {acts|performs} {on its own account|as an independent business}. {Its people|Persons it employs} "
            "are not {employees|servants} of <c> and have no {share|part} in {its|any of its} benefit plans. {Use "
            "of|Hiring} subcontractors is {allowed|permitted} {with|after} {notice|approval}, and <p> "
            "{answers|stays responsible} for their {work|conduct}.",
        ),
    ),
    "comply": Topic(
        ("Compliance with Laws", "Legal Requirements", "Ethics and Compliance"),
        (
            "{Each|Every} party {obeys|complies with} {the laws|all rules} that {apply|are applicable} to {it|its "
            "business}, {among them|including} {export controls|rules against bribery} and {labor|environmental} "
            "standards. {No gift|Nothing of value} is {offered|given} to {officials|anyone} to {win|obtain} "
            "business. {Permits|Licenses} {needed for|to do with} the <goods> are {obtained|procured} by {the "
            "importer|the party that ships them}.",
            "<C> {does not|shall not} {export|re-export} the <goods> to {embargoed|sanctioned} "
            "{countries|persons}. <P> {provides|furnishes} {safety data sheets|origin certificates} {with|before} "
            "the {first|initial} {shipment|delivery}. {Inspections|Visits} by {authorities|regulators} are "
            "{announced|reported} to the other party {within two days|at once}.",
        ),
    ),
    "dispute": Topic(
        ("Escalation", "Settlement of Disputes", "Dispute Resolution"),
        (
            "{A dispute|Any disagreement} is {first |}{taken|referred} to the {project managers|account managers}, "
            "then, {after|if unresolved for} {ten|fifteen} days, to {a senior officer|an executive} of each side. "
            "{Mediation|A mediator} {may|can} be {tried|called in} {before|prior to} {suit|proceedings}. "
            "{Meanwhile|In the meantime} {work|performance} {goes on|continues}. {Urgent|Interim} relief "
            "{is|stays} available {at any time|in the courts}.",
            "{Joint|Steering} committee {meetings|sessions} are {held|called} {every quarter|quarterly}, "
            "{alternately|in turn} at the offices of <p> and <c>, to {review|go over} {quality|performance}, {open "
            "points|complaints} and {forecasts|plans}. {Minutes are kept|A record is made} and {approved|signed} "
            "by {both chairs|the two chairpersons}. {Decisions|Its decisions} are {unanimous|taken by consensus}.",
        ),
    ),
    "quality": Topic(
        ("Quality", "Acceptance", "Inspection and Acceptance"),
        (
            "<C> {inspects|shall inspect} {deliveries|each delivery} {on|upon} arrival and {reports|notifies} "
            "{visible|apparent} {defects|faults} within {seven|ten|fourteen} days; {hidden|latent} ones {when "
            "found|on discovery}. {Rejected|Refused} {lots|units} are {sent back|returned} {at the expense|for the "
            "account} of <p>. {Retained|Reference} samples are {stored|kept} for {one year|two years} {by both|on "
            "each side}.",
            "{Acceptance|Approval} {tests|trials} {follow|are run according to} the {protocol|procedure} in "
            "{Annex|Schedule} <letter>. {Three|Two} {failures|failed runs} in a row {entitle|allow} <c> to "
            "{cancel|withdraw} the {module|lot} {concerned|affected}. {Use|Putting into use} {in production|for "
            "trade} {counts as|amounts to} acceptance. {Minor|Small} {deviations|defects} are {listed|recorded} "
            "and {cured|put right} {later|within <days>}.",
        ),
    ),
    "market": Topic(
        ("Marketing", "Promotion", "Advertising and Promotion"),
        (
            "<C> {promotes|shall promote} the <goods> {diligently|with due energy} in <territory>, {attends|takes "
            "part in} {two|three} trade {fairs|shows} {a|each} year and {trains|keeps} {qualified|skilled} {sales "
            "staff|personnel}. {Brochures|Printed matter} {come from|are supplied by} <p>; {translations|local "
            "versions} are {checked|approved} by {it|<p>} {before|prior to} {use|printing}. A {yearly|rolling} "
            "{plan|budget} {sets|fixes} the {spending|targets}.",
            "{Launch|Campaign} {dates|calendars} are {agreed|set} {jointly|together}. {Each|Either} party "
            "{names|mentions} the other in {releases|public materials} {as partner|in the agreed form}. "
            "{Consumer|Customer} {complaints|questions} {reach|are passed to} <p> within {one|two} {days|business "
            "days}. {Prizes|Giveaways} and {contests|lotteries} {comply with|are run under} local rules.",
        ),
    ),
    "counter": Topic(
        ("Counterparts", "Execution", "Counterparts; Headings"),
        (
            "This Agreement may be {signed|executed} in {two|several} {copies|counterparts}, {each of them|every "
            "one} an original. Signatures {sent|transmitted} {electronically|by facsimile} {count|bind} {in "
            "full|like ink}. {Headings|Captions} {serve|are for} {reference|convenience} only.",
            "{Words|Terms} in the singular {include|cover} the plural. {Periods|Terms} of days {are|mean} calendar "
            "days unless {otherwise said|business days are named}. {Electronic|Scanned} {signatures|copies} "
            "{suffice|are sufficient}, and {no witness|no seal} is {needed|required}.",
        ),
    ),
}
