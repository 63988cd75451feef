#!/usr/bin/env python3
"""Runs the parts of a soak, and keeps their tallies. scripts/soak starts it.

usage: soak.py [--parts NAME,…] [--seed S] --revision REVISION PRODUCT=PATH …
       soak.py --minutes N [--parts NAME,…] [--seed S] [--short] --revision REVISION PRODUCT=PATH …
       soak.py --resume --revision REVISION PRODUCT=PATH …
       soak.py --record [FILE …]

Without --minutes each part makes its number of tries. With it, the parts share the time, in slices of at most
ten minutes. .build/soak has the plan, and a tally of each slice: one JSON object a line, with the members name,
tries, failures, seeds (the first and the last), seconds, date and revision. An interrupted slice is repeated.
--record adds up the slices of each part, of .build/soak/tallies.jsonl or of the named files, and replaces its line
in results/soak.jsonl. There the member seeds has the first and the last seed of each range.
A new soak keeps tallies that were not recorded in .build/soak/tallies-N.jsonl.
"""
import argparse, datetime, json, os, random, shutil, signal, subprocess, sys, tempfile, time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FOLDER = os.path.join(ROOT, ".build/soak")
PLAN, TALLIES = os.path.join(FOLDER, "plan.json"), os.path.join(FOLDER, "tallies.jsonl")
RECORD = os.path.join(ROOT, "results/soak.jsonl")
# The end of the name of a copy that was recorded.
RECORDED = ".recorded"
LONGEST_SLICE = 600
# In seconds. The last try of a slice may take so long, or the build before the first one.
LONGEST_TRY, LONGEST_BUILD = 600, 3600
# A command that makes a number of tries.
LONGEST_COMMAND = 12 * 3600

# The name of the tally, its share of the time, its share in CI, and the command, which takes
# --seconds, --seed and --tally. Parts without a share make their number of tries only.
PARTS = [
    ("stories", 20, 0, ["story-soak"]),
    ("failing calls", 7, 5, ["fault-soak", "calls", "--every", "97"]),
    ("power cuts", 10, 5, ["fault-soak", "cuts"]),
    ("killed processes", 5, 3, ["fault-soak", "kills"]),
    ("killed runs", 20, 0, ["harness-soak", "kills"]),
    ("failing system calls", 10, 16, ["harness-soak", "calls"]),
    ("interleavings", 12, 10, ["interleaving-soak", "--schedules", "100"]),
    ("exhaustive orders", 2, 2, ["interleaving-soak", "--exhaustive", "--schedules", "20000"]),
    ("planted bugs", 0, 0, ["scripts/check-planted-bugs"]),
    ("hostile files", 8, 0, ["scripts/fuzz"]),
    ("mutated reports", 4, 0, ["scripts/test", "--filter", r"^EndToEndTests\.MutatedReportTests/"]),
    ("answers", 4, 0, ["scripts/check-answers"]),
]

# The numbers of tries, and the commands that make them. Each topology of contexts has 5,000 orders
# in each store mode. A repeated command goes on with the next seeds, and an interruption costs one.
TRIES = [
    *[("stories", ["story-soak", "--stories", "10000"])] * 10,
    ("failing calls", ["fault-soak", "calls"]),
    ("power cuts", ["fault-soak", "cuts"]),
    ("killed processes", ["fault-soak", "kills"]),
    *[("killed runs", ["harness-soak", "kills", "--ends", "1000"])] * 10,
    *[("failing system calls", ["harness-soak", "calls", "--trials", "500"])] * 6,
    ("interleavings", ["interleaving-soak", "--stories", ",two-writers", "--schedules", "5000"]),
    ("interleavings", ["interleaving-soak", "--stories", ",exact", "--schedules", "500"]),
    ("interleavings", ["interleaving-soak", "--stories", "contexts,", "--schedules", "10000"]),
    ("interleavings", ["interleaving-soak", "--stories", "queues,", "--schedules", "10000"]),
    ("exhaustive orders", ["interleaving-soak", "--stories", "queues,", "--exhaustive", "--schedules", "50000"]),
    ("planted bugs", ["scripts/check-planted-bugs"]),
    ("hostile files", ["scripts/fuzz", "--seconds", "600"]),
    ("mutated reports", next(part[3] for part in PARTS if part[0] == "mutated reports")),
    ("answers", ["scripts/check-answers", "--count", "5000"]),
]
MUTATIONS = 10000
# Another seed may miss a planted bug by chance.
OWN_SEEDS = {"planted bugs": 1}


def read_lines(path):
    """Without the torn last line of an interrupted write."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def write(path, text):
    """Whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def new_plan(options, products):
    """The seed, and either the seconds of each part or the commands in turn."""
    seed = random.randrange(1 << 32) if options.seed is None else options.seed
    if options.minutes is None:
        return {"seed": seed, "tries": [step for step in TRIES if step[0] in chosen(options.parts, TRIES)]}
    column = 2 if options.short else 1
    known = [part for part in PARTS if part[column] and (part[3][0] in products or "/" in part[3][0])]
    names = chosen(options.parts, known)
    known = [part for part in known if part[0] in names]
    whole = sum(part[column] for part in known)
    return {"seed": seed, "seconds": {part[0]: options.minutes * 60 * part[column] / whole for part in known}}


def chosen(text, parts):
    names = list(dict.fromkeys(part[0] for part in parts))
    for name in [] if text is None else text.split(","):
        if name not in names and name in dict(TRIES):
            sys.exit(f"soak: --parts: '{name}' has no share of the time; leave out --minutes")
        if name not in names:
            sys.exit(f"soak: --parts: no part has the name '{name}'; type some of: {','.join(names)}")
    return names if text is None else text.split(",")


def show(plan):
    if "tries" in plan:
        return print(f"{len(plan['tries'])} commands, from seed {plan['seed']}", flush=True)
    whole = sum(plan["seconds"].values())
    print(f"The mix of {whole / 60:.0f} minutes, from seed {plan['seed']}:")
    for name, seconds in plan["seconds"].items():
        print(f"  {100 * seconds / whole:3.0f} %  {name}")
    sys.stdout.flush()


def next_slice(plan, tallies):
    """A name, a command, the seconds (None for the command's tries) and a seed; None when all is done."""
    if "tries" in plan:
        if len(tallies) == len(plan["tries"]):
            return None
        step = plan["tries"][len(tallies)]
        seeds = [tally["seeds"][1] + 1 for other, tally in zip(plan["tries"], tallies) if other == step]
        return (*step, None, OWN_SEEDS.get(step[0], max(seeds, default=plan["seed"])))
    left = {name: seconds - sum(tally["seconds"] for tally in tallies if tally["name"] == name)
            for name, seconds in plan["seconds"].items()}
    name = max(left, key=lambda name: left[name] / plan["seconds"][name])
    # A slice ends with its last try, so a rest may be too small for another.
    if left[name] <= 0.02 * plan["seconds"][name]:
        return None
    seeds = [tally["seeds"][1] + 1 for tally in tallies if tally["name"] == name]
    command = next(part[3] for part in PARTS if part[0] == name)
    return name, command, min(left[name], LONGEST_SLICE), max(seeds, default=plan["seed"])


def finish(command, environment, limit):
    """The exit status; None after so many seconds. No process of the command is left."""
    # A caller may have blocked signals.
    process = subprocess.Popen(command, env=environment, start_new_session=True,
                               preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, ()))
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        # The products report what they try.
        process.send_signal(signal.SIGABRT)
        time.sleep(1)
        return None
    finally:
        if process.poll() is None:
            process.kill()
        # Those that it started have process groups of their own.
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.getsid(int(number)) == process.pid:
                    os.kill(int(number), signal.SIGKILL)
            except OSError:  # It has ended.
                pass
        process.wait()


def run(name, command, seconds, seed, products):
    """One slice's tally."""
    program, *arguments = command
    command = [products.get(program, os.path.join(ROOT, program)), *arguments]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tally.jsonl")
        options = ["--seed", str(seed), "--tally", path]
        if seconds is not None:
            options += ["--seconds", str(max(1, round(seconds)))]
        environment = dict(os.environ)
        if name == "mutated reports":
            environment["TOPOBENCH_SOAK_OPTIONS"] = " ".join(options)
            environment["TOPOBENCH_MUTATIONS"] = str(MUTATIONS)
            options = []
        print(f"\n=== {name}" + ("" if seconds is None else f", {seconds:.0f} s"), flush=True)
        began = time.monotonic()
        # A script builds first.
        limit = LONGEST_COMMAND if seconds is None else 2 * seconds + (LONGEST_BUILD if "/" in program else LONGEST_TRY)
        status = finish([*command, *options], environment, limit)
        # Any other signal is a crash, which is a failure.
        if status in (-signal.SIGHUP, -signal.SIGINT, -signal.SIGKILL, -signal.SIGTERM, 130):
            sys.exit(130 if status in (-2, 130) else f"{name} was ended by signal {-status}")
        found = read_lines(path)
    # A product adds a tally when it crashes. Others that stopped, or skipped their work, have none.
    tally = found[0] if found else {"name": name, "tries": 0, "failures": 0, "seeds": [seed, seed]}
    if status != 0 and tally["failures"] == 0:
        tally["failures"] = 1
    if status is None:
        print(f"{name} hangs: no end after {limit:.0f} s, from seed {tally['seeds'][0]} on", flush=True)
    # Its time is over, or each of its slices might crash at once.
    tally["seconds"] = max(round(time.monotonic() - began, 3), 0 if tally["tries"] else seconds or 0)
    return tally


def soak(options, products):
    os.makedirs(FOLDER, exist_ok=True)
    if options.resume:
        if not os.path.exists(PLAN):
            sys.exit("soak: nothing to resume; type: scripts/soak")
        with open(PLAN, encoding="utf-8") as file:
            plan = json.load(file)
        for tally in read_lines(TALLIES):
            if tally["revision"] != options.revision:
                sys.exit(f"soak: it began on {tally['revision']}, this is {options.revision}; check that out, or "
                         "begin again: scripts/soak")
        # Nothing is appended to a torn line.
        write(TALLIES, "".join(json.dumps(tally, sort_keys=True) + "\n" for tally in read_lines(TALLIES)))
    else:
        plan = new_plan(options, products)
        keep_unrecorded()
        write(TALLIES, "")
        write(PLAN, json.dumps(plan) + "\n")
    show(plan)
    while found := next_slice(plan, read_lines(TALLIES)):
        tally = run(*found, products)
        tally["date"] = datetime.date.today().isoformat()
        tally["revision"] = options.revision
        with open(TALLIES, "a", encoding="utf-8") as file:
            file.write(json.dumps(tally, sort_keys=True) + "\n")
    return summed(read_lines(TALLIES))


def keep_unrecorded():
    """Tallies of a changed checkout cannot be recorded."""
    tallies = read_lines(TALLIES)
    if tallies == read_lines(TALLIES + RECORDED) or any(tally["revision"].endswith("-dirty") for tally in tallies):
        return
    if not any(tally["tries"] or tally["failures"] for tally in tallies):
        return
    number = next(number for number in range(1, len(os.listdir(FOLDER)) + 2) if not os.path.exists(kept(number)))
    os.replace(TALLIES, kept(number))
    path = os.path.relpath(kept(number), ROOT)
    print(f"The last tallies are not recorded. They are kept; to record them, type: scripts/soak --record {path}")


def kept(number):
    return os.path.join(FOLDER, f"tallies-{number}.jsonl")


def joined(seeds):
    """The first and the last seed of each range, without overlaps."""
    ranges = []
    for first, last in sorted(zip(seeds[::2], seeds[1::2])):
        if ranges and first <= ranges[-1] + 1:
            ranges[-1] = max(ranges[-1], last)
        else:
            ranges += [first, last]
    return ranges


def summed(tallies):
    """One tally of each part, in the order of the parts."""
    sums = {}
    for tally in tallies:
        total = sums.setdefault(tally["name"], dict(tally, tries=0, failures=0, seconds=0))
        for member in ("tries", "failures", "seconds"):
            total[member] = round(total[member] + tally[member], 1)
        total["seeds"] = joined(total["seeds"] + tally["seeds"])
        total["date"], total["revision"] = tally["date"], tally["revision"]
    return [sums[part[0]] for part in PARTS if part[0] in sums]


def table(tallies):
    lines = [f"{'part':22}{'tries':>12}{'failures':>10}{'seconds':>9}  seeds"]
    for tally in tallies:
        seeds = ", ".join(f"{first}–{last}" for first, last in zip(tally["seeds"][::2], tally["seeds"][1::2]))
        lines.append(f"{tally['name']:22}{tally['tries']:>12,}{tally['failures']:>10}{tally['seconds']:>9.0f}"
                     f"  {seeds}" + ("" if tally["tries"] or tally["failures"] else "  skipped"))
    return "\n".join(lines)


def record(files):
    for file in files:
        if not os.path.exists(file):
            sys.exit(f"soak: no file '{file}'; a checkout's last tallies are in .build/soak/tallies.jsonl")
    files = list({os.path.realpath(file): file for file in files or [TALLIES]}.values())
    tallies = [tally for file in files for tally in read_lines(file)]
    new = {tally["name"]: tally for tally in summed(tallies) if tally["tries"] or tally["failures"]}
    if not new:
        sys.exit("soak: no tallies to record; type: scripts/soak")
    revisions = sorted({tally["revision"] for tally in tallies})
    if any(revision.endswith("-dirty") for revision in revisions):
        sys.exit("soak: the tallies are of a changed checkout; commit, then soak again")
    if len(revisions) > 1:
        sys.exit(f"soak: the tallies are of the revisions {', '.join(revisions)}; record those of one revision")
    old = {tally["name"]: tally for tally in read_lines(RECORD)}
    lines = [(old | new)[part[0]] for part in PARTS if part[0] in old | new]
    write(RECORD, "".join(json.dumps(line, sort_keys=True) + "\n" for line in lines))
    for file in files:
        shutil.copyfile(file, file + RECORDED)
    print(table(lines))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--parts")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--revision", default="")
    for flag in ("--short", "--resume", "--record"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("products", nargs="*", help="or the files to record")
    options = parser.parse_args()
    if options.record:
        return record(options.products)
    if options.minutes is not None and options.minutes <= 0:
        sys.exit("soak: --minutes must be above 0")
    tallies = soak(options, dict(product.split("=", 1) for product in options.products))
    print("\n" + table(tallies))
    if any(tally["failures"] for tally in tallies):
        sys.exit(1)


# The part that runs is ended too.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
