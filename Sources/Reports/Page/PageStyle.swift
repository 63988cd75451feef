/// The style sheet of a page, for light and for dark.
///
/// scripts/browser.py measures the contrasts: at least 3 : 1 for marks, 4.5 : 1 for text. Any
/// two solid colours, and any two hatched ones, have a ΔE of at least 15, also as colour-blind
/// people see them.
enum PageStyle {
  static let rules: StaticString = """
    :root{color-scheme:light dark;--paper:#fffefb;--raised:#f5f3ec;--ink:#1d2127;--soft:#59616c;
    --rule:#dcd8cc;--link:#0b5c96;--idle:#ece8dc;--accent:#17629c;--alarm:#a63c00;
    --executing:#191126;--reading:#810d8b;--saving:#d07c19;--merging:#3292fe;--parent:#6c3500;
    --coordinator:#9d9303;--sqlite:#fb3a75;--queue:#d746d7;--other:#1e1a17;--drawing:#155425;
    --priced:#5c03f8;--aside:#848585}
    @media screen and (prefers-color-scheme:dark){:root{--paper:#14171b;--raised:#1e2329;--ink:#e9e6df;
    --soft:#a4abb5;--rule:#39404a;--link:#7cc0f2;--idle:#2a3038;--accent:#6db6ec;
    --alarm:#ff9d62;--executing:#dddbe6;--reading:#ab13f1;--saving:#c42600;--merging:#469bd3;
    --parent:#ffb21a;--coordinator:#f7f1d3;--sqlite:#cd0405;--queue:#d906be;--other:#817269;
    --drawing:#23ff7f;--priced:#fe8012;--aside:#737474}}
    *{box-sizing:border-box}
    html{font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;
    -webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}
    body{margin:0 auto;max-width:80rem;padding:1rem 1.5rem 2rem;background:var(--paper);
    color:var(--ink);overflow-wrap:anywhere}
    h1,h2,.answer{font-family:Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,"DejaVu Serif",serif}
    h1{font-size:1.5rem;line-height:1.2;margin:.1rem 0 .4rem;letter-spacing:-.01em}
    h2{font-size:1.25rem;line-height:1.2;margin:0 0 .1rem}
    h3{font-size:1.05rem;margin:1.2rem 0 .1rem}
    h4{font-size:.95rem;margin:.8rem 0 .2rem}
    p{margin:0 0 .5rem}
    a{color:var(--link);text-underline-offset:.15em}
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:2px}
    .skip{position:absolute;left:1rem;top:-4rem;background:var(--paper);padding:.5rem 1rem;z-index:1}
    .skip:focus{top:.5rem}
    .hatches{position:absolute;width:0;height:0;overflow:hidden}
    .kicker{color:var(--soft);font-size:.85rem;letter-spacing:.02em;margin:0}
    .caption,.note,caption,footer{color:var(--soft)}
    .note,.caption,.trust,nav,footer,caption{font-size:.85rem;line-height:1.4}
    .question{font-style:italic;color:var(--soft)}
    .answer{font-size:1.1rem;line-height:1.35;margin:0 0 .2rem}
    .trust{margin:0 0 .3rem}
    .grade{font-weight:600}
    .fair,.discard{color:var(--alarm)}
    section:has(>.not){border-left:4px solid var(--alarm);padding-left:1rem}
    nav ul{display:flex;flex-wrap:wrap;gap:.1rem 1.5rem;list-style:none;padding:0;margin:0 0 .6rem}
    nav li:has(span){flex:1 0 24rem;max-width:100%}
    nav li span{display:block;color:var(--soft)}
    main>section,main>details{margin-top:1.4rem}
    article{border-top:2px solid var(--ink);margin-top:1.4rem;padding-top:.5rem}
    nav+main>article:first-child{margin-top:0}
    ul{margin:.3rem 0;padding-left:1.3rem}
    article>ul{color:var(--alarm)}
    .prose{columns:30rem;column-gap:2rem;font-size:.925rem}
    .prose h3{column-span:all}
    summary{cursor:pointer;color:var(--link)}
    details{margin-top:.5rem}
    details[open]{border-left:3px solid var(--rule);padding-left:.8rem}
    .scroll{overflow-x:auto;max-width:100%;margin:.3rem 0}
    table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums;
    overflow-wrap:normal}
    caption{text-align:left;padding:0 0 .3rem}
    .scroll caption>span{position:sticky;left:0;display:inline-block;max-width:calc(100vw - 3rem)}
    th,td{padding:.2rem 1rem .2rem 0;text-align:right;vertical-align:top;
    border-bottom:1px solid var(--rule)}
    td{white-space:nowrap}
    thead th{vertical-align:bottom;font-weight:500;color:var(--soft);line-height:1.25;min-width:4rem;
    max-width:9rem}
    tbody th{font-weight:600;white-space:nowrap}
    th:first-child,.words{text-align:left}
    .words{white-space:normal}
    .group{padding-top:.9rem}
    dl{columns:30rem;column-gap:2rem;font-size:.8rem}
    dt{font-weight:600;break-after:avoid}
    dd{margin:0 0 .3rem}
    pre{font:.78rem/1.45 ui-monospace,"SF Mono","DejaVu Sans Mono",monospace;max-height:30rem;
    overflow:auto;max-width:100%}
    .chart{width:100%;font-size:.875rem;margin:.2rem 0 0}
    .chart th,.chart td{border:0;padding:0 .8rem 0 0;line-height:22px;vertical-align:middle;
    white-space:nowrap;min-width:0}
    .chart thead th{line-height:1.2;vertical-align:bottom;max-width:none}
    [id$=sweep-table] thead th{white-space:normal}
    .chart tbody tr:hover{background:var(--raised)}
    .chart .name{text-align:left}
    .chart .letter{text-align:left;color:var(--soft)}
    .chart .words{white-space:nowrap}
    .chart .track{text-align:left}
    .chart td.track{padding:0 1.2rem 0 .4rem}
    .over{color:var(--alarm);font-weight:600}
    svg.marks{display:block;height:22px;min-width:2.5rem;overflow:visible}
    .chart tfoot td{vertical-align:top}
    tfoot svg.marks{height:16px}
    tfoot svg.tall{height:30px}
    .tick{fill:var(--soft);font-size:12px;text-anchor:middle}
    .tick.over{fill:var(--alarm);font-weight:400;font-size:11px}
    .tick.first{text-anchor:start}
    .tick.last{text-anchor:end}
    .grid{stroke:var(--rule)}
    .axis{stroke:var(--soft)}
    .limit{stroke:var(--alarm);stroke-dasharray:3 3}
    .median{stroke:var(--ink);stroke-width:2}
    .span{stroke:var(--accent);stroke-width:2}
    .dot{r:3.5px;fill:var(--accent);fill-opacity:.72;stroke:var(--paper);stroke-width:.75}
    .dot.hollow{fill:var(--paper);fill-opacity:.4;stroke:var(--accent);stroke-width:1.5}
    .dot.bad{fill:var(--alarm);fill-opacity:1}
    .bar{fill:var(--accent);fill-opacity:.45}
    .bar.hollow{fill-opacity:.2}
    .shape{fill:var(--ink)}
    .idle{fill:var(--idle)}
    .key{display:flex;flex-wrap:wrap;gap:0 1.1rem;color:var(--ink)}
    .key svg{vertical-align:-2px;margin-right:.4rem}
    .use-executing{fill:var(--executing)}.use-reading{fill:var(--reading)}
    .use-saving{fill:var(--saving)}.use-merging{fill:var(--merging)}
    .use-drawing{fill:var(--drawing)}.use-priced{fill:var(--priced)}.use-aside{fill:var(--aside)}
    .use-parent{fill:url(#hatch-parent)}.use-coordinator{fill:url(#hatch-coordinator)}
    .use-sqlite{fill:url(#hatch-sqlite)}.use-queue{fill:url(#hatch-queue)}
    .use-other{fill:url(#hatch-other)}.ink-parent{fill:var(--parent)}
    .ink-coordinator{fill:var(--coordinator)}.ink-sqlite{fill:var(--sqlite)}
    .ink-queue{fill:var(--queue)} .ink-other{fill:var(--other)}
    .hatch{stroke:var(--paper);stroke-width:1.6}
    footer{margin-top:2rem}
    @media screen and (min-width:56rem){
    .chart:has(tbody tr:nth-child(21)) tbody :is(th,td){line-height:19px}
    .chart:has(tbody tr:nth-child(21)) tbody svg.marks{height:19px}}
    @media screen and (max-width:56rem){body{padding:.6rem 1rem 2rem}h1{font-size:1rem}
    h2{font-size:.9rem}.answer{font-size:1rem}.kicker{display:none}
    .trust,.note,.caption,caption,nav{font-size:.74rem;line-height:1.3}nav ul{margin:0}
    .chart,.chart thead,.chart tbody,.chart tfoot,.chart caption{display:block;width:auto}
    .chart tr{display:flex;flex-wrap:wrap;font-size:11px}
    .chart tr::before{content:"";order:1;flex:1 0 100%}
    .chart th,.chart td,.chart thead th{flex:0 0 4.1em;padding:0 .3rem 0 0;line-height:11px;
    font-size:11px;white-space:normal;min-width:0}
    .chart th.name,.chart thead th.name{flex:1 1 0;overflow-wrap:anywhere;font-size:10px}
    [id$=sweep-table] thead th{overflow-wrap:anywhere}
    .chart .letter{flex-basis:2.5em;padding-right:0}
    .chart thead .letter{visibility:hidden}
    .chart .words{flex-basis:6em;white-space:normal}
    .chart td.long{flex-basis:4.51em;font-size:10px}
    .chart .track{order:2;flex:1 1 0;width:auto!important}
    .chart td.track{padding:0 .7rem 0 .2rem}
    .chart tbody svg.marks{height:11px}
    .chart:has(tbody tr:nth-child(21)) tbody svg.marks{height:7px}
    .dot{r:2.5px}
    .chart tfoot td:not(.track),.chart .wide{display:none}
    .tick{font-size:11px}.scroll th,.scroll td{font-size:11px;padding-right:.45rem}
    .scroll thead th{min-width:0}.scroll tbody th{white-space:normal;max-width:7rem}}
    @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
    @media print{:root{--paper:#fff;--raised:#fff;--ink:#000;--soft:#444;--rule:#ccc;--link:#000;
    --idle:#eee}
    html{font-size:10pt}body{max-width:none;padding:0}a{text-decoration:none}
    .skip,nav,details:not([open]){display:none}.scroll{overflow:visible}
    table,.chart{font-size:7.5pt}th,td{padding:.1rem .3rem .1rem 0}thead th{min-width:0}
    .chart th,.chart td{padding-right:.5rem;line-height:18px}svg.marks{height:18px}
    .chart thead th{white-space:normal}.tick{font-size:9px}.tick.over{font-size:9px}
    .tick.wide{display:none}
    .figure,tr,.chart,article:has(>details){break-inside:avoid}
    h2,h3,.answer,.note,caption{break-after:avoid}
    h1{font-size:15pt}article{margin-top:.8rem}
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
