"""Invented companies, contract types, places and the titles under which contracts were filed."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.base.errors import CuadAuditError
from pipeline.corpus.sample.draws import Draws


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# A first name is one of each: 3 letters, 2 letters, the rest. So every index gives another name.
_HEADS = _words(
    "Bar Bel Bor Cal Cor Dal Dor Elb Fen Fol Gar Gol Hal Hem Hol Jor Kal Kem Kir Lan Lor Mar Mel Mor Nal Nev Nor "
    "Orb Pal Pel Por Qui Ral Ren Rov Sal Sel Sor Tal Tar Tev Tor Ulm Val Ven Vor Wal Wen Yal Zel"
)
_MIDDLES = _words("ab ad al am an ar ed el en er ev ib id il in ir od ol om on or ov ub ul um un ur us yl yn")
_TAILS = _words(
    "a ax ant ara een ell ent era est eth ex ia ica igo ine ion is ista ite ix o odo oma ona onic ora ovo ume una y"
)
CAPACITY = len(_HEADS) * len(_MIDDLES) * len(_TAILS)
_STRIDE = 7919  # prime, and no divisor of CAPACITY: walks through all names without a repeat

_TRADES = _words(
    "Systems Foods Therapeutics Networks Materials Logistics Optics Software Energy Brands Instruments Media "
    "Packaging Semiconductor Apparel Robotics Aviation Beverage Diagnostics Ceramics Marine Textiles Fitness "
    "Hospitality Mobility"
)
_FORMS = (("Inc", "Inc."), ("Corp", "Corp."), ("Ltd", "Ltd."), ("LLC", "LLC"), ("Co", "Co."))
_SURNAMES = _words(
    "Abernathy Adeyemi Baumgart Brandt Castellan Chowdhury Delacroix Drummond Eastley Fairbairn Farrow Gallimore "
    "Hartwell Holmquist Iwata Jessop Kavanagh Kowalska Lindqvist Lockridge Marchetti Merriweather Nakagawa Okafor "
    "Ostrander Pemberton Quigley Rasmussen Rosenthal Sandoval Saltmarsh Thackeray Tremblay Underhill Vandermeer "
    "Villanueva Whitcombe Wojcik Yarborough Zimmerman"
)

STATES = _words(
    "Arizona California Colorado Connecticut Delaware Florida Georgia Illinois Indiana Massachusetts Michigan "
    "Minnesota Missouri Nevada Ohio Oregon Pennsylvania Texas Virginia Washington Wisconsin"
)
TERRITORIES = (
    "North America",
    "the Pacific Northwest",
    "Scandinavia",
    "the Iberian Peninsula",
    "the Great Lakes region",
    "the Gulf States",
    "Central America",
    "the United Kingdom and Ireland",
    "Southeast Asia",
    "New England",
    "the Benelux countries",
    "Australia and New Zealand",
)
MONTHS = _words("January February March April May June July August September October November December")


@dataclass(frozen=True, slots=True)
class Company:
    """``name`` as in a contract's text, ``short`` its first word, ``filed`` as in a title."""

    name: str
    short: str
    filed: str

    @property
    def family(self) -> str:
        """The family's key: the first fourteen letters of the name as filed."""
        return "".join(letter for letter in self.filed.lower() if letter.isalpha())[:14]


@dataclass(frozen=True, slots=True)
class ContractType:
    """Who provides, who pays, and what the contract may call the things provided."""

    name: str
    provider: str
    payer: str
    goods: tuple[str, ...]


TYPES = (
    ContractType("Supply Agreement", "Supplier", "Buyer", ("Components", "Raw Materials", "Supplied Parts")),
    ContractType(
        "Distributor Agreement", "Manufacturer", "Distributor", ("Products", "Catalog Products", "Appliances")
    ),
    ContractType("Services Agreement", "Contractor", "Client", ("Services", "Field Services", "Project Work")),
    ContractType("License Agreement", "Licensor", "Licensee", ("Licensed Software", "Programs", "Licensed Technology")),
    ContractType("Franchise Agreement", "Franchisor", "Franchisee", ("System Goods", "Menu Items", "Branded Wares")),
    ContractType(
        "Consulting Agreement", "Consultant", "Company", ("Advisory Services", "Consulting Services", "Studies")
    ),
    ContractType("Maintenance Agreement", "Provider", "Customer", ("Maintenance Services", "Support", "Spare Parts")),
    ContractType("Hosting Agreement", "Host", "Subscriber", ("Hosted Services", "Platform", "Data Services")),
    ContractType("Reseller Agreement", "Vendor", "Reseller", ("Offerings", "Devices", "Subscriptions")),
    ContractType("Manufacturing Agreement", "Producer", "Purchaser", ("Assemblies", "Finished Goods", "Batches")),
    ContractType(
        "Sponsorship Agreement", "Organizer", "Sponsor", ("Event Rights", "Sponsorship Benefits", "Team Assets")
    ),
    ContractType(
        "Transportation Agreement", "Carrier", "Shipper", ("Freight Services", "Haulage", "Transport Services")
    ),
    ContractType("Development Agreement", "Developer", "Principal", ("Deliverables", "Prototypes", "Work Results")),
    ContractType(
        "Outsourcing Agreement", "Operator", "Recipient", ("Managed Services", "Back Office Work", "Processing")
    ),
    ContractType("Affiliate Agreement", "Network", "Publisher", ("Advertising Services", "Leads", "Placements")),
)


def company(seed: int, index: int) -> Company:
    """The company of family ``index``: no two families of one seed share a first name."""
    if index >= CAPACITY:
        raise CuadAuditError(f"source.families: {index + 1} is too many", f"ask for at most {CAPACITY} families")
    at = (Draws(seed, "names").below(CAPACITY) + index * _STRIDE) % CAPACITY
    head, rest = divmod(at, len(_MIDDLES) * len(_TAILS))
    middle, tail = divmod(rest, len(_TAILS))
    short = _HEADS[head] + _MIDDLES[middle] + _TAILS[tail]
    draws = Draws(seed, "company", index)
    trade = draws.pick(_TRADES)
    form, printed = draws.pick(_FORMS)
    return Company(f"{short} {trade}, {printed}", short, f"{short}{trade}{form}")


def counterparty(draws: Draws) -> Company:
    first, second = draws.sample(_SURNAMES, 2)
    name = draws.pick((f"{first} & {second} LLC", f"{first} {second} Limited", f"{first}-{second} Group, Inc."))
    return Company(name, first, "".join(letter for letter in name if letter.isalnum()))


def title(filed: str, kind: str, date: tuple[int, int, int], exhibit: int, draws: Draws) -> str:
    """A title in one of the two shapes of CUAD: the company, the filing date, the exhibit, the type.

    ``exhibit`` tells the contracts of one company apart; ``date`` is (year, month, day)."""
    year, month, day = date
    if draws.chance(0.5):
        return f"{filed.upper()}_{month:02d}_{day:02d}_{year}-EX-10.{exhibit}-{kind.upper()}"
    form = draws.pick(("10-K", "10-Q", "8-K", "S-1", "10-12G"))
    number = 1_000_000 + draws.below(11_000_000)
    return f"{filed}_{year}{month:02d}{day:02d}_{form}_EX-10.{exhibit}_{number}_EX-10.{exhibit}_{kind}"
