#!/usr/bin/env python3
"""Checks what only a browser shows of pages of `topobench report`: browser.py PAGE …

Opens each page in headless Chromium, light and dark, at the sizes of a desk, a phone and print: labels that
are cut, texts over texts, what the first screen has, contrast, colours that some people cannot tell apart,
requests, and accessibility. scripts/check-answers reads what pages say. Speaks to the browser over its
debugging pipe, with the standard library only. `--axe FILE` also runs axe-core, `--pictures FOLDER` saves
screenshots.
"""

import argparse
import base64
import fcntl
import itertools
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

SIZES = [(1280, 800), (390, 844), (794, 1123), (1600, 1000)]

failures = []
checked = 0


def find():
    """The browser's path, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Browser:
    """One tab. What it said on its console and what it asked the network for are kept."""

    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="topobench-browser-")
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        # The browser reads descriptor 3 and writes descriptor 4.
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 20) for fd in (theirs_in, theirs_out)]
        os.close(theirs_in), os.close(theirs_out)

        def place():
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=place, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in high:
            os.close(fd)
        self.input, self.output, self.rest, self.count = ours_in, ours_out, b"", 0
        self.console, self.requests, self.loaded, self.session = [], [], False, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data):]
        while True:
            answer = self._next()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def _next(self):
        while b"\0" not in self.rest:
            piece = os.read(self.input, 1 << 20)
            if not piece:
                raise RuntimeError("the browser ended")
            self.rest += piece
        line, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(line)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, method, parameters):
        if method == "Runtime.consoleAPICalled":
            self.console.append(str([a.get("value") for a in parameters["args"]]))
        elif method == "Runtime.exceptionThrown":
            self.console.append(str(parameters["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.console.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def show(self, url, width, height, scheme="light", media=""):
        phone = width < 600
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if phone else 1, mobile=phone)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.console, self.requests, self.loaded = [], [], False
        self.call("Page.navigate", url=url)
        while not self.loaded:
            self._next()

    def run(self, script):
        """The value of a JavaScript expression; promises are waited for."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"])[:2000])
        return result["result"].get("value")

    def picture(self, path):
        """The whole page, however long."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def print(self, path):
        data = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        self.process.wait(timeout=20)
        shutil.rmtree(self.profile, ignore_errors=True)


# --- What a page looks like ----------------------------------------------------------------------


def expect(holds, what):
    global checked
    checked += 1
    if not holds:
        failures.append(what)


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
# Marks that stand beside each other: solid ones, and hatched ones.
FAMILIES = [["executing", "reading", "saving", "merging", "drawing", "priced", "aside"],
            ["parent", "coordinator", "sqlite", "queue", "other"]]
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


def check_colours(tab, place):
    """Marks are told from each other, whatever colours somebody sees."""
    for family in FAMILIES:
        colors = tab.run(f"{family}.map(name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim())")
        for vision, ((one, a), (other, b)) in itertools.product(VISIONS, itertools.combinations(zip(family, colors), 2)):
            difference = math.dist(lab(a, vision), lab(b, vision))
            expect(difference >= LEAST_DIFFERENCE, f"{place}, {vision}: {one} and {other} differ by {difference:.1f}")


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
    settings: document.querySelectorAll('article[data-store]').length,
    topologies: Math.max(0, ...[...document.querySelectorAll('table[id$="-board"] tbody')].map(b => b.rows.length)),
    isComparison: !!document.querySelector('table[id$="-change-table"]'),
    over: over.map(g => g.textContent.slice(0, 80)).slice(0, 5), scroll: s.scrollWidth, client: s.clientWidth, out: out.map(t => t.textContent).slice(0, 5),
    height: s.scrollHeight, small: [...document.querySelectorAll('svg text')].filter(t =>
      t.getBoundingClientRect().width && parseFloat(getComputedStyle(t).fontSize) < 11).length}; })()"""


def check_page(tab, page, pictures, axe):
    url = "file://" + os.path.abspath(page)
    for width, height in SIZES:
        for scheme in ("light", "dark"):
            place = f"{width}×{height} {scheme}"
            tab.show(url, width, height, scheme)
            look = check_look(tab, place)
            check_first_screen(look, height, place)
            check_colours(tab, place)
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


def check_first_screen(look, height, place):
    """A page of one or two settings shows its first chart without scrolling, in rows of 24 px."""
    settings = look["settings"]
    if settings <= 2 and "1280" in place:
        expect(look["end"] <= height, f"{place}: the first chart ends at {look['end']} px")
        expect(look["topologies"] > 4 or look["height"] <= 3100 * settings, f"{place}: {look['height']} px long")
    if settings == 1 and not look["isComparison"]:
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
    options = parser.parse_args()
    program = find()
    if not program:
        sys.exit("browser.py: Chromium is missing; type: apt-get install chromium")
    tab = Browser(program)
    try:
        for page in options.pages:
            before = len(failures)
            pictures = options.pictures and os.path.join(options.pictures, os.path.basename(page).removesuffix(".html"))
            if pictures:
                os.makedirs(pictures, exist_ok=True)
            check_page(tab, page, pictures, options.axe)
            print(*(f"  {page}: {failure}" for failure in failures[before:before + 40]), sep="\n", file=sys.stderr)
    finally:
        tab.close()
    print(f"{len(options.pages)} pages, {checked} checks, {len(failures)} failed", file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
