"""The sentences of an answer as rules: what each claims, and whether the figures bear it out.

Imported by check-answers.py. A rule is a pattern and a function that yields what is wrong. A text must
consist of known sentences alone: whoever adds a sentence to the command adds its rule here, or a pattern
to NO_FIGURES.

In patterns, N is a topology's name, P a setting, E a list of names with figures in brackets, L a list of
names, F a figure in ms, G names in the short form (`a and b`, `3 of 8 topologies`) and Q a freeze.
"""

import collections
import functools
import re
import statistics

from recomputed import FRAME, HANG, NOTICED, agrees, agrees_beside_limits, number, setting_text, shown

WORDS = {"the screen hangs": HANG, "the screen freezes noticeably": NOTICED,
         "the screen freezes for more than a frame": FRAME}
THINGS = {
    "rows_written": ("write", "row"), "objects_copied": ("copy", "copies", "object"),
    "rows_read": ("read", "row"), "statements": ("execute", "statement"), "objects_refreshed": ("refresh", "object"),
    "faults_fired": ("fire", "fault"), "list_changes": ("make", "list change")}
BEST = "(?:(?:of the (?P<steady>\\d+)(?P<some> ranked)? topologies(?P<usually> usually)? within a frame, |of the (?P<ranked>\\d+) ranked topologies, )?)"

# The long form names the limit if no other sentence does.
LONG_FRAME = r"within a frame(?: \(16\.7 ms\))?"

LONG, SHORT, OTHER, LIMITS, NO_FIGURES = [], [], [], [], []


def rule(rules, pattern):
    def add(check):
        rules.append((pattern, check))
        return check
    return add


NAME = "§\\d+§"
ENTRY = f"{NAME} \\([^()]*\\)"
PARTS = {
    "E": f"{ENTRY}(?:(?:, | and ){ENTRY})*(?: and \\d+ more)?",
    "L": f"{NAME}(?:(?:, | and ){NAME})*(?: and \\d+ more)?",
    "G": f"(?:all \\d+ topologies|\\d+ of \\d+ topologies|\\d+ of them|{NAME}(?: and {NAME})?)",
    "F": "(?:<0\\.001|[\\d,]+(?:\\.\\d+)?) ms", "Q": "(?:" + "|".join(WORDS) + ")", "N": NAME, "P": "¶\\d+¶"}


@functools.lru_cache(None)
def compiled(pattern):
    return re.compile(re.sub(r"(?<!\(\?)\b([ENLGFQP])\b", lambda m: PARTS[m[1]], pattern), re.IGNORECASE)


class Names:
    """Marks the names of topologies and settings in a text: `§3§`, `¶3¶`."""

    def __init__(self, topologies, settings=()):
        self.real = {shown(name, most): name for name in topologies for most in (None, 100, 80, 60, 40, 28, 18)}
        self.keys = {place(key): key for key in settings}
        self.known = sorted([*self.real, *self.keys], key=len, reverse=True)
        self.pattern = re.compile(
            f"(?<![\\w-])({'|'.join(map(re.escape, self.known))})(?: \\((?:pool|serial)\\))?(?![\\w-])")
        self.index = {text: index for index, text in enumerate(self.known)}

    def marked(self, text):
        return self.pattern.sub(lambda m: "{1}{0}{1}".format(self.index[m[1]], "§" if m[1] in self.real else "¶"), text)

    def plain(self, text):
        return re.sub(r"[§¶](\d+)[§¶]", lambda m: self.known[int(m[1])], text)

    def __getitem__(self, mark):
        text = self.known[int(mark[1:-1])]
        return self.real[text] if mark[0] == "§" else self.keys[text]

    def get(self, text):
        """The topology that a cell of a table names."""
        return self.real.get(re.sub(r" \((pool|serial)\)$", "", text), self.real.get(text))

    def entries(self, text):
        """[(name, what stands in brackets)], and how many more are not named."""
        return [(self[m[1]], m[2]) for m in compiled(r"(N) \(([^()]*)\)").finditer(text)], more(text)

    def listed(self, text):
        return [self[mark] for mark in compiled("N").findall(text)], more(text)


def place(key):
    """`5000-cities, pool store`, with the parameters."""
    scenario, parameters, store = key
    fields = shown(setting_text(parameters), 60)
    return f"{shown(scenario, 60)}, {shown(store, 60)} store" + (f", {fields}" if fields else "")


def more(text):
    found = re.search(r" and (\d+) more$", text)
    return int(found[1]) if found else 0


def read(text, rules, subject, names):
    """Yields what is wrong in a text. `rules` are tried in order at the beginning of what is left."""
    text = names.marked(text.strip())
    text, wrong = without_lead(text, subject)
    if wrong:
        yield names.plain(text), wrong
    while text:
        found = ((pattern, check, compiled(pattern).match(text)) for pattern, check in rules)
        _, check, match = next((one for one in found if one[2] and one[2].end()), (None, None, None))
        if not match:
            yield names.plain(text), "no rule reads this"
            return
        for wrong in check(subject, match, names) or ():
            yield names.plain(match[0]), wrong
        text = text[match.end():].lstrip(" ;")


LEADS = {"open": "While the list opens, ", "change": "While changes arrive, ",
         "scroll": "While the user scrolls through the list, ", None: "In the phases asked about, "}
FREEZING = r"(?:In some trials t|T)he screen|No topology (?:is seen to )?freeze|N (?:does not|is not seen to) freeze"


def lead_of(settings):
    """The usual phase is named if a gap of another one passes a frame."""
    settings = [setting for setting in settings if hasattr(setting, "phase")]
    phases, needed = {setting.phase for setting in settings}, any(setting.other_phases for setting in settings)
    phase = phases.pop() if len(phases) == 1 else None
    return LEADS[phase] if needed or phase in ("open", "scroll") else None


def without_lead(text, subject):
    """The text without the words that name its phase, and what is wrong with them."""
    lead = lead_of(subject if isinstance(subject, list) else [subject])
    told = next((words for words in LEADS.values() if text.startswith(words)), None)
    if told != lead and (told or compiled(FREEZING).match(text)):
        return text, f"the phase is {lead}"
    rest = text.removeprefix(told or "")
    return rest[:1].upper() + rest[1:] if told else rest, None


def differ(told, unnamed, expected, what):
    """Told and expected names."""
    for name in told:
        if name not in expected:
            yield f"{name} is not {what}"
    if len(told) + unnamed != len(expected):
        yield f"{len(told) + unnamed} of {len(expected)} {what}: {', '.join(list(expected)[:5])}"


def group(text, expected, all, names, what):
    """The names of a short form."""
    count = re.match(r"(?:all (\d+) topologies|(\d+) of (?:(\d+) topologies|them))$", text, re.I)
    if not count:
        yield from differ(names.listed(text)[0], 0, expected, what)
    elif int(count[1] or count[2]) != len(expected):
        yield f"{len(expected)} are {what}"
    elif count[1] or count[3]:
        if int(count[1] or count[3]) != all:
            yield f"{all} topologies have an ok cell"


def figure(text, value, what):
    if not agrees(text, value):
        yield f"{what} is {value}"


def whole(text):
    return int(text.replace(",", ""))


def gap_figure(text, value, what):
    """A gap beside a limit has as many digits as show which of the two is longer."""
    if not agrees_beside_limits(text, value):
        yield f"{what} is {value}"


def span(text, values, what):
    """`1.2 ms`, `1.2–3.4 ms`"""
    ends = text.removesuffix(" ms").split("–")
    if not values:
        yield f"there is no {what}"
        return
    yield from figure(ends[0], min(values), f"the least {what}")
    yield from figure(ends[-1], max(values), f"the greatest {what}")


def steady(setting, match):
    """`of the 3 topologies within a frame` means every trial; `usually` means less than half of them."""
    if match["steady"] and int(match["steady"]) != len(setting.candidates):
        yield f"these stay usually within a frame: {setting.candidates}"
    if match["steady"] and not match["usually"]:
        yield from passing(setting, setting.candidates)
    if match["steady"]:
        yield from unranked_within(setting, match)
    some = len(setting.ranked) < len(setting.blocked) and not match["steady"]
    if bool(match["ranked"]) != some or some and int(match["ranked"]) != len(setting.ranked):
        yield f"ranked are {setting.ranked} of {list(setting.blocked)}"


def unranked_within(setting, match):
    """`ranked` tells those within a frame from others that are within one too."""
    others = [name for name, freeze in setting.freezes.items() if not freeze.usual and name not in setting.candidates]
    if bool(match["some"]) != bool(others):
        yield f"also within a frame: {others}"


def passing(setting, names):
    for name in names:
        freeze = setting.freezes.get(name)
        if freeze is None:
            yield f"no trial tells {name}'s own gap"
        elif freeze.worst:
            yield f"{name} passes a frame in {freeze.beyond[FRAME]} of {freeze.trials} trials, up to {freeze.longest}"


def unseen(setting, text):
    """Where a gap of the instrument hides others, no freeze `is seen`."""
    if setting.hidden and "is seen" not in text:
        yield f"some trials do not tell the gaps of {', '.join(setting.hidden)}"


def tied(setting, names, what="not separated"):
    for a in names:
        for b in names:
            if (a, b) in setting.separated:
                yield f"{a} and {b} are separated"


# --- The long form: freezes ---------------------------------------------------------------------

@rule(LONG, r"(?P<q>Q) \(a gap over (?P<limit>[\d.]+) ms\) with (?P<e>E)\.")
def usual(setting, m, names):
    limit = WORDS[m["q"].lower()]
    entries, unnamed = names.entries(m["e"])
    if float(m["limit"]) != limit:
        yield f"the limit is {limit}"
    frozen = [name for name, freeze in setting.freezes.items() if freeze.usual == limit]
    yield from differ([name for name, _ in entries], unnamed, frozen, f"usually beyond {limit} ms")
    for name, inside in entries:
        freeze, (gap, trials) = setting.freezes[name], inside.rsplit(", ", 1)
        if trials.startswith("up to "):
            # A median within the limit would contradict the sentence.
            gap, trials = trials.removeprefix("up to "), gap
            yield from gap_figure(gap, freeze.longest, f"{name}'s longest gap")
        elif gap != "no gap of its own" or freeze.gap is not None:
            yield from gap_figure(gap, freeze.gap, f"{name}'s median gap")
            if (freeze.gap or limit + 1) <= limit:
                yield f"{name}'s median gap is within {limit} ms"
        yield from counted(trials, freeze, limit)


def counted(text, freeze, limit):
    found = re.fullmatch(r"(\d+) of (\d+) trials?", text)
    if [int(found[1]), int(found[2])] != [freeze.beyond[limit], freeze.trials]:
        yield f"{freeze.beyond[limit]} of {freeze.trials} trials pass {limit} ms"


@rule(LONG, r"In fewer than half of the trials, (?P<all>Q \(over [\d.]+ ms\) with E(?:; Q \(over [\d.]+ ms\) with E)*)\.")
def rare(setting, m, names):
    for clause in compiled(r"(Q) \(over ([\d.]+) ms\) with (E)").finditer(m["all"]):
        limit = WORDS[clause[1].lower()]
        entries, unnamed = names.entries(clause[3])
        frozen = [n for n, freeze in setting.freezes.items() if freeze.worst == limit != freeze.usual]
        yield from differ([name for name, _ in entries], unnamed, frozen, f"sometimes beyond {limit} ms")
        for name, inside in entries:
            freeze, (trials, longest) = setting.freezes[name], inside.split(", up to ")
            yield from gap_figure(longest, freeze.longest, f"{name}'s longest gap")
            yield from counted(trials, freeze, limit)
            if 2 * freeze.beyond[limit] >= freeze.trials:
                yield f"{name} does so in {freeze.beyond[limit]} of {freeze.trials}"


@rule(LONG, r"Within a frame \(16\.7 ms\) in every trial(?P<seen>, as far as seen)?: (?P<e>E)\.")
def within(setting, m, names):
    entries, unnamed = names.entries(m["e"])
    inside = [name for name, freeze in setting.freezes.items() if not freeze.worst]
    if bool(m["seen"]) != any(name in setting.hidden for name in inside):
        yield f"some trials do not tell the gaps of {', '.join(setting.hidden)}"
    yield from differ([name for name, _ in entries], unnamed, inside, "within a frame in every trial")
    if not m["seen"] and setting.has_trials and setting.excluded and set(inside) <= set(setting.candidates):
        yield "the order names these, too"
    for name, gap in entries:
        if gap != "no gap of its own" or setting.freezes[name].gap is not None:
            yield from gap_figure(gap, setting.freezes[name].gap, f"{name}'s median gap")


@rule(LONG, r"(?:(?P<one>N) (?:does not freeze|is not seen to freeze)|No topology (?:freezes|is seen to freeze)) the screen: no trial"
            r" has a gap (?P<own>of its own )?over a frame \(16\.7 ms\)\."
            r"(?: The longest of all is (?P<gap>F)(?: \((?P<l>L)\))?\.)?")
def none(setting, m, names):
    yield from passing(setting, list(setting.freezes))
    yield from unseen(setting, m[0].replace("not seen", "is seen"))
    if bool(m["own"]) != bool(setting.hidden):
        yield f"the instrument hides the gaps of {setting.hidden}"
    if m["one"] and list(setting.ok) != [names[m["one"]]]:
        yield f"these ended ok: {list(setting.ok)}"
    known = {name: freeze.longest for name, freeze in setting.freezes.items() if freeze.longest is not None}
    longest = max(known, key=known.get, default=None)
    if m["gap"] and not agrees_beside_limits(m["gap"], known[longest]):
        yield f"the longest gap of any trial is {known[longest]} ({longest})"
    if m["l"]:
        told, unnamed = names.listed(m["l"])
        equal = [name for name in known if agrees_beside_limits(m["gap"], known[name])]
        # A value that lies half way between two printed figures may be printed as either.
        sure = [name for name in equal if all(agrees_beside_limits(m["gap"], known[name] + step) for step in (-1e-5, 1e-5))]
        if not set(told) <= set(equal) or not len(sure) <= len(told) + unnamed <= len(equal) or longest not in told and not unnamed:
            yield f"it is {equal}"


@rule(LONG, r"(?P<lead>While [a-z ]+, )(?P<n>[\d,]+) of (?P<of>[\d,]+) cells? (?:has|have) a gap over a frame, up to (?P<f>F) \((?P<name>N)\)\.")
def other_phase(setting, m, names):
    phase = next((phase for phase, words in LEADS.items() if words == m["lead"]), None)
    if phase not in setting.other_phases:
        yield f"the phases with a gap over a frame are {list(setting.other_phases)}"
        return
    gaps = setting.other_phases[phase]
    all = [gap for values in gaps.values() for gap in values]
    if [whole(m["n"]), whole(m["of"])] != [sum(gap > FRAME for gap in all), len(all)]:
        yield f"{sum(gap > FRAME for gap in all)} of {len(all)}"
    yield from gap_figure(m["f"], max(all), "the longest gap")
    if max(all) not in gaps.get(names[m["name"]], []):
        yield f"it is of {[name for name in gaps if max(all) in gaps[name]]}"


@rule(LONG, r"In at least one trial, a gap of topobench's own hides the gaps of (?P<l>L)\.")
def hidden(setting, m, names):
    told, unnamed = names.listed(m["l"])
    yield from differ(told, unnamed, setting.hidden, "hidden by the instrument")


# --- The long form: order -----------------------------------------------------------------------

@rule(LONG, r"Nothing can be concluded: no cell ended ok\.?")
@rule(SHORT, r"Nothing can be concluded: no cell ended ok$")
def nothing(setting, m, names):
    if setting.ok:
        yield f"{', '.join(setting.ok)} ended ok"


@rule(LONG, r"no topology has blocked time, so nothing is ranked\.")
@rule(SHORT, r"no topology has blocked time$")
def unmeasured(setting, m, names):
    if setting.blocked or not setting.ok or setting.is_discarded:
        yield f"ok: {list(setting.ok)}; blocked: {list(setting.blocked)}"


@rule(LONG, r"(?P<name>N) blocks main for (?P<f>F); no other topology has blocked time to compare it with\.")
@rule(SHORT, r"(?P<name>N) blocks main for (?P<f>F)$")
def alone(setting, m, names):
    if list(setting.blocked) != [names[m["name"]]]:
        yield f"these have blocked time: {', '.join(setting.blocked)}"
    yield from figure(m["f"], setting.blocked.get(names[m["name"]]), "its median")


@rule(LONG, r"(?P<n>\d+) trials? (?:is|are) too few to rank (?P<t>\d+) topologies: (?P<needed>\d+) are needed"
            r" \((?:--trials (?P<more>\d+)|other cells of (?P<l>L) failed or are missing)\)\. By medians alone, main is blocked for: (?P<e>E)\.")
def few(setting, m, names):
    trials = {name: len(rounds) for name, rounds in setting.rounds.items()}
    yield from lacking(setting, m, names, setting.needed, trials, setting.runs)
    expected = [setting.trials, len(setting.blocked), setting.needed]
    if [int(m["n"]), int(m["t"]), int(m["needed"])] != expected or setting.has_trials:
        yield f"trials, topologies, needed: {expected}"
    yield from blocked(setting, m["e"], list(setting.blocked), names, "measured")


def lacking(setting, m, names, needed, trials, most):
    """More trials are no remedy where the run has enough: cells of these topologies failed or are missing."""
    if m["more"] and (int(m["more"]) != needed or setting.runs >= needed):
        yield f"of {setting.runs} trials, {needed} are needed"
    elif m["l"]:
        told, unnamed = names.listed(m["l"])
        yield from differ(told, unnamed, [name for name, count in trials.items() if count < most], "without enough cells")
        if setting.runs < needed:
            yield f"there are {setting.runs} trials"


def blocked(setting, text, expected, names, what):
    entries, unnamed = names.entries(text)
    yield from differ([name for name, _ in entries], unnamed, expected, what)
    for name, inside in entries:
        yield from figure(inside.split(" ms")[0], setting.blocked.get(name), f"{name}'s median")


@rule(LONG, r"Discard this run: .*?\. Nothing is ranked; remove the cause, and measure again\.")
@rule(SHORT, r"Discard this run: .*")
def discard(setting, m, names):
    if setting.grade != "discard":
        yield f"trust is {setting.grade}"


TIED = (r"the trials (?P<all>do not separate the|separate none of the) (?P<n>\d+)(?P<some> ranked)? topologies"
        r"(?P<in>(?P<usually> usually)? within a frame)?(?: from (?P<first>N)(?:, F)?)?")


@rule(LONG, TIED.replace("within a frame", LONG_FRAME) + r"(?: in blocked time)?: (?P<e>E)\.")
def not_separated(setting, m, names):
    yield from limit_named(setting, m)
    yield from tied_group(setting, m, names)
    yield from blocked(setting, m["e"], setting.candidates, names, "to be separated")


def limit_named(setting, m):
    """The long form names a frame's limit, unless the sentence about freezes does."""
    is_named = any(FRAME in (freeze.usual, freeze.worst) for freeze in setting.freezes.values())
    if "within a frame" in m[0] and ("within a frame (16.7 ms)" in m[0]) == is_named:
        yield f"another sentence names the limit: {is_named}"


def tied_group(setting, m, names):
    inside = setting.candidates
    if int(m["n"]) != len(inside) or bool(m["in"]) != bool(setting.excluded):
        yield f"{len(inside)} topologies; {len(setting.excluded)} usually freeze"
    if m["in"] and not m["usually"]:
        yield from passing(setting, inside)
    if m["in"]:
        yield from unranked_within(setting, m)
    elif bool(m["some"]) != (len(setting.ranked) < len(setting.blocked)):
        yield f"ranked are {setting.ranked} of {list(setting.blocked)}"
    if m["first"]:
        yield from differ(inside, 0, setting.best, f"not separated from {inside[:1]}")
    else:
        yield from tied(setting, inside)
    yield from unranked(setting)


def unranked(setting):
    if setting.grade == "discard":
        yield "the run is to be discarded"
    if not setting.has_trials:
        yield f"{setting.trials} trials are too few, {setting.needed} are needed"


@rule(LONG, BEST.replace("within a frame", LONG_FRAME) + r"(?P<one>N) blocks main least, (?P<f>F)(?:; not separated from it: (?P<e>E))?; then (?P<others>E)\.")
def separated(setting, m, names):
    if "least, " in m[0] and "; then " in m[0]:
        yield from limit_named(setting, m)
    yield from unranked(setting)
    yield from steady(setting, m)
    if bool(m["steady"]) != bool(setting.excluded):
        yield f"{setting.excluded} usually freeze"
    if [names[m["one"]]] != setting.best[:1]:
        yield f"best are {setting.best}"
        return
    yield from figure(m["f"], setting.blocked[names[m["one"]]], "its median")
    yield from blocked(setting, m["e"] or "", setting.best[1:], names, "not separated from the first")
    rest = [name for name in setting.candidates if name not in setting.best]
    yield from blocked(setting, m["others"], rest, names, "behind the best")
    for name, inside in names.entries(m["others"])[0]:
        yield from longer(setting, name, inside)


def longer(setting, name, inside):
    """`20.1 ms, 20 % longer`: the ratio of the medians."""
    best, value = setting.blocked[setting.best[0]], setting.blocked[name]
    told = re.search(r", ([\d.,]+) (% longer|times as long)", inside)
    if not told:
        return
    ratio = value / best if best else 0
    expected = 100 * (ratio - 1) if told[2] == "% longer" else ratio
    yield from figure(told[1], expected, f"{name} against {setting.best[0]}: {told[2]}")


@rule(LONG, r"(?P<some>of the ranked topologies, )?only (?P<name>N)(?P<usually> usually)? stays(?: usually)? " + LONG_FRAME
            + r", blocked for (?P<f>F)\.")
@rule(SHORT, r"(?P<some>of the ranked topologies, )?only (?P<name>N)(?P<usually> usually)? stays(?: usually)? within a frame, blocked for (?P<f>F)$")
def only(setting, m, names):
    yield from unranked(setting)
    name = names[m["name"]]
    if setting.candidates != [name] or not setting.excluded:
        yield f"these usually freeze: {', '.join(setting.excluded)}"
    yield from unranked_within(setting, m)
    if "usually" not in m[0]:
        yield from passing(setting, [name])
    yield from figure(m["f"], setting.blocked.get(name), "its median")


@rule(LONG, r"no topology is best: (?P<e>E) freezes? the screen, and (?P<l>L) do(?:es)? not\.")
@rule(SHORT, r"no topology is best(?=;|$)")
def none_best(setting, m, names):
    yield from unranked(setting)
    if setting.candidates or not setting.is_restricted:
        yield f"these may be best: {setting.candidates}"
    if m.groupdict():
        yield from blocked(setting, m["e"], setting.excluded, names, "ranked, and usually freezing")
        others = [name for name, freeze in setting.freezes.items() if not freeze.usual]
        yield from differ(*names.listed(m["l"]), others, "usually within a frame")


@rule(LONG, r"No trial shows whether (?P<e>E) freezes? the screen, so (?:it is|they are) not called best\.")
def unjudged(setting, m, names):
    if not setting.is_restricted:
        yield f"these may be best: {setting.candidates}"
    yield from blocked(setting, m["e"], [name for name in setting.ranked if name not in setting.freezes], names, "without a gap that is known")


@rule(LONG, r"(?P<e>E) shares? too few trials with others to be ranked\.")
def too_few(setting, m, names):
    rest = [name for name in setting.blocked if name not in setting.ranked]
    yield from blocked(setting, m["e"], rest, names, "without enough shared trials")


@rule(LONG, r"(?P<e>E) blocks? main for a shorter time, but freezes? the screen\.")
def shorter(setting, m, names):
    least = min((setting.blocked[name] for name in setting.best), default=0)
    less = [name for name in setting.excluded if setting.blocked[name] < least]
    yield from blocked(setting, m["e"], less, names, "shorter, and usually freezing")


# --- The short form -----------------------------------------------------------------------------

@rule(SHORT, r"(?P<some>in some trials )?(?P<q>Q) with (?P<g>G)(?: \((?P<in>[^()]*)\))?(?=;|$)")
def short_freeze(setting, m, names):
    limit, kind = WORDS[m["q"].lower()], "worst" if m["some"] else "usual"
    if limit != max((getattr(f, kind) or 0 for f in setting.freezes.values()), default=0):
        yield f"the worst limit is another one than {limit}"
    if m["some"] and any(freeze.usual for freeze in setting.freezes.values()):
        yield "some usually freeze"
    frozen = [name for name, freeze in setting.freezes.items() if getattr(freeze, kind) == limit]
    yield from group(m["g"], frozen, len(setting.known), names, f"beyond {limit} ms")
    if m["in"] == "in half of the trials":
        yield from (f"{n}: {setting.freezes[n].beyond[limit]} of {setting.freezes[n].trials} trials" for n in frozen
                    if 2 * setting.freezes[n].beyond[limit] != setting.freezes[n].trials)
    elif m["in"]:
        longest = max((setting.freezes[name].gap or 0 for name in frozen), default=None)
        yield from gap_figure(m["in"].removeprefix("up to "), longest, "the longest median gap")


@rule(SHORT, r"(?:the screen (?:does not freeze|is not seen to freeze) with (?P<name>N)|no topology (?:freezes|is seen to freeze) the screen)(?=;|$)")
def short_none(setting, m, names):
    yield from passing(setting, [names[m["name"]]] if m["name"] else list(setting.freezes))
    yield from unseen(setting, m[0].replace("not seen", "is seen"))


@rule(SHORT, r"the trials are too few to rank (?P<t>\d+) topologies(?=;|$)")
def short_few(setting, m, names):
    if setting.has_trials or int(m["t"]) != len(setting.blocked):
        yield f"{setting.trials} trials of {len(setting.blocked)} topologies, {setting.needed} are needed"


@rule(SHORT, TIED + r"(?: in blocked time)?, (?P<r>[^;]*)")
def short_tied(setting, m, names):
    yield from tied_group(setting, m, names)
    yield from span(m["r"], [setting.blocked[name] for name in setting.candidates], "median")


@rule(SHORT, BEST + r"(?P<g>G) blocks? main least, (?P<r>[^;()]*?)(?: \(others up to (?P<f>F)\))?(?=;|$)")
def short_best(setting, m, names):
    yield from unranked(setting)
    yield from steady(setting, m)
    yield from group(m["g"], setting.best, len(setting.blocked), names, "among the best")
    yield from span(m["r"], [setting.blocked[name] for name in setting.best], "median of the best")
    if m["f"]:
        yield from figure(m["f"], max(setting.blocked[name] for name in setting.ranked), "the greatest median")


# --- Why, and doubts ----------------------------------------------------------------------------

@rule(LONG, r"Rows of (?P<late>N) are visible after (?P<f>F), those of (?P<first>N) after (?P<g>F)\.")
def late_rows(setting, m, names):
    visible = {name: setting.median(name, "asked_visible") for name in setting.ok}
    visible = {name: value for name, value in visible.items() if value is not None}
    late, first = names[m["late"]], names[m["first"]]
    yield from figure(m["f"], visible.get(late), f"{late}'s median")
    yield from figure(m["g"], visible.get(first), f"{first}'s median")
    if [late] != setting.best[:1] or visible[first] != min(visible.values()) or visible[late] <= 2 * visible[first]:
        yield f"best are {setting.best}; visible: {visible}"


@rule(OTHER, r"(?:Why: on main, |(?P<equal>Main's costliest counted work is equal: ))(?P<all>.*?)(?:; (?P<more>\d+) more topolog(?:y does|ies do) other work)?\.$")
def why(setting, m, names):
    told = {names[mark] for mark in compiled("N").findall(m["all"])}
    frozen = {name for name, freeze in setting.freezes.items() if freeze.usual and setting.work(name)[0]}
    groups = [{names[mark] for mark in compiled("N").findall(clause)} for clause in m["all"].split("; ")
              if "none of this" not in clause]
    works = [setting.work(name) for name in setting.ok if setting.has_work(name)]
    if bool(m["equal"]) != (len(works) > 1 and len(set(works)) == 1):
        yield f"main's costliest work: {set(works)}"
    if m["more"] and frozen - told and any(frozen.isdisjoint(group) for group in groups if " more " not in m["all"]):
        yield f"{frozen - told} freeze the screen, and are not named"
    for clause in m["all"].split("; "):
        found = compiled(r"(L) (?:do(?:es)? none of this|(\w+) ([\d,.]+) ([\w ]+))$").match(clause)
        if not found:
            yield f"no rule reads the clause: {clause}"
            continue
        told, unnamed = names.listed(found[1])
        for name in told:
            yield from cause(setting, name, found)


def cause(setting, name, found):
    work, count = setting.work(name)
    things = THINGS.get(work, ("none",))
    if not found[2]:
        if work:
            yield f"{name}: {count} {work}"
    elif not found[4].startswith(things[-1]) or not found[2].startswith(things[0][:3]):
        yield f"{name}: {count} {work}"
    elif float(found[3].replace(",", "")) != count:
        yield f"{name}: {count} {work} is the lower of the middle counts"


@rule(OTHER, r"Also consider: (?P<all>.*?)\.(?= [A-Z]|$)")
def doubts(setting, m, names):
    yield from (wrong for _, wrong in read(m["all"], DOUBTS, setting, names))


DOUBTS = []


@rule(DOUBTS, r"counts of (?:(?P<l>L)|all (?P<n>\d+) topologies) differ between trials for no known reason: (?P<all>[\w, ]+?)(?=;|$)")
def varying(setting, m, names):
    counts = frozenset(re.split(r", | and ", m["all"]))
    expected = setting.unexplained().get(counts, [])
    if m["n"] and [int(m["n"])] * 2 != [len(expected), len(setting.names)]:
        yield f"these do: {expected}"
    elif m["l"]:
        yield from differ(*names.listed(m["l"]), expected, f"varying for no known reason in {set(counts)}")


@rule(DOUBTS, r"cells (?:of (?P<n>\d+) machines are mixed|(?P<unknown>are mixed that nothing ties to one machine)) \(compare each machine's by themselves\)")
def mixed(setting, m, names):
    hosts = {row["host_id"] for cells in setting.ok.values() for row in cells}
    if hosts != {""} if m["unknown"] else len(hosts) != int(m["n"]):
        yield f"hosts: {hosts}"


@rule(DOUBTS, r"the run ended after (?P<n>\d+) of (?P<of>\d+) cells")
def ended(setting, m, names):
    if int(m["n"]) != len(setting.cells) or int(m["of"]) <= int(m["n"]):
        yield f"there are {len(setting.cells)} cells"


@rule(DOUBTS, r"(?:(?P<l>L) works?|all (?P<n>\d+) topologies work) beyond the horizon, which taps leave out \(raise horizon_ms\)")
def beyond_horizon(setting, m, names):
    late = [name for name, cells in setting.ok.items() if 2 * sum(
        (number(row, "total_ms") or 0) > float(row["horizon_ms"]) for row in cells) > len(cells)]
    if m["n"] and [int(m["n"])] * 2 != [len(late), len(setting.names)]:
        yield f"these do: {late}"
    elif m["l"]:
        told, unnamed = names.listed(m["l"])
        yield from differ(told, unnamed, late, "beyond the horizon")


@rule(DOUBTS, r"(?P<n>[\d,]+) rows? stays? that the delete rules would have deleted \(delete these rows too\)")
def orphans(setting, m, names):
    values = [value for name in setting.ok for value in setting.values(name, "orphans")]
    if max(values, default=0) != int(m["n"].replace(",", "")):
        yield f"{max(values, default=0)} rows are"


@rule(DOUBTS, r"what a change reads of a list with a batch size is an assumption")
def assumed(setting, m, names):
    choices = [clause for one in setting.machine.get("choices", []) for clause in one["choices"]]
    if not any("(assumed: " in clause for clause in choices):
        yield f"none of the choices is assumed: {choices}"


@rule(DOUBTS, r"this machine wakes a waiting thread late: 1 time in 100 by more than (?P<f>F)")
def late_wake_up(setting, m, names):
    values = [value for name in setting.ok for value in setting.values(name, "heartbeat_wake_p99_ms")]
    yield from figure(m["f"], statistics.median(values), "its median")


@rule(DOUBTS, r"the ok cells did not do the same work: they end with (?P<n>\d+) different sets of rows")
def other_work(setting, m, names):
    ends = {(row["seed"], row["fingerprint"]) for cells in setting.ok.values() for row in cells if row["fingerprint"]}
    if max(collections.Counter(seed for seed, _ in ends).values(), default=0) != int(m["n"]):
        yield f"{ends}"


@rule(DOUBTS, r"this is a debug build \(measure with a release build\)")
def debug_build(setting, m, names):
    if setting.machine.get("build") != "debug":
        yield f"{setting.machine.get('build')}"


@rule(OTHER, r"(?P<name>N): (?P<n>[\d,]+) cells? (?P<status>wrong|crashed|timeout|suspect), the first: .*")
def failed(setting, m, names):
    count = setting.failures()[names[m["name"]], m["status"]]
    if count != int(m["n"].replace(",", "")):
        yield f"{count} cells are {m['status']}"


@rule(OTHER, r"(?P<all>(?:[\d,]+ objects; )?[^.;]*; )(?P<n>\d+) trials?\.?")
def work(setting, m, names):
    if int(m["n"]) != setting.runs:
        yield f"{setting.runs} trials"
    for told, noun in re.findall(r"([\d,]+) (object|insert|update|delete|save)s?", m["all"]):
        if told.replace(",", "") != setting.cells[0][noun + "s"]:
            yield f"{setting.cells[0][noun + 's']} {noun}s"
    for noun in ("insert", "update", "delete"):
        if (setting.cells[0][noun + "s"] or "0") != "0" and f" {noun}" not in m["all"] or f" 0 {noun}s" in m["all"]:
            yield f"{setting.cells[0][noun + 's']} {noun}s"


@rule(OTHER, r"Trust: (?P<grade>good|fair|discard)\.(?P<readings>.*)$")
def trust(setting, m, names):
    if m["grade"] != setting.grade:
        yield f"the readings: {setting.readings()}"
    yield from (wrong for _, wrong in read(m["readings"], READINGS, setting, names))


READINGS = []


@rule(READINGS, r"trials spread by (?P<p>[\d.,]+) %(?: \([^()]*\))?[.;]?")
def spread(setting, m, names):
    yield from figure(m["p"], 100 * (setting.spread or 0), "the spread in %")


@rule(READINGS, r"(?P<n>\d+) trials? cannot show a spread"
                r"(?: \((?:--trials (?P<more>\d+)|other cells of (?P<l>L) failed or are missing)\))?[.;]?")
def no_spread(setting, m, names):
    yield from lacking(setting, m, names, 6, {name: len(cells) for name, cells in setting.ok.items()}, 6)
    if int(m["n"]) != setting.fewest or setting.fewest >= 6:
        yield f"{setting.fewest} trials"


@rule(READINGS, r"no cell ended ok(?: \([^()]*\))?[.;]?")
def no_cell(setting, m, names):
    if setting.ok:
        yield f"{', '.join(setting.ok)} did"


@rule(READINGS, r"main waited for a core for (?P<p>[\d.,]+) % of its work(?: \([^()]*\))?[.;]?")
def core(setting, m, names):
    yield from figure(m["p"], 100 * (setting.delay or 0), "the delay in %")


@rule(READINGS, r"load (?P<load>[\d.,<]+) on (?P<cores>\d+) cores?(?: \([^()]*\))?[;.]?")
def load(setting, m, names):
    yield from figure(m["load"], setting.load, "the load")
    yield from figure(m["cores"], setting.machine.get("cores"), "the number of cores")


@rule(READINGS, r"steal (?P<p>[\d.,]+) %(?: \([^()]*\))?[;.]?")
def steal(setting, m, names):
    yield from figure(m["p"], float(setting.machine.get("steal_percent") or 0), "the steal")


@rule(LIMITS, r"A sync took (?P<f>F) here, and takes milliseconds on a phone(?:(?P<more>: topologies that write on the main queue look better here than there)| too)\.")
@rule(LIMITS, r"How long a sync takes on this machine was not measured; a phone takes milliseconds\.")
def sync(settings, m, names):
    known = [setting.sync for setting in settings if setting.sync is not None]
    if "f" not in m.groupdict() or not known:
        return [f"sync_ms: {known}"] if known or "f" in m.groupdict() else []
    value = statistics.median(known)
    right = agrees(m["f"], value) and bool(m["more"]) == (value < 1)
    return [] if right else [f"the median of sync_ms is {value}"]


# --- What main's figures do not show ------------------------------------------------------------

@rule(OTHER, r"Off main, the workers of (?P<e>E) run over 10 times as many SQL statements as those of (?P<one>N)"
             r" \((?P<f>[\d.,]+)\): that takes time and energy\.")
def worker_statements(setting, m, names):
    known = {name: setting.median(name, "worker_statements") for name in setting.ok}
    known = {name: value for name, value in known.items() if value}
    # A comparison's page does not name the side.
    fewest = min(known.values(), default=0)
    if known.get(names[m["one"]]) != fewest:
        yield f"{known}"
    yield from figure(m["f"], int(fewest), "the fewest")
    yield from costs(m["e"], {name: int(value) for name, value in known.items() if value >= 1000 and value > 10 * fewest}, names)


@rule(OTHER, r"The WAL grows over 40 MiB with (?P<e>E): that space stays taken on disk until the store is closed\.")
def large_wals(setting, m, names):
    known = {name: setting.median(name, "wal_mib") for name in setting.ok}
    yield from costs(m["e"], {name: value for name, value in known.items() if value and value > 40}, names)


def costs(text, expected, names):
    entries, unnamed = names.entries(text)
    yield from differ([name for name, _ in entries], unnamed, expected, "beyond the limit")
    for name, inside in entries:
        yield from figure(inside.removesuffix(" MiB"), expected.get(name), f"{name}'s median")


# --- Counted instructions -----------------------------------------------------------------------

@rule(LONG, r"(?P<name>N) needs the fewest instructions on main, (?P<n>[\d,]+)\.")
@rule(SHORT, r"(?P<name>N) needs the fewest instructions on main, (?P<n>[\d,]+)\.")
def fewest_instructions(setting, m, names):
    known = {name: setting.median(name, "asked_instructions") for name in setting.ok}
    known = {name: value for name, value in known.items() if value is not None}
    fewest = min(known.values(), default=None)
    if known.get(names[m["name"]]) != fewest or int(m["n"].replace(",", "")) != fewest:
        yield f"{known}"


INSTRUCTION_PARTS = ("merge_", "list_", "push_up_", "fetch_", "save_", "fault_")


@rule(OTHER, r"main: instructions in main's database work(?P<place> while [^.]*)?\."
             r"(?P<workers> workers: instructions in the workers' blocks\.)?"
             r"(?P<rest> in no part: the rest of the column main, such as freeing what a worker saved\.)?"
             r" Other columns: exact counts on main\.$")
def counted_legend(setting, m, names):
    """Only the changes have workers and parts."""
    counted = [f"main_{part}instructions" for part in ("", *INSTRUCTION_PARTS)]
    has_parts = setting.phase == "change" and any(
        None not in [setting.median(name, count) for count in counted] for name in setting.ok)
    if bool(m["rest"]) != has_parts:
        yield f"counted in parts: {has_parts}"
    place = "" if setting.phase == "change" else f" {LEADS[setting.phase].lower().removesuffix(', ')}"
    if not setting.is_counted or (m["place"] or "") != place or bool(m["workers"]) != (setting.phase == "change"):
        yield f"counted: {setting.is_counted}, the phase is {setting.phase}"


@rule(LONG, r"Nothing can be concluded: no cell was counted\.")
@rule(SHORT, r"Nothing can be concluded: no cell was counted\.")
def none_counted(setting, m, names):
    if setting.ok:
        yield f"{', '.join(setting.ok)}"


@rule(LONG, r"Instructions do not show waits, cache misses or syncs; times show them\.")
@rule(SHORT, r"Instructions do not show waits, cache misses or syncs; times show them\.")
def blindness(setting, m, names):
    return ()


# --- The page's own -----------------------------------------------------------------------------

RANGES = (r"(?P<all>(?:All trials agree: the machine’s speed does not change these|Trials (?:may differ|disagree)).*?)"
          r" Columns of zeros are left out\.$")


@rule(OTHER, RANGES)
def ranges(setting, m, names):
    """Of which topologies counts vary, and why they may."""
    known = {(name, why) for name in setting.ok for why in setting.ranges(name).values()}
    yield from differing(m["all"], known, lambda text: {names[mark] for mark in compiled("N").findall(text)})


def differing(text, known, named):
    """`known` are (name, reason or None). `named` finds the names in a text."""
    clauses = re.findall(r"Trials (?:may differ in ([^.]*), because ([^.]*)|disagree for no known reason in ([^.]*))\.", text)
    for listed, why, unexplained in clauses:
        told = named(listed or unexplained)
        expected = {name for name, reason in known if reason == (why or None)}
        if not told <= expected or len(told) + more(listed or unexplained) != len(expected):
            yield f"{why or 'no known reason'}: {expected}"
    if {why or None for _, why, _ in clauses} != {why for _, why in known} or not clauses and not text.startswith("All "):
        yield f"counts vary of {known}"


def ranges_of_sides(settings, text, names):
    """Whether the text names what varies of each side, and what that is. A page shows only what both sides have."""
    shared = set.intersection(*({row["topology"] for row in setting.cells} for setting in settings))
    m = compiled(RANGES).match(names.marked(text))
    known = {((name, side), why) for side, setting in zip(("baseline", "candidate"), settings)
             for name in setting.ok.keys() & shared for why in setting.ranges(name).values()}
    return list(differing(m["all"], known, lambda text: {
        (names[mark], side) for mark, side in compiled(r"(N) of the (baseline|candidate)").findall(text)}))


@rule(OTHER, r"One line a cell, from .*; times in ms\. Columns of zeros are left out\.")
@rule(OTHER, r"What decides this answer: .*")
def context(setting, m, names):
    return ()


PRICED = (r"Computed from main's exact counts and this core's costs, (?:the order(?P<some> of \d+ of \d+ topologies)? is (?P<l>L)"
          r"(?: \((?P<equal>L are equal(?:; L are equal)*)\))?|(?P<all>L) are equal at any price)\.")
# The columns of each priced event.
EVENTS = [("main_statements",), ("main_rows_read",), ("main_rows_written",), ("main_commits",), ("main_faults_fired",),
          ("main_objects_copied",), ("main_objects_refreshed", "main_objects_created")]


@rule(LIMITS, PRICED)
@rule(OTHER, PRICED)
def order_by_prices(subject, m, names):
    setting = subject[0] if isinstance(subject, list) else subject
    order = names.listed(m["l"] or m["all"])[0]
    counts = {name: tuple(sum(setting.median(name, column) or 0 for column in event) for event in EVENTS) for name in order}
    known = {frozenset(other for other in order if counts[other] == counts[name]) for name in order}
    told = [m["all"]] if m["all"] else (m["equal"] or "").split("; ") if m["equal"] else []
    if {frozenset(names.listed(one)[0]) for one in told} != {group for group in known if len(group) > 1}:
        yield f"equal counts: {[sorted(group) for group in known]}"
    if bool(m["all"]) != (len(known) == 1):
        yield f"{len(known)} different counts"
    if m["l"] and (m["some"] or "") != ("" if len(order) == len(setting.names) else f" of {len(order)} of {len(setting.names)} topologies"):
        yield f"there are {len(setting.names)} topologies"
    yield from (f"the trials separate {b} from {a}" for i, a in enumerate(order) for b in order[i + 1:]
               if setting.has_trials and (b, a) in setting.separated)


# check-answers.py counts them.
NOTHING_FOUND, FINDINGS = "The check before the run found nothing doubtful.", "Findings of the check before the run"

# The sentences that claim nothing about figures: titles, and what columns and marks mean.
# Prices are the core's own: the tests of Sensitivity recompute them.
for pattern in [
        r"(?:Topologies with a common letter are not separated\. )?(?:blocked: .*)?Medians over trials\.(?: (?:mostly|÷ raw SQLite): .*)?$", r"Open: from before the store .*",
        r"Not validated against Core Data on a device; read orders and mechanisms, not seconds\.",
        r"scripts/lab sensitivity says at which prices an order turns\.",
        r"It stays while .*", r"No price from 1/100 to 100 times .*", r"A push-up copies an object to the parent .* shows more\.",
        r"Prices cannot tell batch inserts, .* Core Data\.",
        r"A dot is a trial, a stroke the median; .*", r"Bar: the order stays\..*", r"So long wait 95 in 100 taps .*",
        r"Due frames that were not on screen .*", r"The bar ends when all is durable .*", r"The median trial\. Colour: .*",
        r"Blocked time, ms: median and 95 % interval over trials; its parts, of the median\.",
        r"Blocked time(?: and drawing together)?, ms: median over trials\. At each value, topologies that share a letter are "
        r"not separated\.(?: All values share one axis(?:, on which each step is ten times as much)?\.?)?",
        r"A dot is the estimate over all trials, .*", r"Every figure that was compared: medians, .*",
        r"Timelines not shown: .*", r"The environment file beside the report\.", r"No environment file lies beside it, .*",
        re.escape(NOTHING_FOUND), r"Made by topobench report.*", r".*: what keeps the main queue free$",
        r"(?:Answers to the user’s questions|Late frames|Limits|Times|What changed|Waits of a tap|What other prices would change|Why: exact counts of .*"
        r"|Opening the list, and scrolling through it|What decided this, and how far to trust it|Where and how it was measured|The main queue’s timeline(?: while changes arrive)?"
        r"|What Core Data, GRDB and libraries call the topologies|The machine, the program and every parameter"
        r"|Frames, times and prices|Timeline, waits of a tap, why, .*|Data: (?:blocked time and its parts, .*|every trial)"
        r"|Every compared figure|The comparison as a whole)$",
        r"Instructions do not show waits, cache misses or syncs; times show them\.",
        r"Of the candidate alone\.$",
        r"[abcd]\w*\.csv(?: \((?:baseline|candidate)\))?$", r"No trust is graded: nothing was (?:measured|compared).*",
        r"Nothing was measured.*", r"Instructions and exact counts: medians over trials\.$", r"[^.]*\?$"]:
    NO_FIGURES.append((pattern, lambda *_: ()))
