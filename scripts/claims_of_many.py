"""The sentences about several settings and about sweeps, as rules like those of claims.py.

Imported by check-answers.py. The subject of MANY is a list of settings; of SWEPT and CROSSED, the values of
a sweep with their settings, in order.
"""

import re

from claims import WORDS, compiled, differ, figure, group, lead_of, passing, rule, unranked, unseen
from recomputed import shown

MANY, SWEPT, CROSSED = [], [], []


# --- Several settings, and sweeps ---------------------------------------------------------------

@rule(MANY, r"(?P<some>in some trials )?(?P<q>Q)(?: with (?P<g>G))? in (?P<n>\d+) of (?P<of>\d+) settings?"
      r"(?:, with (?:(?P<least>\d+) to )?(?P<most>\d+) of (?P<all>\d+) topologies(?P<each> each)?)?(?=;|$)")
def many_freezes(settings, m, names):
    limit, kind = WORDS[m["q"].lower()], "worst" if m["some"] else "usual"
    known = [s for s in settings if not s.is_discarded]
    frozen = [{n for n, f in s.freezes.items() if getattr(f, kind) == limit} for s in known]
    worse = [n for s in known for n, f in s.freezes.items() if (getattr(f, kind) or 0) > limit]
    if [sum(map(bool, frozen)), len(known)] != [int(m["n"]), int(m["of"])] or worse:
        yield f"{sum(map(bool, frozen))} of {len(known)} settings; beyond the limit: {worse[:3]}"
    everything = len({name for s in known for name in s.known})
    if bool(m["g"]) == bool(m["most"]):
        yield "it must either name the topologies or count them"
    elif m["g"]:
        for topologies in filter(None, frozen):
            yield from group(m["g"], topologies, everything, names, f"beyond {limit} ms")
        if len(set(map(frozenset, filter(None, frozen)))) > 1:
            yield "these differ between settings"
    else:
        counts = sorted(map(len, filter(None, frozen))) or [0]
        told = [int(m["least"] or m["most"]), int(m["most"]), int(m["all"])]
        if told != [counts[0], counts[-1], everything] or bool(m["each"]) != (counts[0] == counts[-1]):
            yield f"beyond {limit} ms are {counts} of {everything}"
        if len(set(map(frozenset, filter(None, frozen)))) < 2:
            yield "these are the same in each setting"


@rule(MANY, r"(?P<n>\d+) of (?P<of>\d+) settings? (?:is|are) to be discarded(?=;|$)")
def many_discarded(settings, m, names):
    discarded = [setting.key for setting in settings if setting.is_discarded]
    if [int(m["n"]), int(m["of"])] != [len(discarded), len(settings)]:
        yield f"these: {discarded}"


@rule(MANY, r"no topology (?:freezes|is seen to freeze) the screen(?: in (?P<n>\d+) of (?P<of>\d+) settings)?(?=;|$)")
def many_none(settings, m, names):
    known = [setting for setting in settings if setting.freezes and not setting.is_discarded]
    if [int(m["n"] or len(settings)), int(m["of"] or len(settings))] != [len(known), len(settings)]:
        yield f"{len(known)} of {len(settings)} settings tell gaps and are not to be discarded"
    for setting in known:
        yield from passing(setting, list(setting.freezes))
        yield from unseen(setting, m[0])


@rule(MANY, r"(?P<name>N)(?: and (?:(?P<other>N)|(?P<more>\d+) more))? (?:is|are) among the best in (?P<n>\d+) of (?P<of>\d+)"
      r" settings(?P<each> each)?(?=;|$)")
def many_best(settings, m, names):
    counts = {}
    for setting in settings:
        for name in setting.best if setting.is_decided else []:
            counts[name] = counts.get(name, 0) + 1
    most = max(counts.values(), default=0)
    if [int(m["n"]), int(m["of"])] != [most, len(settings)]:
        yield f"the most is {most} of {len(settings)}"
    freezes = [freeze for setting in settings if not setting.is_discarded for freeze in setting.freezes.items()]
    # Of equals, those that freeze in the fewest settings.
    often = {name: tuple(sum(one == name and bool(getattr(freeze, kind)) for one, freeze in freezes) for kind in ("usual", "worst"))
             for name, count in counts.items() if count == most}
    least = sorted(name for name, frozen in often.items() if frozen == min(often.values()))
    told = [names[mark] for mark in (m["name"], m["other"]) if mark]
    yield from differ(told, int(m["more"] or 0), least, "most often among the best, and freezing least")
    if m["more"] and len(least) < 3 or bool(m["each"]) != (len(least) > 1):
        yield f"{len(least)} topologies"


@rule(MANY, r"the trials separate no topolog(?:ies|y from the best) in (?P<of>\d+) settings(?=;|$)")
def many_tied(settings, m, names):
    ranked = [s for s in settings if len(s.blocked) > 1 and s.has_trials and not s.is_discarded]
    if not ranked:
        yield "nothing could be separated in any of them"
    yield from (f"in {setting.key}: {list(setting.separated)[:2]}" for setting in ranked
                if not setting.candidates or setting.separated and ("the best" not in m[0] or not setting.is_tied))


@rule(MANY, r"no topology is best in (?P<of>\d+) settings(?=;|$)")
def many_none_best(settings, m, names):
    kept = [s for s in settings if len(s.blocked) > 1 and s.has_trials and not s.is_discarded]
    yield from (f"{s.best} in {s.key}" for s in kept if s.best and not s.is_tied)
    if all(s.candidates for s in kept) or int(m["of"]) != len(settings):
        yield f"{len(settings)} settings"


@rule(MANY, r"nothing is ranked in (?P<of>\d+) settings(?=;|$)")
def many_unranked(settings, m, names):
    yield from (f"{s.key} is" for s in settings if len(s.blocked) > 1 and s.has_trials and not s.is_discarded)


STATE = (r"(?:(?P<{0}>G) (?:is|are) best|only (?P<{0}only>N) has blocked time|only (?P<{0}alone>N) was measured|(?P<{0}none>no topology is best)"
         r"|(?P<{0}tie>the trials separate no topology from the best)"
         r"|(?P<{0}few>the trials are too few to rank)|(?P<{0}bad>the run is to be discarded)|(?P<{0}no>nothing ended ok)"
         r"|(?P<{0}unknown>no topology has blocked time))")


def state(setting, m, names):
    """What is wrong about one value of a sweep."""
    if m["s"]:
        yield from unranked(setting)
        yield from group(m["s"], setting.best, len(setting.blocked), names, "best")
        if setting.is_tied and not setting.excluded:
            yield "nothing is separated"
    elif m["sonly"] and (list(setting.blocked) != [names[m["sonly"]]] or len(setting.known) < 2):
        yield f"these have blocked time: {list(setting.blocked)}; measured: {setting.known}"
    elif m["salone"] and (setting.known != {names[m["salone"]]} or not setting.blocked):
        yield f"measured: {setting.known}; these have blocked time: {list(setting.blocked)}"
    elif m["sno"] and setting.ok or m["sunknown"] and (setting.blocked or not setting.ok):
        yield f"these ended ok: {list(setting.ok)}; blocked: {list(setting.blocked)}"
    elif (m["snone"] and not (setting.has_trials and not setting.candidates)
          or m["stie"] and not (setting.has_trials and setting.is_tied and not setting.excluded)):
        yield f"best are {setting.best}"
    elif m["sfew"] and setting.has_trials:
        yield f"{setting.trials} trials, {setting.needed} needed"


DRAWING = "(?P<drawing>with drawing, )?"


def drawing(points, m):
    """Where the cost of drawing is swept, drawing counts. The first clause says so."""
    counts = any(setting.is_drawing and setting.phase == "change" for _, setting in points)
    if bool(m["drawing"]) != counts:
        yield f"drawing counts: {counts}"


@rule(SWEPT, DRAWING + STATE.format("s") + r" at (?:each|any) value(?: (?:of|for) (?P<k>\d+) fields)?(?=;|$)")
def swept_all(points, m, names):
    yield from drawing(points, m)
    yield from stated(points, m, names)


def stated(points, m, names):
    """What is wrong at one of the points, at which the same topologies must be the best."""
    for value, setting in points:
        yield from (f"at {value}: {wrong}" for wrong in state(setting, m, names))
    if "are best" in m[0] and len({frozenset(setting.best) for _, setting in points}) > 1:
        yield "the best change"


@rule(SWEPT, DRAWING + STATE.format("s") + r" at (?!(?:each|any) ranked value)(?P<at>.+?)(?=, " + STATE.format("t") + "|;|$),?")
def swept_some(points, m, names):
    found = [[*(drawing(points, m) if m["drawing"] or some[0] is points[0] else ()), *stated(some, m, names)]
             for some in stretches(points, m["at"], names)]
    yield from min(found, key=len, default=[f"the values are {[value for value, _ in points]}"])


def stretches(points, text, names):
    """The neighbouring values that `1 to 50` or `main and background` may mean: long ones are cut."""
    runs = [points[first:last + 1] for last in range(len(points)) for first in range(last + 1)]
    return [run for run in runs if stretch([value for value, _ in run]) == names.plain(text)]


def stretch(values):
    """`1 to 50`, or all values if the first or several are words."""
    texts = [shown(label(value), 80) for value in values]
    words = [value for value in values if not is_number(value)]
    if len(values) > 1 and values[0] not in words and len(words) < 2:
        return f"{texts[0]} to {texts[-1]}"
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))


def is_number(value):
    try:
        float(value)
    except ValueError:
        return False
    return True


def label(value):
    return f"{int(value):,}" if value.isdigit() else value


@rule(SWEPT, r"there is no second topology to compare(?: (?:of|for) \d+ fields)?")
def swept_alone(points, m, names):
    if any(len(setting.blocked) > 1 for _, setting in points):
        yield "there is one"


UNRANKED = r"(?:, and (?P<left>\d+) of (?P<all>\d+) values (?:is|are) not ranked)?"


def ranked(points):
    return [(value, s) for value, s in points if s.has_trials and len(s.blocked) > 1 and not s.is_discarded]


def unranked_values(points, m):
    left = len(points) - len(ranked(points))
    if [int(m["left"] or 0), int(m["all"] or len(points))] != [left, len(points)]:
        yield f"{left} of {len(points)} values are not ranked"


@rule(SWEPT, DRAWING + r"the best topologies change (?:(?P<n>\d+) times|once)" + UNRANKED)
def swept_changes(points, m, names):
    yield from drawing(points, m)
    yield from unranked_values(points, m)
    states = ["tied" if setting.is_tied and not setting.excluded else tuple(sorted(setting.best)) for _, setting in ranked(points)]
    changes = sum(a != b for a, b in zip(states, states[1:]))
    if changes != int(m["n"] or 1):
        yield f"they change {changes} times: {states}"


@rule(SWEPT, DRAWING + STATE.format("s") + r" at (?:each|any) ranked value" + UNRANKED)
def swept_ranked(points, m, names):
    yield from drawing(points, m)
    yield from unranked_values(points, m)
    yield from stated(ranked(points), m, names)


@rule(SWEPT, DRAWING + r"no value is ranked")
def swept_unranked(points, m, names):
    yield from drawing(points, m)
    yield from (f"{value} is ranked" for value, _ in ranked(points))


# --- The text of a sweep ------------------------------------------------------------------------

def pairs_by_point(points):
    return [(label(value), setting.separated if setting.has_trials else set()) for value, setting in points]


@rule(CROSSED, r"Where the order changes: (?P<all>.*?)\.(?= By medians| The screen freezes| While |$)")
def crossed(points, m, names):
    settings, separated = {label(value): setting for value, setting in points}, dict(pairs_by_point(points))
    for clause in m["all"].split("; "):
        if re.match(r"and \d+ more changes?$", clause):
            continue
        found = compiled(r"between (.+?) and (.+?), (N) falls behind (.*)").match(clause)
        if not found or not {*found.group(1, 2)} <= separated.keys():
            yield f"no rule reads the clause: {clause}"
            continue
        before = names[found[3]]
        for after, about in ((names[one[1]], one[2]) for one in compiled(r"(N)(?: \(about ([^()]*)\))?").finditer(found[4])):
            if (before, after) not in separated[found[1]] or (after, before) not in separated[found[2]]:
                yield f"{before} and {after}: {found[1]} and {found[2]} do not separate them in both orders"
            elif about:
                leads = [settings[value].blocked[after] - settings[value].blocked[before] for value in found.group(1, 2)]
                low, high = (float(value.replace(",", "")) for value in found.group(1, 2))
                yield from figure(about, low + (high - low) * leads[0] / (leads[0] - leads[1]), f"{before} and {after}")


@rule(CROSSED, r"(?P<lead>While [\w ]+, )?the screen freezes (?P<all>with .+?)\.(?= By medians|$)")
def crossed_freezes(points, m, names):
    told = {}
    if m["lead"] != lead_of([setting for _, setting in points]):
        yield f"the phase is {points[0][1].phase}"
    for clause in m["all"].split("; "):
        found = compiled(r"with (?:all (?P<n>\d+) topologies|(?P<l>L)) at (.+)$").match(clause)
        some = stretches(points, found[3], names) if found else []
        if len(some) != 1:
            yield f"no rule reads the clause: {clause}"
            return
        told |= {label(value): found for value, _ in some[0]}
    for value, setting in points:
        yield from (f"at {value}: {wrong}" for wrong in frozen_at(setting, told.get(label(value)), names))
    frozen = {(len(setting.known), *sorted(n for n, freeze in setting.freezes.items() if freeze.usual)) for _, setting in points}
    if not any(setting.excluded for _, setting in points) or len(frozen) < 2:
        yield f"no freeze decides who is best: {frozen}"


def frozen_at(setting, told, names):
    """What is wrong about who usually freezes at one value."""
    frozen = [name for name, freeze in setting.freezes.items() if freeze.usual]
    if told and told["n"]:
        if {int(told["n"])} != {len(frozen), len(setting.known)}:
            yield f"{len(frozen)} of {len(setting.known)} freeze"
    else:
        yield from differ(*(names.listed(told["l"]) if told else ([], 0)), frozen, "usually beyond a frame")


@rule(CROSSED, r"By medians alone, these change places: (?P<all>.*)\.$")
def crossed_medians(points, m, names):
    separated = [pair for _, pairs in pairs_by_point(points) for pair in pairs]
    for clause in m["all"].split("; "):
        if re.match(r"and \d+ more pairs?$", clause):
            continue
        a, b = names.listed(clause)[0]
        leads = {setting.blocked[a] < setting.blocked[b] for _, setting in points
                 if a in setting.blocked and b in setting.blocked and setting.blocked[a] != setting.blocked[b]}
        if len(leads) < 2:
            yield f"the medians of {a} and {b} have one order"
        if (a, b) in separated and (b, a) in separated:
            yield f"the trials separate {a} and {b} in both orders"


@rule(CROSSED, r"A change of the order cannot be excluded: a ranking needs (?P<needed>\d+) trials, and there (?:is|are) (?P<n>\d+)\.")
def crossed_few(points, m, names):
    needed = max(setting.needed for _, setting in points)
    if int(m["needed"]) != needed or int(m["n"]) >= needed:
        yield f"{needed} are needed"


@rule(CROSSED, r"(?:The trials show no change of the order\.|The best topologies change, but no two topologies are separated in both orders\.)")
def crossed_none(points, m, names):
    all = [pair for _, pairs in pairs_by_point(points) for pair in pairs]
    yield from (f"{a} and {b} are separated in both orders" for a, b in all if (b, a) in all and a < b)
    best = {"tied" if s.is_tied and not s.excluded else tuple(sorted(s.best)) for _, s in ranked(points)}
    if ("no change" in m[0]) != (len(best) < 2):
        yield f"the best: {best}"


@rule(CROSSED, r"There is no second topology to compare\.")
def crossed_alone(points, m, names):
    yield from swept_alone(points, m, names)


@rule(CROSSED, r"Blocked time(?: and drawing together)?, ms: median over trials.*")
@rule(CROSSED, r"Not validated against Core Data on a device; .*")
def crossed_legend(points, m, names):
    return ()
