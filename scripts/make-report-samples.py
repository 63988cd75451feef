#!/usr/bin/env python3
"""Writes reports to try `topobench report` on: make-report-samples.py FOLDER

    big.csv      20 scenarios × 12 topologies × 30 trials, with the documents that a page reads
    hostile.csv  names with markup, quotes or right-to-left text, and very long names
    old.csv      and new.csv: two sides of one scenario

Uses the standard library only. The output is the same every time.
"""

import csv
import json
import os
import random
import sys

folder = sys.argv[1]
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
with open(os.path.join(root, "results", "baseline.csv"), newline="", encoding="utf-8") as file:
    COLUMNS = next(csv.reader(file))
CAUSES = ["list", "save", "fetch", "perform", "push-up", "merge", "wait-parent", "wait-coordinator", "harness"]


def cell(run, scenario, topology, trial, order, blocked, dice, label=""):
    """A row whose figures fit together."""
    row = dict.fromkeys(COLUMNS, "")
    waits = [round(blocked * dice.choice([0, 0, 0.1]), 3) for _ in range(5)]
    waiting = sum(waits)
    executing = round(blocked - waiting, 3)
    total = round(blocked * 1.4 + 20, 3)
    row.update(
        schema="topobench/3", run_id=run, started_at="2026-01-02T03:04:05Z", git_sha="0123456789ab",
        label=label, host_id="feed", scenario=scenario, scenario_digest="d1", topology=topology,
        store="pool", trial=trial, order=order, seed=1, status="ok", fingerprint="f00d", objects=5000,
        inserts=901, updates=1826, deletes=901, saves=8, repeats=3, horizon_ms="1000.000",
        longest_gap_cause="merge", unsteady_counts="none", frames_due=round(total / 16.667),
        frames_late=int(blocked // 40), hitch_ms=round(blocked / 3, 3),
        hitch_ms_per_s=round(blocked / 3, 3))
    for name, value in {
        "total_ms": total, "saved_ms": total - 9, "durable_ms": total - 8, "visible_ms": total,
        "main_blocked_ms": executing + waiting, "main_executing_ms": executing,
        "main_waiting_ms": waiting, "main_wait_parent_ms": waits[0],
        "main_wait_coordinator_ms": waits[1], "main_wait_sqlite_ms": waits[2],
        "main_wait_queue_ms": waits[3], "main_wait_other_ms": waits[4], "main_longest_gap_ms": blocked / 4, "tap_mean_ms": blocked / 90, "tap_p50_ms": blocked / 70,
        "tap_p95_ms": blocked / 20, "tap_p99_ms": blocked / 6, "tap_max_ms": blocked / 4,
        "main_deferred_ms": 2.5, "main_ui_ms": 0, "raw_sqlite_ms": 12, "sync_ms": 0.24,
    }.items():
        row[name] = f"{value:.3f}"
    for name, value in {"statements": 909, "commits": 8, "rows_read": 2727, "rows_written": 3628,
                        "objects_copied": 3628, "objects_refreshed": 1826, "faults_fired": 2719,
                        "list_changes": 3628}.items():
        row[f"main_{name}"] = value + (trial if run == "big" else 0)
    return row


def document(row, dice):
    """What a run keeps of the cell, as far as a page reads it."""
    result = {name: row[name] for name in (
        "schema run_id started_at git_sha label host_id scenario scenario_digest parameters topology "
        "store status error fingerprint").split()}
    result.update(trial=row["trial"], order=row["order"], seed=1, metrics={})
    return {"result": result, "windows": [window(row, dice) for _ in range(3)]}


def window(row, dice):
    total, at, gaps = float(row["total_ms"]), 0.0, []
    while at < total and len(gaps) < 120:
        length = min(total - at, dice.expovariate(1) * 2 + 0.05)
        gaps.append({"start": round(at, 3), "duration": round(length, 3), "cause": dice.choice(CAUSES)})
        at += length + dice.random() * 2
    return {
        "total": total, "saved": total - 9, "durable": total - 8, "visible": total, "gaps": gaps,
        "busyPeriods": [], "executing": float(row["main_executing_ms"]) * (0.9 + dice.random() / 5),
        "waits": {"parent": float(row["main_wait_parent_ms"])}, "ui": 0, "checkpoint": 0, "frames": [],
        "framesDue": 3, "framesLate": 0, "frameInterval": 16.667, "heartbeats": [0.05] * 200, "wakeHeartbeats": [],
        "counts": {}, "changes": 3628}


def write(name, rows):
    with open(os.path.join(folder, f"{name}.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def big():
    dice, rows, order = random.Random(1), [], 0
    for scenario in range(20):
        for trial in range(1, 31):
            for topology in range(12):
                order += 1
                blocked = (topology + 1) * 14 * dice.gauss(1, 0.05) + 3
                rows.append(cell("big", f"scenario-{scenario + 1}", f"topology-with-a-name-{topology + 1}",
                                 trial, order, blocked, dice))
    write("big", rows)
    os.makedirs(os.path.join(folder, "big.cells"), exist_ok=True)
    for row in shown(rows):
        name = f"{row['order']:04d}-{row['scenario']}-{row['topology']}-pool-{row['trial']}.json"
        with open(os.path.join(folder, "big.cells", name), "w", encoding="utf-8") as file:
            json.dump(document(row, dice), file)


def shown(rows):
    """The trials whose documents a page reads: of each topology the one with the median blocked time."""
    groups = {}
    for row in rows:
        groups.setdefault((row["scenario"], row["topology"]), []).append(row)
    for group in groups.values():
        group.sort(key=lambda row: (float(row["main_blocked_ms"]), row["order"]))
        yield group[(len(group) - 1) // 2]


def hostile():
    dice, rows, order = random.Random(2), [], 0
    scenarios = ["<script>alert(1)</script>", "\"'><img src=x onerror=alert(2)>&amp;", "very long " * 1000,
                 "‮gnirts desrever‬ and שלום", "../../../../etc/passwd", "]]><!-- -->"]
    topologies = ["main-only", "<b onmouseover='alert(3)'>parent</b>", "x" * 10000,
                  "a\u202eb\u0007c‏ عربي"]
    for scenario in scenarios:
        for trial in range(1, 9):
            for place, topology in enumerate(topologies):
                order += 1
                row = cell("</title><script>alert(4)</script>", scenario, topology, trial, order,
                           (place + 1) * 20 * dice.gauss(1, 0.04), dice, label="<i>\"label\"</i>" * 50)
                row["longest_gap_cause"] = "<svg onload=alert(5)>"
                if trial == 8 and place == 1:
                    row.update(status="crashed", error="</td></table><script>alert(6)</script>")
                rows.append(row)
    write("hostile", rows)
    with open(os.path.join(folder, "hostile.env.json"), "w", encoding="utf-8") as file:
        json.dump({"cpu": "</table><script>alert(7)</script>", "diagnoses": [
            {"what": "<script>alert(8)</script>", "remedy": "\u202e\"none\""}]}, file)


def sides():
    for name, slower in (("old", 1.0), ("new", 1.2)):
        dice, rows, order = random.Random(len(name) + int(slower * 10)), [], 0
        for trial in range(1, 13):
            for place, topology in enumerate(["main-only", "parent-child", "notification-merge"]):
                order += 1
                factor = slower if place == 1 else 1
                rows.append(cell(name, "5000-cities", topology, trial, order,
                                 (60 - 18 * place) * factor * dice.gauss(1, 0.03), dice))
        write(name, rows)


os.makedirs(folder, exist_ok=True)
big()
hostile()
sides()
