"""Tables in pages that scripts write, each between two comments that name it and its script."""


def table(head, rows, numbers):
    marks = ["---:" if index in numbers else ":---" for index in range(len(head))]
    return ["| " + " | ".join(row) + " |" for row in [head, marks, *rows]]


def listed(words):
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def renewed(path, makers, script, is_check):
    """Whether the page's tables differ from what the makers give; writes them unless checking."""
    with open(path, encoding="utf-8") as file:
        page = old = file.read()
    for make in makers:
        name = make.__name__
        begin, end = f"<!-- {name}: {script} -->\n", f"<!-- end of {name} -->"
        if page.count(begin) != 1 or page.count(end) != 1:
            raise SystemExit(f"{path}: the comments of the part '{name}' are missing")
        before, rest = page.split(begin)
        page = before + begin + "".join(line + "\n" for line in make()) + end + rest.split(end)[1]
    if page != old and not is_check:
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
    return page != old
