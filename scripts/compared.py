"""What a comparison shows, recomputed from the rows of both sides, and its sentences as rules.

Imported by check-answers.py. Figures, verdicts and intervals of `topobench compare`, of its page and of
`topobench duet` follow from the rows alone, by the rules that Documentation/Explanation/Judging.md states.
"""

import copy
import itertools
import math
import re

import recomputed as figures
from claims import NO_FIGURES, compiled, place, rule
from recomputed import COUNTS, LIMITS, agrees, agrees_beside_limits, holm, number

TIMES = ["main_blocked_ms", "main_longest_gap_ms", "visible_ms"]
INSTRUCTIONS = ["main_instructions", "worker_instructions", "open_instructions", "scroll_instructions"]
FREEZES = {"a hang": figures.HANG, "a noticeable freeze": figures.NOTICED,
           "a freeze for more than a frame": figures.FRAME}
CHANGES = {
    "main is blocked longer": ("main_blocked_ms", "worse"),
    "main is blocked for a shorter time": ("main_blocked_ms", "better"),
    "the longest gap is longer": ("main_longest_gap_ms", "worse"),
    "the longest gap is shorter": ("main_longest_gap_ms", "better"),
    "changes are visible later": ("visible_ms", "worse"), "changes are visible earlier": ("visible_ms", "better"),
    "main executes more instructions": ("main_instructions", "worse"),
    "main executes fewer instructions": ("main_instructions", "better")}


def listed(item):
    """Items of each setting, with the setting after them."""
    group = rf"{item}(?:(?:, | and ){item})*(?: in P)?"
    return rf"{group}(?:(?:; | and ){group})*(?: and \d+ more)?"


# A short form over several settings counts them.
COUNTED_SETTINGS = r"N in [\d,]+ settings?(?:(?:, | and )N in [\d,]+ settings?)*(?: and [\d,]+ more)?"
LISTED, UNDECIDED = (f"(?:{COUNTED_SETTINGS}|{listed(item)})" for item in (r"N \([^()]*\)", "N"))
MISSING = "–"

SENTENCES, DUET = [], []


class Figure:
    """One metric of one topology in one setting, and what both sides say of it."""

    def __init__(self, group, metric, sides, is_paired, unsteady=False, own=None):
        """`sides` are judged: of a duet, the pairs that both sides measured. `own` are all values of each side."""
        self.key, self.name, self.metric, self.sides = group[:3], group[3], metric, sides
        self.is_paired, self.is_count, self.unsteady = is_paired, figures.is_count(metric), unsteady
        middle = figures.whole_middle if figures.is_whole(metric) else figures.median
        self.own = own or sides
        self.medians = [middle(side) if side else None for side in self.own]
        self.fewest = 1 if group[5] else 6
        self.floor = self.allowed = self.shift = None
        if all(sides):
            base = abs(middle(sides[0]))
            self.is_ratio = base > 0 and all(value > 0 and value >= 0.1 for side in sides for value in side)
            limits = [max(share, 0.1 / base) if self.is_ratio else max(share * base, 0.1) for share in (0.03, 0.1)]
            self.floor, self.allowed = [math.log(1 + limit) if self.is_ratio else limit for limit in limits]
            self.at = [[math.log(value) if self.is_ratio else value for value in side] for side in sides]
            self.tails, self.shift = figures.shifted(*self.at, is_paired)

    def agrees(self, text, value):
        """A gap lies on the value's side of each limit."""
        return (agrees_beside_limits if self.metric == "main_longest_gap_ms" else agrees)(text, value)

    def bound(self, tail, is_upper):
        return figures.bound(*self.at, self.is_paired, tail, is_upper)

    def change(self, shift):
        """As candidate / baseline, or candidate − baseline."""
        return shift if shift is None or not self.is_ratio else math.exp(shift)

    @property
    def estimate(self):
        """The change with its 95 % interval, or None without one."""
        return [self.change(one) for one in (self.shift, self.bound(0.025, False), self.bound(0.025, True))]

    @property
    def median_change(self):
        before, after = self.medians
        return after / before if self.is_ratio and not self.is_count else after - before

    def is_harmless(self, tail, is_upper):
        end = self.bound(tail, is_upper)
        worst = end if is_upper or end is None else -end
        return worst is not None and (worst < self.allowed or worst <= 0)

    def of_time(self, adjusted, fewest):
        if self.sides[0] == self.sides[1]:
            return "same"
        if min(map(len, self.sides)) < fewest:
            return "inconclusive"
        if adjusted <= 0.05 and abs(self.shift) > self.floor:
            return "worse" if self.shift > 0 else "better"
        return "same" if self.is_harmless(0.05, True) and self.is_harmless(0.05, False) else "inconclusive"

    def of_count(self):
        """Equal work has equal counts; instructions of equal work differ a little."""
        before, after = self.sides
        slack = (lambda value: max(value / 100, 200_000)) if "instructions" in self.metric else lambda value: 0
        torn = self.unsteady or any(side and max(side) > min(side) + slack(min(side)) for side in self.sides)
        if before == after or len({*before, *after}) == 1:
            return "same"
        if torn or min(map(len, self.sides)) < self.fewest:
            return "inconclusive"
        if min(after) > max(before) + slack(max(before)):
            return "worse"
        return "better" if max(after) < min(before) - slack(min(before)) else "same"

    @property
    def limit(self):
        """The worst limit that one side's median gap passes, and the other's does not."""
        if self.metric != "main_longest_gap_ms":
            return None
        # A median of two decimals may differ from a limit by less than a nanosecond.
        first, second = (round(median, 6) for median in self.medians)
        return next((x for x in LIMITS if (first > x) != (second > x)), None)

    @property
    def begins(self):
        return self.medians[1] > self.medians[0]

    @property
    def is_freeze(self):
        return self.limit is not None and self.verdict == ("worse" if self.begins else "better")


def group_of(row):
    return (row["scenario"], figures.parameters_of(row), row["store"], row["topology"], row["scenario_digest"],
            row["phase"] == "count")


def values_of(cells, metric):
    """{round: value} of the cells that ended ok."""
    found = {}
    for index, row in enumerate(row for row in cells if row["status"] == "ok"):
        value = figures.own_gap(row) if metric == "main_longest_gap_ms" else number(row, metric)
        if value is not None:
            found[(row["run_id"], row["pair"]) if row["pair"] else index] = (
                math.floor(value) if figures.is_count(metric) else value)
    return found


class Comparison:
    """Two sides, each a list of rows, and everything that is compared."""

    def __init__(self, *sides):
        self.rows = sides
        self.groups = [{}, {}]
        for groups, rows in zip(self.groups, sides):
            for row in rows:
                groups.setdefault(group_of(row), []).append(row)
        self.matched = [group for group in self.groups[0] if group in self.groups[1]]
        both = [row for groups in self.groups for group in self.matched for row in groups[group]]
        self.is_paired = bool(both) and all(row["pair"] for row in both)
        # Of each matched group, or of the sides. Both cells of a pair ran in one session.
        self.hosts = [[{row["host_id"] for row in groups[group]} for groups in self.groups] for group in self.matched]
        self.hosts = self.hosts or [[{row["host_id"] for row in rows} - {""} for rows in sides]]
        self.are_known = self.is_paired or all(side and "" not in side for pair in self.hosts for side in pair)
        self.moved = next((pair for pair in self.hosts if pair[0] != pair[1]), None)
        self.speed = self.raw_ratio()
        self.all = [figure for group in self.matched for figure in self.figures(group)]
        self.doubt = self.doubts()
        times = [f for f in self.all if not f.is_count]
        self.family = len(times)
        adjusted = holm([min(1, 2 * min(f.tails)) for f in times])
        self.fewest = figures.unanimous(len(times), self.is_paired)
        for f, p in zip(times, adjusted):
            f.adjusted = p
            f.verdict = "inconclusive" if self.doubt else f.of_time(p, self.fewest)
        for f in self.all:
            f.verdict = f.of_count() if f.is_count else f.verdict

    def figures(self, group):
        for metric in TIMES + COUNTS + INSTRUCTIONS:
            both = [values_of(groups[group], metric) for groups in self.groups]
            own = [list(side.values()) for side in both]
            if self.is_paired:
                both = [{pair: side[pair] for pair in both[0] if pair in both[1]} for side in both]
            sides = [list(side.values()) if self.is_paired else sorted(side.values()) for side in both]
            unsteady = any(metric in row["unsteady_counts"].split(" ")
                           for groups in self.groups for row in groups[group] if row["status"] == "ok")
            if all(sides):
                yield Figure(group, metric, sides, self.is_paired, unsteady, own)

    def raw_ratio(self):
        ratios = []
        for group in self.matched:
            raw = [list(values_of(groups[group], "raw_sqlite_ms").values()) for groups in self.groups]
            if all(raw):
                ratios.append(figures.median(raw[1]) / figures.median(raw[0]))
        return figures.median(ratios) if ratios else None

    def doubts(self):
        """Why times cannot be judged: another machine, or one that became slower or faster."""
        if not self.are_known:
            return "a side names no machine"
        if self.moved:
            return f"machines: {self.hosts}"
        if self.speed and max(self.speed, 1 / self.speed) > 1.1 and not self.is_paired:
            return f"SQLite alone took {self.speed} of its time"
        return None

    @property
    def counted_side(self):
        """The side with counted cells alone, if the other one has timed cells alone, of a common topology and setting."""
        left, right = ({group[:5] for group in groups} for groups in self.groups)
        if not left & right:
            return None
        kinds = tuple(tuple({group[5] for group in groups}) for groups in self.groups)
        return {((True,), (False,)): "baseline", ((False,), (True,)): "candidate"}.get(kinds)

    def part(self, key):
        """This comparison with the figures of one setting."""
        part = copy.copy(self)
        part.all = [f for f in self.all if f.key == key]
        return part

    def of(self, *verdicts):
        return [f for f in self.all if f.verdict in verdicts and not f.is_freeze]

    def cells(self, side, group, status="ok"):
        return sum(row["status"] == status for row in self.groups[side].get(group, []))

    def named(self, name, key=None):
        """The groups of a topology, in one setting if it is named."""
        groups = {**self.groups[0], **self.groups[1]}
        return [group for group in groups if group[3] == name and (key is None or group[:3] == key)]


# --- The JSON document --------------------------------------------------------------------------

def close(told, value):
    """Counts are exact."""
    if isinstance(value, int):
        return told == value
    return told is None if value is None else told is not None and abs(told - value) < 1e-6 * max(1, abs(value))


def wrong_document(comparison, document):
    """Yields (what it says, what is true)."""
    told = {(section["scenario"], section["parameters"], section["store"], topology["name"], figure["metric"]): figure
            for section in document["sections"] for topology in section["topologies"] for figure in topology["figures"]}
    known = {(*f.key, f.name, f.metric): f for f in comparison.all}
    if told.keys() != known.keys():
        yield f"figures: {list(told)[:3]}", f"{list(known.keys() ^ told.keys())[:3]}"
    for key in told.keys() & known.keys():
        yield from ((f"{key[3:]} {what}", wrong) for what, wrong in wrong_figure(known[key], told[key]))
    expected = {"pairing": "paired" if comparison.is_paired else "unpaired", "failed": sum(
        bool(comparison.cells(side, group, status)) for side in (0, 1) for group in comparison.groups[side]
        for status in ("wrong", "crashed", "timeout", "suspect")),
        "baseline_only": len(comparison.groups[0].keys() - comparison.groups[1].keys()),
        "candidate_only": len(comparison.groups[1].keys() - comparison.groups[0].keys())}
    for name, value in expected.items():
        said = document[name] if isinstance(value, str) else len(document[name])
        if said != value:
            yield f"{name}: {said}", value


def wrong_figure(f, told):
    judged = told["judgement"]
    if told["verdict"] != f.verdict:
        yield told["verdict"], (f.verdict, f.sides)
    for side, median, values in zip(("baseline", "candidate"), f.medians, f.own):
        if not close(told[side]["median"], median) or told[side]["trials"] != len(values):
            yield told[side], (median, len(values))
    if not f.is_count:
        change = judged["change"]
        said = [change["estimate"], change.get("lower"), change.get("upper")]
        if not all(map(close, said, f.estimate)) or not close(judged["adjusted_p_two_sided"], f.adjusted):
            yield (said, judged["adjusted_p_two_sided"]), (f.estimate, f.adjusted)


def wrong_against_truth(comparison, truth):
    """The generator knows whose counts changed."""
    for f in comparison.all:
        varies = any(len(set(side)) > 1 for side in f.sides)
        changed = truth["kind"] == "counts" and f.name == truth["topology"]
        if f.is_count and min(map(len, f.sides)) >= 6 and not varies and (f.verdict == "worse") != changed:
            yield f"{f.name} {f.metric} {f.verdict}", f"{truth['kind']} of {truth['topology']}: {f.medians}"


# --- Tables -------------------------------------------------------------------------------------

def shows(f, heading, text):
    """Whether a cell of a table agrees with the figure. A heading that no rule reads is an error."""
    side = {"baseline": 0, "candidate": 1}.get(heading.rpartition(" ")[2])
    if heading == "verdict":
        return text == f.verdict
    if heading == "change":
        return shows_change(f, text)
    if heading in ("baseline", "candidate"):
        return shows_range(f, text, f.sides[side] if f.metric in COUNTS else [f.medians[side]])
    if side is not None and f.is_count:
        return text == "exact" or shows_range(f, text, f.sides[side])
    if side is not None:
        ends = figures.interval(f.own[side])
        return shows_range(f, text, ends) if ends else text == MISSING
    if f.is_count:
        return text == (MISSING if varies(f) else "exact")
    values = f.estimate[1:] if "of all trials" in heading else f.estimate
    told = re.findall(r"[×+-]*[\d.,<]*\d", text)
    return len(told) == sum(value is not None for value in values) and all(
        shows_value(f, *pair) for pair in zip(told, values))


def shows_range(f, text, values):
    """`12.3`, or a range `1,826–1,828`."""
    ends = text.split("–")
    return f.agrees(ends[0], min(values)) and f.agrees(ends[-1], max(values))


def varies(f):
    """Whether trials of a side disagree about an exact count."""
    return f.metric in COUNTS and any(len(set(side)) > 1 for side in f.sides)


def shows_change(f, text):
    if varies(f):
        return text == MISSING
    return shows_value(f, text.split(" ")[0], f.median_change)


def shows_value(f, text, value):
    """`+27`, a percentage, or `×3.2` of a ratio; `-0.072` of a difference."""
    if f.is_count or not f.is_ratio:
        return agrees(text, value)
    return agrees(text[1:], value) if text[0] == "×" else agrees(text, 100 * (value - 1)) and value < 3


def wrong_terminal(comparisons, candidates, text, names):
    """Yields what is wrong in the tables of a terminal. `candidates` are the headings of the comparisons."""
    key, name, headings, listed = None, None, None, set()
    for line, below in itertools.pairwise(text.split("\n")):
        cells, mark = re.split(r"\s{2,}", line.strip()), names.marked(line.strip())
        if re.match(r"¶\d+¶; ", mark):
            key = names[mark.partition(";")[0]]
        elif cells[0] == "metric":
            headings = [f"{one} {below.strip()}" if "interval" in one else one for one in cells]
        elif re.fullmatch(r"§\d+§", mark):
            name = names[mark]
        elif name and line.startswith("  ") and re.fullmatch(r"(main|visible|worker|open|scroll)_\w+", cells[0]):
            listed.add((key, name, cells[0]))
            for comparison, told in zip(comparisons, by_candidate(headings, cells, candidates)):
                yield from ((f"{name} {line.strip()}", wrong) for wrong in wrong_row(comparison, key, name, cells[0], told))


    for f in (f for comparison in comparisons for f in comparison.all if has_row(comparison, f)):
        if (f.key, f.name, f.metric) not in listed:
            yield f"{f.name} {f.metric}", f"no row: {f.verdict}, {f.medians}"


def has_row(comparison, f):
    """A changed or undecided figure has one. With too few trials, undecided blocked time stands for others."""
    if f.verdict == "same" or f.metric in COUNTS and f.metric != "main_statements":
        return False
    is_open = any(b.metric == "main_blocked_ms" and b.verdict == "inconclusive" for b in comparison.all
                  if (b.key, b.name) == (f.key, f.name))
    fewest = f.fewest if f.is_count else comparison.fewest
    stands = (f.verdict == "inconclusive" and f.metric != "main_blocked_ms" and min(map(len, f.sides)) < fewest
              and (f.metric not in COUNTS or not varies(f) and not f.unsteady and f.medians[0] == f.medians[1]))
    return not (is_open and stands)


def by_candidate(headings, cells, candidates):
    """The cells of a row by heading, for each candidate. A wide table has several parts."""
    found, at = [{} for _ in candidates], 0
    for heading, cell in zip(headings, cells):
        at = candidates.index(heading) if heading in candidates else at
        for told in found if heading == "baseline" else [found[at]]:
            told["candidate" if heading in candidates else heading] = cell
    return found


def wrong_row(comparison, key, name, metric, told):
    """`told` are the cells by heading. A report may lack the figure."""
    f = next((f for f in comparison.all if (f.key, f.name, f.metric) == (key, name, metric)), None)
    for heading, text in told.items():
        if heading != "metric" and not (shows(f, heading, text) if f else text == MISSING or heading == "baseline"):
            yield f"{heading}: {f and (f.medians, f.sides if len(f.sides[0]) < 9 else '', f.verdict)}"


# --- Sentences of the conclusion ----------------------------------------------------------------

def cases_in(text, names):
    """[(topology, setting, what stands in brackets)], and how many more are not named."""
    found = [(names[m[1]], key, m[2]) for m, key in placed(r"(N)(?: \(([^()]*)\))?", text, names)]
    unnamed = re.search(r" and (\d+) more$", text)
    return found, int(unnamed[1]) if unnamed else 0


def placed(item, text, names):
    """[(match of the item, its setting)]: a setting stands after its items."""
    found, waiting = [], []
    for m in compiled(rf"{item}|in (?P<place>P)").finditer(text):
        if m["place"]:
            found, waiting = found + [(one, names[m["place"]]) for one in waiting], []
        else:
            waiting.append(m)
    return found + [(one, None) for one in waiting]


def same_cases(told, expected, names, what):
    """Told cases are the expected ones: as many, and each with its figures."""
    if re.search(r" in [\d,]+ settings?", told):
        yield from same_settings(told, expected, names, what)
        return
    cases, unnamed = cases_in(told, names)
    if len(cases) + unnamed != len(expected):
        yield f"{len(expected)} figures {what}: {[(f.name, f.medians) for f in expected[:3]]}"
    several = len({f.key for f in expected}) > 1
    for name, key, inside in cases:
        if several and not key:
            yield f"{name} has no setting"
        fits = [f for f in expected if f.name == name and key in (None, f.key)]
        if not any(is_case(f, inside or "") for f in fits):
            yield f"{name} ({inside}): {[(f.medians, f.verdict) for f in fits]}"


def same_settings(told, expected, names, what):
    """`A in 2 settings and B in 1 setting and 3 more`"""
    known = {name: len({f.key for f in expected if f.name == name}) for name in {f.name for f in expected}}
    counts = {names[m[1]]: whole(m[2]) for m in compiled(r"(N) in ([\d,]+) settings?").finditer(told)}
    more = re.search(r" and ([\d,]+) more$", told)
    if not counts.items() <= known.items() or len(counts) + whole(more and more[1]) != len(known):
        yield f"{known} {what}"


def is_case(f, inside):
    """`12.1 → 15.3 ms, +27 %`, `158 → 292 ms, inconclusive`, `+27 %`"""
    for part in inside.split(", ") if inside else []:
        both = part.split(" → ")
        if part in ("inconclusive", "same", "worse", "better"):
            right = f.verdict == part
        else:
            right = all(map(f.agrees, both, f.medians)) if len(both) == 2 else shows_change(f, part)
        if not right:
            return False
    return True


@rule(SENTENCES, r"nothing was compared\.?$")
def nothing(comparison, m, names):
    if comparison.all:
        yield f"{len(comparison.all)} figures"


@rule(SENTENCES, r"(?:all (?P<n>[\d,]+) figures are|the one figure is) the same(?=[.;]|$)\.?")
def everything(comparison, m, names):
    if whole(m["n"] or "1") != len(comparison.all) or any(f.verdict != "same" for f in comparison.all):
        yield f"{sum(f.verdict == 'same' for f in comparison.all)} of {len(comparison.all)}"


def whole(text):
    return int((text or "0").replace(",", ""))


SPEED = (r"the machine's speed changed: SQLite alone took (?P<f>[\d.,]+)(?P<longer> % longer| times as long) on the"
         r" (?P<side>\w+)'s side for the same work(?: \(measure both again, or in one session with `topobench duet`\))?\.?")
MACHINE = (r"(?:a side does not say which machine it was measured on|the baseline is of another machine:"
           r" (?P<a>[\w, ]+?), not (?P<b>[\w, ]+?)(?= \(|[;.]|$))(?: \(measure both on one\))?\.?")


@rule(SENTENCES, "(?P<doubt>times are not judged, because )?" + SPEED)
def other_speed(comparison, m, names):
    ratio = comparison.speed if m["side"] == "candidate" else 1 / comparison.speed
    if not agrees(m["f"], ratio if "times" in m["longer"] else 100 * (ratio - 1)):
        yield f"SQLite's time alone: {comparison.speed}"
    if m["doubt"] and not comparison.doubt:
        yield "the speed is the same"


@rule(SENTENCES, "(?P<doubt>times are not judged, because )?" + MACHINE)
def other_machine(comparison, m, names):
    told = [m["a"].split(", "), m["b"].split(", ")] if m["a"] else []
    if told != [sorted(side) for side in comparison.moved or []] if told else comparison.are_known:
        yield f"machines: {comparison.hosts}"


@rule(SENTENCES, rf"(?P<what>{'|'.join(FREEZES)}) (?P<how>begins|ends) with (?P<all>{LISTED})\.?")
def freeze(comparison, m, names):
    limit, begins = FREEZES[m["what"].lower()], m["how"] == "begins"
    expected = [f for f in comparison.all if f.limit == limit and f.begins == begins and f.is_freeze]
    yield from same_cases(m["all"], expected, names, f"{m['how']} at {limit} ms")


@rule(SENTENCES, rf"the median gap crosses a limit, but is not judged to differ, with (?P<all>{LISTED})\.?")
def crossing(comparison, m, names):
    expected = [f for f in comparison.all if f.limit and f.verdict in ("same", "inconclusive")]
    yield from same_cases(m["all"], expected, names, "cross a limit without a verdict")


@rule(SENTENCES, r"no median gap crosses a limit(?: \(16\.7 ms, 100 ms and 250 ms\))?(?=[.;]|$)\.?")
def no_freeze(comparison, m, names):
    yield from (f"{f.name}: {f.medians}" for f in comparison.all if f.limit)


@rule(SENTENCES, rf"(?P<what>{'|'.join(CHANGES)}) with (?P<all>{LISTED})\.?")
def changed(comparison, m, names):
    metric, verdict = CHANGES[m["what"].lower()]
    expected = [f for f in comparison.of(verdict) if f.metric == metric]
    yield from same_cases(m["all"], expected, names, m["what"])


@rule(SENTENCES, rf"the metric (?P<metric>\w+) is (?P<how>worse|better) with (?P<all>{LISTED})\.?")
def metric_changed(comparison, m, names):
    expected = [f for f in comparison.of(m["how"]) if f.metric == m["metric"]]
    yield from same_cases(m["all"], expected, names, m["how"])


@rule(SENTENCES, rf"blocked time is (?:inconclusive with (?P<all>{UNDECIDED})|the same)\.?")
def blocked_undecided(comparison, m, names):
    all = [f for f in comparison.all if f.metric == "main_blocked_ms"]
    if m["all"]:
        yield from same_cases(m["all"], [f for f in all if f.verdict == "inconclusive"], names, "inconclusive")
    elif any(f.verdict != "same" for f in all):
        yield f"{[(f.name, f.verdict) for f in all if f.verdict != 'same'][:3]}"


@rule(SENTENCES, r"exact counts are the same\.?")
def same_counts(comparison, m, names):
    yield from (f"{f.name} {f.metric} {f.verdict}" for f in comparison.all if f.metric in COUNTS and f.verdict != "same")


COUNTED = listed(r"\w+ \S+ with N")


@rule(SENTENCES, rf"(?P<n>[\d,]+) exact counts? (?:is|are) (?P<how>worse|better)(?:: (?P<all>{COUNTED}))?\.?")
def counts(comparison, m, names):
    known = [f for f in comparison.of(m["how"]) if f.metric in COUNTS]
    if whole(m["n"]) != len(known):
        yield f"{len(known)} are {m['how']}"
    for one, key in placed(r"(\w+) (\S+) with (N)", m["all"] or "", names):
        metric, change, name = one[1], one[2], names[one[3]]
        if not any(f.metric == metric and f.name == name and shows_change(f, change) and key in (None, f.key)
                   for f in known):
            yield f"{metric} of {name}: {[f.medians for f in known if f.metric == metric]}"


@rule(SENTENCES, r"(?P<n>[\d,]+) of (?P<of>[\d,]+) figures? (?:is|are) the same(?:, (?P<un>[\d,]+) (?:is|are) inconclusive)?\.?")
def rest(comparison, m, names):
    expected = [len(comparison.of("same")), len(comparison.all), len(comparison.of("inconclusive"))]
    if [whole(m[k]) for k in ("n", "of", "un")] != expected:
        yield f"same, all, undecided: {expected}"


@rule(SENTENCES, r"(?P<n>[\d,]+) other figures? changed\.?")
def others(comparison, m, names):
    if whole(m["n"]) >= len([f for f in comparison.of("worse", "better") if f.metric not in COUNTS]):
        yield "fewer changed"


# --- Reports and notes --------------------------------------------------------------------------

SIDES = {"baseline": 0, "candidate": 1}


@rule(SENTENCES, r"(?P<side>Baseline|Candidate|\S+): \S+; (?P<n>[\d,]+) cells?, (?P<ok>all|[\d,]+) ok[;.](?: labelled [^;.]*[;.])?(?: commit (?P<commit>\w+)\.)?")
def sides(comparison, m, names):
    rows = comparison.rows[SIDES.get(m["side"].lower(), 1)]
    ok = sum(row["status"] == "ok" for row in rows)
    if [whole(m["n"]), whole(m["n"]) if m["ok"] == "all" else whole(m["ok"])] != [len(rows), ok]:
        yield f"{len(rows)} cells, {ok} ok"
    if m["commit"] and {row["git_sha"] for row in rows} != {m["commit"]}:
        yield "another commit"


@rule(SENTENCES, r"(?:(?P<paired>Paired: the two sides were measured in turn, in one session)|Unpaired(?::|,) (?P<one>one machine, at"
                 r" two times\. A change of the machine looks like one of the program|from different machines: counts are comparable,"
                 r" times advise at most|the reports do not name their machine))\.")
def pairing(comparison, m, names):
    words = "the reports" if not comparison.are_known else "from" if comparison.moved else "one machine"
    if bool(m["paired"]) != comparison.is_paired or m["one"] and not m["one"].startswith(words):
        yield f"paired: {comparison.is_paired}, machines: {comparison.hosts}"


@rule(SENTENCES, r"(?P<place>P); (?:(?P<from>\d+) to )?(?P<n>\d+) trials? a side$")
def section_title(comparison, m, names):
    groups = [group for group in comparison.matched if group[:3] == names[m["place"]]]
    trials = [min(comparison.cells(side, group) for side in (0, 1)) for group in groups]
    if trials and not int(m["from"] or m["n"]) <= min(trials) <= max(trials) <= int(m["n"]):
        yield f"trials: {trials}"


@rule(SENTENCES, r"Counts of (?P<name>N)(?: in \S+)?: (?P<all>.*)\.$")
def exact_counts(comparison, m, names):
    for metric, before, after, verdict in re.findall(r"(\w+) ([\d,–]+) → ([\d,–]+) \((\w+)\)", m["all"]):
        if not any(f.name == names[m["name"]] and f.metric == metric and f.verdict == verdict
                   and shows_range(f, before, f.sides[0]) and shows_range(f, after, f.sides[1]) for f in comparison.all):
            yield f"{metric}: {[(f.sides, f.verdict) for f in comparison.all if f.metric == metric][:2]}"


@rule(SENTENCES, r"The (?P<counted>baseline|candidate) is counted and the (?P<timed>baseline|candidate) timed, so no cell was compared: "
                 r"measure both with --count, or both without it\.")
def counted_and_timed(comparison, m, names):
    if m["counted"] != comparison.counted_side or m["timed"] == m["counted"]:
        yield f"the counted side is {comparison.counted_side}"


@rule(SENTENCES, rf"Only in the (?P<side>baseline|candidate), not compared: (?P<names>.*?) of (?P<place>P) \((?P<n>[\d,]+) cells?\)\.")
def only_in(comparison, m, names):
    if comparison.counted_side:
        yield f"the {comparison.counted_side} is counted, and the other side timed"
    own, other = (comparison.groups[(SIDES[m["side"]] + flip) % 2] for flip in (0, 1))
    expected = {g[3]: len(own[g]) for g in own.keys() - other.keys() if g[:3] == names[m["place"]]}
    told = {names[mark] for mark in compiled("N").findall(m["names"])}
    if not told <= expected.keys() or sum(expected.values()) != whole(m["n"]):
        yield f"{expected}"


@rule(SENTENCES, r"Not measured in the (?P<side>baseline|candidate), not compared: (?P<all>[\w, ]+?) of (?P<name>N), (?P<place>P)\.")
def unmeasured(comparison, m, names):
    for group in comparison.named(names[m["name"]], names[m["place"]]):
        cells = comparison.groups[SIDES[m["side"]]].get(group, [])
        yield from (f"{metric} was" for metric in re.findall(r"\w+_\w+", m["all"]) if values_of(cells, metric))


@rule(SENTENCES, r"Left out of the (?P<side>baseline|candidate): (?P<n>[\d,]+) cells? of (?P<name>N), (?P<place>P): (?P<status>\w+)(?: \(the first: .*?\))?\.")
def left_out(comparison, m, names):
    groups = comparison.named(names[m["name"]], names[m["place"]])
    count = sum(comparison.cells(SIDES[m["side"]], group, m["status"]) for group in groups)
    if count != whole(m["n"]):
        yield f"{count} cells"


@rule(SENTENCES, r"Counts of (?P<name>N) differ within the (?P<side>baseline|candidate): (?P<all>[\w, ]*?)(?:, because (?P<why>[^.]*))?\.")
def differing(comparison, m, names):
    for column in re.findall(r"(?:main|open|scroll)_\w+", m["all"]):
        reasons = [figures.reason(column, f.name, figures.fields_of(f.key[1])) for f in comparison.all
                   if f.name == names[m["name"]] and f.metric == column and (f.unsteady or len(set(f.sides[SIDES[m["side"]]])) > 1)]
        if m["why"] not in reasons:
            yield f"{column} differs because {reasons}"


@rule(SENTENCES, r"(?P<name>N) did not end with the same rows on both sides: (?P<place>P) \(find out which side is wrong\)\.")
def unequal_work(comparison, m, names):
    groups = comparison.named(names[m["name"]], names[m["place"]])
    ends = {(row["seed"], row["fingerprint"]) for side in comparison.groups for group in groups
            for row in side.get(group, []) if row["status"] == "ok" and row["fingerprint"]}
    if len(ends) == len({seed for seed, _ in ends}):
        yield f"{ends}"


@rule(SENTENCES, r"The trials(?: of (?P<all>N.*?))? are too few to judge times: (?:(?P<from>\d+) to )?(?P<n>\d+) a side, and (?P<few>\d+) are the fewest for (?P<of>[\d,]+) figures? \(--trials (?P<t>\d+)\)\.")
def too_few(comparison, m, names):
    """All topologies with too few trials are named, or every one has too few."""
    trials = {group: min(comparison.cells(side, group) for side in (0, 1)) for group in comparison.matched if not group[5]}
    short = {group: count for group, count in trials.items() if count < comparison.fewest}
    counts = [min(short.values(), default=0), max(short.values(), default=0)]
    expected = [*counts, comparison.fewest, comparison.family, comparison.fewest]
    if [whole(m["from"] or m["n"]), *(whole(m[k]) for k in ("n", "few", "of", "t"))] != expected:
        yield f"{expected}"
    cases, unnamed = cases_in(m["all"] or "", names)
    settings = {group[:3] for group in trials}
    told = [(key or (*settings,)[0] if len(settings) == 1 else key, name) for name, key, _ in cases]
    known = [(group[:3], group[3]) for group in short]
    if not m["all"] and short.keys() != trials.keys() or m["all"] and (
            short.keys() == trials.keys() or len(told) + unnamed != len(known) or not set(told) <= set(known)):
        yield f"of {known[:3]}"


@rule(SENTENCES, r"(?P<p>[\d.]+) % of the (?P<side>baseline|candidate)'s cells are suspect: a verdict can bear 10 % \(let nothing else run and measure again\)\.")
def suspects(comparison, m, names):
    rows = comparison.rows[SIDES[m["side"]]]
    share = sum(row["status"] == "suspect" for row in rows) / len(rows)
    if not agrees(m["p"], 100 * share) or share <= 0.1:
        yield f"{share}"


@rule(SENTENCES, r"About (?P<n>[\d,]+) (?:trials a side|(?P<pairs>pairs)) would decide more of (?P<metric>\w+)\.")
def settling(comparison, m, names):
    """How many follows from a model of power, which the tests of Power check. A duet plans its pairs itself."""
    if m["pairs"] and not figures.is_count(m["metric"]):
        yield "a duet's times need as many pairs as its own answer says"
    open = [f for f in comparison.all if f.metric == m["metric"] and f.verdict == "inconclusive"]
    if not open or whole(m["n"]) <= min(min(map(len, f.sides)) for f in open):
        yield f"inconclusive: {[(f.name, f.sides) for f in open[:3]]}"


for pattern in [
        r"The load and settings of the (?:baseline|candidate)'s machine are unknown \(keep NAME\.env\.json beside NAME\.csv\)\.",
        r"(?:Baseline: |Candidate: |The )[^.]*(?:\.\d[^.]*)* differs: .*", 
        # The machine's readings: the tests of MachineDiagnoses check them.
        r"(?:Baseline: |Candidate: )?(?:this is a debug build|a cell has more busy threads|other programs use the machine"
        r"|other guests of the host take processor time|this machine wakes|a thread that wants to run waits)[^(]* \(.*?\)\.",
        r"… and \d+ more; --format json has all\."]:
    NO_FIGURES.append((pattern, lambda *_: ()))


# --- Duets --------------------------------------------------------------------------------------

# The phases whose pairs a look judges, and its level.
LOOKS = {"first": (("spread", "first"), 0.01), "second": (("spread", "first", "second"), 0.04),
         "confirmation": (("confirmation",), 0.05)}


class Duet:
    """The pairs of a duet's rows, judged at each look."""

    def __init__(self, rows, document):
        self.document, self.pairs = document, {}
        for row in rows:
            self.pairs.setdefault(row["topology"], {}).setdefault(row["pair"], {})[row["side"]] = row
        self.figures = {(f["target"]["topology"], f["metric"]): f for f in document["figures"]}
        self.rows = rows

    def sound(self, name, phases):
        pairs = self.pairs.get(name, {}).values()
        return [pair for pair in pairs if all(row["status"] == "ok" and row["phase"] in phases for row in pair.values())]

    def figure(self, name, metric, look):
        pairs = self.sound(name, LOOKS[look][0])
        sides = [[figures.Setting.count(pair[side], metric) if figures.is_count(metric) else number(pair[side], metric)
                  for pair in pairs] for side in ("baseline", "candidate")]
        return Figure((*group_of(pairs[0]["baseline"])[:5], False), metric, sides, True) if pairs else None

    def judged(self, look, names, metric="main_blocked_ms"):
        """{topology: (figure, verdict)}: a worsening fails, and a bound below the margin passes."""
        found = {name: self.figure(name, metric, look) for name in names}
        found = {name: f for name, f in found.items() if f}
        level, fewest = LOOKS[look][1], figures.unanimous(len(found), True, LOOKS[look][1])
        adjusted = holm([f.tails[1] for f in found.values()])
        for f, p in zip(found.values(), adjusted):
            f.adjusted = p
            if len(f.sides[0]) >= fewest and p <= level and f.shift > f.floor:
                f.verdict = "fail"
            else:
                f.verdict = "pass" if len(f.sides[0]) >= fewest and f.is_harmless(level, True) else "inconclusive"
        return found


def wrong_duet(duet):
    """Yields (what the document says, what is true)."""
    times = {key: f for key, f in duet.figures.items() if key[1] == "main_blocked_ms"}
    flagged = [name for (name, _), f in times.items() if f["judgement"]["verdict"] == "fail"]
    looks = {look: duet.judged(look, flagged if look == "confirmation" else duet.pairs) for look in LOOKS}
    for (name, metric), told in duet.figures.items():
        timed, fresh = (name, metric) in times, told.get("confirmation")
        f = looks[told["look"]].get(name) if timed else duet.figure(name, metric, told["look"])
        if f:
            yield from ((f"{name} {metric} {what}", wrong) for what, wrong in wrong_look(f, told["judgement"], timed))
        if fresh and timed and name in looks["confirmation"]:
            yield from ((f"{name} fresh {what}", wrong)
                        for what, wrong in wrong_look(looks["confirmation"][name], fresh, True))
        verdict = outcome(told["judgement"])
        right = (told["verdict"] == verdict if verdict != "fail" else told["verdict"] != "fail" if not fresh
                 else (told["verdict"] == "fail") == (outcome(fresh) == "fail"))
        if not right:
            yield f"{name} {metric} {told['verdict']}", (verdict, fresh)
    verdicts = {f["verdict"] for f in duet.figures.values()}
    worst = next((one for one in ("fail", "inconclusive", "pass") if one in verdicts), None)
    if duet.document.get("verdict") != worst:
        yield duet.document.get("verdict"), worst
    for target in duet.document["targets"]:
        name = target["key"]["topology"]
        known = [len(duet.sound(name, LOOKS[look][0])) for look in ("second", "confirmation")]
        if [target["pairs"], target["fresh_pairs"]] != known:
            yield f"{name}: {target['pairs']}, {target['fresh_pairs']} pairs", known


def outcome(judged):
    """The verdict of a time, or of a count."""
    words = {"same": "pass", "decrease": "pass", "increase": "fail"}
    return judged.get("verdict") or words.get(judged["outcome"], "inconclusive")


def wrong_look(f, judged, is_time):
    ends = [judged.get(side) or {} for side in ("baseline", "candidate")]
    if "needed_trials" in judged:
        yield judged["needed_trials"], "a duet has one number of pairs: its size"
    if is_time:
        change = judged["change"]
        said = [*(end.get("median") for end in ends), change["estimate"], change.get("lower"), change.get("upper")]
        if not all(map(close, said, [*f.medians, *f.estimate])) or not close(judged["adjusted_p"], f.adjusted):
            yield said, (f.medians, f.estimate, f.adjusted)
        if judged["verdict"] != f.verdict:
            yield judged["verdict"], f.verdict
    else:
        said = [(end["smallest"], end["largest"]) for end in ends]
        verdict = {"worse": "fail", "inconclusive": "inconclusive"}.get(f.of_count(), "pass")
        if said != [(min(side), max(side)) for side in f.sides] or outcome(judged) != verdict:
            yield (said, judged["outcome"]), (f.sides, verdict)


def told_figures(duet, verdict):
    return {f"{name} {metric}": f for (name, metric), f in duet.figures.items() if f["verdict"] == verdict}


@rule(DUET, r"No regression: in no topology is main_blocked_ms of the candidate worse by 10 % \(or its absolute floor\), and no exact count rose\.")
@rule(DUET, r"Nothing was compared: no pair of cells was sound on both sides\.")
def no_regression(duet, m, names):
    if (duet.document.get("verdict") or "none") != ("none" if m[0].startswith("Nothing") else "pass"):
        yield f"the verdict is {duet.document.get('verdict')}"


@rule(DUET, r"The candidate is worse: (?P<all>.*?)\.(?= Not decided|$)")
@rule(DUET, r"(?P<open>Not decided): (?P<all>.*)\.$")
def not_passed(duet, m, names):
    is_open = "open" in m.groupdict()
    known = told_figures(duet, "inconclusive" if is_open else "fail")
    told = {f"{names[name]} {metric}": change for name, metric, change in compiled(r"(N) (\w+) ([^ ()]*)").findall(m["all"])}
    if told.keys() != known.keys():
        yield f"{list(known)}"
    sizes = {one["key"]["topology"]: one.get("size") for one in duet.document["targets"]}
    for name, why in compiled(r"(N) \w+ \((too [^()]*)\)").findall(m["all"]) if is_open else []:
        size = sizes[names[name]]
        wanted = size["wanted"] if size and size["wanted"] > size["last"] else None
        advice = re.fullmatch(r"too noisy; (\d+) pairs are needed: --most-pairs (\d+)", why)
        if not why.startswith("too few") and (advice.groups() if advice else (None, None)) != ((f"{wanted}",) * 2 if wanted else (None, None)):
            yield f"{size}"
    for what in told.keys() & known.keys() if not is_open else []:
        name, metric = what.rsplit(" ", 1)
        f = duet.figure(name, metric, known[what]["look"])
        # The interval beside a time's change is that of the estimate within pairs.
        if not (shows_change(f, told[what]) if f.is_count else shows_value(f, told[what], f.estimate[0])):
            yield f"{what}: {f.medians}, {f.estimate}"


@rule(DUET, r"The same in every pair: (?P<n>\d+) exact counts? of (?P<of>\w+) topolog(?:y|ies)\.")
def same_in_pairs(duet, m, names):
    same = [name for (name, metric), f in duet.figures.items() if f["judgement"].get("outcome") == "same"]
    if [m["n"], m["of"]] != [f"{len(same)}", "one" if len(set(same)) == 1 else f"{len(set(same))}"]:
        yield f"{len(same)} of {len(set(same))}"


@rule(DUET, r"(?P<all>(?:(?:; )?N, (?:baseline|candidate): \d+ cells? \w+)+)\.")
def duet_failures(duet, m, names):
    for name, side, count, status in compiled(r"(N), (\w+): (\d+) cells? (\w+)").findall(m["all"]):
        known = sum(row["topology"] == names[name] and row["side"] == side and row["status"] == status for row in duet.rows)
        if known != int(count):
            yield f"{known} of {names[name]}"


@rule(DUET, r"These pairs would have flagged a worsening of (?P<p>[\d,.]+) % or more nine times in ten, in every topology\.")
def sight(duet, m, names):
    worst = max(f["detectable"] for f in duet.figures.values() if f.get("detectable") is not None)
    if not agrees(m["p"], 100 * worst):
        yield f"{worst} in the document"


@rule(DUET, r"Pairs of fresh processes, .* at the two looks: (?P<all>.*?)\. The looks spend .* in fresh pairs\.(?: Processors were kept awake\.)?")
def duet_method(duet, m, names):
    sizes = {one["key"]["topology"]: one["size"] for one in duet.document["targets"] if one.get("size")}
    told = {names[name]: [int(first), int(last)] for name, first, last in compiled(r"(N) (\d+) and (\d+)").findall(m["all"])}
    if told != {name: [size["first"], size["last"]] for name, size in sizes.items()}:
        yield f"{sizes}"


DUET.append((r"Read it with: .*", lambda *_: ()))  # the machine that runs this check
