/// The style sheet of a page, with colours for light and for dark.
///
/// scripts/check-report.py measures the contrasts. Marks have at least 3 : 1 against their ground,
/// text has 4.5 : 1. Solid colours differ from each other, and hatched ones too, by a ΔE of at
/// least 15, also as colour-blind people see them.
enum PageStyle {
  static let rules: StaticString = """
    :root{color-scheme:light dark;--paper:#fffefb;--raised:#f5f3ec;--ink:#1d2127;--soft:#59616c;
    --rule:#dcd8cc;--link:#0b5c96;--idle:#ece8dc;--band:#cfdcea;--accent:#17629c;--alarm:#a63c00;
    --executing:#24456e;--reading:#2f93d6;--saving:#0b7a3b;--merging:#9b3fa0;--parent:#d96b10;
    --coordinator:#764f09;--sqlite:#930a42;--queue:#4a37a8;--other:#7a7f78;--drawing:#c27a00;
    --aside:#858585}
    @media screen and (prefers-color-scheme:dark){:root{--paper:#14171b;--raised:#1e2329;--ink:#e9e6df;
    --soft:#a4abb5;--rule:#39404a;--link:#7cc0f2;--idle:#2a3038;--band:#29455f;--accent:#6db6ec;
    --alarm:#ff9d62;--executing:#5f7be0;--reading:#bbe0ee;--saving:#22cc85;--merging:#c86fbf;
    --parent:#ed884c;--coordinator:#fac718;--sqlite:#f4266f;--queue:#8468e4;--other:#c7c8cc;
    --drawing:#e5c837;--aside:#76767a}}
    *{box-sizing:border-box}
    html{font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;
    -webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}
    body{margin:0 auto;max-width:56rem;padding:2.5rem 1.5rem 4rem;background:var(--paper);
    color:var(--ink);overflow-wrap:anywhere}
    h1,h2,.answer{font-family:Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,"DejaVu Serif",serif}
    h1{font-size:2.4rem;line-height:1.15;margin:.2rem 0 .8rem;letter-spacing:-.01em}
    h2{font-size:1.65rem;line-height:1.2;margin:0 0 .6rem}
    h3{font-size:1.05rem;margin:0 0 .2rem}
    h4{font-size:.95rem;margin:1rem 0 .2rem}
    p{margin:0 0 .8rem;max-width:42rem}
    a{color:var(--link);text-underline-offset:.15em}
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:2px}
    .skip{position:absolute;left:1rem;top:-4rem;background:var(--paper);padding:.5rem 1rem;z-index:1}
    .skip:focus{top:.5rem}
    .hatches{position:absolute;width:0;height:0;overflow:hidden}
    .kicker{color:var(--soft);font-size:.85rem;letter-spacing:.02em;margin:0}
    .caption,.note,footer{color:var(--soft)}
    .note,.caption{font-size:.925rem}
    .question{font-style:italic;color:var(--soft)}
    .answer{font-size:1.2rem;line-height:1.45}
    .not{border-left:4px solid var(--alarm);padding:.1rem 0 .1rem 1rem;font-size:.95rem}
    nav{background:var(--raised);border-radius:8px;padding:1.2rem 1.4rem .6rem;margin:2rem 0}
    nav h2{font-size:1.1rem}
    nav ol{padding-left:1.3rem;margin:.3rem 0 1rem}
    nav li{margin-bottom:.6rem}
    nav li span{display:block;font-size:.925rem;color:var(--soft)}
    article{border-top:3px solid var(--ink);margin-top:3.5rem;padding-top:1.2rem}
    .figure,.doubts,.rows,.environment{margin:2.4rem 0 0}
    article>ul{color:var(--alarm)}
    .caption{margin-bottom:.7rem}
    .key{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;padding:0;margin:0 0 .6rem;
    font-size:.85rem}
    .key svg{vertical-align:-2px;margin-right:.4rem}
    .chart{display:block;overflow:visible;margin:.4rem 0 0;font-variant-numeric:tabular-nums}
    .chart text{fill:var(--ink);font-size:13px}
    .chart .label,.chart .value,.chart .reference-label{paint-order:stroke;stroke:var(--paper);
    stroke-width:5px;stroke-linejoin:round}
    .chart .label{font-weight:600}
    .chart .second{font-weight:400;fill:var(--soft)}
    .chart .value{text-anchor:end;fill:var(--soft)}
    .chart .tick,.chart .axis-title,.chart .reference-label{fill:var(--soft);font-size:12px;
    text-anchor:middle}
    .chart .axis-title,.chart .last{text-anchor:end}
    .chart .first{text-anchor:start}
    .grid{stroke:var(--rule)}
    .axis{stroke:var(--soft)}
    .baseline{stroke:var(--rule)}
    .guide{stroke:var(--soft);stroke-dasharray:1 4}
    .reference{stroke:var(--alarm);stroke-dasharray:2 4;opacity:.7}
    .band{fill:var(--band)}
    .median{stroke:var(--ink);stroke-width:2}
    .whisker{stroke:var(--executing);stroke-width:3}
    .dot{fill:var(--executing);fill-opacity:.72;stroke:var(--paper);stroke-width:.75}
    .dot.hollow{fill:var(--paper);fill-opacity:.4;stroke:var(--executing);stroke-width:1.5}
    .dot.bad{fill:var(--alarm);fill-opacity:1}
    .idle{fill:var(--idle)}
    .milestone{fill:var(--ink)}
    .taps{fill:var(--reading);fill-opacity:.55;stroke:var(--reading);vector-effect:non-scaling-stroke}
    .late{fill:var(--parent)}
    .total{fill:var(--executing);fill-opacity:.45}
    .late.hollow,.total.hollow{fill-opacity:.2}
    .crossing{fill:var(--band);fill-opacity:.55}
    .use-executing{fill:var(--executing)}
    .use-reading{fill:var(--reading)}
    .use-saving{fill:var(--saving)}
    .use-merging{fill:var(--merging)}
    .use-drawing{fill:var(--drawing)}
    .use-aside{fill:var(--aside)}
    .use-parent{fill:url(#hatch-parent)}
    .use-coordinator{fill:url(#hatch-coordinator)}
    .use-sqlite{fill:url(#hatch-sqlite)}
    .use-queue{fill:url(#hatch-queue)}
    .use-other{fill:url(#hatch-other)}
    .ink-parent{fill:var(--parent)}
    .ink-coordinator{fill:var(--coordinator)}
    .ink-sqlite{fill:var(--sqlite)}
    .ink-queue{fill:var(--queue)}
    .ink-other{fill:var(--other)}
    .hatch{stroke:var(--paper);stroke-width:1.6}
    .series{--line:var(--executing)}
    .series-1{--line:var(--parent)}
    .series-2{--line:var(--saving)}
    .series-3{--line:var(--merging)}
    .series-4{--line:var(--coordinator)}
    .series-5{--line:var(--sqlite)}
    .series-6{--line:var(--reading)}
    .series-7{--line:var(--other)}
    .series line{stroke:var(--line);stroke-width:2.25}
    .series circle{fill:var(--line);stroke:var(--paper)}
    .series .leader{stroke-width:.75}
    .dashed line{stroke-dasharray:6 4}
    .chart .series .end{font-size:12px;font-weight:600}
    .behind{font-size:.875rem;margin-top:.3rem;color:var(--soft)}
    .behind p{margin:.2rem 0 0;font-size:1em}
    summary{cursor:pointer;color:var(--link)}
    .scroll{overflow-x:auto;max-width:100%;margin:.5rem 0}
    table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums;
    overflow-wrap:normal}
    caption{text-align:left;color:var(--soft);padding:.2rem 0 .5rem}
    th,td{padding:.3rem 1rem .3rem 0;text-align:right;vertical-align:top;
    border-bottom:1px solid var(--rule)}
    td{white-space:nowrap}
    .words{white-space:normal}
    thead th{vertical-align:bottom;font-weight:500;color:var(--soft);min-width:4rem;max-width:9rem}
    th:first-child,.words{text-align:left}
    tbody th{font-weight:600;white-space:nowrap}
    caption span{position:sticky;left:0;display:inline-block;max-width:min(42rem,calc(100vw - 3rem))}
    .group{padding-top:.9rem}
    .rows table,pre{font-size:.78rem}
    pre{font-family:ui-monospace,"SF Mono","DejaVu Sans Mono",monospace;max-height:30rem;overflow-y:auto}
    .rows thead th{max-width:none}
    .facts{width:100%;table-layout:fixed;margin-bottom:1rem}
    .facts th{width:38%;font-weight:500;overflow-wrap:anywhere;white-space:normal}
    .facts td{overflow-wrap:anywhere}
    footer{margin-top:4rem;font-size:.85rem}
    @media (max-width:40rem){body{padding:1.2rem 1rem 3rem}h1{font-size:1.8rem}h2{font-size:1.35rem}
    .answer{font-size:1.08rem}.chart text{font-size:12px}.chart .tick,.chart .axis-title{font-size:11px}
    .chart .series .end{font-size:11px}.chart .more{display:none}nav{padding:1rem}}
    @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
    @media print{:root{--paper:#fff;--raised:#fff;--ink:#000;--soft:#444;--rule:#ccc;--link:#000;
    --idle:#eee}
    html{font-size:11pt}body{max-width:none;padding:0}a{text-decoration:none}
    .skip,.behind,.rows{display:none}.scroll{overflow:visible}table{font-size:7.5pt}
    th,td{padding:.2rem .3rem .2rem 0}thead th{min-width:0}
    .figure,.doubts,tr,.chart{break-inside:avoid}h2,h3{break-after:avoid}
    article+article{break-before:page}
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
    """

  static var hatches: HTML {
    tag(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "class": "hatches", "width": "0", "height": "0",
        "aria-hidden": "true",
      ]
    ) {
      tag("defs") {
        for (cause, lines) in patterns {
          tag(
            "pattern",
            ["id": "hatch-\(cause)", "width": "6", "height": "6", "patternUnits": "userSpaceOnUse"]
          ) {
            HTML.void("rect", ["class": "ink-\(cause)", "width": "6", "height": "6"])
            HTML.void("path", ["class": "hatch", "d": lines])
          }
        }
      }
    }
  }

  private static let patterns: KeyValuePairs<MainUse, String> = [
    .parent: "M-1 7L7 -1M-1 1L1 -1M5 7L7 5", .coordinator: "M-1 -1L7 7M5 -1L7 1M-1 5L1 7",
    .sqlite: "M-1 7L7 -1M-1 -1L7 7", .queue: "M0 3H6", .other: "M3 0V6",
  ]
}
