/// The style sheet of a page, for light and for dark.
///
/// scripts/check-report.py measures the contrasts: at least 3 : 1 for marks, 4.5 : 1 for text. Any
/// two solid colours, and any two hatched ones, have a ΔE of at least 15, also as colour-blind
/// people see them.
enum PageStyle {
  static let rules: StaticString = """
    :root{color-scheme:light dark;--paper:#fffefb;--raised:#f5f3ec;--ink:#1d2127;--soft:#59616c;
    --rule:#dcd8cc;--link:#0b5c96;--idle:#ece8dc;--band:#cfdcea;--accent:#17629c;--alarm:#a63c00;
    --executing:#191126;--reading:#810d8b;--saving:#d07c19;--merging:#3292fe;--parent:#6c3500;
    --coordinator:#9d9303;--sqlite:#fb3a75;--queue:#d746d7;--other:#1e1a17;--drawing:#155425;
    --priced:#5c03f8;--aside:#848585}
    @media screen and (prefers-color-scheme:dark){:root{--paper:#14171b;--raised:#1e2329;--ink:#e9e6df;
    --soft:#a4abb5;--rule:#39404a;--link:#7cc0f2;--idle:#2a3038;--band:#29455f;--accent:#6db6ec;
    --alarm:#ff9d62;--executing:#dddbe6;--reading:#ab13f1;--saving:#c42600;--merging:#469bd3;
    --parent:#ffb21a;--coordinator:#f7f1d3;--sqlite:#cd0405;--queue:#d906be;--other:#817269;
    --drawing:#23ff7f;--priced:#fe8012;--aside:#737474}}
    *{box-sizing:border-box}
    html{font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;
    -webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}
    body{margin:0 auto;max-width:80rem;padding:1.2rem 1.5rem 3rem;background:var(--paper);
    color:var(--ink);overflow-wrap:anywhere}
    h1,h2,.answer{font-family:Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,"DejaVu Serif",serif}
    h1{font-size:1.5rem;line-height:1.2;margin:.1rem 0 .4rem;letter-spacing:-.01em}
    h2{font-size:1.3rem;line-height:1.2;margin:0 0 .3rem}
    h3{font-size:1.05rem;margin:0 0 .2rem}
    h4{font-size:.95rem;margin:1rem 0 .2rem}
    p{margin:0 0 .8rem;max-width:42rem}
    a{color:var(--link);text-underline-offset:.15em}
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:2px}
    .skip{position:absolute;left:1rem;top:-4rem;background:var(--paper);padding:.5rem 1rem;z-index:1}
    .skip:focus{top:.5rem}
    .hatches{position:absolute;width:0;height:0;overflow:hidden}
    .kicker{max-width:none;color:var(--soft);font-size:.85rem;letter-spacing:.02em;margin:0}
    .caption,.note,footer{color:var(--soft)}
    .note,.caption{font-size:.925rem}
    .question{font-style:italic;color:var(--soft)}
    .answer{font-size:1.1rem;line-height:1.4;max-width:none}
    .trust{font-size:.925rem;margin:0 0 .5rem;max-width:none}
    .grade{font-weight:600}
    .fair,.discard{color:var(--alarm)}
    .not{border-left:4px solid var(--alarm);padding:.1rem 0 .1rem 1rem;font-size:.95rem}
    nav h2{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
    nav ol{padding-left:1.3rem;margin:.3rem 0 .6rem;columns:24rem auto;column-gap:2rem}
    nav li{margin-bottom:.3rem;break-inside:avoid}
    nav .note{margin:0 0 .5rem;max-width:none}
    nav li span{display:block;font-size:.925rem;color:var(--soft)}
    article{border-top:2px solid var(--ink);margin-top:2rem;padding-top:.7rem}
    nav+main>article:first-child{margin-top:0}
    .figure,.doubts,.rows,.environment,#topologies{margin:2rem 0 0}
    article>ul:not(.key){color:var(--alarm)}
    .caption{margin-bottom:.5rem;max-width:none}
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
    .reference{stroke:var(--alarm);stroke-dasharray:2 4;opacity:.7}
    .median{stroke:var(--ink);stroke-width:2}
    .whisker{stroke:var(--accent);stroke-width:3}
    .dot{fill:var(--accent);fill-opacity:.72;stroke:var(--paper);stroke-width:.75}
    .dot.hollow{fill:var(--paper);fill-opacity:.4;stroke:var(--accent);stroke-width:1.5}
    .dot.bad{fill:var(--alarm);fill-opacity:1}
    .idle{fill:var(--idle)}
    .milestone{fill:var(--ink)}
    .tap{fill:var(--accent)}
    .least{fill:var(--paper);stroke:var(--accent);stroke-width:1.5}
    .late{fill:var(--saving)}
    .total{fill:var(--accent);fill-opacity:.45}
    .late.hollow,.total.hollow{fill-opacity:.2}
    .crossing{fill:var(--band);fill-opacity:.55}
    .use-executing{fill:var(--executing)}
    .use-reading{fill:var(--reading)}
    .use-saving{fill:var(--saving)}
    .use-merging{fill:var(--merging)}
    .use-drawing{fill:var(--drawing)}
    .use-priced{fill:var(--priced)}
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
    .series{--line:var(--merging)}
    .series-1{--line:var(--saving)}
    .series-2{--line:var(--executing)}
    .series-3{--line:var(--drawing)}
    .series-4{--line:var(--reading)}
    .series-5{--line:var(--aside)}
    .series-6{--line:var(--priced)}
    .series line{stroke:var(--line);stroke-width:2.25}
    .series circle{fill:var(--line);stroke:var(--paper)}
    .series .leader{stroke-width:.75}
    .dashed line{stroke-dasharray:6 4}
    .chart .series .end{font-size:12px;font-weight:600}
    .board{width:100%;table-layout:fixed;font-size:.875rem}
    .board caption{padding:0 0 .2rem}
    .board th,.board td{border:0;padding:0 .4rem;line-height:24px;vertical-align:middle;min-width:0;
    max-width:none;white-space:normal;overflow-wrap:anywhere}
    .board thead th{line-height:1.2;padding-bottom:.2rem;vertical-align:bottom;overflow-wrap:normal}
    .board tbody tr:hover{background:var(--raised)}
    .board .letter{width:2.8em;text-align:left;color:var(--soft);padding-left:0}
    .board .name{width:17em;text-align:left}
    .board .dots{text-align:left;padding:0 .8rem}
    .board .strip{width:22%;text-align:left;padding:0 .3rem 0 .8rem}
    .board .median,.board .gap{width:5.4em;stroke:none}
    .board .gap{width:7em}
    .board .count{width:13.4em;white-space:nowrap}
    .mark{display:block;height:24px;overflow:visible}
    .mark .median{stroke:var(--ink);stroke-width:2}
    .mark text{fill:var(--soft);font-size:12px;text-anchor:middle;font-variant-numeric:tabular-nums}
    .mark .first{text-anchor:start}
    .mark .last{text-anchor:end}
    tfoot .mark{height:17px}
    .multiples .figure{margin-top:1rem}
    .multiples{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(30rem,100%),1fr));gap:0 2rem}
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
    @media (max-width:79.9rem){.board .fine{display:none}}
    @media (max-width:40rem){body{padding:.8rem 1rem 3rem}h1{font-size:1.25rem}h2{font-size:1.1rem}
    .answer{font-size:1rem}.kicker,.trust{font-size:.8rem}
    .chart text{font-size:12px}.chart .tick,.chart .axis-title{font-size:11px}
    .chart .series .end{font-size:11px}.chart .more{display:none}.key{gap:0 .7rem;font-size:.75rem}
    nav .note{font-size:.8rem}}
    @media screen and (max-width:60rem){.board .more{display:none}
    .board,.board thead,.board tbody,.board tfoot,.board caption{display:block;width:auto}
    .board tr{display:grid;grid-template:"letter name median gap count" auto "dots dots dots strip strip" auto/
    1.8rem minmax(0,1fr) 2.6rem 2.8rem 6.4rem;font-size:11px}
    .board th,.board td,.board thead th{width:auto!important;padding:0;line-height:12px;font-size:11px}
    .board .letter{grid-area:letter}.board .name{grid-area:name}.board .median{grid-area:median}
    .board thead .letter{visibility:hidden}.board .gap{grid-area:gap}.board .count{grid-area:count}
    .board .dots{grid-area:dots;padding:0 .8rem 0 .2rem}.board .strip{grid-area:strip;padding:0}
    .board tbody .mark{height:12px}.board circle{r:2.5px}.mark text{font-size:11px}}
    @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
    @media print{:root{--paper:#fff;--raised:#fff;--ink:#000;--soft:#444;--rule:#ccc;--link:#000;
    --idle:#eee}
    html{font-size:10pt}body{max-width:none;padding:0}a{text-decoration:none}
    .skip,.behind,.rows{display:none}.scroll{overflow:visible}table{font-size:7.5pt}
    th,td{padding:.2rem .3rem .2rem 0}thead th{min-width:0}
    .figure,.doubts,tr,.chart,article:has(>details){break-inside:avoid}
    h2,h3,.answer,.note,.key,.caption{break-after:avoid}
    h1{font-size:15pt}nav{display:none}.multiples{grid-template-columns:1fr 1fr}
    details:not([open]),.board .fine{display:none}.board{font-size:7.5pt;break-inside:avoid}
    .board .name{width:15em}.board .gap{width:5.5em}.board .count{width:12em}.board .strip{width:18%}
    .mark text{font-size:9px}
    .facts{font-size:7pt}.facts th,.facts td{padding:.05rem .3rem .05rem 0}
    .figure,.doubts,.environment{margin-top:.8rem}
    article{margin-top:1rem}
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
