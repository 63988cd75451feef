#!/usr/bin/env python3
"""Recomputes what answers say from the CSV files alone: check-answers.py FOLDER …

A FOLDER holds a.csv, and what the command printed about it: a.txt, a.md, a.json and a.html. With b.csv,
also compare.txt, compare.json and compare.html; with c.csv, several.txt and several.json; with duet.csv,
duet.json, paired.txt, paired.json and paired.html. Every sentence must be known to claims.py, claims_of_many.py or
compared.py and agree with the figures; every cell of a table too. Prints a line for each contradiction, and a
tally; exits with 1 if there is one. scripts/check-answers makes the folders. --spoil FOLDER … changes a
figure in a copy of each file, and exits with 1 if one is not seen. --form PAGE … checks the form of pages
alone. Uses the standard library only.
"""

import collections
import csv
import html
import io
import json
import math
import os
import random
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import claims
import claims_of_many
import compared
import recomputed as figures
from compared import MISSING, close
from recomputed import agrees, agrees_beside_limits, setting_text, shown

HTML = "{http://www.w3.org/1999/xhtml}"
LIMIT_WORDS = {None: None, "": None, "frame": figures.FRAME, "noticed": figures.NOTICED, "hang": figures.HANG}
ANSWER = claims.LONG + claims.SHORT + claims.OTHER + claims.NO_FIGURES
SWEPT = claims_of_many.CROSSED + claims_of_many.SWEPT + claims.NO_FIGURES
COMPARED = compared.SENTENCES + claims.NO_FIGURES

checked = collections.Counter()
found = []


class Report:
    """One folder: its settings and sweeps, and the contradictions."""

    def __init__(self, folder):
        self.folder = folder
        self.json = json.loads(self.text("a.json"))
        self.truth = json.loads(self.text("truth.json")) if self.has("truth.json") else {"settings": []}
        self.rows = {side: figures.rows(f"{folder}/{side}.csv") for side in "abc" if self.has(f"{side}.csv")}
        self.machines = {side: json.loads(self.text(f"{side}.env.json")) if self.has(f"{side}.env.json") else {} for side in "ab"}
        self.settings = figures.settings(self.rows["a"], self.machines["a"])
        self.sections = {self.key(section): section for section in self.json["sections"]}
        rows = [row for rows in self.rows.values() for row in rows]
        keys = {(row["scenario"], figures.parameters_of(row), row["store"]) for row in rows}
        self.names = claims.Names({row["topology"] for row in rows}, keys)
        discarded = {s.key[0] for s in self.settings.values() if s.is_discarded}
        self.sweeps = figures.sweeps({k: s for k, s in self.settings.items() if k[0] not in discarded})

    @staticmethod
    def key(section):
        return section["scenario"], section["parameters"], section["store"]

    def has(self, name):
        return os.path.exists(f"{self.folder}/{name}")

    def text(self, name):
        with open(f"{self.folder}/{name}", encoding="utf-8") as file:
            return file.read()

    def fault(self, place, sentence, what):
        found.append(f"{self.folder}: {place}: “{shown(sentence)[:160]}”: {what}")

    def read(self, place, text, rules, subject):
        checked["sentences"] += 1
        for sentence, wrong in claims.read(" ".join(text.split()), rules, subject, self.names):
            self.fault(place, sentence, wrong)

    def expect(self, holds, place, sentence, what):
        checked["figures"] += 1
        if not holds:
            self.fault(place, sentence, what)


# --- Tables of topologies -----------------------------------------------------------------------

# The metric whose median a column shows, by its heading without the unit.
MEDIANS = {
    "blocked": "asked_blocked", "executing, ms": "main_executing_ms", "waiting": "main_waiting_ms",
    "visible": "asked_visible", "rows visible": "visible_ms", "durable": "durable_ms", "deferred": "main_deferred_ms", "changes per s": "changes_per_s",
    "answer": "answer_max_ms", "median longest": "answer_max_ms", "median answer": "answer_p50_ms", "total": "total_ms", "median": "main_blocked_ms", "median blocked": "asked_blocked",
    "last save returned": "saved_ms", "scroll afterwards": "main_deferred_ms", "of frames due": "frames_due",
    "lateness": "hitch_ms", "lateness, ms per s": "hitch_ms_per_s", "95 in 100": "tap_p95_ms",
    "open: visible": "open_visible_ms", "open: blocked": "open_blocked_ms", "open: longest gap": "open_longest_gap_ms",
    "open: rows read": "open_rows_read", "scroll: blocked": "main_deferred_ms",
    "scroll: longest gap": "scroll_longest_gap_ms", "scroll: rows read": "scroll_rows_read",
    "99 in 100": "tap_p99_ms", "longest gap": "asked_gap", "median gap": "asked_gap",
    "main instructions": "asked_instructions", "workers instructions": "worker_instructions"}
GAPS = ("asked_gap", "open_longest_gap_ms", "scroll_longest_gap_ms")
# The words of a board and of a counts table, by metric.
COUNTED = {
    "SQL statements on main": "main_statements", "commits on main": "main_commits", "rows read on main": "main_rows_read",
    "rows written on main": "main_rows_written", "objects pushed up into the main context": "main_objects_copied",
    "objects refreshed on main by a merge or a live query": "main_objects_refreshed", "faults fired on main": "main_faults_fired",
    "inserts, deletes, moves and updates told to the list": "main_list_changes",
    "rows that stay because a deletion skipped delete rules": "orphans",
    "objects on main that show an old value at the end": "main_stale_objects",
    "SQL statements on main while the list opens": "open_statements", "rows read on main while the list opens": "open_rows_read",
    "SQL statements on main in a later scroll": "scroll_statements", "rows read on main in a later scroll": "scroll_rows_read"}
WAITS = {"executing": "executing", "waiting for a parent's queue": "wait_parent", "waiting for the coordinator's lock": "wait_coordinator",
         "waiting for SQLite's lock": "wait_sqlite", "waiting for a private queue": "wait_queue", "waiting for something else": "wait_other"}


def median_of(heading):
    return MEDIANS.get(heading) or MEDIANS.get(heading.removesuffix(", ms"))


def expected(setting, name, heading):
    """The figures that a cell must show; None where no rule reads the column."""
    freeze = setting.freezes.get(name)
    if setting.is_counted and setting.phase != "change" and heading not in ("main instructions", "rows read", "statements"):
        return None  # The answer shows the phase asked about alone.
    metric = median_of(heading)
    if metric:
        return [setting.median(name, metric)]
    if heading in COUNTED:
        values = setting.values(name, COUNTED[heading])
        return sorted({min(values), max(values)}) if values else []
    if heading in WAITS:
        return [setting.parts(name)[f"main_{WAITS[heading]}_ms"]]
    if setting.phase != "change" and heading in ("rows read", "state- ments", "statements"):
        count = "rows_read" if heading == "rows read" else "statements"
        return [setting.median(name, f"{setting.phase}_{count}")]
    if heading in ("95 % interval", "from", "to"):
        column = "asked_blocked" if heading[0] == "9" else "main_blocked_ms"
        ends = figures.interval(setting.values(name, column)) or [None]
        return list(ends) if heading[0] == "9" else [ends[heading == "to" and len(ends) > 1]]
    if heading in ("late", "late frames"):
        late = setting.median(name, "frames_late")
        return [None if late == 0 and freeze and (freeze.gap or 0) > figures.FRAME else late]
    if heading == "÷ raw SQLite":
        total, raw = setting.median(name, "asked_total"), setting.median(name, "raw_sqlite_ms")
        return [total / raw if total and raw else None]
    if heading == "in no part":
        main, *parts = (setting.median(name, f"main_{part}instructions") for part in ("", *claims.INSTRUCTION_PARTS))
        return [None if main is None or None in parts else max(0, main - sum(parts))]
    if heading == "trials":
        return [len(setting.values(name, "main_blocked_ms"))]
    counted = {f"main_{heading.replace(' ', '_')}", f"main_{heading.replace(' ', '_')}_instructions"} & setting.cells[0].keys()
    return [setting.median(name, counted.pop())] if counted else None


def worded(setting, name, heading):
    """The text that a cell must have; None where no rule reads the column."""
    freeze, ok = setting.freezes.get(name), len(setting.ok.get(name, []))
    if heading == "cells ok":
        all = sum(row["topology"] == name for row in setting.cells)
        return f"{ok}" if ok == all else f"{ok} of {all}"
    if heading == "over limit":
        words = {limit: f"▲ {word}" for word, limit in LIMIT_WORDS.items() if limit}
        return words.get(freeze and freeze.usual, "")
    if heading in ("mostly", "longest gap is mostly"):
        causes = collections.Counter(row["longest_gap_cause"] for row in setting.ok.get(name, [])
                                     if not figures.is_instrument(row) and row["longest_gap_cause"])
        return min(causes, key=lambda cause: (-causes[cause], cause)) if causes else MISSING
    if heading == "work on main":
        work, count = setting.work(name)
        return f"{count:,} {WORK_DONE[work]}" if work else MISSING
    return "" if heading in ("topology", "") else None


WORK_DONE = {work: f"{work.replace('_', ' ', 1)}" for work in figures.WORKS}
WORK_DONE |= {"list_changes": "list changes", "statements": "statements executed"}


def check_row(report, place, setting, name, cells):
    """`cells` are (heading, text, exact figures or None)."""
    for heading, text, exact in cells:
        values, what = expected(setting, name, heading), f"{name}, {heading}: {text}"
        if values is None:
            word = worded(setting, name, heading)
            report.expect(word is not None and (heading in ("topology", "", "longest gap is mostly") or text == word), place, what, word)
            continue
        values = [value for value in values if value is not None]
        told = text.split("–") if text != MISSING else []
        fits = agrees_beside_limits if median_of(heading) in GAPS else agrees
        right = len(told) == len(values) and all(map(fits, told, values))
        if exact is not None:
            right = right and len(exact) == len(values) and all(abs(a - b) < 2e-6 for a, b in zip(exact, values))
        report.expect(right, place, what, values)


def check_letters(report, place, setting, told):
    """`told` are letters by topology: two have one in common exactly if they are not separated."""
    ranked = len(setting.blocked) > 1 and not setting.is_discarded and setting.has_trials and setting.grade != "discard"
    letters = {name: set(re.findall(r"[A-Z]\d*", text)) for name, text in told.items()}
    for name, text in told.items():
        report.expect((text not in ("", MISSING)) == (ranked and name in setting.ranked), place, f"{name} {text}",
                      f"trust {setting.grade}, {setting.trials} trials, {setting.needed} needed")
    for a in setting.ranked if ranked else []:
        for b in setting.ranked:
            if a < b and a in told and b in told:
                report.expect(bool(letters[a] & letters[b]) != setting.separates(a, b), place,
                              f"{a} {told[a]}, {b} {told[b]}", f"separated: {setting.separates(a, b)}")


def check_table(report, place, setting, headings, rows):
    """`rows` are lists of texts. Where topologies are ranked, the first column has letters."""
    at = headings.index("topology")
    order = [report.names.get(row[at]) for row in rows]
    report.expect(set(order) == set(setting.names), place, ", ".join(map(str, order)), f"{setting.names}")
    for name, row in zip(order, rows):
        check_row(report, place, setting, name, [(heading, text, None) for heading, text in zip(headings, row)])
    if setting.is_counted:
        counted = {name: value for name in setting.ok if (value := setting.median(name, "asked_instructions")) is not None}
        report.expect("main instructions" in headings and [name for name in order if name in counted] ==
                      sorted(counted, key=lambda name: (counted[name], name)), place, f"{headings} {order}", counted)
    if at:
        check_letters(report, place, setting, dict(zip(order, (row[0] for row in rows))))
        report.expect([n for n in order if n in setting.blocked] == list(setting.blocked), place, str(order),
                      f"the order of medians is {list(setting.blocked)}")


def check_swept(report, place, points, headings, rows):
    """A cell is `12.3 AB`: the median at this value, and the letters."""
    for index, (value, setting) in enumerate(points, 1):
        told = {}
        for row in rows if index < len(headings) else []:
            name, cell = report.names.get(row[0]), re.match(r"(\S+) (\S+)$", row[index])
            median = setting.blocked.get(name)
            report.expect(cell is not None and agrees(cell[1], median) if median is not None else row[index] == MISSING,
                          place, f"{headings[index]}, {name}: {row[index]}", median)
            told |= {name: cell[2]} if cell else {}
        if index < len(headings):
            check_letters(report, f"{place}, at {value}", setting, told)


# --- Markdown and terminal ----------------------------------------------------------------------

def plain(text):
    """Markdown without its escapes."""
    return html.unescape(re.sub(r"\\([\\`*_{}\[\]()<>#+.!|~@$^-])", r"\1", text))


def title(setting):
    scenario, parameters, store = setting.key
    fields = setting_text(parameters)
    return shown(f"{scenario}, {store} store" + (f", {fields}" if fields else "")) + (", counted" if setting.is_counted else "")


def swept_title(key):
    scenario, store, field, fixed = key
    others = ", ".join(f"{name} {value}" for name, value in fixed)
    return f"{shown(scenario)}, {store} store, over {field}" + (f"; {others}" if others else "")


def markdown(text):
    """Yields headings, tables and texts: (kind, content)."""
    for block in text.strip().split("\n\n"):
        if block.startswith("#"):
            yield "heading", plain(block.lstrip("# "))
        elif block.startswith("|"):
            cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in block.split("\n")]
            rows = [[re.sub("^`(.*)`$", r"\1", plain(cell.strip().replace("**", ""))) for cell in row] for row in cells]
            yield "table", (rows[0], rows[2:])
        else:
            for line in re.split(r"<br>\n|\n- ", block.removeprefix("- ")):
                yield "text", plain(re.sub(r"</?sub>|^\*+|\*+$", "", line))


def check_markdown(report):
    """Returns the blocks under each title."""
    titles = {title(setting): setting for setting in report.settings.values()}
    titles |= {swept_title(key): points for key, points in report.sweeps}
    subject, blocks = None, {}
    for kind, content in markdown(report.text("a.md")):
        if kind == "heading":
            report.expect(content in titles, "Markdown", content, "no setting and no sweep has this title")
            subject, own = titles.get(content), blocks.setdefault(content, ([], [], titles.get(content)))
        elif subject is not None and kind == "table":
            own[1].extend((content[0], row) for row in content[1])
            (check_swept if isinstance(subject, list) else check_table)(report, "Markdown", subject, *content)
        elif subject is not None:
            own[0].append(content)
            report.read("Markdown", content, *rules_of(report, content, subject))
    return blocks


def rules_of(report, text, subject):
    """The limits are those of all settings."""
    if text.startswith("Not validated"):
        return claims.LIMITS + claims.NO_FIGURES, list(report.settings.values())
    return SWEPT if isinstance(subject, list) else ANSWER, subject


# A terminal shows them without a blank line before them.
REASONS = re.compile(r" (?=Why: on main, |Main's costliest counted work is equal: |Also consider: )")


def check_terminal(report, blocks):
    """The terminal says what Markdown says, in fewer columns, and all of its sentences."""
    texts, rows, subject = blocks.get(next(iter(blocks), None), ([], [], None))
    squeezed = {"".join(title.split()): block for title, block in blocks.items()}
    for block in report.text("a.txt").strip("\n").split("\n\n"):
        lines = block.split("\n")
        for count in (1, 2, 3):  # a long title has several lines
            if (title := "".join("".join(lines[:count]).split())) in squeezed:
                (texts, rows, subject), lines = squeezed[title], lines[count:]
                break
        rule = next((index for index, line in enumerate(lines) if line.startswith("──")), None)
        if rule is not None:
            told, words = lines[rule + 1:rule + 1 + len(rows)], set(re.findall(r"[^\s,]+", " ".join(lines[:rule])))
            lines = lines[rule + 1 + len(rows):]
            for line, (headings, row) in zip(told, rows):
                rest = iter([cell for heading, cell in zip(headings, row) if words.issuperset(re.findall(r"[^\s,]+", heading))])
                cells = re.split(r"\s{2,}", line.strip())
                report.expect(all(any(cell == other or cell[-1] == "…" and other.startswith(cell[:-1]) for other in rest)
                                  for cell in cells), "terminal", line.strip(), f"Markdown has {row}")
        items = (" ".join(item.split()) for item in "\n".join(lines).removeprefix("- ").split("\n- "))
        for text in (text for item in items for text in REASONS.split(item)):
            # Markdown lists fifty failures at most.
            if text not in " ".join(" ".join(texts).split()):
                report.read("terminal", text, claims.OTHER if "the first: " in text else [], subject)


# --- JSON ---------------------------------------------------------------------------------------

def check_json(report):
    titles = {title(setting).removesuffix(", counted"): setting for setting in report.settings.values()}
    for line in report.json["conclusion"].split("\n"):
        heading = next((t for t in sorted(titles, key=len, reverse=True) if shown(line).startswith(t + ": ")), None)
        if heading:
            report.read("JSON", shown(line)[len(heading) + 2:], claims.LONG + claims.NO_FIGURES, titles[heading])
            phases = [] if titles[heading].is_discarded else titles[heading].other_phases
            report.expect(line.count(" a gap over a frame, up to ") == len(phases), "JSON", line, list(phases))
    check_points(report)
    report.expect(report.sections.keys() == report.settings.keys(), "JSON", str(list(report.sections)), list(report.settings))
    for key, section in report.sections.items():
        if key in report.settings:
            check_object(report, f"JSON {key}", report.settings[key], section)


def check_points(report):
    """The conclusions of the values of each sweep."""
    told, known = {sweep_key(sweep): sweep["points"] for sweep in report.json["sweeps"]}, dict(report.sweeps)
    report.expect(told.keys() <= known.keys(), "JSON", str(list(told)), list(known))
    for key, points in known.items():
        for point in told.get(key, []):
            check_order(report, f"JSON {key} {point['value']}", dict(points)[point["value"]], point["conclusion"]["order"])


def sweep_key(sweep):
    return sweep["scenario"], sweep["store"], sweep["field"], tuple(sorted(sweep["fixed"].items()))


def check_object(report, place, setting, section):
    conclusion, grade = section["conclusion"], section["trust"]["grade"]
    report.expect(grade == setting.grade, place, grade, setting.readings())
    told = {freeze["topology"]: freeze for freeze in conclusion["freezes"]}
    report.expect(told.keys() == setting.freezes.keys(), place, list(told), list(setting.freezes))
    for name in told.keys() & setting.freezes.keys():
        freeze, known = told[name], setting.freezes[name]
        beyond = {LIMIT_WORDS[word]: count for word, count in freeze["trials_beyond"].items()}
        worst = [LIMIT_WORDS[freeze.get(kind)] for kind in ("usual", "worst")]
        right = close(freeze.get("gap"), known.gap) and close(freeze.get("longest"), known.longest)
        report.expect(right and beyond == known.beyond and worst == [known.usual, known.worst], place, str(freeze), known.gaps)
    doubted = [doubt for doubt in conclusion["doubts"] if doubt["what"].startswith("counts of ")]
    unexplained = {} if setting.is_counted else setting.unexplained()
    report.expect(len(doubted) == len(unexplained), place, str(doubted), unexplained)
    hidden = conclusion.get("hidden", [])
    report.expect(sorted(hidden) == sorted(setting.hidden), place, str(hidden), setting.hidden)
    others = [(other["phase"], other["cells_beyond"], other["cells"], other["longest"]) for other in conclusion.get("other_phases", [])]
    known = {phase: [gap for gaps in all.values() for gap in gaps] for phase, all in setting.other_phases.items()}
    known = [(phase, sum(gap > figures.FRAME for gap in gaps), len(gaps), max(gaps)) for phase, gaps in known.items()]
    report.expect(sorted(others) == sorted(known), place, str(others), known)
    check_order(report, place, setting, conclusion["order"])
    for topology in section["topologies"]:
        for column, estimate in topology["estimates"].items():
            middle = setting.median(topology["name"], column)
            report.expect(middle is not None and close(estimate["median"], middle), place,
                          f"{topology['name']} {column} {estimate['median']}", middle)
    check_letters(report, place, setting, {one["name"]: one.get("letters") or "" for one in section["topologies"]})


def check_order(report, place, setting, order):
    ranked = order["standing"] in ("frozen", "tied", "separated")
    entries = {entry["topology"]: entry["blocked"] for entry in order["all"]}
    right = list(entries) == list(setting.blocked) and all(close(entries[n], setting.blocked[n]) for n in entries)
    report.expect(right, place, str(entries), setting.blocked)
    report.expect(ranked == (setting.has_trials and len(entries) > 1 and not setting.is_discarded), place,
                  order["standing"], f"{setting.trials} trials, trust {setting.grade}")
    report.expect(not ranked or (order["standing"] == "frozen") == (not setting.candidates), place, order["standing"], setting.candidates)
    for kind, known in (("best", setting.best), ("excluded", setting.excluded)) if setting.blocked else []:
        told = [entry["topology"] for entry in order[kind]]
        report.expect(told == (known if ranked else []), place, f"{kind}: {told}", known)


# --- Pages --------------------------------------------------------------------------------------

def text_of(element):
    """Spaces only where the page has them; no drawing."""
    parts = [element.text or ""]
    for child in element:
        parts += [text_of(child) if not child.tag.endswith("}svg") else "", child.tail or ""]
    return "".join(parts)


def page_of(report, name):
    return ElementTree.fromstring(report.text(name).partition("\n")[2])


TEXTS = {HTML + tag for tag in ("p", "li", "caption", "summary", "h1", "h2", "h3")}


def texts_in(element, anchor=None):
    """Yields (element, the anchor of its part) of each sentence, heading and table."""
    for child in element:
        name = child.get("id") or ""
        if child.tag in TEXTS or child.tag == f"{HTML}table":
            yield child, anchor
        if child.tag == f"{HTML}table":
            yield from ((caption, anchor) for caption in child.iter(f"{HTML}caption"))
        elif child.tag not in TEXTS and child.tag not in (f"{HTML}nav", f"{HTML}dl", f"{HTML}pre"):
            inside = child.tag == f"{HTML}article" or name.endswith("-sweep-figure")
            yield from texts_in(child, name if inside else anchor)


def check_page(report, name, sides, comparison=None):
    """`sides` are the settings of one report, or of two by key."""
    root, articles = check_tables(report, name, sides, comparison)
    tab, heading = (" ".join(text_of(next(root.iter(HTML + tag))).split()) for tag in ("title", "h1"))
    told = tab.removesuffix(" — topobench")
    is_cut = told.endswith("…") and len(told) > 20 and heading.startswith(told[:-1])
    report.expect(told and (told == heading or is_cut), f"{name}, title", tab, heading)
    check_environments(report, name, root, [report.machines[side] for side in "ab"[:len(sides)]])
    for element, anchor in texts_in(root):
        settings, text = articles.get(anchor), " ".join(text_of(element).split())
        if element.tag != f"{HTML}table":
            part = comparison.part(settings[0].key) if comparison and settings else comparison
            check_page_text(report, name, element, text, settings, anchor or "", part, sides)
    for article in root.iter(f"{HTML}article"):
        if article.get("id") in articles:
            check_lines(report, article, articles[article.get("id")])
    for item in root.iter(f"{HTML}li"):
        links = [link.get("href")[1:] for link in item.iter(f"{HTML}a")]
        if len(links) == 1 and links[0] in articles and item.find(f"{HTML}span") is not None:
            setting = articles[links[0]][-1]
            report.read(f"{name}, contents", text_of(item.find(f"{HTML}span")), COMPARED if comparison else ANSWER,
                        comparison.part(setting.key) if comparison else setting)
    if not comparison:
        check_sweep_tables(report, root)


def check_tables(report, name, sides, comparison):
    """Returns the page, and the settings of each anchor."""
    root = page_of(report, name)
    check_form(root, report.fault)
    both = {key: tuple(side[key] for side in sides) for key in sides[-1] if all(key in side for side in sides)}
    articles = article_settings(report, root, both)
    for element, anchor in texts_in(root):
        settings = articles.get(anchor)
        if element.tag == f"{HTML}table" and settings:
            check_change_table(report, element, comparison and comparison.part(settings[0].key))
            check_page_table(report, element, settings)
    return root, articles


def check_form(root, told):
    """Headings, labels and captions, for screen readers. Links lead to the page itself; no script runs."""
    def expect(holds, element, what):
        if not holds:
            told("page, form", f"<{element.tag.split('}')[-1]}> {text_of(element)[:40]}", what)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    parts = collections.Counter(element.tag.removeprefix(HTML) for element in root.iter())
    missing, level = [part for part in ("main", "nav", "header", "footer", "h1") if not parts[part]], 0
    expect(root.get("lang") == "en" and not missing and not parts["script"], root, f"no language, a script, or without {missing}")
    expect(len(ids) == len(set(ids)), root, "an id stands twice")
    for element in root.iter():
        tag, target = element.tag.removeprefix(HTML), element.get("href")
        if re.fullmatch("h[1-4]", tag):
            expect(int(tag[1]) <= level + 1, element, f"follows <h{level}>")
            level = int(tag[1])
        expect(target is None or target[:1] == "#" and target[1:] in ids and text_of(element).strip(), element, f"a link to {target}")
        expect(all(one in ids for one in (element.get("aria-labelledby") or "").split()), element, "no such label")
        expect(element.get("role") != "img" or (element.get("aria-label") or "").strip(), element, "a drawing without a description")
        expect(tag != "section" or element.get("class") != "figure" or element.find(f".//{HTML}table") is not None, element,
               "a figure without its table")
        expect(tag != "table" or element.find(f"{HTML}caption") is not None, element, "a table without a caption")
        expect(tag != "th" or element.get("scope"), element, "a heading of a table without a scope")


def check_environments(report, name, root, machines):
    """What the check before each run found, as the environment file says."""
    texts = [" ".join(text_of(element).split()) for element in root.iter() if element.tag in {*TEXTS, f"{HTML}h4"}]
    told = [texts.count(claims.NOTHING_FOUND), texts.count(claims.FINDINGS)]
    known = [sum(machine.get("diagnoses") == [] for machine in machines), sum(bool(machine.get("diagnoses")) for machine in machines)]
    report.expect(told == known, f"{name}, environment", claims.NOTHING_FOUND, f"{known} files say so, or name findings")


def article_settings(report, root, known):
    """{anchor: settings}"""
    told, found = {tuple(shown(text) for text in key): value for key, value in known.items()}, {}
    for article in root.iter(f"{HTML}article"):
        key = tuple(shown(article.get(f"data-{name}") or "") for name in ("scenario", "parameters", "store"))
        if key in told:
            found[article.get("id")] = told[key]
        elif article.get("data-store"):
            report.fault("page", str(key), "there is no such setting")
    return found


def check_page_text(report, place, element, text, settings, anchor, comparison, sides):
    """One sentence, heading or caption."""
    side, _, rest = text.partition(". ")
    if element.get("class") == "trust":
        check_trust(report, place, text, sides, comparison)
    elif settings and element.tag != f"{HTML}h2":
        if text.startswith("Of the candidate alone: "):
            report.read(place, text.partition(": ")[2], ANSWER, settings[1])
        elif len(settings) == 2 and re.match(claims.RANGES, text):
            wrong = claims.ranges_of_sides(settings, text, report.names)
            report.expect(not wrong, place, text, wrong)
        elif side in ("Baseline", "Candidate"):
            report.read(place, rest, ANSWER, settings[side == "Candidate"])
        elif comparison and (element.get("class") == "answer" or anchor and not list(claims.read(text, COMPARED, comparison, report.names))):
            report.read(place, text, COMPARED, comparison)
        else:
            # A failure does not name its side.
            report.read(place, text, ANSWER, next((s for s in settings if not list(claims.read(text, ANSWER, s, report.names))), settings[-1]))
    elif element.tag == f"{HTML}h1" and not comparison:
        check_heading(report, text)
    elif anchor.startswith("w") and not comparison:
        check_swept_text(report, place, element, text, int(re.match(r"w(\d+)", anchor)[1]) - 1)
    elif not anchor and element.tag != f"{HTML}h2":
        if text.startswith("Not validated"):
            report.read(place, text, claims.LIMITS + claims.NO_FIGURES, list(sides[-1].values()))
        else:
            report.read(place, text, COMPARED, comparison)


def check_swept_text(report, place, element, text, index):
    """The headline of a scenario's sweeps, or the heading and the text of one."""
    key = sweep_key(report.json["sweeps"][index])
    points = dict(report.sweeps).get(key)
    if not points:
        return report.expect(False, place, text, f"there is no sweep {key}")
    own = [sweep for sweep in report.sweeps if sweep[0][:2] == key[:2]]
    if element.get("class") == "answer":
        check_sweep_heading(report, text, [s for k, s in report.settings.items() if (k[0], k[2]) == key[:2]])
    elif element.tag == f"{HTML}h3":
        lead = swept_place(key, own) if ": " in text else key[2]
        report.expect(text.startswith(lead), place, text, f"the place is {lead}")
        report.read(place, text.removeprefix(lead).removeprefix(": "), SWEPT, points)
    elif element.tag != f"{HTML}h2":
        report.read(place, text.partition(" Each value: ")[0], SWEPT, points)


TRUST = (r"Trust: (?P<grade>\w+)(?: in (?P<n>\d+) of (?P<of>\d+) settings?)?(?: \((?P<why>.*?)\))? · (?:(?P<from>\d+) to )?(?P<trials>\d+) trials? of"
         r" (?P<topologies>\d+) topolog(?:y|ies)(?:, (?P<bad>\d+) of (?P<cells>\d+) cells not ok)?, [\d-]+ · (?:.* · )?not Apple’s Core Data$")


def check_trust(report, place, text, sides, comparison):
    m = re.match(TRUST, text)
    timed = comparison is not None and any(not figure.is_count for figure in comparison.all)
    is_empty = not comparison.all if comparison is not None else not any(sides)
    reason = (f"nothing was {'compared' if comparison is not None else 'measured'}" if is_empty
              else "times are not judged" if timed and comparison.doubt else None)
    report.expect(bool(m) != bool(reason), place, text, reason or "trust is graded")
    if not m:
        return report.expect(text.startswith(f"No trust is graded: {reason} ·"), place, text, reason)
    keys = [key for key in sides[-1] if all(key in side for side in sides)]
    doubts = json.loads(report.text("compare.json"))["diagnoses"] if comparison is not None else []
    grades = [doubt["grade"] for doubt in doubts] if comparison is not None else [sides[-1][key].grade for key in keys]
    worst = max(grades, key=("good", "fair", "discard").index, default="good")
    shown_in = len(keys) if comparison is not None else grades.count(worst)
    if comparison is not None and worst != "good":
        first = next(doubt for doubt in doubts if doubt["grade"] == worst)
        expected = shown(": ".join(filter(None, (first["what"], first["evidence"]))))
        report.expect(m["why"] == " ".join(expected.split()), place, text, expected)
    rows = [row for setting in sides[-1].values() for row in setting.cells]
    rounds = [len({(row["run_id"], row["trial"]) for row in sides[-1][key].cells}) for key in keys]
    bad = sum(row["status"] != "ok" for row in rows)
    expected = {"grade": worst, "n": shown_in if worst != "good" and shown_in < len(keys) else None,
                "trials": max(rounds), "topologies": len({row["topology"] for row in rows}), "bad": bad or None}
    told = {name: m[name] for name in expected}
    # One counted trial is said to be one: it has no spread.
    alone = {setting.is_counted for side in sides for setting in side.values() if setting.ok and setting.fewest < (2 if setting.is_counted else 6)}
    for is_counted, said in ((True, "1 trial does not show that counts repeat"), (False, "cannot show a spread")):
        report.expect(said not in (m["why"] or "") or is_counted in alone, place, text, f"there is no such setting: {alone}")
    report.expect(told == {name: value if value is None else str(value) for name, value in expected.items()}, place, text, expected)


def check_heading(report, heading):
    settings = list(report.settings.values())
    if len(settings) == 1:
        report.read("page, heading", heading, claims.SHORT + claims.OTHER, settings[0])
    elif not (report.sweeps and len({setting.key[0] for setting in settings}) == 1):
        report.read("page, heading", heading, claims_of_many.MANY, settings)
    else:
        check_sweep_heading(report, heading, settings)


def swept_place(key, sweeps):
    """The field of a sweep, and what tells it from other sweeps of that field."""
    same = [other for other, _ in sweeps if other[2] == key[2]]
    others = [", ".join(f"{name} {value}" for name, value in key[3])] if key[3] else []
    if len({other[1] for other in same}) > 1:
        others.append(f"{key[1]} store")
    return shown(key[2], 40) + (f" with {shown(', '.join(others), 200)}" if len(same) > 1 and others else "")


def check_sweep_heading(report, heading, settings):
    """`The screen hangs with A in 1 of 2 settings; changes.per_save: A is best at 1, B is best at 500`"""
    own = {(setting.key[0], setting.key[2]) for setting in settings}
    swept = [sweep for sweep in report.sweeps if sweep[0][:2] in own]
    for clause in heading.split("; "):
        # A field alone says the same of all its sweeps; with other fields, of one.
        leads = [(lead, points) for key, points in swept for lead in {shown(key[2], 40), swept_place(key, swept)}]
        sweeps = [(lead, points) for lead, points in leads if clause.startswith(f"{lead}: ")]
        if sweeps:
            for lead, points in sweeps:
                report.read("page, heading", clause.removeprefix(f"{lead}: "), claims_of_many.SWEPT, points)
        elif re.search(r" (of|for) \d+ fields$|^there is no second", clause):
            for _, points in swept:
                report.read("page, heading", clause, claims_of_many.SWEPT, points)
        elif not re.match(r"and \d+ more$", clause):
            report.read("page, heading", clause, claims_of_many.MANY, settings)


def row_of(report, settings, text):
    """(setting, name) of a row: `parent-child, candidate` is of the second side."""
    name, side = re.match(r"(.*?)(, baseline|, candidate)?$", text, re.DOTALL).groups()
    return settings[1 if side == ", candidate" else 0], report.names.get(name)


def check_page_table(report, table, settings):
    kind = re.match(r"\w+-(board|(?:answers|blocked|tap|frames|phases|times|counts|timeline)-table)$", table.get("id") or "")
    heads = [th for th in table.iter(f"{HTML}th") if th.get("scope") == "col"]
    headings = [text_of(th).strip() for th in heads]
    if not settings or not kind and table.get("id"):
        return
    letters, at = {}, headings.index("topology")
    for row in table.find(f"{HTML}tbody"):
        setting, name = row_of(report, settings, text_of(row[at]).strip())
        report.expect(name is not None, "page, table", text_of(row)[:60], "no topology has this name")
        cells = [(heading, text_of(cell).strip(), [float(data.get("value")) for data in cell.iter(f"{HTML}data")])
                 for head, heading, cell in zip(heads, headings, row) if not head.get("data-axis") and heading != "rank"]
        check_row(report, f"page, {kind[1] if kind else 'table'}", setting, name,
                  [cell if expected(setting, name, cell[0]) is not None and kind else (*cell[:2], None) for cell in cells])
        letters |= {name: text_of(row[headings.index("rank")]).strip()} if "rank" in headings else {}
        check_dots(report, setting, name, heads, headings, row)
    if letters:
        check_letters(report, "page, board", settings[0], letters)


def check_dots(report, setting, name, heads, headings, row):
    """Each trial is a dot, and lies where the axis has its value."""
    columns = {"longest gap, ms: each trial": "asked_gap", "blocked, ms: each trial": "asked_blocked",
               "longest answer, ms: each trial": "answer_max_ms"}
    for head, heading, cell in zip(heads, headings, row):
        if heading in columns:
            told = sorted(float(dot.get("cx")[:-1]) for dot in cell.iter("{http://www.w3.org/2000/svg}circle"))
            values = sorted(position(head, value) for value in setting.values(name, columns[heading]))
            right = len(told) == len(values) and all(abs(a - b) < 0.0051 for a, b in zip(told, values))
            report.expect(right, "page, dots", f"{name}, {heading}: {told[:4]}", values[:4])
            for text in ("".join(dot.itertext()) for dot in cell.iter("{http://www.w3.org/2000/svg}circle")):
                trial, _, value = text.removeprefix("trial ").partition(": ")
                rows = [row for row in setting.ok[name] if row["trial"] == trial]
                fits = agrees_beside_limits if columns[heading] in GAPS else agrees
                report.expect(any(fits(value, figures.number(row, columns[heading])) for row in rows), "page, dots", text, name)


def position(head, value):
    """Where the axis of a column of marks has a value, in percent."""
    lower, upper = (float(head.get(f"data-{end}")) for end in ("lower", "upper"))
    if head.get("data-axis") == "linear":
        share = (value - lower) / (upper - lower)
    else:
        share = math.log(value / lower) / math.log(upper / lower) if value > 0 else 0
    return min(1, max(0, share)) * 100


def check_lines(report, article, settings):
    """The rows of a report, as lines of CSV."""
    for pre in article.iter(f"{HTML}pre"):
        for line in csv.DictReader(io.StringIO(text_of(pre), newline="")):
            setting, name = row_of(report, settings, line.pop("topology"))
            trial, status = line.pop("trial"), line.pop("status")
            rows = [row for row in setting.cells if row["topology"] == name and row["trial"] == trial and row["status"] == status]
            right = any(all(value in ("", row[column]) or column != "longest_gap_cause" and abs(float(value) - float(row[column])) < 2e-6
                            for column, value in line.items()) for row in rows) if status == "ok" else bool(rows)
            report.expect(right, "page, rows", f"{name} {trial} {line}", "the CSV file has other figures")
            asked = figures.ASKED[setting.phase][-1]
            if setting.is_counted and status == "ok" and any(row[asked] for row in rows):
                report.expect(asked in line, "page, rows", f"{name} {trial} {line}", f"{asked} is missing")


def check_sweep_tables(report, root):
    """A table for each sweep of the JSON document: at each value the median and the letters."""
    tables = {table.get("id"): table for table in root.iter(f"{HTML}table")}
    for index, key in enumerate(map(sweep_key, report.json["sweeps"]), 1):
        table, points = tables.get(f"w{index}-sweep-table"), dict(report.sweeps).get(key)
        if table is not None and points:
            rows = [[text_of(cell).strip() for cell in row] for row in table.find(f"{HTML}tbody")]
            heads = [text_of(th) for th in table.iter(f"{HTML}th") if th.get("scope") == "col"]
            joined = [[row[0]] + [" ".join(row[3 * i + 2:3 * i + 4]).strip() for i in range(len(points))] for row in rows]
            check_swept(report, "page, sweep", points, [heads[0]] + heads[2::3], joined)


# --- Comparisons --------------------------------------------------------------------------------

def check_comparisons(report):
    if report.has("compare.json"):
        comparison = compared.Comparison(report.rows["a"], report.rows["b"])
        document = json.loads(report.text("compare.json"))
        check_comparison(report, "compare", comparison, document)
        for what, wrong in compared.wrong_against_truth(comparison, report.truth["second"]):
            report.fault("compare", what, wrong)
        check_compared_text(report, "compare.txt", [comparison], [document])
        check_page(report, "compare.html", [figures.settings(report.rows[side], report.machines[side], joins=False) for side in "ab"], comparison)
    if report.has("several.json"):
        several = [compared.Comparison(report.rows["a"], report.rows[side]) for side in "bc"]
        documents = json.loads(report.text("several.json"))["comparisons"]
        for comparison, document in zip(several, documents, strict=True):
            check_comparison(report, "compare, several", comparison, document)
        check_compared_text(report, "several.txt", several, documents)


def check_duet(report):
    """The duet's own answer, and what `compare` says of its rows."""
    if not report.has("duet.csv"):
        return
    rows, document = figures.rows(f"{report.folder}/duet.csv"), json.loads(report.text("duet.json"))
    keys = {(row["scenario"], figures.parameters_of(row), row["store"]) for row in rows}
    report.names = claims.Names({row["topology"] for row in rows}, keys)
    duet = compared.Duet(rows, document)
    for what, wrong in compared.wrong_duet(duet):
        report.fault("duet", str(what), wrong)
    for text in [document["conclusion"], *document["notes"]]:
        report.read("duet", text, compared.DUET, duet)
    sides = [[row for row in rows if row["side"] == side] for side in ("baseline", "candidate")]
    comparison, document = compared.Comparison(*sides), json.loads(report.text("paired.json"))
    check_comparison(report, "compare, duet", comparison, document)
    check_compared_text(report, "paired.txt", [comparison], [document])
    check_tables(report, "paired.html", [figures.settings(side, {}, joins=False) for side in sides], comparison)


def check_comparison(report, place, comparison, document):
    checked["figures"] += len(comparison.all)
    for what, wrong in compared.wrong_document(comparison, document):
        report.fault(place, str(what), wrong)
    said = any(" is counted and the " in note for note in document["notes"])
    report.expect(said == bool(comparison.counted_side), place, f"{document['notes']}", f"the counted side is {comparison.counted_side}")
    for text in [document["conclusion"], *document["notes"]]:
        report.read(place, shown(text), COMPARED, comparison)


def check_compared_text(report, name, comparisons, documents):
    text = report.text(name)
    candidates = ["b.csv", "c.csv"] if len(comparisons) > 1 else ["candidate"]
    for what, wrong in compared.wrong_terminal(comparisons, candidates, text, report.names):
        report.fault(name, what, wrong)
    flat, known = " ".join(text.split()), [text for one in documents for text in [one["conclusion"], *one["notes"]]]
    if len(documents) == 1:
        for sentence in known:
            report.expect(" ".join(shown(sentence).split()) in flat, name, sentence, "the terminal says another")
    for block in text.strip("\n").split("\n\n"):
        if "──" not in block and not block.startswith("- "):
            for line in re.split(r"\n(?=Baseline: |Candidate: |[bc]\.csv: |Paired|Unpaired|Exact counts|Counts of)", block):
                line = " ".join(line.split())
                side = re.match(r"([bc])\.csv: (?!c?b?\.csv)", line)
                subject = comparisons["bc".index(line[0])] if re.match(r"[bc]\.csv: ", line) else comparisons[-1 if " in c.csv: " in line else 0]
                report.read(name, line[7:] if side and len(comparisons) > 1 and not re.match(r"[bc]\.csv: [bc]\.csv;", line) else line,
                            COMPARED, subject)


def check_change_table(report, table, comparison):
    """Every compared figure, with its topology in a row above."""
    if not comparison or not (table.get("id") or "").endswith("-change-table"):
        return
    headings = [text_of(th) for th in table.iter(f"{HTML}th") if th.get("scope") == "col"]
    told, name = 0, None
    for row in table.iter(f"{HTML}tr"):
        cells = [text_of(cell) for cell in row]
        if len(cells) == 1:
            name = report.names.get(cells[0])
        elif row[0].tag == f"{HTML}td":
            told += 1
            key = comparison.all[0].key
            for wrong in compared.wrong_row(comparison, key, name, cells[0], dict(zip(headings[1:], cells[1:]))):
                report.fault("compare, page", f"{name} {cells}", wrong)
    report.expect(told == len(comparison.all), "compare, page", f"{told} figures", len(comparison.all))


# --- The truth ----------------------------------------------------------------------------------

def check_truth(report):
    """The generator knows who freezes, and whose blocked time is longer."""
    for truth in report.truth["settings"]:
        for topology in truth["topologies"]:
            setting = next((s for k, s in report.settings.items() if k[:2] == (truth["scenario"], truth["parameters"])
                            and topology["topology"] in s.names and k[2] == truth["store"]), None)
            if setting and not setting.is_counted:
                check_known(report, setting, truth, topology)


def check_known(report, setting, truth, topology):
    name, freeze = topology["topology"], setting.freezes.get(topology["topology"])
    if freeze and len(freeze.gaps) == (2 if topology["is_short"] else truth["trials"]):
        told = "usually" if freeze.usual else "sometimes" if freeze.worst else "never"
        report.expect(told == topology["freezes"], f"truth {setting.key}", name, topology["freezes"])
    wrong = [one["topology"] for one in truth["topologies"] if one["spread"] <= 0.1
             and one["blocked"] * 2 < topology["blocked"] and one["topology"] in setting.candidates]
    if setting.is_decided and truth["trials"] >= 8 and setting.best == [name]:
        report.expect(not wrong, f"truth {setting.key}", f"{name} is best", f"truly shorter: {wrong}")


def check(folder):
    try:
        report = Report(folder)
        check_terminal(report, check_markdown(report))
        check_json(report)
        check_page(report, "a.html", [report.settings])
        check_comparisons(report)
        check_truth(report)
        check_duet(report)
    except (OSError, ValueError, ElementTree.ParseError) as error:
        found.append(f"{folder}: the command printed no answer: {error}")


# --- That a wrong figure is seen ----------------------------------------------------------------

# A figure of each form of the answer: its last digit is changed.
SPOTS = {"a.txt": r"^[A-Z–]+ {2}.*\d(?=\D*$)", "a.md": r"^\| [A-Z–]+ \|.*\d(?=\D*$)", "a.json": r'"all" : \[\s+\{\s+"blocked" : \d+(?=\D)',
         "a.html": r'-board"(?:(?!</table>).)*<data value="\d+(?=\D)', "compare.json": r'"median" : \d+(?=\D[^{}]*\},\s+"judgement")',
         "compare.txt": r"^  \w+_ms +[\d.,]*\d(?= )", "compare.html": r'-change-table"(?:(?!</table>).)*<data value="[\d.]+">[\d.,]*\d(?=<)',
         "several.txt": r"^  \w+_ms +[\d.,]*\d(?= )"}


def spoil(folder, dice):
    """Yields names of files in which one changed figure is not seen."""
    before = len(found)
    check(folder)
    known = {line.partition(": ")[2] for line in found[before:]}
    for name, spot in SPOTS.items():
        with tempfile.TemporaryDirectory() as copy:
            shutil.copytree(folder, copy, dirs_exist_ok=True)
            if os.path.exists(f"{copy}/{name}") and change(f"{copy}/{name}", spot, dice):
                del found[before:]
                check(copy)
                if {line.partition(": ")[2] for line in found[before:]} <= known:
                    yield f"{folder}/{name}"
    del found[before:]


def change(path, spot, dice):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    spots = list(re.finditer(spot, text, re.MULTILINE))
    if spots:
        end = dice.choice(spots).end()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:end - 1] + str((int(text[end - 1]) + 5) % 10) + text[end:])
    return bool(spots)


def main():
    if sys.argv[1] == "--spoil":
        missed = [name for folder in sys.argv[2:] for name in spoil(folder, random.Random(os.path.basename(folder)))]
        print(*(f"{name}: a changed figure is not seen" for name in missed), sep="\n", end="\n" if missed else "")
        sys.exit(1 if missed else 0)
    if sys.argv[1] == "--form":
        for page in sys.argv[2:]:
            check_form(ElementTree.parse(page).getroot(), lambda *what: found.append(f"{page}: {': '.join(what)}"))
        print(*found, sep="\n", end="\n" if found else "")
        sys.exit(1 if found else 0)
    for folder in sys.argv[1:]:
        check(folder)
        checked["reports"] += 1
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{checked['reports']} reports, {checked['sentences']} texts, {checked['figures']} figures, "
          f"{len(found)} contradictions", file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
