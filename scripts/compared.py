"""What a comparison says, against the figures of two CSV files. Imported by check-answers.py.

The rules are those of claims.py for the sentences of `topobench compare` and its page.
"""

import re

import recomputed as figures
from claims import compiled, rule
from recomputed import LIMITS, agrees, number

COUNTS = {f"main_{name}" for name in [
    "statements", "commits", "rows_read", "rows_written", "objects_copied", "objects_refreshed", "faults_fired",
    "list_changes"]}
FREEZES = {"a hang": figures.HANG, "a noticeable freeze": figures.NOTICED,
           "a freeze for more than a frame": figures.FRAME}
SPEED = 1.1  # beyond it the machine's speed changed
CHANGES = {
    "main is blocked longer": ("main_blocked_ms", "worse"),
    "main is blocked for a shorter time": ("main_blocked_ms", "better"),
    "the longest gap is longer": ("main_longest_gap_ms", "worse"),
    "the longest gap is shorter": ("main_longest_gap_ms", "better"),
    "changes are visible later": ("visible_ms", "worse"), "changes are visible earlier": ("visible_ms", "better")}
NAMED = r"N(?: in [^()]*?)?"
LISTED = rf"{NAMED} \([^()]*\)(?:(?:, | and ){NAMED} \([^()]*\))*(?: and \d+ more)?"

SENTENCES = []


class Figure:
    """One metric of one topology in one setting: the verdict of the JSON document, and both sides."""

    def __init__(self, section, topology, figure, settings):
        self.name, self.metric, self.verdict = topology["name"], figure["metric"], figure["verdict"]
        self.key = section["scenario"], section["parameters"], section["store"]
        self.told = figure["baseline"]["median"], figure["candidate"]["median"]
        self.is_count = self.metric in COUNTS
        self.sides = [self.values(setting) for setting in settings]
        middle = figures.lower_middle if self.is_count else figures.median
        self.medians = [middle(side) if side else None for side in self.sides]

    def values(self, setting):
        """Longest gaps are the topology's own."""
        if self.metric == "main_longest_gap_ms":
            return setting.freezes[self.name].gaps if self.name in setting.freezes else []
        return setting.values(self.name, self.metric)

    @property
    def rises(self):
        return self.medians[1] > self.medians[0]

    @property
    def limit(self):
        """The worst limit that one side's median gap passes, and the other's does not."""
        if self.metric != "main_longest_gap_ms" or None in self.medians:
            return None
        return next((x for x in LIMITS if (self.medians[0] > x) != (self.medians[1] > x)), None)


class Comparison:
    """All figures of the JSON document, and why times cannot be judged, if so."""

    def __init__(self, document, sides):
        self.doubt = doubt(sides)
        self.all = [
            Figure(section, topology, figure, [side[key] for side in sides])
            for section in document["sections"]
            for key in [(section["scenario"], section["parameters"], section["store"])]
            for topology in section["topologies"] for figure in topology["figures"]]

    def of(self, metric, *verdicts):
        return [f for f in self.all if f.metric == metric and f.verdict in verdicts and not f.limit]

    def counts(self, *verdicts):
        return [f for f in self.all if f.is_count and f.verdict in verdicts]


def doubt(sides):
    """Why times cannot be judged: another machine, or one that became slower or faster."""
    cells = [[row for setting in side.values() for row in setting.cells if row["status"] == "ok"] for side in sides]
    hosts = [{row["host_id"] for row in side} for side in cells]
    if all(hosts) and hosts[0] != hosts[1]:
        return "another machine"
    raw = [[number(row, "raw_sqlite_ms") for row in side if row["raw_sqlite_ms"]] for side in cells]
    if all(raw) and max(map(figures.median, raw)) / min(map(figures.median, raw)) > SPEED:
        return "SQLite alone took {:.3f} and {:.3f} ms".format(*map(figures.median, raw))
    return None


def wrong_figures(comparison):
    """Yields (sentence, what is wrong) of the JSON document's figures."""
    for f in comparison.all:
        what = f"{f.name} {f.metric} {f.verdict}"
        for told, value in zip(f.told, f.medians):
            if value is None or abs(told - value) > 1e-6 * max(1, abs(value)):
                yield f"{what}: {told}", value
        if f.verdict in ("worse", "better") and all(f.sides):
            yield from ((what, wrong) for wrong in wrong_verdict(f, comparison.doubt))


def wrong_verdict(f, doubt):
    if doubt and not f.is_count:
        yield doubt
    if f.rises != ((f.verdict == "worse") != (f.metric == "changes_per_s")):
        yield f"from {f.medians[0]} to {f.medians[1]}"
    if f.is_count and any(len(set(side)) > 1 for side in f.sides):
        yield f"counts that vary: {f.sides}"
    if not f.is_count and figures.rank_sum(*f.sides)[0] > 0.1:
        yield f"the trials do not separate {f.sides}"


def wrong_against_truth(comparison, truth):
    """What the generator changed must be found, and nothing else of it."""
    kind, target = truth["kind"], truth["topology"]
    for f in comparison.all:
        varies = f.is_count and any(len(set(side)) > 1 for side in f.sides)
        enough = all(len(side) >= 6 for side in f.sides)
        changed = kind == "counts" and f.name == target
        if f.is_count and enough and not varies and (f.verdict == "worse") != changed:
            yield f"{f.name} {f.metric} {f.verdict}", f"{kind} of {target}: {f.medians}"


def wrong_rows(comparison, text, names):
    """Yields what is wrong in the terminal's tables: a row needs a figure with its verdict and medians."""
    name = None
    for line in text.split("\n"):
        cells = re.split(r"\s{2,}", line.strip())
        if not line.startswith(" ") and names.get(line.strip()):
            name = names[line.strip()]
        elif line.startswith("  ") and name and len(cells) > 4 and "_" in cells[0] and "(" not in cells[0]:
            known = [f for f in comparison.all if f.name == name and f.metric == cells[0]]
            if not any(f.verdict in cells and all(map(shows, cells[1:3], f.sides, f.medians)) for f in known):
                yield "  ".join([name, *cells]), [(f.verdict, f.medians) for f in known]


def shows(text, side, middle):
    """`12.3`, or a count's range `1,826–1,828`."""
    ends = text.split("–")
    return agrees(text, middle) if len(ends) == 1 else agrees(ends[0], min(side)) and agrees(ends[1], max(side))


# --- Sentences ----------------------------------------------------------------------------------

def listed(text, names):
    """[(topology, what stands in brackets)], and how many more are not named."""
    found = [(names[m[1]], m[2]) for m in compiled(rf"(N)(?: in [^()]*?)? \(([^()]*)\)", names.all).finditer(text)]
    unnamed = re.search(r" and (\d+) more$", text)
    return found, int(unnamed[1]) if unnamed else 0


def same_cases(told, expected, names, what):
    """Told cases are the expected ones: as many, and each with its medians."""
    cases, unnamed = listed(told, names)
    if len(cases) + unnamed != len(expected):
        yield f"{len(expected)} figures {what}: {[(f.name, f.medians) for f in expected[:3]]}"
    for name, inside in cases:
        both = re.match(r"([\d.,<]+) → ([\d.,<]+)", inside)
        fits = [f for f in expected if f.name == name and (
            not both or all(agrees(text, value) for text, value in zip(both.groups(), f.medians)))]
        if not fits:
            yield f"{name} ({inside}): {[f.medians for f in expected if f.name == name]}"
        elif not any(percentage(inside, f) for f in fits):
            yield f"{name} ({inside}): from {fits[0].medians}"


def percentage(inside, f):
    """`+27 %` and `×3.2` are the ratio of the medians."""
    told = re.search(r"([+-]?)([\d.,]+) %$|×([\d.,]+)$", inside)
    if not told or not f.medians[0]:
        return True
    ratio = f.medians[1] / f.medians[0]
    return agrees(told[3], ratio) if told[3] else agrees(told[2], abs(100 * (ratio - 1)))


@rule(SENTENCES, r"nothing was compared\.?$|Nothing was compared\.?$")
def nothing(comparison, m, names):
    if comparison.all:
        yield f"{len(comparison.all)} figures"


@rule(SENTENCES, r"(?:all (?P<n>[\d,]+) figures are|the one figure is) the same\.?$")
def everything(comparison, m, names):
    told = int((m["n"] or "1").replace(",", ""))
    if told != len(comparison.all) or any(f.verdict != "same" for f in comparison.all):
        yield f"{sum(f.verdict == 'same' for f in comparison.all)} of {len(comparison.all)}"


@rule(SENTENCES, r"times are not judged, because (?:[^;.]|\.\d)*\.?")
def not_judged(comparison, m, names):
    if not comparison.doubt and "which machine" not in m[0]:
        yield "one machine, at one speed"


@rule(SENTENCES, rf"(?P<what>{'|'.join(FREEZES)}) (?P<how>begins|ends) with (?P<all>{LISTED})\.?")
def freeze(comparison, m, names):
    limit, begins = FREEZES[m["what"].lower()], m["how"] == "begins"
    expected = [f for f in comparison.all if f.limit == limit and f.rises == begins]
    yield from same_cases(m["all"], expected, names, f"{m['how']} at {limit} ms")


@rule(SENTENCES, r"no freeze begins or ends(?: \(limits: 16\.7 ms, 100 ms and 250 ms\))?(?=[.;]|$)\.?")
def no_freeze(comparison, m, names):
    yield from (f"{f.name}: {f.medians}" for f in comparison.all if f.limit)


@rule(SENTENCES, rf"(?P<what>{'|'.join(CHANGES)}) with (?P<all>{LISTED})\.?")
def changed(comparison, m, names):
    yield from same_cases(m["all"], comparison.of(*CHANGES[m["what"].lower()]), names, m["what"])


@rule(SENTENCES, rf"the metric (?P<metric>\w+) (?:is )?(?P<how>worse|better|differs) with (?P<all>{LISTED})\.?")
def metric(comparison, m, names):
    yield from same_cases(m["all"], comparison.of(m["metric"], m["how"]), names, m["how"])


@rule(SENTENCES, r"blocked time is (?:inconclusive with (?:[^.;]|\.\w)*|(?P<same>the same))\.?")
def blocked_undecided(comparison, m, names):
    all = [f for f in comparison.all if f.metric == "main_blocked_ms"]
    if m["same"] and any(f.verdict != "same" for f in all):
        yield f"{[(f.name, f.verdict) for f in all if f.verdict != 'same'][:3]}"
    told = {names[one[0]] for one in compiled("N", names.all).finditer("" if m["same"] else m[0])}
    wrong = told - {f.name for f in all if f.verdict == "inconclusive"}
    if wrong:
        yield f"it is not with {wrong}"


@rule(SENTENCES, r"(?:(?P<n>[\d,]+) exact counts? (?:is|are) (?P<how>worse|better)(?:: (?:[^.;]|\.\w)*)?|exact counts are (?P<same>the same))\.?")
def counts(comparison, m, names):
    if m["same"]:
        yield from (f"{f.name} {f.metric} {f.verdict}" for f in comparison.all if f.is_count and f.verdict != "same")
    elif int(m["n"].replace(",", "")) != len(comparison.counts(m["how"])):
        yield f"{len(comparison.counts(m['how']))} are {m['how']}"


@rule(SENTENCES, r"(?P<n>[\d,]+) of (?P<of>[\d,]+) figures? (?:is|are) the same(?:, (?P<un>[\d,]+) (?:is|are) (?:undecided|inconclusive))?\.?")
def rest(comparison, m, names):
    told = [int((m[k] or "0").replace(",", "")) for k in ("n", "of", "un")]
    cases = [f for f in comparison.all if not f.limit]
    expected = [sum(f.verdict == "same" for f in cases), len(comparison.all),
                sum(f.verdict == "inconclusive" for f in cases)]
    if told != expected:
        yield f"same, all, undecided: {expected}"


@rule(SENTENCES, r"[\d,]+ other figures? changed\.?")
def others(comparison, m, names):
    if not any(f.verdict in ("worse", "better", "differs") for f in comparison.all):
        yield "nothing changed"


@rule(SENTENCES, r"Of (?P<n>[\d,]+) figures?: (?P<all>.*)\.$")
def tally(comparison, m, names):
    """The form before compare had a conclusion."""
    words = {"worse": "worse", "better": "better", "differs": "differs", "inconclusive": "inconclusive", "the same": "same"}
    for word, verdict in words.items():
        told = re.search(rf"(?:^|; )([\d,]+) {word}\b", m["all"])
        count = sum(f.verdict == verdict for f in comparison.all)
        if (int(told[1].replace(",", "")) if told else 0) != count:
            yield f"{count} are {verdict}"


@rule(SENTENCES, r"(?:No change of blocked time is shown|Main is blocked (?:longer|for a shorter time): [^;]*)")
@rule(SENTENCES, r"[\d,]+ other figures? worse or different$")
def before(comparison, m, names):
    """The page's heading before compare had a conclusion: no regression of another machine's time."""
    if "longer" in m[0] and comparison.doubt:
        yield comparison.doubt
