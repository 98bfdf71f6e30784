"""The words that a claim may use without finding them in its source, and words that are as good as
each other.

Convention: everything is stemmed when loaded, by :func:`pipeline.grounding.lexical.words.stem`.
"""

from __future__ import annotations

from functools import cache

from pipeline.grounding.lexical.words import stem

_FUNCTION = """a an the this that these those it its they their them there here he she his her who whom which what
when where while whether if then than as at by for from in into of off on onto out over to up with within between
among about and or nor but so such also only just even both either neither each one ones own other another same be is
are was been being do does did have has had will would shall should may might can could must not no never without any
all every some none nothing under upon per via because since though although however therefore thus hereby hereof
herein hereunder thereof therein thereto thereunder hereto regardless respectively too very more most less least well
whatsoever whatever however whichever more further otherwise toward against during after before above below through
s t i ii iii iv v vi vii you your we our us i'm itself himself themselves whose let"""
_FRAME = """clause clauses text passage wording words word sentence sentences provision provisions paragraph language
agreement contract contracts section sections article terms term state states stated say says said provide provides
provided set sets setting read reads reading show shows shown mean means meaning make makes give gives given take takes
put puts speak speaks spoke cover covers covered concern concerns name names named list lists express expressly clearly
explicit explicitly evidence cited cite cites chunk standard level position positions meets meet departs depart off
silent fails fail verdict risky acceptable here stand stands way ways run runs running bind binds bound binding alike
side sides sided party parties reciprocal mutual mutually mutuality rest rests rely relies basis according accordance
follow follows following same otherwise contrast likewise similarly similar so example instance effect matter subject
allocate allocates rule rules p1 p2 p3 p4 p5 p6 apply applies applied applicable application limit limits limited
limiting cap caps capped ceiling ceilings maximum liability liable liabilities responsible responsibility hold held
exclude excludes excluded excluding exclusion exclusions waive waives waived waiver waivers disclaim disclaims carve
carved outs carve-out carve-outs carveout exception exceptions except excepted exempt exempts exempted bar bars barred
time unlimited uncapped unrestricted unaffected restriction restrict restricts restricted money monetary sum sums
amount amounts figure fixed computed compute computable calculate calculated multiple times number numbers high low
narrow wide broad loss losses lost damage damages claim claims kind kinds type types form forms nature head heads
category categories customary usual unusual missing none proportion alone single protect protects protected
protection impose imposes imposed allow allows allowed permit permits place places keep keeps leave leaves left remain
remains let hence total overall aggregate whole entire full fully part entirely solely exclusively judged operative
able ordinary instead event events circumstance circumstances case cases respect regard regarding relation connection
related result results reason context extent long owe owes owed answer answers pay pays recover recovers recoverable
recovery seek seeks suffer suffered incur incurs incurred arise arises arising due cause causes caused direct directly
prevent prevents require requires required obligation obligations duty towards certain specific specified particular
reference references refer refers include includes including included contain contains exist exists first second third
above-mentioned aforementioned forth use used per-cent percent percentage year years month months week weeks day days
dollar dollars amounting equal equals least outside beyond exceed exceeds exceeding greater higher larger lower
smaller mention mentions mentioned work works working favour favor favours benefit benefits period periods refer
points point pointed falls fall fallen occur occurs occurring known knows know holds happen happens happening describe
describes described deal deals dealing address addresses addressed treat treats treated contemplate contemplates
operate operates extend extends extended reach reaches reached lie lies attach attaches matter value values worth
whole everything anything something anyone everyone nobody somebody question thing things way manner end ends
drafted written wrote phrase phrased phrases document parties' reader agreed agree agrees accept accepts accepted
undertake undertakes shield shields shielded favours side's sentence's rule ruled rules ruled-out out deny denies denied
expose exposes exposed exposure restrict answerable accountable responsible assume assumes assumed bear bears borne
twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty
ninety hundred thousand million billion four five six seven eight nine ten eleven twice double triple half thrice
permitted list listed range operative narrow turns text's hold redacted fragment missing amount scope subject
serve serves served serving carry carries carried sides side's alike unusual numbers number section sections found find
count counts counted counting hang hangs depend depends decisive
smaller become becomes come comes go goes gone stay stays remedy remedies"""
#: The trade's own words: a claim that says one of them says something that the source must say.
_TELLING = """incidental consequential indirect special punitive exemplary direct treble fraud negligence willful
misconduct confidentiality indemnity infringement intellectual property patent copyright trademark injury death bodily
goodwill profit profits revenue data privacy recall recalls environmental environment tax taxes export delivery delay
delays employment employee insurance audit regulatory warranty warranties refund replacement repair interest
jurisdiction arbitration law jury trial statute bankruptcy insolvency assignment sublicense royalty royalties license
licence hosting software product products service services equipment franchise trademark supply manufacture
manufacturing shipment order orders invoice fees fee price prices purchase escrow credit credits gross material
reasonable foreseeable notice writing written third affiliate affiliates officers directors shareholders customer
customers supplier vendor buyer seller licensor licensee distributor reseller manufacturer contractor consultant agent
company provider client franchisor franchisee lessor lessee landlord tenant owner operator sponsor publisher developer
bank lender borrower guarantor insurer carrier shipper termination expiry renewal exclusivity competition
non-competition solicitation force majeure strict liability tort"""
_HEADS_OF_LOSS = """incidental consequential indirect special punitive exemplary direct treble goodwill profit profits
revenue revenues data savings"""
#: Words of one group stand for each other. The first is the name of the group.
_SYNONYMS = """liable responsible answerable accountable liability responsibility
exceed excess surpass beyond greater more above over
exclude disclaim waive release forgo forego bar relinquish
terminate end expire cancel expiration
fee charge price remuneration compensation payment pay consideration sum
breach violation default violate nonperformance failure fail
profit earnings income revenue
gross serious
willful wilful intentional deliberate
misconduct wrongdoing
injury harm hurt
death die
indemnity indemnify hold-harmless
confidentiality secrecy nondisclosure secret disclose disclosure
intellectual ip
infringe violate misappropriate infringement
consequential consequent
indirect
lawsuit suit sue action proceeding claim litigation
law statute statutory legal legislation
advise inform notify aware tell warn
possibility likelihood chance risk foreseeable
purchase buy bought
product goods item
purpose aim
customer client
supplier vendor seller
buyer purchaser
begin commence start bring brought institute
preceding prior previous before last past
period month year
replace replacement substitute
repair fix correct mend
refund reimburse reimbursement repay return credit
sole exclusive only alone
remedy recourse relief redress
business trade commercial
aggregate total cumulative overall combined
annual year yearly
third
fraud deceit fraudulent
negligence careless
person personal bodily
employee staff personnel
affiliate subsidiary
order statement
cost expense
contract agreement
warranty guarantee guaranty
tort"""


@cache
def free_words() -> frozenset[str]:
    """Stems that carry no content of their own."""
    return frozenset(stem(word) for word in (_FUNCTION + " " + _FRAME).split())


@cache
def heads_of_loss() -> frozenset[str]:
    """The heads of loss that a claim may name, as written there."""
    return frozenset(_HEADS_OF_LOSS.split())


@cache
def _groups() -> dict[str, frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for line in _SYNONYMS.split("\n"):
        members = {stem(word) for word in line.split()}
        for member in members:
            groups.setdefault(member, set()).update(members)
    return {member: frozenset(group) for member, group in groups.items()}


def as_good_as(word: str) -> frozenset[str]:
    """The stems that stand for ``word`` (a stem), itself among them."""
    return _groups().get(word, frozenset((word,)))


@cache
def telling_words() -> frozenset[str]:
    """Words of the trade, as written in a claim in lower case, in any inflection."""
    stems = {stem(word) for word in _TELLING.split()}

    class _Telling(frozenset):
        def __contains__(self, word: object) -> bool:
            return isinstance(word, str) and stem(word) in stems

    return _Telling()
