#!/usr/bin/env python3
"""Writes random reports with known truth: make-reports.py --seed N --count K FOLDER

    FOLDER/0001/a.csv        a report; beside some lies a.env.json
    FOLDER/0001/b.csv        a second one to compare with, beside half of the reports, and sometimes c.csv
    FOLDER/0001/old, new     beside a few, builds for a duet: they answer with generated cells
    FOLDER/0001/truth.json   for each topology its true blocked time and who freezes; what b changes

The seed decides everything. Reports have zeros, ties, few trials, one topology, freezes in some trials,
gaps of exactly a limit, gaps of the instrument, swept fields, both store modes, failed cells, empty
columns, counts that vary, counted instructions, disturbed runs, runs of two machines, and names with markup.
scripts/check-answers reads what the command says about them. --pages FOLDER writes those that
scripts/check-report makes pages of.
Uses the standard library only.
"""

import argparse
import csv
import json
import os
import random

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
with open(os.path.join(ROOT, "results", "baseline.csv"), newline="", encoding="utf-8") as file:
    COLUMNS = next(csv.reader(file))
    SCHEMA = next(csv.reader(file))[0]
# Later columns, which old reports lack.
COLUMNS += [name for name in (
    "worker_statements", "main_objects_created", "open_blocked_ms", "open_longest_gap_ms", "open_statements", "open_rows_read",
    "open_visible_ms", "scroll_longest_gap_ms", "scroll_statements", "scroll_rows_read", "asks_about",
    "answer_p50_ms", "answer_max_ms", "answers_dropped", "orphans") if name not in COLUMNS]
LIMITS = [16.7, 100, 250]
NAMES = """main-only parent-child notification-merge root-main-private root-hybrid sliced-merge container
    batch-insert refetch sqlite-direct grdb-pool swiftdata swiftdata-autosave thread-confinement
    background-snapshot private-from-main two-coordinators nested-three child-of-child my-app""".split()
HOSTILE = ["<b onmouseover='alert(1)'>x", "pipe | and `code`", "a\u202eb عربي", "long " + "x" * 70]
COUNTS = ["statements", "commits", "rows_read", "rows_written", "objects_copied",
          "objects_refreshed", "faults_fired", "list_changes"]
PROFILES = ["short"] * 6 + ["some", "half", "most", "all", "all", "exact", "mixed", "near"]
SWEPT = {"changes.per_save": [1, 50, 500, "all"], "generate.inserts": [500, 10000, 60000],
         "drawing.cell_us": [0, 100, 500], "user.edits": ["none", "often"],
         "list.section_by": ["author", "born", "none", "v2"]}


# --- What is true -------------------------------------------------------------------------------

def topology_truth(dice, name, level):
    """How a topology behaves in a setting. `level` is its typical blocked time in ms."""
    blocked = 0.0 if dice.random() < 0.08 else round(level * dice.choice([0.05, 0.4, 1, 1, 1.1, 2, 6]), 3)
    profile, limit = dice.choice(PROFILES), dice.choice(LIMITS)
    return {
        "topology": name, "blocked": blocked, "spread": dice.choice([0, 0.01, 0.03, 0.1]),
        "profile": profile, "limit": limit,
        "gap": round(limit * dice.choice([1.02, 1.3, 2, 4]), 3),
        "instrument": dice.choice([0, 0, 0, 0, 0, 0.3, 1]),
        "counts": {name: dice.choice([0, 0, 1, 901, 1826, 3628, 40053]) for name in COUNTS},
        "varies": dice.random() < 0.15, "late": dice.choice([0, 0, 1, 3]),
        "unmeasured": dice.random() < 0.03, "is_short": dice.random() < 0.04}


def gaps(dice, truth, trials):
    """The longest gap of each trial."""
    short = [round(min(truth["limit"], 16.6) * dice.uniform(0.05, 0.8), 3) for _ in range(trials)]
    beyond = {"short": 0, "some": max(1, (trials - 1) // 3), "half": (trials + 1) // 2,
              "most": trials - trials // 4, "all": trials, "mixed": trials}.get(truth["profile"], 0)
    values = short if truth["profile"] != "exact" else [truth["limit"]] * trials
    if truth["profile"] == "near":
        values = [round(truth["limit"] + dice.choice([-0.001, 0, 0.001]), 3) for _ in range(trials)]
    for index in dice.sample(range(trials), beyond):
        values[index] = round(truth["gap"] * dice.uniform(1, 1.1), 3)
    if truth["profile"] == "mixed":
        values[dice.randrange(trials)] = round(250 * dice.uniform(1.1, 8), 3)
    return values


def freezes(truth, values):
    """Whether the topology's own gaps pass a frame in half of the trials, in fewer, or in none."""
    beyond = sum(value > 16.7 for value in values)
    return "usually" if 2 * beyond >= len(values) else "sometimes" if beyond else "never"


# --- Cells --------------------------------------------------------------------------------------

def blocked_time(dice, truth, slower):
    return round(truth["blocked"] * slower * max(0.2, dice.gauss(1, truth["spread"])), 3)


def cell(dice, setting, truth, trial, gap, slower):
    blocked = blocked_time(dice, truth, slower)
    waiting = round(blocked * dice.choice([0, 0, 0.3]), 3)
    total = round(blocked + 20 * slower + dice.random(), 3)
    row = dict.fromkeys(COLUMNS, "")
    row.update(
        schema=SCHEMA, started_at="2026-01-02T03:04:05Z", git_sha="0123456789ab", scenario=setting["scenario"],
        scenario_digest="d" + setting["scenario"][:9], parameters=setting["parameters"],
        topology=truth["topology"], store=setting["modes"].get(truth["topology"], setting["store"]),
        trial=trial, seed=1, status="ok", fingerprint="f00d", objects=5000, inserts=901, updates=1826,
        deletes=901, saves=1 if setting["scenario"] == "big-merge" else 8, repeats=1, horizon_ms="100000.000", longest_gap_cause="merge",
        unsteady_counts="none", frames_due=60, frames_late=truth["late"], gaps_over_250ms=int(gap > 250))
    times = dict(
        total_ms=total, saved_ms=total - 9, durable_ms=total - 8, visible_ms=total, main_blocked_ms=blocked,
        main_executing_ms=blocked - waiting, main_waiting_ms=waiting, main_wait_parent_ms=waiting,
        main_longest_gap_ms=gap, main_longest_busy_ms=gap, main_cpu_ms=blocked, tap_max_ms=gap,
        main_runqueue_ms=setting["runqueue"] * max(blocked, 1), main_deferred_ms=2.5, main_ui_ms=setting["ui"],
        raw_sqlite_ms=12 * slower * dice.gauss(1, 0.01), sync_ms=0.2, changes_per_s=3628000 / total,
        main_gap_runqueue_ms=setting["runqueue"] * blocked, hitch_ms=0, hitch_ms_per_s=0,
        heartbeat_wake_p99_ms=0.1)
    row.update({name: f"{value:.3f}" for name, value in times.items() if name in row})
    for wait in ("coordinator", "sqlite", "queue", "other"):
        row[f"main_wait_{wait}_ms"] = "0.000"
    for name, value in truth["counts"].items():
        # Where repeats differ, a row may hold half a count.
        row[f"main_{name}"] = value + (dice.choice([0, 0.5, 1, 2]) if truth["varies"] else 0)
    return counted(row, times, truth, slower) if setting["counted"] else row | background(truth)


def background(truth):
    """Work off main. It follows from the topology alone."""
    own = random.Random(f"{truth['topology']} {truth['blocked']}")
    asks = {"answer_p50_ms": 4, "answer_max_ms": own.choice(["", 9.5, 120, 1500.25])} if own.random() < 0.3 else {}
    # What opening the list and scrolling cost, which few answers ask about.
    gap = own.choice(["", "", 3.2, 16.7, 16.72, 3756.8])
    phases = {"open_longest_gap_ms": gap, "open_blocked_ms": gap, "scroll_longest_gap_ms": own.choice(["", 0.2, 0.2, 100.4])}
    return asks | phases | {"worker_statements": own.choice(["", 0, 26, 30, 900, 65000]), "wal_mib": own.choice(["", 4, 4, 40, 152.5])}


def counted(row, times, truth, slower):
    """Instructions instead of times."""
    main = round(2_000_000 * (1 + truth["blocked"]) * slower)
    row.update(dict.fromkeys(times, ""), phase="count", frames_late="", frames_due="", longest_gap_cause="",
               gaps_over_250ms="", main_instructions=main, worker_instructions=3 * main, main_save_instructions=main // 2)
    if main % 3:  # All parts, whose sum leaves a rest, or passes main's count.
        row.update(main_merge_instructions=main // (main % 3 + 1), main_list_instructions=main // 9,
                   **{f"main_{part}_instructions": 0 for part in ("push_up", "fetch", "fault")})
    return row | {f"main_wait_{wait}_ms": "" for wait in ("parent", "coordinator", "sqlite", "queue", "other")}


def spoil(dice, row, truth, setting):
    """What happens to a cell beside its figures."""
    if dice.random() < truth["instrument"]:
        row.update(longest_gap_cause=dice.choice(["heartbeat", "harness"]))
    if dice.random() < setting["failing"]:
        row.update(status=dice.choice(["wrong", "crashed", "timeout", "suspect"]), error="it | failed")
    unmeasured = ["main_blocked_ms", "main_executing_ms", "main_waiting_ms"] if truth["unmeasured"] else []
    for column in setting["empty"] + unmeasured:
        row[column] = ""


def about(phase, row):
    """Moves the figures that an answer judges to the columns of its phase. Those of the window become others."""
    if row["phase"] == "count":
        moved = {f"{phase}_{name}": row[f"main_{name}"] for name in ("instructions", "statements", "rows_read")}
        # The changes have the opposite order.
        return row.update(moved, main_instructions=10**14 // row["main_instructions"], main_statements=7, main_rows_read=9)
    names = {"blocked_ms": "main_blocked_ms", "longest_gap_ms": "main_longest_gap_ms", "statements": "main_statements",
             "rows_read": "main_rows_read", "visible_ms": "visible_ms"}
    moved = {f"{phase}_{name}": row[column] for name, column in names.items()}
    if phase == "scroll":
        moved["main_deferred_ms"] = moved.pop("scroll_blocked_ms")
        del moved["scroll_visible_ms"]
    row.update(moved, main_blocked_ms="1.000", main_executing_ms="1.000", main_waiting_ms="0.000", main_wait_parent_ms="0.000",
               main_longest_gap_ms="300.000", visible_ms="2.000",
               main_gap_runqueue_ms=row["main_gap_runqueue_ms"] and f"{min(float(row['main_gap_runqueue_ms']), 3):.3f}")


def cells(dice, setting, slower):
    rows = []
    for truth in setting["topologies"]:
        values = gaps(dice, truth, 2 if truth["is_short"] else setting["trials"])
        truth["freezes"] = freezes(truth, values)
        for trial, gap in enumerate(values, 1):
            row = cell(dice, setting, truth, trial, gap, slower * setting["change"].get(truth["topology"], 1))
            spoil(dice, row, truth, setting)
            row["asks_about"] = setting["asks"]
            if setting["asks"] != "change":
                about(setting["asks"], row)
            rows.append(row)
    return rows


# --- Reports ------------------------------------------------------------------------------------

def names(dice):
    count = dice.choice([1, 2, 2, 3, 3, 4, 4, 4, 5, 7, 12, 20])
    chosen = dice.sample(NAMES, count)
    if dice.random() < 0.08:
        chosen[0] = dice.choice(HOSTILE)
    return chosen


def parameter_sets(dice):
    if dice.random() < 0.6:
        return [""]
    field = dice.choice(list(SWEPT))
    sets = [{field: value} for value in dice.sample(SWEPT[field], dice.randint(1, len(SWEPT[field])))]
    if dice.random() < 0.2:
        sets = [{**one, "costs.commit_us": cost} for one in sets for cost in (0, 5000)]
    return [json.dumps(one, separators=(",", ":"), sort_keys=True) for one in sets]


def settings(dice):
    chosen, is_counted = names(dice), dice.random() < 0.1
    trials = dice.choice([1, 1, 2, 3]) if is_counted else dice.choice([1, 3, 5, 6, 6, 8, 8, 8, 12, 20])
    scenarios = ["5000-cities", "chat", "big-merge"][:dice.choice([1, 1, 1, 2, 3])]
    stores = dice.choice([["pool"], ["pool"], ["pool"], ["serial"], ["pool", "serial"]])
    noisy = dice.choice([0, 0, 0, 0, 0, 0.2, 3])
    other = chosen[-1:] if len(stores) == 1 and dice.random() < 0.3 else []
    asks = dice.choice(["change"] * (1 if is_counted else 4) + ["open", "scroll"])
    common = dict(
        asks=asks,
        trials=trials, counted=is_counted, runqueue=noisy, modes={name: "serial" for name in other}, ui=dice.choice([0, 0, 5]), change={},
        failing=dice.choice([0, 0, 0, 0, 0.1, 0.5, 1]),
        empty=dice.choice([[], [], [], ["main_rows_read"], ["frames_late"], ["raw_sqlite_ms", "visible_ms"],
                           [f"main_{name}" for name in COUNTS]]))
    return [
        dict(common, scenario=scenario, parameters=parameters, store=store,
             topologies=[topology_truth(dice, name, dice.choice([0.01, 3, 3, 20])) for name in chosen])
        for scenario in scenarios for parameters in parameter_sets(dice) for store in stores]


def write(path, rows, dice, host):
    rounds = {}
    for row in rows:
        rounds.setdefault(row["trial"], []).append(row)
    shuffled = [row for trial in sorted(rounds) for row in dice.sample(rounds[trial], len(rounds[trial]))]
    moves = host and dice.random() < 0.05
    for order, row in enumerate(shuffled, 1):
        other = "three" if moves and row["trial"] % 2 == 0 else host
        row.update(order=order, run_id=f"run-{other}-{os.path.basename(path)}", host_id=other)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(shuffled)


DEBUG = {"what": "this is a debug build", "evidence": "", "remedy": "measure with a release build", "grade": "fair"}


# Work that makes counts vary.
WORKS = [{}, {}, {"user.fetches_per_s": 1000}, {"changes.second_worker": 1500}, {"list.batch_size": 20},
         {"changes.delete_where": "done == YES"}, {"changes.stream": "replace"}]


def environment(dice, chosen):
    cores, load = 4, dice.choice([0.0, 0.02, 0.02, 3.0, 9.0])
    build = dice.choice(["release", "release", "release", "debug"])
    # Some files do not tell what the check before the run found.
    checked = {"diagnoses": [DEBUG] if build == "debug" else []} if load < 9 else {}
    return checked | {
        "schema": SCHEMA, "command_line": ["topobench"], "scenarios": described(chosen), "cores": cores, "cpu": "Tested </script> CPU",
        "os": "Linux", "build": build, "competing_threads": load,
        "load_average": [max(0, load + dice.choice([0, -2.5, 4])), 0.1, 0.1], "steal_percent": dice.choice(["0.00", "0.00", "2.50", "12.00"])}


def described(chosen):
    """The fields of each scenario, as JSON."""
    own = random.Random(json.dumps(chosen[0]["topologies"]))
    names = dict.fromkeys(setting["scenario"] for setting in chosen)
    return [{field: json.dumps(value) for field, value in {"name": name, **own.choice(WORKS)}.items()} for name in names]


def second(dice, chosen):
    """What the second report changes: the kind, its host, the speed."""
    kind = dice.choice(["same", "slower", "other machine", "regression", "improvement", "counts", "unknown host"])
    target = dice.choice(chosen[0]["topologies"])["topology"]
    for setting in chosen:
        if kind in ("regression", "improvement"):
            setting["change"] = {target: 1.6 if kind == "regression" else 0.5}
        for truth in setting["topologies"] if kind == "counts" else []:
            if truth["topology"] == target:
                truth["counts"] = {name: value + 7 for name, value in truth["counts"].items()}
    # Counted cells have no common cell with timed ones.
    if dice.random() < (0.3 if chosen[0]["counted"] else 0.03):
        for setting in chosen:
            setting["counted"] = not setting["counted"]
    host = {"other machine": "two", "unknown host": ""}.get(kind, "one")
    return {"kind": kind, "topology": target, "host": host,
            "slower": round(dice.uniform(1.2, 2.5), 2) if kind in ("slower", "other machine") else 1}


def truths(chosen):
    return [{key: setting[key] for key in ("scenario", "parameters", "store", "trials", "topologies")}
            for setting in chosen]


def report(dice, folder):
    os.makedirs(folder, exist_ok=True)
    chosen = settings(dice)
    write(f"{folder}/a.csv", [row for one in chosen for row in cells(dice, one, 1)], dice, "one")
    if dice.random() < 0.3:
        with open(f"{folder}/a.env.json", "w", encoding="utf-8") as file:
            json.dump(environment(dice, chosen), file)
    truth = {"settings": json.loads(json.dumps(truths(chosen)))}
    if (chosen[0]["asks"] == "change" or chosen[0]["counted"]) and dice.random() < 0.5:
        truth["second"] = change = second(dice, chosen)
        for side in "bc" if dice.random() < 0.4 else "b":
            rows = [row for one in chosen for row in cells(dice, one, change["slower"])]
            # The candidates may lack a topology, or have one of their own.
            left_out = dice.choice(chosen[0]["topologies"])["topology"] if dice.random() < 0.2 and len(chosen[0]["topologies"]) > 1 else None
            write(f"{folder}/{side}.csv", [row for row in rows if row["topology"] != left_out], dice, change["host"])
    with open(f"{folder}/truth.json", "w", encoding="utf-8") as file:
        json.dump(truth, file, indent=1, ensure_ascii=False)
    if dice.random() < 0.02:
        duet(dice, folder)


# A build for a duet: it reads a specification, and answers with a cell that it makes up.
BUILD = """#!/usr/bin/env python3
import json, random, sys
asked, truth = json.load(sys.stdin), {truth}
if "--check" in sys.argv:
    print(json.dumps(dict(protocol="topobench-cell/1", topobench="0", git_sha="", build="release", scenario_digest="d",
                          topologies=[dict(name=name) for name in truth])))
    sys.exit()
blocked, spread, count = truth[asked["topology"]]
dice = random.Random(f"{{sys.argv[0]}} {{asked['topology']}} {{asked['order']}} {seed}")
result = dict(schema="{schema}", run_id=asked["runID"], started_at="2026-01-02T03:04:05Z", git_sha="", label=asked["label"],
              host_id="one", scenario=asked["scenario"], scenario_digest="d", parameters=asked["parameters"],
              topology=asked["topology"], store=asked["store"], trial=asked["trial"], order=asked["order"],
              seed=asked["seed"], status="ok" if dice.random() > 0.01 else "wrong", error="", fingerprint="f00d")
result["metrics"] = dict(main_blocked_ms=round(blocked * dice.gauss(1, spread), 3), main_statements=count,
                         main_longest_gap_ms=round(5 * dice.gauss(1, spread), 3),
                         longest_gap_cause=dice.choice(["merge"] * 4 + ["harness"]), total_ms=60, raw_sqlite_ms=12, visible_ms=50)
result["metrics"] |= dict(main_executing_ms=result["metrics"]["main_blocked_ms"],
                          **{{f"main_wait_{{cause}}_ms": 0 for cause in ("parent", "coordinator", "sqlite", "queue", "other")}})
print(json.dumps(dict(protocol="topobench-cell/1", specification=asked, result=result, windows=[], unsteady_counts=[])))
"""


def duet(dice, folder):
    """Two builds, of which one may be slower or count more."""
    names = dice.sample(NAMES[:8], dice.choice([1, 2]))
    times = {name: (dice.choice([0.5, 20]), dice.choice([0.01, 0.05, 0.2]), 901) for name in names}
    factor, more = dice.choice([(1, 0), (1, 0), (1.05, 0), (1.4, 0), (1, 1), (0.7, 0)])
    for build in ("old", "new"):
        with open(f"{folder}/{build}", "w", encoding="utf-8") as file:
            file.write(BUILD.format(truth=times, seed=dice.random(), schema=SCHEMA))
        os.chmod(f"{folder}/{build}", 0o755)
        times = {name: (blocked * factor, spread, count + more) for name, (blocked, spread, count) in times.items()}


# --- Reports for pages --------------------------------------------------------------------------

SCENARIOS = ["<script>alert(1)</script>", "\"'><img src=x onerror=alert(2)>&amp;", "very long " * 1000,
             "\u202egnirts desrever\u202c and \u05e9\u05dc\u05d5\u05dd", "../../../../etc/passwd", "]]><!-- -->"]


def pages(folder):
    """big.csv: 20 scenarios, 12 topologies and 30 trials with documents; hostile.csv; old.csv and new.csv."""
    os.makedirs(f"{folder}/big.cells", exist_ok=True)
    dice = random.Random(1)
    write(f"{folder}/big.csv", several(dice, [f"scenario-{n}" for n in range(20)], NAMES[:12], 30), dice, "one")
    with open(f"{folder}/big.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            # All trials are equal, so this is the median one, which a page shows.
            if row["trial"] == "15":
                document(dice, folder, row)
    write(f"{folder}/hostile.csv", several(dice, SCENARIOS, HOSTILE + ["x" * 10000], 8, longest_gap_cause="<svg onload=alert(5)>",
                                           label="<i>label</i>" * 50), dice, "one")
    for name, factor in (("old", 1), ("new", 1.3)):
        write(f"{folder}/{name}.csv", several(random.Random(2), ["5000-cities"], NAMES[:3], 12, factor), dice, "one")


def several(dice, scenarios, names, trials, factor=1, **labels):
    rows = []
    for scenario in scenarios:
        setting = dict(scenario=scenario, asks="change", parameters="", store="pool", modes={}, trials=trials, counted=False, runqueue=0, ui=0,
                       change={names[1]: factor}, failing=0, empty=[])
        setting["topologies"] = [topology_truth(dice, name, 14) | {"unmeasured": False, "is_short": False, "instrument": 0, "spread": 0 if len(scenarios) == 20 else 0.03} for name in names]
        rows += [row | labels for row in cells(dice, setting, 1)]
    return rows


def document(dice, folder, row):
    """What a run keeps of a cell, as far as a page reads it."""
    total, at, gaps = float(row["total_ms"]), 0.0, []
    while at < total and len(gaps) < 120:
        length = min(total - at, dice.expovariate(1) * 2 + 0.05)
        gaps.append({"start": round(at, 3), "duration": round(length, 3), "cause": dice.choice(["list", "save", "fetch", "merge"])})
        at += length + dice.random() * 2
    window = dict(total=total, saved=total - 9, durable=total - 8, visible=total, gaps=gaps, busyPeriods=[], executing=1,
                  waits={}, ui=0, checkpoint=0, frames=[], framesDue=3, framesLate=0, frameInterval=16.667,
                  heartbeats=[0.05] * 200, wakeHeartbeats=[], counts={}, changes=3628)
    result = {name: row[name] for name in COLUMNS[:17]} | {"metrics": {}}
    result.update((name, int(row[name])) for name in ("trial", "order", "seed"))
    name = f"{int(row['order']):04d}-{row['scenario']}-{row['topology']}-pool-{row['trial']}.json"
    with open(f"{folder}/big.cells/{name}", "w", encoding="utf-8") as file:
        json.dump({"result": result, "windows": [window] * 3}, file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--pages", action="store_true")
    parser.add_argument("folder")
    options = parser.parse_args()
    if options.pages:
        return pages(options.folder)
    for index in range(1, options.count + 1):
        report(random.Random(options.seed * 1_000_003 + index), f"{options.folder}/{index:04d}")


main()
