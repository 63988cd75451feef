#!/usr/bin/env python3
"""Checks what only a browser shows of pages of `topobench report`: check-report.py PAGE …

Opens each page in headless Chromium, light and dark, at the sizes of a desk, a phone and print: labels that
are cut, texts over texts, what the first screen has, contrast, requests, and accessibility. Needs no
browser for links, headings, drawings without a description, and colours that some people cannot tell
apart. scripts/check-answers reads the figures. Uses the standard library only. `--axe FILE` also runs
axe-core, `--pictures FOLDER` saves screenshots, and `--no-browser` skips the browser.
"""

import argparse
import itertools
import math
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

import browser

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
WAITS = ["parent", "coordinator", "sqlite", "queue", "other"]
SIZES = [(1280, 800), (390, 844), (794, 1123), (1600, 1000)]

failures = []
checked = 0


def expect(holds, what):
    global checked
    checked += 1
    if not holds:
        failures.append(what)


def text(element):
    return "".join(element.itertext())


# --- Without a browser ---------------------------------------------------------------------------

def check_structure(root):
    expect(root.get("lang") == "en", "the page has no language")
    for kind in ("main", "nav", "header", "footer", "h1"):
        expect(next(root.iter(f"{HTML}{kind}"), None) is not None, f"no <{kind}>")
    expect(not list(root.iter(f"{HTML}script")), "there is a script")
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    expect(len(ids) == len(set(ids)), "an id stands twice")
    level = 0
    for element in root.iter():
        name, target = element.tag.split("}")[-1], element.get("href")
        if re.fullmatch("h[1-4]", name):
            expect(int(name[1]) <= level + 1, f"<{name}> {text(element)[:40]!r} follows <h{level}>")
            level = int(name[1])
        expect(target is None or target[:1] == "#" and target[1:] in ids and text(element).strip(), f"a link to {target}")
        expect(all(name in ids for name in (element.get("aria-labelledby") or "").split()), f"<{name}> has no such label")
        expect(element.get("role") != "img" or (element.get("aria-label") or "").strip(), "a drawing without a description")
        expect(element.tag != f"{HTML}section" or element.get("class") != "figure" or list(element.iter(f"{HTML}table")),
               "a figure without its table")
    for found in root.iter(f"{HTML}table"):
        expect(found.find(f"{HTML}caption") is not None, f"a table without caption: {found.get('id')}")
        expect(all(th.get("scope") for th in found.iter(f"{HTML}th")), "a heading of a table without scope")


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


# --- In a browser --------------------------------------------------------------------------------

def check_in_browser(tab, page, root, pictures, axe):
    url = "file://" + os.path.abspath(page)
    for width, height in SIZES:
        for scheme in ("light", "dark"):
            place = f"{width}×{height} {scheme}"
            tab.show(url, width, height, scheme)
            look = check_look(tab, place)
            check_first_screen(look, root, height, place)
            contrast = tab.run(CONTRAST)
            expect(contrast["count"] > 10 and not contrast["bad"], f"{place}: contrast {contrast['bad']}")
            tab.run("document.querySelectorAll('details').forEach(d => d.open = true)")
            look = tab.run(LAYOUT)
            expect(look["scroll"] <= look["client"], f"{place}: scrolls sideways when unfolded")
            if axe and (width > 600) == (scheme == "light"):
                check_by_axe(tab, axe, place)
            others = [request for request in tab.requests if request != url and not request.startswith("data:")]
            # axe-core may have written to the console.
            expect(not others and not tab.console, f"{place}: asked for {others[:3]}, console: {tab.console[:3]}")
            if pictures:
                tab.show(url, width, height, scheme)
                tab.picture(os.path.join(pictures, f"{width}-{scheme}.png"))
    tab.show(url, 794, 1123, "light", "print")
    check_look(tab, "print")
    if pictures:
        tab.show(url, 1280, 800)
        tab.print(os.path.join(pictures, "print.pdf"))


def check_look(tab, place):
    look = tab.run(LAYOUT)
    expect(look["scroll"] <= look["client"], f"{place}: scrolls sideways, {look['scroll']} px")
    expect(not look["out"], f"{place}: text beyond its drawing: {look['out']}")
    expect(not look["over"], f"{place}: text over text: {look['over']}")
    expect(look["small"] == 0 or place == "print", f"{place}: {look['small']} texts below 11 px")
    return look


def check_first_screen(look, root, height, place):
    """A page of one or two settings shows its first chart without scrolling, in rows of 24 px."""
    settings = sum(article.get("data-store") is not None for article in root.iter(f"{HTML}article"))
    boards = [table for table in root.iter(f"{HTML}table") if (table.get("id") or "").endswith("-board")]
    topologies = max((len(table.find(f"{HTML}tbody")) for table in boards), default=0)
    is_comparison = any((table.get("id") or "").endswith("-change-table") for table in root.iter(f"{HTML}table"))
    if settings <= 2 and "1280" in place:
        expect(look["end"] <= height, f"{place}: the first chart ends at {look['end']} px")
        expect(topologies > 4 or look["height"] <= 3100 * settings, f"{place}: {look['height']} px long")
    if settings == 1 and not is_comparison:
        expect(look["end"] <= height, f"{place}: the main figure ends at {look['end']} px")
        expect(not look["tall"], f"{place}: rows of {look['tall'][:5]} px")


def check_by_axe(tab, axe, place):
    with open(axe, encoding="utf-8") as file:
        tab.run(file.read() + "\n;0")
    found = tab.run("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map("
                    "v => v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))))")
    expect(not found, f"{place}: axe-core: {found}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--axe")
    parser.add_argument("--pictures")
    parser.add_argument("--no-browser", action="store_true")
    options = parser.parse_args()
    tab = None if options.no_browser else browser.Browser(browser.find())
    try:
        for page in options.pages:
            before, root = len(failures), ElementTree.parse(page).getroot()
            check_structure(root)
            check_colours(root)
            pictures = options.pictures and os.path.join(options.pictures, os.path.basename(page).removesuffix(".html"))
            if pictures:
                os.makedirs(pictures, exist_ok=True)
            if tab:
                check_in_browser(tab, page, root, pictures, options.axe)
            print(*(f"  {page}: {failure}" for failure in failures[before:before + 40]), sep="\n", file=sys.stderr)
    finally:
        if tab:
            tab.close()
    print(f"{len(options.pages)} pages, {checked} checks, {len(failures)} failed", file=sys.stderr)
    sys.exit(1 if failures else 0)


main()
