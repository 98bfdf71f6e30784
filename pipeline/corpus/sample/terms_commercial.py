"""Clauses about the bargain: term, exclusivity, volumes, prices. Marks carry CUAD's category names.

``TERMS`` maps a topic to its headings and its wordings. Slots: ``<p>``/``<P>`` the party that
provides, ``<c>``/``<C>`` the party that pays, ``<goods>``, ``<territory>``, ``<state>``, ``<date>``.
"""

from __future__ import annotations

from pipeline.corpus.sample.topic import Topic

TERMS: dict[str, Topic] = {
    "term": Topic(
        ("Term", "Duration", "Term of Agreement", "Initial Term and Renewal"),
        (
            "⟦Expiration Date:This Agreement {takes effect|begins} on the Effective Date and {continues|runs} for "
            "{an initial term|a period} of <years>⟧, unless {ended|terminated} earlier {as allowed below|under its "
            "terms}. ⟦Renewal Term:{Afterwards|Thereafter} it {renews|is extended} {automatically|without further "
            "act} for {successive|further} periods of {one (1) year|twelve (12) months|two (2) years} each⟧⟦Notice "
            "Period To Terminate Renewal:, unless {a|either} party gives {written notice|notice in writing} of "
            "non-renewal at least <days> before the {current|running} period {ends|expires}⟧. A {renewal|renewed "
            "period} is governed by the same terms, prices excepted.",
            "⟦Expiration Date:The {initial|first} term of this Agreement {shall end|ends} {on the day before the "
            "<ordinal> anniversary|<years> after the anniversary} of the Effective Date.⟧ {The parties will "
            "meet|Representatives of both parties meet} {four|six|three} months earlier to {discuss|consider} {an "
            "extension|whether to continue}. ⟦Notice Period To Terminate Renewal:{A party that|Whichever party} "
            "does not wish to {renew|continue} {must|shall} say so in writing {no later than|not less than} <days> "
            "before expiry⟧; ⟦Renewal Term:failing such notice the term is prolonged by {one year|a further "
            "year|eighteen months} {each time|at a time}⟧.",
            "⟦Renewal Term:<C> may, {at its option|in its discretion}, extend the term {once|twice|up to three "
            "times} for {twelve months|one year|two years} each⟧ ⟦Notice Period To Terminate Renewal:by "
            "{notice|letter} to <p> {given|delivered} <days> before the term {lapses|would otherwise lapse}⟧. "
            "{Unless so extended|If the option is not exercised}, ⟦Expiration Date:this Agreement expires {at the "
            "end of|on completion of} <years> from the Effective Date⟧ {without notice|and no further act is "
            "required}.",
        ),
    ),
    "convenience": Topic(
        ("Termination for Convenience", "Early Termination", "Termination without Cause", "Right to Terminate"),
        (
            "⟦Termination For Convenience:{Either party|<C>} may {terminate|end} this Agreement {at any time|at "
            "its convenience}, {for any reason or none|without stating a reason}, {on|by giving} <days> {prior "
            "written notice|notice in writing} to the other.⟧ {Orders accepted|Work ordered} before the notice "
            "{takes effect|expires} {shall be|will be} completed and paid for {as if no notice had been given|at "
            "the agreed rates}.",
            "In addition to {termination|its rights} for cause, ⟦Termination For Convenience:<c> {is free|has the "
            "right} to {withdraw from|bring to an end} this Agreement {without cause|as it sees fit}, provided it "
            "{notifies|informs} <p> at least <days> {in advance|ahead}⟧. {The notice shall state|In its notice it "
            "states} the {last day of service|date on which deliveries cease}, and <p> {shall wind down|winds "
            "down} its {activities|work} in an orderly {way|manner}.",
            "⟦Termination For Convenience:{No reason is needed|Cause is not required}: on {expiry of|the lapse of} "
            "<days> after {written |}notice by {either|any} party, this Agreement {ends|comes to an end}.⟧ The "
            "{party giving notice|notifying party} {reimburses|shall reimburse} {noncancellable|committed} "
            "{purchases|costs} that the other {can document|has shown}, {up to the value of the open orders|as far "
            "as they were approved in advance}.",
        ),
    ),
    "exclusivity": Topic(
        ("Exclusivity", "Exclusive Appointment", "Exclusive Rights", "Exclusive Dealing"),
        (
            "⟦Exclusivity:{During the term|For as long as this Agreement lasts}, <p> {shall not|will not} "
            "{appoint|engage} any other {distributor|person|reseller} {for|to promote} the <goods> in <territory>, "
            "nor {sell|supply} them there itself.⟧ {Leads|Inquiries} from {that region|the territory} {are|shall "
            "be} {passed on|referred} to <c> within {five|ten|three} {business|working} days.",
            "⟦Exclusivity:<C> {undertakes to|shall} {buy|purchase|procure} {all|its entire requirements} of "
            "{goods|items} of the kind of the <goods> {solely|only|exclusively} from <p>⟧, {as long as|provided "
            "that} <p> {can|is able to} {meet|satisfy} the {forecast|agreed forecast}. If <p> {falls|should fall} "
            "short, <c> may {cover the shortfall|obtain the missing quantity} elsewhere until "
            "{supplies|deliveries} {resume|are restored}.",
            "⟦Exclusivity:The {rights|appointment} {granted|conferred} by this {Section|Article} {are|is} "
            "exclusive {within|throughout} <territory>, and <p> {shall refrain|refrains} from granting "
            "{like|similar} rights to {others|third parties} {there|in that area}.⟧ ⟦Competitive Restriction "
            "Exception:{House accounts|Customers} named in {Schedule|Annex} <letter> {are|remain} outside the "
            "{exclusivity|exclusive appointment}.⟧",
        ),
    ),
    "non-compete": Topic(
        ("Non-Competition", "Covenant Not to Compete", "Competing Business", "Restrictive Covenants"),
        (
            "⟦Non-Compete:{Until|For a period ending} {one year|twelve months|two years|eighteen months} after "
            "this Agreement {ends|has ended}, <c> {shall not|agrees not to} {carry on|engage in|own an interest "
            "in} any business in <territory> that {competes|is in competition} with the <goods>.⟧ "
            "{Holding|Ownership of} {less than|not more than} {two|three|five} percent of {a listed company|listed "
            "shares} {is not a breach|is allowed}.",
            "<C> {acknowledges|recognizes} that <p> has {invested heavily|placed much trust} in this "
            "{relationship|venture}. ⟦Non-Compete:{Accordingly|For that reason} neither <c> nor {its "
            "affiliates|any company it controls} will {develop|market|offer} {a competing product|products that "
            "could replace the <goods>} {while this Agreement is in force|during the term}{| and for one year "
            "thereafter}.⟧",
            "⟦Non-Compete:{It is agreed that <p>|<P>} will not {open|operate|establish} {a competing outlet|an "
            "establishment of the same kind} within {ten|fifteen|twenty-five|forty} miles of any {site|location} "
            "{served|run} by <c>.⟧ {The distance is measured in a straight line|Distances are taken by road} from "
            "the {main|street} entrance.",
        ),
    ),
    "minimum": Topic(
        ("Minimum Purchases", "Minimum Commitment", "Purchase Commitment", "Volume Commitment"),
        (
            "⟦Minimum Commitment:{In|During} each {contract year|year of the term} <c> {shall|must} "
            "{order|purchase|take} {no fewer than|at least} <count> {units|cases|sets} of the <goods>.⟧ {A "
            "shortfall|Any shortfall} {may be made up|can be made good} in the {first quarter|first sixty days} of "
            "the {next|following} year.",
            "⟦Minimum Commitment:<C> {commits to|guarantees} {annual purchases|yearly orders} {worth|in the amount "
            "of} {not less than|at least} <money>⟧, {counted|measured} {net of returns|before discounts}. {If the "
            "commitment is missed|Upon a shortfall}, <p> may {convert|turn} the appointment into a "
            "{nonexclusive|non-exclusive} one.",
            "The {monthly|quarterly} {service fee|charge} {is|shall be} {invoiced|billed} {in arrears|in advance}. "
            "⟦Minimum Commitment:{Whatever the usage|Irrespective of actual use}, <c> pays {a minimum of|no less "
            "than} <money> {per|for each} {month|quarter}.⟧ {Credits|Service credits} {do not reduce|are not set "
            "off against} that minimum.",
        ),
    ),
    "revenue": Topic(
        ("Revenue Share", "Royalties", "Sharing of Proceeds", "Commission"),
        (
            "⟦Revenue/Profit Sharing:<C> {shall pay|pays} <p> {a royalty of|a share of} <percent> of {Net "
            "Revenue|net receipts} from the <goods>, {within|no later than} <days> {of the end of|after} each "
            "{calendar quarter|quarter}.⟧ {Each payment is accompanied by|With each payment comes} a statement of "
            "{units sold|gross receipts}, {returns|deductions} and taxes.",
            "Income from {joint campaigns|the program} {is|shall be} collected by <p>. ⟦Revenue/Profit "
            "Sharing:{After deduction of|Once it has deducted} {direct costs|agreed expenses}, it {remits|shall "
            "remit} <percent> {to <c> and keeps the rest|of the remainder to <c>}.⟧ {Amounts under|Balances below} "
            "<nominal> {are carried forward|roll over} to the next {period|quarter}.",
            "⟦Revenue/Profit Sharing:For {each|every} customer {introduced|referred} by <c>, <p> {pays|shall pay} "
            "a commission {equal to|of} <percent> of the {fees|amounts} {actually received|collected} {during|in} "
            "the first {twelve|twenty-four} months.⟧ No commission {is due|accrues} on {taxes|refunds}, "
            "{freight|credits} or {late charges|interest}.",
        ),
    ),
    "favored": Topic(
        ("Most Favored Customer", "Price Protection", "Pricing Parity", "Prices"),
        (
            "⟦Most Favored Nation:{If|Should} <p> {grants|offer} {any other buyer|a comparable customer} {lower "
            "prices|better terms} for {like|similar} quantities of the <goods>, {the same|those} {prices|terms} "
            "{shall apply|apply} to <c> from {that day|the same date}.⟧ {An officer|The controller} of <p> "
            "{certifies|confirms} compliance {once a year|yearly} on request.",
            "⟦Price Restrictions:{List prices|The prices in Schedule <letter>} may {be raised|rise} {no more "
            "than|at most} once {a|in any} calendar year and {never by more than|by not more than} <percent>.⟧ "
            "{Increases take|A new price list takes} effect <days> after {announcement|notice}; orders {already "
            "placed|in hand} keep the old price.",
        ),
    ),
    "volume": Topic(
        ("Usage Limits", "Permitted Volume", "Capacity"),
        (
            "⟦Volume Restriction:{Use|Usage} {above|beyond} <count> {transactions|users|shipments} {a|per} "
            "{month|quarter} {is|shall be} {charged|billed} at the {overage|excess} rate in {Schedule|Exhibit} "
            "<letter>{| and needs the prior consent of <p>}.⟧ {Counts|Volumes} are taken from the {system "
            "logs|records} of <p>, {absent manifest error|which <c> may inspect}.",
            "⟦Volume Restriction:<C> may not {request|call off} more than <count> {units|hours|pallets} in {any "
            "month|any one month} {without|unless it has} {the written agreement of <p>|agreed a new forecast with "
            "<p>}.⟧ {Requests|Call-offs} are made {through the portal|by e-mail} {by noon|before close of "
            "business} on the {first|last} {business|working} day.",
        ),
    ),
}
