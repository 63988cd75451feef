#!/usr/bin/env python3
"""Checks a page of `topobench report` against its CSV files.

    check-report.py PAGE FILE.csv …                          a page of one side
    check-report.py PAGE --baseline FILE … --candidate FILE …  a comparison

Recomputes medians, intervals, parts and positions of dots from the CSV files alone. Opens the page in
headless Chromium, light and dark, at desktop and phone size, and checks its accessibility. Uses the
standard library only. `--axe FILE` also runs axe-core, `--pictures FOLDER` saves screenshots, and
`--no-browser` skips the browser.
"""

import argparse
import csv
import io
import itertools
import math
import os
import re
import sys
import unicodedata
import xml.etree.ElementTree as ElementTree
from statistics import median

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
WAITS = ["parent", "coordinator", "sqlite", "queue", "other"]
PARTS = ["main_executing_ms"] + [f"main_wait_{cause}_ms" for cause in WAITS]
SIZES = [(1280, 800), (390, 844), (794, 1123), (1600, 1000)]

failures = []
checked = 0
is_one_scenario = False
# Of cells with the same scenario, parameters and store.
settings = 0
topologies = 0


def expect(holds, what):
    global checked
    checked += 1
    if not holds:
        failures.append(what)


# --- The CSV files -------------------------------------------------------------------------------

def rows_of(files):
    rows = []
    for name in files:
        with open(name, newline="", encoding="utf-8") as file:
            rows += [row for row in csv.DictReader(file) if row["schema"] != "schema"]
    return rows


def shown(name, most=None):
    """As a page writes a name: what is unseen or turns the direction of writing is spelled out."""
    if most and len(name) > most:
        name = name[:most - 1] + "…"
    return "".join(
        " " if c in "\n\t\r" else
        f"\\u{{{ord(c):X}}}" if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Cn") else c
        for c in name)


def groups_of(sides):
    """(scenario, parameters, store) → {(topology, side): rows}"""
    groups = {}
    for side, files in sides.items():
        for row in rows_of(files):
            parameters = "" if row["parameters"] == "{}" else row["parameters"]
            place = (shown(row["scenario"]), shown(parameters), row["store"])
            groups.setdefault(place, {}).setdefault((row["topology"], side), []).append(row)
    return groups if len(sides) > 1 else joined(groups)


def joined(groups):
    """A store mode that shares no topology with the other is shown in the larger one's section."""
    for scenario, parameters in {place[:2] for place in groups}:
        pool, serial = ((scenario, parameters, store) for store in ("pool", "serial"))
        if pool not in groups or serial not in groups or groups[pool].keys() & groups[serial].keys():
            continue
        home, guest = (serial, pool) if len(groups[serial]) > len(groups[pool]) else (pool, serial)
        for (topology, side), rows in groups.pop(guest).items():
            groups[home][(f"{topology} ({guest[2]})", side)] = rows
    return groups


def values(rows, column):
    return [float(row[column]) for row in rows if row["status"] == "ok" and row[column] != ""]


def middle(rows, column):
    numbers = values(rows, column)
    return median(numbers) if numbers else None


def interval(numbers):
    """The order statistics that hold the median with at least 95 %, or None."""
    ordered, n = sorted(numbers), len(numbers)
    rank, below = 0, 0.0
    while rank < n // 2 and 2 * (below + math.comb(n, rank) / 2**n) <= 0.05:
        below += math.comb(n, rank) / 2**n
        rank += 1
    return (ordered[rank - 1], ordered[n - rank]) if rank else None


def median_rows(rows):
    measured = [r for r in rows if r["status"] == "ok" and r["main_blocked_ms"] != ""]
    measured.sort(key=lambda r: (float(r["main_blocked_ms"]), int(r["order"])))
    upper = len(measured) // 2
    return measured[upper - 1:upper + 1] if len(measured) % 2 == 0 else measured[upper:upper + 1]


# --- The page ------------------------------------------------------------------------------------

def text(element):
    return "".join(element.itertext())


def numbers(cell):
    return [float(data.get("value")) for data in cell.iter(f"{HTML}data")]


def table(article, identifier):
    """{row's name: [numbers of each cell]}"""
    for found in article.iter(f"{HTML}table"):
        if found.get("id") == identifier:
            body = found.find(f"{HTML}tbody")
            return {text(tr[0]): [numbers(td) for td in tr[1:]] for tr in body}
    return {}


def same(told, expected, what):
    """A page tells six digits after the point at most."""
    if expected is None:
        expect(told == [], f"{what}: {told} where nothing was measured")
    else:
        expect(len(told) == 1 and abs(told[0] - expected) < 2e-6, f"{what}: {told}, not {expected}")


def check_section(article, topologies):
    sid = article.get("id")
    two = any(side for _, side in topologies)
    named = {
        shown(name, 80) + (f", {side}" if side else ""): rows
        for (name, side), rows in topologies.items()}
    blocked = table(article, f"{sid}-blocked-table")
    measured = {n: r for n, r in named.items() if values(r, "main_blocked_ms")}
    if not two:
        expect(set(blocked) == set(measured), f"{sid}: topologies {sorted(blocked)} of {sorted(measured)}")
    for name, cells in blocked.items():
        rows = measured[name]
        both = values(rows, "main_blocked_ms")
        ends = interval(both) or (None, None)
        expected = [len(both), median(both), *ends]
        for cell, value, word in zip(cells, expected, ["trials", "median", "lower", "upper"]):
            same(cell, value, f"{sid} {name} blocked {word}")
        parts = [sum(float(r[p]) for r in median_rows(rows)) / len(median_rows(rows)) for p in PARTS]
        for cell, value, word in zip(cells[4:], parts, PARTS):
            same(cell, value, f"{sid} {name} {word}")
        expect(abs(sum(parts) - median(both)) < 0.005, f"{sid} {name}: parts do not add up")
    for kind, columns in {
        # None: a drawing.
        "tap": [None, "tap_p95_ms", "tap_p99_ms", "main_longest_gap_ms"],
        "frames": [None, "frames_late", "frames_due", "hitch_ms", "hitch_ms_per_s"],
        "times": [None, "saved_ms", "durable_ms", "visible_ms", "total_ms"],
    }.items():
        for name, cells in table(article, f"{sid}-{kind}-table").items():
            name = full(name, named)
            for cell, column in zip(cells, columns):
                if column is None:
                    continue
                if column == "main_longest_gap_ms":
                    same(cell, middle(own_gaps(named[name]), column), f"{sid} {name} {column}")
                    continue
                if column == "frames_late" and was_idle(named[name]):
                    expect(cell == [], f"{sid} {name}: {cell} late frames of an idle screen")
                    continue
                same(cell, middle(named[name], column), f"{sid} {name} {column}")
    check_counts(article, sid, named)
    check_rows(article, sid, named)
    check_dots(article, sid, blocked, measured)


def own_gaps(rows):
    """The rows whose longest gap is not the instrument's."""
    return [row for row in rows if row["longest_gap_cause"] not in ("heartbeat", "harness")]


def was_idle(rows):
    """No frame was due in a gap of two frames, so none could be late."""
    gap = middle(own_gaps(rows), "main_longest_gap_ms")
    late = values(rows, "frames_late")
    return bool(late) and not any(late) and gap is not None and gap > 2000 / 60


def full(label, named):
    """The name behind the label of a chart's row, which may be cut."""
    start, cut, end = label.partition("…")
    found = [name for name in named if name == label] or [
        name for name in named if cut and name.startswith(start) and name.endswith(end)]
    expect(bool(found), f"a row {label!r} is of no topology")
    return found[0] if found else next(iter(named))


def check_counts(article, sid, named):
    columns = [c for c in COUNTS if any(any(values(r, c)) for r in named.values())]
    for name, cells in table(article, f"{sid}-counts-table").items():
        name = full(name, named)
        for cell, column in zip(cells, columns):
            # A row may hold half a count, where its repeats differ. The page shows whole ones.
            found = [math.floor(value) for value in values(named[name], column)]
            expected = sorted({min(found), max(found)}) if found else []
            expect(cell == expected, f"{sid} {name} {column}: {cell}, not {expected}")


COUNTS = ["main_statements", "main_commits", "main_rows_read", "main_rows_written",
          "main_objects_copied", "main_objects_refreshed", "main_faults_fired", "main_list_changes"]


def check_lines(pre, sid, named):
    """Rows of a long report: lines of CSV."""
    told = list(csv.DictReader(io.StringIO(text(pre), newline="")))
    expect(len(told) == sum(len(r) for r in named.values()), f"{sid}: {len(told)} lines")
    rows = {(name, row["trial"], row["run_id"]): row for name, all in named.items() for row in all}
    rows = {(name, trial): row for (name, trial, _), row in rows.items()}
    for line in told:
        row = rows[(line.pop("topology"), line.pop("trial"))]
        expect(line.pop("status") == row["status"], f"{sid}: status of trial {row['trial']}")
        for column, value in line.items() if row["status"] == "ok" else []:
            equal = value == shown(row[column], 80) if column == "longest_gap_cause" or value == "" \
                else abs(float(value) - float(row[column])) < 2e-6
            expect(equal, f"{sid} trial {row['trial']} {column}: {value}, not {row[column]}")


def check_rows(article, sid, named):
    found = list(article.iter(f"{HTML}pre"))
    expect(len(found) == 1, f"{sid}: no rows")
    for pre in found:
        check_lines(pre, sid, named)


def place(heading, value):
    """Where the axis of a column of marks has a value, in percent."""
    lower, upper = (float(heading.get(f"data-{end}")) for end in ("lower", "upper"))
    if heading.get("data-axis") == "linear":
        share = (value - lower) / (upper - lower)
    else:
        share = math.log(value / lower) / math.log(upper / lower) if value > 0 else 0
    return min(1, max(0, share)) * 100


def check_dots(article, sid, blocked, measured):
    """Every trial is a dot, and lies where the axis has its value."""
    for board in article.iter(f"{HTML}table"):
        if board.get("id") != f"{sid}-board":
            continue
        headings = board.find(f"{HTML}thead")[0]
        rows = board.find(f"{HTML}tbody").findall(f"{HTML}tr")
        expect(len(rows) == len(blocked), f"{sid}: {len(rows)} rows drawn, not {len(blocked)}")
        columns = [n for n, th in enumerate(headings) if th.get("data-axis")]
        for row, name in zip(rows, blocked):
            shown_numbers = [number for td in row for number in numbers(td)]
            for index, trials, column in zip(columns, [own_gaps(measured[name]), measured[name]],
                                             ["main_longest_gap_ms", "main_blocked_ms"]):
                expected = middle(trials, column)
                expect(expected is None or any(abs(n - expected) < 2e-6 for n in shown_numbers),
                       f"{sid} {name}: {column} {expected} is not among {shown_numbers}")
                places = sorted(float(c.get("cx")[:-1]) for c in row[index].iter(f"{SVG}circle"))
                expected = sorted(place(headings[index], v) for v in values(trials, column))
                close = len(places) == len(expected) and all(
                    abs(a - b) < 0.0051 for a, b in zip(places, expected))
                expect(close, f"{sid} {name}: {column} at {places[:4]}…, not {expected[:4]}…")


def check_sweeps(root, groups):
    for article in root.iter(f"{HTML}article"):
        if not article.get("id").startswith("w"):
            continue
        scenario = text(article.find(f"{HTML}h2")).split(":")[0]
        medians = {
            round(middle(rows, "main_blocked_ms"), 6)
            for (name, _, _), topologies in groups.items() if name == scenario
            for rows in topologies.values() if values(rows, "main_blocked_ms")}
        drawn = {
            round(median([float(r["main_blocked_ms"]) + float(r["main_ui_ms"]) for r in rows]), 6)
            for (name, _, _), topologies in groups.items() if name == scenario
            for rows in [[r for r in rows if r["status"] == "ok"] for rows in topologies.values()] if rows}
        tables = [t.get("id") for t in article.iter(f"{HTML}table")]
        expect(bool(tables), f"{article.get('id')}: no figures")
        for told in (table(article, identifier) for identifier in tables):
            for name, cells in told.items():
                for cell in cells:
                    expect(all(round(v, 6) in medians | drawn for v in cell),
                           f"{article.get('id')} {name}: {cell} is no median of {scenario}")


def check_numbers(root, sides):
    groups = groups_of(sides)
    articles = [a for a in root.iter(f"{HTML}article") if a.get("data-store")]
    if len(sides) == 1:
        expect(len(articles) == len(groups), f"{len(articles)} sections, not {len(groups)}")
    for article in articles:
        parameters = "" if article.get("data-parameters") == "{}" else article.get("data-parameters")
        place = (article.get("data-scenario"), parameters, article.get("data-store"))
        expect(place in groups, f"no rows for {place[0][:60]!r}")
        if place in groups:
            check_section(article, groups[place])
    check_sweeps(root, groups)


# --- Usability -----------------------------------------------------------------------------------

def check_structure(root):
    """What does not need a browser."""
    expect(root.get("lang") == "en", "the page has no language")
    for kind in ("main", "nav", "header", "footer", "h1"):
        expect(len(list(root.iter(f"{HTML}{kind}"))) >= 1, f"no <{kind}>")
    expect(not list(root.iter(f"{HTML}script")), "there is a script")
    level = 0
    for element in root.iter():
        name = element.tag.split("}")[-1]
        if name in ("h1", "h2", "h3", "h4"):
            expect(int(name[1]) <= level + 1, f"<{name}> {text(element)[:40]!r} follows <h{level}>")
            level = int(name[1])
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    expect(len(ids) == len(set(ids)), "an id stands twice")
    known = set(ids)
    for link in root.iter(f"{HTML}a"):
        target = link.get("href")
        expect(target.startswith("#") and target[1:] in known, f"a link leads to {target}")
        expect(text(link).strip() != "", "a link has no words")
    for element in root.iter():
        for attribute in ("aria-labelledby",):
            for name in (element.get(attribute) or "").split():
                expect(name in known, f"{attribute} names {name}, which is not there")
    for svg in root.iter(f"{SVG}svg"):
        if svg.get("role") == "img":
            expect((svg.get("aria-label") or "").strip() != "", "a drawing without a description")
    for found in root.iter(f"{HTML}table"):
        expect(found.find(f"{HTML}caption") is not None, f"a table without caption: {found.get('id')}")
        for th in found.iter(f"{HTML}th"):
            expect(th.get("scope") in ("row", "col", "rowgroup"), "a heading of a table without scope")
    for section in root.iter(f"{HTML}section"):
        if section.get("class") != "figure":
            continue
        expect(list(section.iter(f"{HTML}table")), "a figure without its table")


# Normal colour vision and the three complete deficiencies (Machado, Oliveira and Fernandes, 2009).
VISIONS = {
    "normal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                   [0.004733, 0.691367, 0.303900]],
}
SOLID = ["executing", "reading", "saving", "merging", "drawing", "priced", "aside"]
LEAST_DIFFERENCE = 15


def lab(color, vision):
    """CIELAB of `#rrggbb` as a vision has it."""
    channels = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    r, g, b = (min(1, max(0, sum(m * c for m, c in zip(row, linear)))) for row in VISIONS[vision])
    x, y, z = (0.4124 * r + 0.3576 * g + 0.1805 * b, 0.2126 * r + 0.7152 * g + 0.0722 * b,
               0.0193 * r + 0.1192 * g + 0.9505 * b)
    f = [t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x / 0.95047, y, z / 1.08883)]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def check_colours(root):
    """Solid marks are told from each other, and hatched ones, whatever colours somebody sees."""
    style = "".join(text(s) for s in root.iter(f"{HTML}style"))
    schemes = [style[style.index(":root{"):], style[style.index("dark){:root{"):]]
    for scheme, rules in zip(("light", "dark"), schemes):
        colors = {}
        for name, value in re.findall(r"--([a-z]+):(#[0-9a-f]{6})", rules):
            colors.setdefault(name, value)
        for family in (SOLID, WAITS):
            for vision in VISIONS:
                for one, other in itertools.combinations(family, 2):
                    difference = math.dist(lab(colors[one], vision), lab(colors[other], vision))
                    expect(difference >= LEAST_DIFFERENCE,
                           f"{scheme}, {vision}: {one} and {other} differ by {difference:.1f}")


# The contrast of text with its background and of every mark with the page.
CONTRAST = r"""(() => {
  const luminance = c => { const f = v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
    return .2126 * f(c[0]) + .7152 * f(c[1]) + .0722 * f(c[2]); };
  const parse = s => (s.match(/[\d.]+/g) || []).map(Number);
  const ratio = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m);
    return (x + .05) / (y + .05); };
  const ground = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
  const bad = new Set(); let count = 0;
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    const style = getComputedStyle(e); const svg = e instanceof SVGElement;
    if (own && !['title', 'desc'].includes(e.tagName) && e.getClientRects().length) {
      count++; const r = ratio(parse(svg ? style.fill : style.color), ground(e));
      if (r < 4.5) bad.add(`text ${e.tagName}.${e.getAttribute('class')}: ${r.toFixed(2)}`); }
  }
  for (const e of document.querySelectorAll('[class^=ink-],[class^=use-],.shape,.median')) {
    const style = getComputedStyle(e); const fill = style.fill;
    if (!fill.startsWith('rgb')) continue;
    count++; const r = ratio(parse(e.matches('.median') ? style.stroke : fill), ground(document.body));
    if (r < 3) bad.add(`mark ${e.getAttribute('class')}: ${r.toFixed(2)}`); }
  return {count, bad: [...bad]};
})()"""

# The labels of drawings, and of the tables that hold them.
LAYOUT = r"""(() => { const s = document.scrollingElement;
  const out = [...document.querySelectorAll('svg text')].filter(t => {
    const b = t.getBoundingClientRect(), p = t.ownerSVGElement.getBoundingClientRect();
    return b.width && (b.left < p.left - 2 || b.right > p.right + 2 || b.top < p.top - 2 ||
      b.bottom > p.bottom + 2); });
  for (const c of document.querySelectorAll('.chart th, .chart td')) {
    const b = c.getBoundingClientRect();
    if (b.width && getComputedStyle(c).visibility === 'visible' &&
        (c.scrollWidth > c.clientWidth + 2 || b.right > innerWidth + 1)) out.push(c); }
  const tall = [...document.querySelectorAll('.chart tbody tr')].map(
    r => Math.round(r.getBoundingClientRect().height)).filter(h => h > 24);
  const first = document.querySelector('.chart');
  const over = [...document.querySelectorAll('tfoot svg')].filter(svg => {
    const lines = {};
    for (const t of svg.querySelectorAll('text')) if (t.getBoundingClientRect().width)
      (lines[t.getAttribute('y')] ||= []).push(t.getBoundingClientRect());
    return Object.values(lines).some(boxes => boxes.some((b, n) => n && boxes[n - 1].right > b.left)); });
  return {tall, end: first ? first.getBoundingClientRect().bottom : 0, 
    over: over.map(g => g.textContent.slice(0, 80)).slice(0, 5), scroll: s.scrollWidth, client: s.clientWidth, out: out.map(t => t.textContent).slice(0, 5),
    height: s.scrollHeight, small: [...document.querySelectorAll('svg text')].filter(t =>
      t.getBoundingClientRect().width && parseFloat(getComputedStyle(t).fontSize) < 11).length}; })()"""


def check_in_browser(page, pictures, axe):
    import browser
    path = browser.find()
    if path is None:
        print("No Chromium: the page was not opened in a browser.", file=sys.stderr)
        return
    tab = browser.Browser(path)
    url = "file://" + os.path.abspath(page)
    try:
        for width, height in SIZES:
            for scheme in ("light", "dark"):
                tab.show(url, width, height, scheme)
                place = f"{width}×{height} {scheme}"
                look = tab.run(LAYOUT)
                expect(look["scroll"] <= look["client"], f"{place}: scrolls sideways, {look['scroll']} px")
                expect(not look["out"], f"{place}: text beyond its drawing: {look['out']}")
                check_first_screen(look, height, place)
                expect(not look["over"], f"{place}: text over text: {look['over']}")
                expect(look["small"] == 0, f"{place}: {look['small']} texts below 11 px")
                contrast = tab.run(CONTRAST)
                expect(contrast["count"] > 10 and not contrast["bad"], f"{place}: contrast {contrast['bad']}")
                tab.run("document.querySelectorAll('details').forEach(d => d.open = true)")
                look = tab.run(LAYOUT)
                expect(look["scroll"] <= look["client"], f"{place}: scrolls sideways when unfolded")
                if axe and (width > 600) == (scheme == "light"):
                    check_by_axe(tab, axe, place)
                others = [r for r in tab.requests if r != url and not r.startswith("data:")]
                expect(not others, f"{place}: asked for {others[:3]}")
                # axe-core may have written this message.
                expect(not tab.console, f"{place}: console: {tab.console[:3]}")
                if pictures:
                    tab.show(url, width, height, scheme)
                    tab.picture(os.path.join(pictures, f"{width}-{scheme}.png"))
        tab.show(url, 794, 1123, "light", "print")
        look = tab.run(LAYOUT)
        expect(look["scroll"] <= look["client"] and not look["out"] and not look["over"],
               f"print: {look['scroll']} px wide, cut: {look['out']}, {look['over']}")
        if pictures:
            tab.show(url, 1280, 800)
            tab.print(os.path.join(pictures, "print.pdf"))
    finally:
        tab.close()


def check_first_screen(look, height, place):
    """A page of one or two settings shows its first chart without scrolling, in rows of 24 px."""
    if settings <= 2 and height >= 800 and "1280" in place:
        expect(look["end"] <= height, f"{place}: the first chart ends at {look['end']} px")
        expect(topologies > 4 or look["height"] <= 3100 * settings, f"{place}: {look['height']} px long")
    if is_one_scenario:
        expect(look["end"] <= height, f"{place}: the main figure ends at {look['end']} px")
        expect(not look["tall"], f"{place}: rows of {look['tall'][:5]} px")


def check_by_axe(tab, axe, place):
    with open(axe, encoding="utf-8") as file:
        tab.run(file.read() + "\n;0")
    found = tab.run("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map("
                    "v => v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))))")
    expect(not found, f"{place}: axe-core: {found}")


# --- All checks ----------------------------------------------------------------------------------

def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--baseline", nargs="+")
    parser.add_argument("--candidate", nargs="+")
    parser.add_argument("--axe")
    parser.add_argument("--pictures")
    parser.add_argument("--no-browser", action="store_true")
    options = parser.parse_args()
    root = ElementTree.parse(options.page).getroot()
    sides = {"": options.files} if options.files else {
        "baseline": options.baseline, "candidate": options.candidate}
    global is_one_scenario, settings, topologies
    groups = groups_of(sides)
    settings = len(groups)
    topologies = max((len({name for name, _ in group}) for group in groups.values()), default=0)
    is_one_scenario = len(sides) == 1 and len(groups) == 1
    check_structure(root)
    check_colours(root)
    check_numbers(root, sides)
    if options.pictures:
        os.makedirs(options.pictures, exist_ok=True)
    if not options.no_browser:
        check_in_browser(options.page, options.pictures, options.axe)
    for failure in failures[:40]:
        print(f"  {failure}", file=sys.stderr)
    print(f"{options.page}: {checked} checks, {len(failures)} failed", file=sys.stderr)
    sys.exit(1 if failures else 0)


main()
