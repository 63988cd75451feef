"""Recomputes from CSV files what an answer may say: medians, freezes, order, letters, exact counts.

Imported by check-answers.py. It knows nothing of the command's sentences, and shares no code with the
command. Uses the standard library only.
"""

import bisect
import collections
import csv
import functools
import itertools
import json
import math
import os
import re
import unicodedata
from statistics import median, quantiles

FRAME, NOTICED, HANG = 16.7, 100, 250
LIMITS = [HANG, NOTICED, FRAME]
PARTS = ["main_executing_ms"] + [f"main_wait_{cause}_ms" for cause in ("parent", "coordinator", "sqlite", "queue", "other")]
COUNTS = [f"main_{name}" for name in (
    "statements", "commits", "rows_read", "rows_written", "objects_copied", "objects_refreshed", "faults_fired",
    "list_changes", "stale_objects")] + ["orphans"] + [
        f"{phase}_{name}" for phase in ("open", "scroll") for name in ("statements", "rows_read")]
# The columns that an answer judges, by the phase that it is about.
ASKED = {
    "change": ("main_blocked_ms", "main_longest_gap_ms", "visible_ms", "total_ms", "main_instructions"),
    "open": ("open_blocked_ms", "open_longest_gap_ms", "open_visible_ms", "open_visible_ms", "open_instructions"),
    "scroll": ("main_deferred_ms", "scroll_longest_gap_ms", None, None, "scroll_instructions")}
# What causes no gap of an app's.
INSTRUMENT = ("heartbeat", "harness")
# With the core's own cost of an event, in us (Scenarios/devices/figures/core.yaml).
WORKS = {"rows_written": 0.5, "rows_read": 0.45, "objects_refreshed": 0.292, "objects_copied": 0.199,
         "faults_fired": 0.157, "list_changes": 0}


def rows(*files):
    found = []
    for name in files:
        with open(name, newline="", encoding="utf-8") as file:
            found += [row for row in csv.DictReader(file) if row["schema"] != "schema"]
    for row in found:
        names = ("asked_blocked", "asked_gap", "asked_visible", "asked_total", "asked_instructions")
        row.update({name: row.get(column) or "" for name, column in zip(names, ASKED[phase_of(row)])})
    return found


def phase_of(row):
    return row.get("asks_about") or "change"


def shown(name, most=None):
    """As an answer writes a name: what is unseen or turns the direction of writing is spelled out."""
    if most and len(name) > most:
        name = name[:most - 1] + "…"
    return "".join(
        f"\\u{{{ord(c):X}}}" if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Cn") else c
        for c in name)


def setting_text(parameters):
    """`changes.per_save 50, generate.rows 500`; a text that is no JSON object stays as it is."""
    try:
        values = json.loads(parameters)
    except ValueError:
        return parameters
    if not isinstance(values, dict):
        return parameters
    return ", ".join(f"{name} {value_text(value)}" for name, value in sorted(values.items()))


def value_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(int(value)) if value == int(value) and abs(value) < 1 << 63 else repr(float(value))
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {value_text(item)}" for name, item in sorted(value.items())) + "}"
    return "…" if value is None else value


def is_count(column):
    return column in COUNTS or column.endswith("_instructions")


def is_whole(column):
    return is_count(column) or column in ("frames_due", "frames_late")


def number(row, column):
    text = row.get(column) or ""
    return float(text) if text else None


def lower_middle(values):
    """The median of exact counts, which is one of them."""
    return sorted(values)[(len(values) - 1) // 2]


def whole_middle(values):
    return lower_middle([math.floor(value) for value in values])


def agrees(text, value):
    """Whether a printed figure is the value: rounded to the printed digits, but a count exactly."""
    if value is None:
        return False
    if isinstance(value, int):
        return text.removeprefix("+") == f"{value:,}"
    text = text.replace(",", "").removesuffix(" ms").removeprefix("+")
    if text.endswith("<0.001"):
        return 0 < (-value if text[0] == "-" else value) < 0.0005
    told = float(text)
    digits = len(text.partition(".")[2])
    unit = 10.0 ** max(0, len(str(abs(int(told)))) - 3) if digits == 0 else 10.0 ** -digits
    return abs(told - value) <= unit * 0.5000001 + 1e-9 and (digits > 0 or told % unit == 0)


def agrees_beside_limits(text, value):
    """Whether a printed gap agrees, and lies on the value's side of each limit."""
    if not agrees(text, value):
        return False
    text = text.replace(",", "").removesuffix(" ms")
    told, value = value if text.endswith("<0.001") else float(text), round(value, 6)
    return all((told > limit, told < limit) == (value > limit, value < limit) for limit in LIMITS)


# --- Counts that may vary -----------------------------------------------------------------------

PAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Documentation/Explanation/Counts.md")


@functools.cache
def exceptions():
    """The page's table: (topologies, work, counts, reason). Nothing is named where all are meant."""
    with open(PAGE, encoding="utf-8") as file:
        lines = file.read().partition("\n## Exceptions\n")[2].split("\n")
    found = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")][2:]
    return [(re.findall("`(.*?)`", topologies), work, re.findall("`(.*?)`", counts), reason)
            for topologies, work, counts, reason in found]


def reason(column, topology, fields, rows=()):
    """Why equal work may differ in a count, by the fields of the scenario and the rows of one setting."""
    def is_set(*names):
        return any(fields.get(name, "none") not in (0, "none") for name in names)

    def known(name):
        return next((int(row[name]) for row in rows if row[name]), 0)
    several = known("saves") > 1
    works = {
        "any": True,
        "the user scrolls, edits, fetches, counts or searches": is_set(
            "list.scroll_rows_per_s", *(f"user.{act}_per_s" for act in ("edits", "fetches", "counts", "searches"))),
        "`changes.second_worker`": is_set("changes.second_worker"),
        "several saves; `list.batch_size`": several and is_set("list.batch_size"),
        "several saves; `stream: replace`, `delete_where`, or `deletions` that are not `explicit`": several and (
            fields.get("changes.stream") == "replace" or is_set("changes.delete_where")
            or fields.get("changes.deletions", "explicit") != "explicit"),
        "several saves; updates or deletions": several and known("updates") + known("deletes") > 0}
    return next((why for topologies, work, counts, why in exceptions()
                 if works[work] and topology in (topologies or [topology]) and column in (counts or [column])), None)


def fields_of(parameters, scenario=None, machine=None):
    """The swept fields, and those that the environment file names for the scenario."""
    entries = [{name: json.loads(value) for name, value in entry.items()} for entry in (machine or {}).get("scenarios", [])]
    try:
        swept = json.loads(parameters or "{}")
    except ValueError:
        swept = {}
    fixed = next((entry for entry in entries if entry.get("name") == scenario), {})
    return fixed | (swept if isinstance(swept, dict) else {})


# --- Exact tests --------------------------------------------------------------------------------

FIELD = 192  # bits for one coefficient of a generating function


def doubled_ranks(values):
    """Twice the ranks, so that shared ones are whole."""
    ordered = sorted(values)
    first, count = {}, {}
    for index, value in enumerate(ordered):
        first.setdefault(value, index)
        count[value] = count.get(value, 0) + 1
    return [2 * first[value] + count[value] + 1 for value in values]


@functools.lru_cache(4096)
def ways_of_signs(ranks):
    """For each sum the number of sign patterns that give it, packed into one integer."""
    packed = 1
    for rank in ranks:
        packed += packed << FIELD * rank
    return packed


@functools.lru_cache(4096)
def ways_to_choose(size, ranks):
    packed = [1] + [0] * size
    for rank in ranks:
        for chosen in range(size, 0, -1):
            packed[chosen] += packed[chosen - 1] << FIELD * rank
    return packed[size]


def tails(packed, total, most):
    """The probabilities of sums up to `most`, and from it on."""
    assert total < (1 << FIELD) - 1, "too many values for FIELD"

    def count(part):
        return part % ((1 << FIELD) - 1)
    upto = packed & ((1 << FIELD * (most + 1)) - 1)
    below = packed & ((1 << FIELD * most) - 1)
    return count(upto) / total, (total - count(below)) / total


def tails_at(shift, first, second, is_paired):
    """The probabilities of data as low or lower and as high or higher, if second − first is the shift."""
    if is_paired:
        left = [b - a - shift for a, b in zip(first, second)]
        pairs = [(d, r) for d, r in zip(left, doubled_ranks([abs(d) for d in left])) if d]
        packed = ways_of_signs(tuple(sorted(r for _, r in pairs)))
        return tails(packed, 2 ** len(pairs), sum(r for d, r in pairs if d > 0))
    ranks = doubled_ranks(first + [value - shift for value in second])
    packed = ways_to_choose(len(second), tuple(sorted(ranks)))
    return tails(packed, math.comb(len(ranks), len(second)), sum(ranks[len(first):]))


def steps_of(first, second, is_paired):
    """The Walsh averages of pairs, or the differences of sides, in order."""
    if is_paired:
        each = [b - a for a, b in zip(first, second)]
        return sorted((a + b) / 2 for a, b in itertools.combinations_with_replacement(each, 2))
    return sorted(b - a for a in first for b in second)


def shifted(first, second, is_paired):
    """Both tails of no shift, and the Hodges–Lehmann shift of second − first."""
    return tails_at(0, first, second, is_paired), median(steps_of(first, second, is_paired))


def bound(first, second, is_paired, tail, is_upper):
    """The one-sided bound of the shift, or None with too few values."""
    all, steps = steps_of(first, second, is_paired), []
    for step in all:
        if not steps or step - steps[-1] > 1e-13 * max(abs(all[0]), abs(all[-1])):
            steps.append(step)
    steps = [-step for step in reversed(steps)] if is_upper else steps
    span = max(1, steps[-1] - steps[0])
    ends = [steps[0] - 2 * span, *steps, steps[-1] + 2 * span]

    def beyond(count):
        """The probability of such data if the shift lay behind so many steps."""
        point = (ends[count] + ends[count + 1]) / 2
        return tails_at(-point if is_upper else point, first, second, is_paired)[0 if is_upper else 1]
    index = bisect.bisect_right(range(len(steps) + 1), tail, key=beyond)
    found = steps[index - 1] if index else None
    return -found if found is not None and is_upper else found


def holm(values):
    order, largest, adjusted = sorted(range(len(values)), key=values.__getitem__), 0.0, {}
    for rank, index in enumerate(order):
        largest = max(largest, min(1, (len(values) - rank) * values[index]))
        adjusted[index] = largest
    return [adjusted[index] for index in range(len(values))]


def interval(values):
    """The order statistics that hold the median with at least 95 %, or None."""
    ordered, n, rank, below = sorted(values), len(values), 0, 0.0
    while rank < n // 2 and 2 * (below + math.comb(n, rank) / 2**n) <= 0.05:
        below, rank = below + math.comb(n, rank) / 2**n, rank + 1
    return (ordered[rank - 1], ordered[n - rank]) if rank else None


def relative_spread(values):
    if len(values) < 2 or not median(values):
        return None
    low, _, high = quantiles(values, n=4, method="inclusive")
    return (high - low) / 2 / median(values)


# --- The rule of ranking ------------------------------------------------------------------------

def pairs_of(topologies):
    return max(1, topologies * (topologies - 1) // 2)


def unanimous(figures, is_paired=False, alpha=0.05):
    """The fewest pairs, or trials a side, that can decide so many figures together."""
    return next(n for n in itertools.count(1)
                if 2 / (2**n if is_paired else math.comb(2 * n, n)) <= alpha / max(1, figures))


def trials_needed(topologies):
    return max(6, unanimous(pairs_of(topologies)))


@functools.lru_cache
def signed_from(topologies):
    """The rounds from which signed ranks hold although one round contradicts all others."""
    def reaches(n):
        packed = ways_of_signs(tuple(range(1, n + 1)))
        return tails(packed, 2**n, n)[0] <= 0.025 / pairs_of(topologies)
    return next(n for n in itertools.count(1) if reaches(n))


# --- One setting --------------------------------------------------------------------------------

class Freeze:
    """The longest gaps of one topology against the limits. A gap of the instrument within a frame says
    that the topology's own is shorter; a longer one hides it."""

    def __init__(self, cells):
        self.gaps = [gap for gap in map(own_gap, cells) if gap is not None]
        hiding = [number(row, "asked_gap") or 0 for row in cells if is_instrument(row)]
        self.is_hidden = any(gap > FRAME for gap in hiding)
        self.trials = len(self.gaps) + sum(gap <= FRAME for gap in hiding)
        # A median of two decimals may differ from a limit by less than a nanosecond.
        self.gap, self.longest = (round(median(self.gaps), 6), max(self.gaps)) if self.gaps else (None, None)
        self.beyond = {limit: sum(gap > limit for gap in self.gaps) for limit in LIMITS}
        self.usual = next((limit for limit in LIMITS if self.is_usual(limit)), None)
        self.worst = next((limit for limit in LIMITS if self.beyond[limit]), None)

    def is_usual(self, limit):
        return (self.gap or 0) > limit or 2 * self.beyond[limit] >= self.trials


def is_instrument(row):
    return phase_of(row) == "change" and row["longest_gap_cause"] in INSTRUMENT


def own_gap(row, column=None):
    """None if the instrument caused the longest gap: the row names the cause of the gap while changes arrive."""
    column = column or ASKED[phase_of(row)][1]
    return None if column == ASKED["change"][1] and row["longest_gap_cause"] in INSTRUMENT else number(row, column)


class Setting:
    """The cells of one scenario with its parameters and store mode.

    `is_drawing` adds drawing to blocked time, as a sweep over the cost of drawing does.
    """

    def __init__(self, key, cells, machine=None, is_drawing=False):
        self.key, self.cells, self.machine, self.is_drawing = key, cells, machine, is_drawing
        self.is_counted = cells[0]["phase"] == "count"
        self.phase = phase_of(cells[0])
        self.ok = {}
        for row in cells:
            if row["status"] == "ok":
                self.ok.setdefault(row["topology"], []).append(row)
        self.names = list(dict.fromkeys(row["topology"] for row in cells))
        freezes = {name: Freeze(cells) for name, cells in self.ok.items()}
        self.hidden = [name for name, freeze in freezes.items() if freeze.is_hidden]
        self.freezes = {name: freeze for name, freeze in freezes.items() if freeze.trials}

    @functools.cached_property
    def other_phases(self):
        """{phase: its gaps by topology} of the phases that are not asked about and have a gap over a frame."""
        found = {}
        for phase in ASKED.keys() - {self.phase}:
            column = ASKED[phase][1]
            gaps = {name: self.gaps(name, column) for name in self.ok}
            if max((gap for all in gaps.values() for gap in all), default=0) > FRAME:
                found[phase] = gaps
        return found

    @property
    def known(self):
        """Topologies of which something was measured."""
        return {*self.blocked, *self.freezes, *self.hidden}

    def blocked_of(self, row):
        blocked, drawing = number(row, "asked_blocked"), number(row, "main_ui_ms")
        if not self.is_drawing or self.phase != "change" or blocked is None:
            return blocked
        return None if drawing is None else blocked + drawing

    @functools.cached_property
    def rounds(self):
        """{topology: {round: blocked time}}"""
        found = {}
        for name, cells in self.ok.items():
            values = {(row["run_id"], row["trial"]): self.blocked_of(row) for row in cells}
            values = {key: value for key, value in values.items() if value is not None}
            if values:
                found[name] = values
        return found

    @functools.cached_property
    def runs(self):
        """The number of rounds, also of those without an ok cell."""
        return len({(row["run_id"], row["trial"]) for row in self.cells})

    @functools.cached_property
    def blocked(self):
        """{topology: median}, the least first."""
        medians = {name: median(values.values()) for name, values in self.rounds.items()}
        return dict(sorted(medians.items(), key=lambda item: (item[1], item[0])))

    @functools.cached_property
    def trials(self):
        return max((len(self.shared(a, b)) for a, b in itertools.combinations(self.blocked, 2)), default=0)

    def shared(self, a, b):
        return sorted(self.rounds[a].keys() & self.rounds[b].keys())

    @property
    def needed(self):
        return trials_needed(len(self.blocked))

    @property
    def has_trials(self):
        return len(self.blocked) < 2 or self.trials >= self.needed

    @functools.cached_property
    def separated(self):
        """Pairs of names, the better one first."""
        pairs = list(itertools.combinations(self.blocked, 2))
        tests = [self.compared(a, b) for a, b in pairs]
        adjusted = holm([p for p, _ in tests])
        return {pair for pair, (_, shift), p in zip(pairs, tests, adjusted) if p <= 0.05 and shift > 0}

    def compared(self, a, b):
        rounds = self.shared(a, b)
        if not rounds:
            return 1, 0
        first, second = [self.rounds[a][r] for r in rounds], [self.rounds[b][r] for r in rounds]
        if min(first + second) > 0:
            first, second = [math.log(v) for v in first], [math.log(v) for v in second]
        is_signed = len(rounds) >= signed_from(len(self.blocked))
        tails, shift = shifted(first, second, is_signed)
        return min(1, 2 * min(tails)), shift

    @functools.cached_property
    def ranked(self):
        """Topologies that share enough rounds with another one."""
        return [a for a in self.blocked if len(self.blocked) < 2 or any(
            a != b and len(self.shared(a, b)) >= self.needed for b in self.blocked)]

    def separates(self, a, b):
        return (a, b) in self.separated or (b, a) in self.separated

    @property
    def frozen(self):
        return [name for name, freeze in self.freezes.items() if freeze.usual and name in self.ranked]

    @property
    def is_restricted(self):
        """Whether a ranked topology usually freezes, and another one does not, be it ranked or not."""
        return bool(self.frozen) and any(not freeze.usual for freeze in self.freezes.values())

    @functools.cached_property
    def excluded(self):
        return [name for name in self.blocked if self.is_restricted and name in self.frozen]

    @functools.cached_property
    def candidates(self):
        """Those that may be best."""
        return [name for name in self.ranked
                if not self.is_restricted or name in self.freezes and name not in self.frozen]

    @functools.cached_property
    def best(self):
        return [name for name in self.candidates if not self.separates(self.candidates[0], name)]

    @property
    def is_tied(self):
        return len(self.candidates) == len(self.best) > 1

    def gaps(self, name, column=None):
        return [gap for gap in (own_gap(row, column) for row in self.ok.get(name, [])) if gap is not None]

    def values(self, name, column):
        """Of counts whole ones: where repeats differ, a row may hold half a count. Of gaps the topology's own."""
        if column in ("asked_gap", "main_longest_gap_ms"):
            return self.gaps(name, None if column == "asked_gap" else column)
        found = [number(row, column) for row in self.ok.get(name, [])]
        return [math.floor(value) if is_whole(column) else value for value in found if value is not None]

    def median(self, name, column):
        """Of counts the lower of two middle ones."""
        values = self.values(name, column)
        return (lower_middle if is_whole(column) else median)(values) if values else None

    def parts(self, name):
        """{column: mean} of main's blocked time in the one or two trials with the median."""
        rows = [row for row in self.ok[name] if row["main_blocked_ms"]]
        rows.sort(key=lambda row: (float(row["main_blocked_ms"]), int(row["order"])))
        rows = rows[(len(rows) - 1) // 2:len(rows) // 2 + 1]
        return {column: sum(float(row[column]) for row in rows) / len(rows) for column in PARTS}

    def failures(self):
        """{(topology, status): cells} of those that did not end ok."""
        return collections.Counter((row["topology"], row["status"]) for row in self.cells if row["status"] != "ok")

    def varies(self, name, column):
        """Whether trials of one seed differ in a count, or repeats of one trial."""
        counts = {(row["seed"], row.get(column)) for row in self.ok[name]}
        return len(counts) > len({seed for seed, _ in counts}) or any(
            column in row["unsteady_counts"].split(" ") for row in self.ok[name])

    def ranges(self, name):
        """{count that varies: why it may, or None}"""
        fields, rows = fields_of(self.key[1], self.key[0], self.machine), self.ok[name]
        return {column: reason(column, name, fields, self.cells) for column in COUNTS
                if column in rows[0] and self.varies(name, column)}

    def unexplained(self):
        """{counts that vary for no known reason: topologies}"""
        found = {}
        for name in self.ok:
            counts = frozenset(column for column, why in self.ranges(name).items() if not why)
            if counts:
                found.setdefault(counts, []).append(name)
        return found

    @staticmethod
    def count(row, column):
        return None if not row[column] else math.floor(float(row[column]))

    @property
    def load(self):
        """The lower of the average over a minute and the threads seen before the first cell."""
        average, competing = self.machine.get("load_average"), self.machine.get("competing_threads")
        if average is None:
            return None
        average = float(average[0])
        return average if competing is None else min(average, float(competing))

    @property
    def sync(self):
        values = [value for name in self.ok for value in self.values(name, "sync_ms")]
        return median(values) if values else None

    def readings(self):
        """[(what is read, 0 if it is good, 1 if fair, 2 if the run is to be discarded)]. A value of a sweep,
        which has no machine here, has none, and counts have their trials alone."""
        if not self.ok:
            return [("no ok cell", 1)]
        if self.is_counted:
            return [("trials", 1 if self.fewest < 2 else 0)]
        if self.machine is None:
            return []
        load, cores = self.load, self.machine.get("cores")
        taken = [("trials", 1 if self.fewest < 6 else 0), ("main's delay", grade(self.delay, 0.1, 0.5)),
                 ("load", grade(load / cores if load is not None and cores else None, 0.5, 2)),
                 ("steal", grade(float(self.machine.get("steal_percent") or 0), 1, 10))]
        return taken + ([("spread", grade(self.spread, 0.1, 0.4))] if self.fewest >= 6 else [])

    @functools.cached_property
    def grade(self):
        """A run too short to rank has nothing to discard."""
        cells = sum(map(len, self.ok.values()))
        has_trials = self.has_trials if len(self.blocked) > 1 else cells >= self.needed
        worst = max((grade for _, grade in self.readings()), default=0)
        return ("good", "fair", "discard")[worst if has_trials else min(worst, 1)]

    @property
    def is_discarded(self):
        return self.grade == "discard"

    @property
    def is_decided(self):
        return self.has_trials and not self.is_tied and len(self.blocked) > 1 and not self.is_discarded

    @property
    def fewest(self):
        return min((len(cells) for cells in self.ok.values()), default=0)

    @property
    def spread(self):
        """Half the interquartile range over the median, the median of all topologies."""
        found = [relative_spread(self.values(name, "asked_blocked")) for name in self.ok]
        return median([one for one in found if one is not None] or [0])

    @property
    def delay(self):
        """Main's delay in gaps with work over that work, or None if no cell has enough of it."""
        shares = [(number(row, "main_gap_runqueue_ms"), number(row, "main_blocked_ms") + (number(row, "main_ui_ms") or 0))
                  for cells in self.ok.values() for row in cells if row["main_blocked_ms"] and row["main_gap_runqueue_ms"]]
        return median([delay / work for delay, work in shares if work >= 1] or [0])

    def work(self, name):
        """(work, count) of the costliest counted work of main; (None, 0) without any."""
        counts = [(work, lower_middle(values)) for work, values in self.works(name) if values]
        prices = WORKS if self.phase == "change" else {"rows_read": 0.45, "statements": 1}
        return max((one for one in counts if one[1] > 0), key=lambda one: one[1] * prices[one[0]], default=(None, 0))

    def has_work(self, name):
        """Whether anything of it was counted, be it zero."""
        return any(values for _, values in self.works(name))

    def works(self, name):
        works = WORKS if self.phase == "change" else ["rows_read", "statements"]
        return [(work, self.values(name, f"{'main' if self.phase == 'change' else self.phase}_{work}")) for work in works]


def grade(value, fair, discard):
    return 0 if value is None or value <= fair else 1 if value <= discard else 2


def parameters_of(row):
    return "" if row["parameters"] == "{}" else row["parameters"]


def settings(cells, machine, joins=True):
    """{(scenario, parameters, store): Setting}. A store mode whose topologies were measured in no other
    mode joins the mode with the most topologies."""
    groups = {}
    for row in cells:
        groups.setdefault((row["scenario"], parameters_of(row), row["store"]), []).append(row)
    for key in list(groups) if joins else []:
        modes = {k: {r["topology"] for r in v} for k, v in groups.items() if k[:2] == key[:2]}
        home = max(modes, key=lambda k: (len(modes[k]), k[2] == "pool", k[2]))
        if key != home and all(modes[key].isdisjoint(modes[k]) for k in modes if k != key):
            groups[home] = groups[home] + groups.pop(key)
    return {key: Setting(key, rows, machine) for key, rows in groups.items()}


def swept_value(value):
    if isinstance(value, list):
        return "[" + ", ".join(map(swept_value, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {swept_value(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def sweeps(all):
    """[(field, [(value, Setting)])] of the fields with several values, in the order of the values."""
    found = {}
    for (scenario, parameters, store), setting in all.items():
        fields = json.loads(parameters) if parameters else {}
        for field, value in fields.items():
            others = tuple(sorted((k, swept_value(v)) for k, v in fields.items() if k != field))
            found.setdefault((scenario, store, field, others), []).append((swept_value(value), setting))
    def order(item):
        try:
            return 0, float(item[0]), ""
        except ValueError:
            return 1, 0, item[0]
    points = {key: [(value, Setting(one.key, one.cells, is_drawing=key[2].startswith("drawing.")))
                    for value, one in sorted(values, key=order)] for key, values in found.items()}
    measured = {key: [point for point in values if point[1].blocked] for key, values in points.items()}
    return [(key, values) for key, values in measured.items() if len(values) > 1]
