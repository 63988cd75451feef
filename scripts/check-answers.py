#!/usr/bin/env python3
"""Recomputes what answers say from the CSV files alone: check-answers.py FOLDER …

A FOLDER holds a.csv, and what the command printed about it: a.txt, a.md, a.json and a.html. With b.csv,
also compare.txt, compare.json and compare.html. Each sentence of headline, conclusion, causes and doubts
must be known to claims.py and agree with the figures, each cell of a table too; and letters, medians and
gaps must be the same in every form. Prints a line for each contradiction, and a tally; exits with 1 if
there is one. scripts/check-answers makes the folders. --spoil FOLDER … changes a figure in a copy of each
file, and exits with 1 if one is not seen. Uses the standard library only.
"""

import collections
import html
import json
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
from compared import COUNTS
from recomputed import agrees, shown

HTML = "{http://www.w3.org/1999/xhtml}"
MISSING = "–"
# Columns of a table by heading, and the metric whose median they show.
TIMES = {"blocked": "main_blocked_ms", "executing": "main_executing_ms", "waiting": "main_waiting_ms",
         "visible": "visible_ms", "durable": "durable_ms", "deferred": "main_deferred_ms",
         "changes": "changes_per_s", "total": "total_ms", "median": "main_blocked_ms"}

checked = collections.Counter()
found = []


class Report:
    """One folder: its settings, and the contradictions."""

    def __init__(self, folder):
        self.folder = folder
        self.json = json.loads(self.text("a.json"))
        self.truth = json.loads(self.text("truth.json"))
        self.letters = int(self.json["schema"].rpartition("/")[2]) >= 3
        cells = figures.rows(f"{folder}/a.csv")
        self.settings = figures.settings(cells, self.letters)
        self.names = claims.Names({row["topology"] for row in cells})
        self.sections = {self.key(section): section for section in self.json["sections"]}
        for key, setting in self.settings.items():
            section = self.sections.get(key)
            if not section:
                self.fault("JSON", str(key), "there is no such section")
            setting.grade = section["trust"]["grade"] if section else "good"
            setting.is_discarded = bool(section) and section["conclusion"]["order"]["standing"] == "discarded"
            setting.is_decided = (setting.has_trials and not setting.is_tied and len(setting.blocked) > 1
                                  and not setting.is_discarded)
        discarded = {s.key[0] for s in self.settings.values() if s.is_discarded}
        kept = {key: setting for key, setting in self.settings.items() if key[0] not in discarded}
        self.sweeps = figures.sweeps(kept, self.letters)
        for _, points in self.sweeps:
            for _, setting in points:
                setting.grade, setting.is_discarded = "good", False

    @staticmethod
    def key(section):
        return section["scenario"], section["parameters"], section["store"]

    def text(self, name):
        with open(f"{self.folder}/{name}", encoding="utf-8") as file:
            return file.read()

    def fault(self, place, sentence, what):
        found.append(f"{self.folder}: {place}: “{shown(sentence)[:160]}”: {what}")

    def read(self, place, text, rules, subject):
        checked["sentences"] += 1
        for sentence, wrong in claims.read(text, rules, subject, self.names):
            self.fault(place, sentence, wrong)

    def expect(self, holds, place, sentence, what):
        checked["figures"] += 1
        if not holds:
            self.fault(place, sentence, what)


# --- Tables -------------------------------------------------------------------------------------

def letters_of(text):
    """{A, B} of `AB`; the rank of schemas before topobench-answer/3 is one of its own."""
    return set(re.findall(r"[A-Z]\d*|^\d+", text))


def check_letters(report, place, setting, told):
    """`told` are letters by topology: two have one in common exactly if they are not separated."""
    ranked = not setting.is_discarded and setting.has_trials and (not report.letters or setting.grade != "discard")
    for name, text in told.items():
        report.expect((text not in ("", MISSING)) == (ranked and name in setting.blocked), place, f"{name} {text}",
                      f"trust {setting.grade}, {setting.trials} trials, {setting.needed} needed")
    if not ranked:
        return
    for a in setting.blocked:
        for b in setting.blocked:
            if a >= b or a not in told or b not in told:
                continue
            share, separated = letters_of(told[a]) & letters_of(told[b]), setting.separates(a, b)
            wrong = bool(share) == separated if report.letters else not share and not separated
            report.expect(not wrong, place, f"{a} {told[a]}, {b} {told[b]}",
                          f"they are {'' if separated else 'not '}separated")


def check_cell(report, place, setting, name, heading, text):
    """One cell of a table, by the first word of its heading."""
    word = heading.partition(",")[0].split(" ")[0]
    freeze, what = setting.freezes.get(name), f"{name}, {heading}: {text}"
    def expect(value, told=text):
        right = told == MISSING if value is None else told != MISSING and agrees(told, value)
        report.expect(right, place, what, value)
    if word in TIMES:
        expect(setting.median(name, TIMES[word]))
    elif word == "longest":
        expect(freeze and freeze.gap)
    elif word == "95":
        both = figures.interval(setting.values(name, "main_blocked_ms"))
        for told, value in zip(text.split("–") if text != MISSING else [text] * 2, both or [None] * 2):
            expect(value, told)
    elif word == "late":
        late = setting.values(name, "frames_late")
        if text != MISSING or not late or not freeze or (freeze.gap or 0) < figures.FRAME:
            expect(figures.lower_middle(late) if late else None)
    elif word == "÷":
        total, raw = setting.median(name, "total_ms"), setting.median(name, "raw_sqlite_ms")
        expect(total / raw if total and raw else None)
    elif word == "cells":
        ok, all = len(setting.ok.get(name, [])), sum(row["topology"] == name for row in setting.cells)
        report.expect(text == (f"{ok}" if ok == all else f"{ok} of {all}"), place, what, f"{ok} of {all}")
    elif word not in ("mostly", "topology", ""):
        report.fault(place, what, "no rule reads this column")


def check_table(report, place, setting, headings, rows):
    """`rows` are lists of texts. The first column has letters, the second names."""
    told = {report.names.get(row[1]): row[0] for row in rows}
    report.expect(set(told) == set(setting.names), place, ", ".join(map(str, told)), f"{setting.names}")
    for row in rows:
        for heading, text in zip(headings, row):
            check_cell(report, place, setting, report.names.get(row[1]), heading, text)
    check_letters(report, place, setting, told)
    order = [report.names.get(row[1]) for row in rows]
    report.expect([n for n in order if n in setting.blocked] == list(setting.blocked), place, str(order),
                  f"the order of medians is {list(setting.blocked)}")


# --- Markdown and terminal ----------------------------------------------------------------------

def plain(text):
    """Markdown without its escapes."""
    text = re.sub(r"\\([\\`*_{}\[\]()<>#+.!|~@-])", r"\1", text.replace("<br>\n", " "))
    return html.unescape(text)


def title(key):
    return f"{shown(key[0])}, {key[2]} store" + (f", {shown(key[1])}" if key[1] else "")


def markdown_rows(block):
    cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in block.split("\n")]
    texts = [[re.sub("^`(.*)`$", r"\1", plain(cell.strip().replace("**", ""))) for cell in row] for row in cells]
    return texts[0], texts[2:]


def swept_title(key):
    scenario, store, field, fixed = key
    others = ", ".join(f"{name} {value}" for name, value in fixed)
    return f"{shown(scenario)}, {store} store, over {field}" + (f"; {others}" if others else "")


def subjects(report):
    """What stands under each title: a setting, or the points of a sweep."""
    return {title(key): setting for key, setting in report.settings.items()} | {
        swept_title(key): points for key, points in report.sweeps}


def check_markdown(report):
    titles, subject, tables = subjects(report), None, {}
    for block in report.text("a.md").split("\n\n"):
        block = block.strip()
        if block.startswith("#"):
            subject = known_title(report, "Markdown", titles, plain(block.lstrip("# ")))
        elif subject is None or block.startswith("- "):
            continue
        elif block.startswith("|"):
            headings, rows = markdown_rows(block)
            tables[id(subject)] = rows
            if isinstance(subject, list):
                check_swept(report, "Markdown", subject, headings, rows)
            else:
                check_table(report, "Markdown", subject, headings, rows)
        else:
            check_paragraph(report, "Markdown", subject, plain(re.sub(r"</?sub>|^\*+|\*+$", "", block)))
    return tables


def known_title(report, place, titles, text):
    if text not in titles:
        report.fault(place, text, "no setting and no sweep has this title")
    return titles.get(text)


def check_paragraph(report, place, subject, text):
    rules = claims_of_many.CROSSED if isinstance(subject, list) else claims.LONG + claims.OTHER
    report.read(place, text, rules, subject)


def check_terminal(report, tables):
    titles, subject = subjects(report), None
    for block in report.text("a.txt").split("\n\n"):
        lines = block.strip("\n").split("\n")
        if " store" in lines[0] and lines[0].strip() in titles:
            subject, lines = titles[lines[0].strip()], lines[1:]
        rule = next((index for index, line in enumerate(lines) if line.startswith("──")), None)
        if subject is None or not lines or lines[0].startswith("- "):
            continue
        if rule is None:
            check_paragraph(report, "terminal", subject, " ".join(line.strip() for line in lines))
        else:
            rows = tables.get(id(subject), [])
            end = rule + 1 + len(rows)
            check_rows(report, lines[rule + 1:end], rows)
            # The legend follows its table at once.
            if lines[end:]:
                check_paragraph(report, "terminal", subject, " ".join(line.strip() for line in lines[end:]))


def check_rows(report, lines, rows):
    """The terminal's rows are those of Markdown, with fewer columns."""
    told = {tuple(re.split(r"\s{2,}", line.strip())) for line in lines}
    names = {row[0] if report.names.get(row[0]) else row[1] for row in told}
    for row in told:
        def is_row(full):
            rest = iter(full)
            return all(any(same(cell, other) for other in rest) for cell in row)
        report.expect(any(is_row(full) for full in rows), "terminal", "  ".join(row), "Markdown has another row")
    report.expect(len(names) == len(rows), "terminal", f"{len(names)} rows", f"Markdown has {len(rows)}")


def same(cell, other):
    return cell == other or cell.endswith("…") and other.startswith(cell[:-1])


def check_swept(report, place, points, headings, rows):
    """A cell is `12.3 (AB)`: the median at this value, and the letters."""
    for index, (value, setting) in enumerate(points, 1):
        told = {}
        for row in rows if index < len(headings) else []:
            name, cell = report.names.get(row[0]), re.match(r"(\S+) \(?([^\s()]+)\)?$", row[index])
            median = setting.blocked.get(name)
            report.expect(cell is not None and agrees(cell[1], median) if median is not None else row[index] == MISSING,
                          place, f"{headings[index]}, {name}: {row[index]}", median)
            told |= {name: cell[2]} if cell else {}
        if MISSING not in told.values():
            check_letters(report, f"{place}, at {value}", setting, told)


# --- JSON ---------------------------------------------------------------------------------------

def check_json(report):
    titles = {title(key): setting for key, setting in report.settings.items()}
    for line in report.json["conclusion"].split("\n"):
        heading = next((t for t in sorted(titles, key=len, reverse=True) if shown(line).startswith(t + ": ")), None)
        if heading:
            report.read("JSON", shown(line)[len(heading) + 2:], claims.LONG, titles[heading])
    check_points(report)
    for key, section in report.sections.items():
        if key in report.settings:
            check_object(report, report.settings[key], section)


def check_points(report):
    """The conclusions of the values of each sweep."""
    told = {(sweep["scenario"], sweep["store"], sweep["field"], tuple(sorted(sweep["fixed"].items()))): sweep["points"]
            for sweep in report.json["sweeps"]}
    report.expect(set(told) <= {key for key, _ in report.sweeps}, "JSON", str(list(told)), [key for key, _ in report.sweeps])
    for key, points in report.sweeps:
        known = {value: setting for value, setting in points}
        for point in told.get(key, []):
            check_order(report, f"JSON {key} {point['value']}", known[point["value"]], point["conclusion"]["order"])


def check_object(report, setting, section):
    conclusion, order = section["conclusion"], section["conclusion"]["order"]
    def expect(holds, told, value):
        report.expect(holds, f"JSON {setting.key}", str(told), value)
    told = {freeze["topology"]: freeze for freeze in conclusion["freezes"]}
    expect(set(told) == set(setting.freezes), list(told), list(setting.freezes))
    words = {None: None, "frame": figures.FRAME, "noticed": figures.NOTICED, "hang": figures.HANG}
    for name, freeze in told.items():
        known = setting.freezes[name]
        expect(close(freeze.get("gap"), known.gap) and close(freeze.get("longest"), known.longest), freeze, known.gaps)
        expect({words[k]: v for k, v in freeze["trials_beyond"].items()} == known.beyond, freeze, known.beyond)
        expect([words[freeze.get(k)] for k in ("usual", "worst")] == [known.usual, known.worst], freeze, known.gaps)
    expect(sorted(conclusion.get("hidden", [])) == sorted(setting.hidden), conclusion.get("hidden"), setting.hidden)
    check_order(report, f"JSON {setting.key}", setting, order)
    check_topologies(report, setting, section)


def check_order(report, place, setting, order):
    def expect(holds, told, value):
        report.expect(holds, place, str(told), value)
    entries = {entry["topology"]: entry["blocked"] for entry in order["all"]}
    expect(list(entries) == list(setting.blocked), list(entries), list(setting.blocked))
    for name, told in entries.items():
        expect(close(told, setting.blocked.get(name)), f"{name} {told}", setting.blocked.get(name))
    ranked = order["standing"] in ("tied", "separated")
    expect(ranked == (setting.has_trials and len(entries) > 1 and not setting.is_discarded), order["standing"],
           f"{setting.trials} trials, trust {setting.grade}")
    expect([e["topology"] for e in order["best"]] == (setting.best if ranked else []), order["best"], setting.best)
    expect([e["topology"] for e in order["excluded"]] == (setting.excluded if ranked else []), order["excluded"],
           setting.excluded)


def close(told, value):
    return told is None if value is None else told is not None and abs(told - value) < 1e-6 * max(1, abs(value))


def check_topologies(report, setting, section):
    told = {}
    for topology in section["topologies"]:
        name = topology["name"]
        rank = topology.get("letters") if report.letters else str(topology.get("rank", ""))
        told[name] = rank or ""
        for column, estimate in topology["estimates"].items():
            values = setting.values(name, column)
            middle = figures.lower_middle(values) if column in COUNTS and values else setting.median(name, column)
            if column == "main_longest_gap_ms" and report.letters:
                middle = setting.freezes[name].gap if name in setting.freezes else None
            report.expect(middle is not None and close(estimate["median"], middle),
                          f"JSON {setting.key}", f"{name} {column} {estimate['median']}", middle)
    check_letters(report, f"JSON {setting.key}", setting, told)


# --- The page -----------------------------------------------------------------------------------

def text_of(element):
    """Spaces only where the page has them; no drawing."""
    parts = [element.text or ""]
    for child in element:
        parts += [text_of(child) if not child.tag.endswith("}svg") else "", child.tail or ""]
    return "".join(parts)


def classes(element):
    return (element.get("class") or "").split()


def check_page(report):
    root = ElementTree.fromstring(report.text("a.html").partition("\n")[2] or report.text("a.html"))
    heading = text_of(next(root.iter(f"{HTML}h1")))
    check_heading(report, heading)
    check_sweep_tables(report, root)
    articles = {}
    for article in root.iter(f"{HTML}article"):
        keys = [article.get(f"data-{name}") for name in ("scenario", "parameters", "store")]
        key = next((k for k in report.settings if [shown(k[0]), shown(k[1]), k[2]] == [shown(x or "") for x in keys]), None)
        if key:
            articles["#" + article.get("id")] = report.settings[key]
            check_article(report, article, report.settings[key])
    for item in root.iter(f"{HTML}li"):
        links = [link.get("href") for link in item.iter(f"{HTML}a")]
        if len(links) == 1 and links[0] in articles and item.find(f"{HTML}span") is not None:
            report.read("page, contents", text_of(item.find(f"{HTML}span")), claims.SHORT, articles[links[0]])


def check_heading(report, heading):
    settings = list(report.settings.values())
    scenarios = {setting.key[0] for setting in settings}
    if len(settings) == 1:
        report.read("page, heading", heading, claims.SHORT, settings[0])
    elif not (report.sweeps and len(scenarios) == 1):
        report.read("page, heading", heading, claims_of_many.MANY, settings)
    else:
        check_sweep_heading(report, heading, settings)


def check_sweep_heading(report, heading, settings):
    """`The screen hangs with A in 1 of 2 settings; changes.per_save: A is best at 1, B is best at 500`"""
    clauses = heading.split("; ")
    for clause in clauses:
        field = re.match(r"([\w.]+): (.*)", clause)
        sweeps = [points for key, points in report.sweeps if field and key[2] == field[1]]
        if sweeps:
            told = [list(claims.read(field[2], claims_of_many.SWEPT, points, report.names)) for points in sweeps]
            report.expect(not all(told), "page, heading", clause, min(told, key=len))
        elif re.match(r"and \d+ more$", clause):
            continue
        elif re.search(r" (of|for) \d+ fields$|^there is no second", clause):
            for _, points in report.sweeps:
                report.read("page, heading", clause, claims_of_many.SWEPT, points)
        else:
            report.read("page, heading", clause, claims_of_many.MANY, settings)


def check_article(report, article, setting):
    for paragraph in article.iter(f"{HTML}p"):
        text = " ".join(text_of(paragraph).split())
        if "answer" in classes(paragraph):
            report.read("page, answer", text, claims.SHORT, setting)
        elif text.startswith(("What makes this doubtful", "Why, in exact counts", "The screen ", "No topology freezes")):
            report.read("page", text, claims.LONG + claims.OTHER, setting)
    for table in article.iter(f"{HTML}table"):
        check_page_table(report, table, setting)


# Headings of the page's tables, and the columns of the CSV file.
MEDIANS = {
    "median blocked": "main_blocked_ms", "last save returned": "saved_ms", "durable": "durable_ms",
    "visible": "visible_ms", "total": "total_ms", "scroll afterwards": "main_deferred_ms", "late": "frames_late",
    "of frames due": "frames_due", "lateness, ms": "hitch_ms", "lateness, ms per s": "hitch_ms_per_s",
    "95 in 100": "tap_p95_ms", "99 in 100": "tap_p99_ms", "executing": None, "median": "main_blocked_ms"}
PAGE_COUNTS = ["statements", "commits", "rows_read", "rows_written"]
LIMIT_WORDS = {"frame": figures.FRAME, "noticed": figures.NOTICED, "hang": figures.HANG}


def check_page_table(report, table, setting):
    kind = re.match(r"\w+-(board|blocked-table|tap-table|frames-table|times-table|counts-table)$", table.get("id") or "")
    headings = [text_of(th).strip() for th in table.iter(f"{HTML}th") if th.get("scope") == "col"]
    if not kind or "topology" not in headings:
        return
    letters = {}
    for row in table.find(f"{HTML}tbody"):
        name = report.names.get(text_of(row[headings.index("topology")]).strip())
        report.expect(name is not None, f"page, {kind[1]}", text_of(row)[:60], "no topology has this name")
        for heading, cell in zip(headings, row):
            check_page_cell(report, kind[1], setting, name, heading, cell)
            if heading == "rank":
                letters[name] = text_of(cell).strip()
    if kind[1] == "board":
        check_letters(report, "page, board", setting, letters)


def check_page_cell(report, kind, setting, name, heading, cell):
    text, place = text_of(cell).strip(), f"page, {kind}"
    told = [float(data.get("value")) for data in cell.iter(f"{HTML}data")]
    freeze, what = setting.freezes.get(name), f"{name}, {heading}: {text}"
    def expect(values):
        right = len(told) == len(values) and all(abs(a - b) < 2e-6 for a, b in zip(told, values))
        report.expect(right, place, what, values)
    if heading in ("median gap", "longest gap"):
        expect([freeze.gap] if freeze and freeze.gap is not None else [])
        check_cell(report, place, setting, name, "longest", text)
    elif heading == "over limit":
        usual = LIMIT_WORDS.get(text.removeprefix("▲ ").split(" ")[0])
        report.expect(usual == (freeze.usual if freeze else None), place, what, freeze and (freeze.usual, freeze.gaps))
    elif heading in ("work on main", "on main"):
        check_work(report, setting, name, text)
    elif heading in ("from", "to") and kind == "blocked-table":
        ends = figures.interval(setting.values(name, "main_blocked_ms"))
        expect([ends[heading == "to"]] if ends else [])
    elif heading == "trials":
        expect([len(setting.values(name, "main_blocked_ms"))])
    elif heading == "late" and text == MISSING and freeze and (freeze.gap or 0) > figures.FRAME:
        pass  # no frame was due in a long gap
    elif MEDIANS.get(heading):
        middle = setting.median(name, MEDIANS[heading])
        expect([] if middle is None else [middle])
    elif kind == "counts-table":
        check_page_count(report, setting, name, heading, told, what)


def check_page_count(report, setting, name, heading, told, what):
    """A count that varies is a range."""
    column = next((f"main_{c}" for c in PAGE_COUNTS if heading.startswith(c.replace("_", " "))), None)
    column = "main_statements" if heading.startswith("SQL statements") else column
    if column:
        ends = sorted(set(setting.values(name, column)))
        expected = [ends[0], ends[-1]] if len(ends) > 1 else ends
        report.expect(sorted(set(told)) == sorted(set(expected)), "page, counts", what, expected)


def check_work(report, setting, name, text):
    """`3,628 rows written`"""
    work, count = setting.work(name)
    found = re.match(r"([\d,.]+) ([\w ]+)", text)
    told = (found[2].split(" ")[0], float(found[1].replace(",", ""))) if found else (None, 0)
    right = told == ((work or "").split("_")[0] or None, count)
    report.expect(right, "page, board", f"{name}: {text}", f"{count} {work}")


def check_sweep_tables(report, root):
    """A table for each sweep of the JSON document: at each value the median and the letters."""
    tables = {table.get("id"): table for table in root.iter(f"{HTML}table")}
    keys = [(sweep["scenario"], sweep["store"], sweep["field"], tuple(sorted(sweep["fixed"].items())))
            for sweep in report.json["sweeps"]]
    for index, key in enumerate(keys, 1):
        table, points = tables.get(f"w{index}-sweep-table"), dict(report.sweeps).get(key)
        if table is not None and points:
            rows = [[text_of(cell).strip() for cell in row] for row in table.find(f"{HTML}tbody")]
            for point, (value, setting) in enumerate(points):
                check_swept_column(report, rows, value, setting, 3 * point + 2)


def check_swept_column(report, rows, value, setting, column):
    letters = {}
    for row in rows:
        name, told = report.names.get(row[0]), row[column]
        median = setting.blocked.get(name)
        report.expect(told == MISSING if median is None else told != MISSING and agrees(told, median), "page, sweep",
                      f"{name} at {value}: {told}", median)
        letters |= {name: row[column + 1]} if median is not None else {}
    if MISSING not in letters.values():
        check_letters(report, f"page, sweep at {value}", setting, letters)


# --- Comparisons --------------------------------------------------------------------------------

def check_compare(report):
    if not os.path.exists(f"{report.folder}/compare.json"):
        return
    document = json.loads(report.text("compare.json"))
    sides = [figures.settings(figures.rows(f"{report.folder}/{side}.csv"), joins=False) for side in "ab"]
    comparison = compared.Comparison(document, sides)
    checked["figures"] += len(comparison.all)
    for sentence, wrong in [*compared.wrong_figures(comparison),
                            *compared.wrong_rows(comparison, report.text("compare.txt"), report.names),
                            *compared.wrong_against_truth(comparison, report.truth["second"])]:
        report.fault("compare", sentence, wrong)
    report.read("compare", shown(document["conclusion"]), compared.SENTENCES, comparison)
    page = ElementTree.fromstring(report.text("compare.html").partition("\n")[2])
    report.read("compare, page", text_of(next(page.iter(f"{HTML}h1"))), compared.SENTENCES, comparison)
    terminal = " ".join(report.text("compare.txt").split())
    report.expect(shown(document["conclusion"]) in terminal, "compare", document["conclusion"],
                  "the terminal says another")


# --- The truth ----------------------------------------------------------------------------------

def check_truth(report):
    """The generator knows who freezes, and whose blocked time is longer."""
    for truth in report.truth["settings"]:
        parameters = truth["parameters"]
        for topology in truth["topologies"]:
            setting = next((s for k, s in report.settings.items() if k[:2] == (truth["scenario"], parameters)
                            and topology["topology"] in s.names and k[2] == truth["store"]), None)
            if setting:
                check_known(report, setting, truth, topology)


def check_known(report, setting, truth, topology):
    name, freeze = topology["topology"], setting.freezes.get(topology["topology"])
    if freeze and len(freeze.gaps) == truth["trials"]:
        told = "usually" if freeze.usual else "sometimes" if freeze.worst else "never"
        report.expect(told == topology["freezes"], f"truth {setting.key}", name, topology["freezes"])
    faster = [one["topology"] for one in truth["topologies"] if one["spread"] <= 0.1
              and one["blocked"] * 2 < topology["blocked"] and one["topology"] in setting.blocked]
    wrong = [one for one in faster if one in setting.candidates]
    if setting.is_decided and truth["trials"] >= 8 and setting.best == [name]:
        report.expect(not wrong, f"truth {setting.key}", f"{name} is best", f"truly shorter: {wrong}")


def check(folder):
    try:
        report = Report(folder)
        check_terminal(report, check_markdown(report))
        check_json(report)
        check_page(report)
        check_compare(report)
        check_truth(report)
    except (OSError, ValueError, ElementTree.ParseError) as error:
        found.append(f"{folder}: the command printed no answer: {error}")


# --- That a wrong figure is seen ----------------------------------------------------------------

# A figure of each form of the answer: its last digit is changed.
SPOTS = {"a.txt": r"^[A-Z–]+ {2}.*\d(?=\D*$)", "a.md": r"^\| [A-Z–]+ \|.*\d(?=\D*$)", "a.json": r'"all" : \[\s+\{\s+"blocked" : \d+(?=\D)',
         "a.html": r'-board"(?:(?!</table>).)*<data value="\d+(?=\D)', "compare.json": r'"median" : \d+(?=\D[^{}]*\},\s+"judgement")'}


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
        missed = [name for folder in sys.argv[2:] for name in spoil(folder, random.Random(folder))]
        print(*(f"{name}: a changed figure is not seen" for name in missed), sep="\n", end="\n" if missed else "")
        sys.exit(1 if missed else 0)
    for folder in sys.argv[1:]:
        check(folder)
        checked["reports"] += 1
    for line in found:
        print(line)
    print(f"{checked['reports']} reports, {checked['sentences']} texts, {checked['figures']} figures, "
          f"{len(found)} contradictions", file=sys.stderr)
    sys.exit(1 if found else 0)


main()
