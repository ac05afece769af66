import { ladderStyle } from './ladder.ts';

const lightScheme = `
  --page: #fff; --panel: #f6f8fa; --line: #d3dae3; --text: #1b1f24; --dim: #57606a; --link: #0b57b0; --focus: #0b57b0;
  --pass: #1a7f46; --fail: #c0262d; --warn: #9a6100; --info: #0b6e8a; --none: #6e7781; --known: #8250a8;
  --bad: var(--fail); --band: #fdecec; --box: #eef2f7; --mark: #fff3c4;`;

const darkScheme = `
  --page: #14181d; --panel: #1b2027; --line: #39424e; --text: #e6e9ee; --dim: #9aa4b2; --link: #7fb6ff; --focus: #7fb6ff;
  --pass: #4cc38a; --fail: #ff7b7f; --warn: #e0a94a; --info: #55c0dc; --none: #8b949e; --known: #c69af0;
  --bad: var(--fail); --band: #3a1d20; --box: #232a33; --mark: #4d4314;`;

/** Style of the report: light and dark by the reader's setting or the page's own switch, wide and narrow. */
export const pageStyle = `
:root { color-scheme: light dark; ${lightScheme} }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { ${darkScheme} } }
:root[data-theme="dark"] { color-scheme: dark; ${darkScheme} }
:root[data-theme="light"] { color-scheme: light; }
* { box-sizing: border-box; }
html { scroll-padding-top: 6rem; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
main, header.top { max-width: 1100px; margin: 0 auto; padding: 0 1rem; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
h1 { font-size: 1.5rem; margin: 1.2rem 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
h3 { font-size: 1.02rem; margin: 1.4rem 0 .4rem; }
code, pre, .mono { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .86em; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; overflow-x: auto; margin: .4rem 0; }
.dim { color: var(--dim); }
.facts { color: var(--dim); margin: 0 0 .8rem; }
nav.bar { position: sticky; top: 0; z-index: 5; background: var(--page); border-bottom: 1px solid var(--line); }
nav.bar > div { max-width: 1100px; margin: 0 auto; padding: .5rem 1rem; display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: center; }
nav.bar a { text-decoration: none; }
nav.bar button { margin-left: auto; }
button, select, input { font: inherit; color: var(--text); background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .2rem .6rem; }
button { cursor: pointer; }
.sum { border-left: 5px solid var(--none); background: var(--panel); padding: .6rem .9rem; border-radius: 0 6px 6px 0; margin: .6rem 0; }
.sum.fail { border-color: var(--fail); } .sum.pass { border-color: var(--pass); } .sum.warn { border-color: var(--warn); }
.sum strong { font-size: 1.1rem; } .sum p { margin: .2rem 0; }
b[class^=v-] { display: inline-block; min-width: 6.2em; text-align: center; border-radius: 4px; padding: 0 .4em; font-size: .82em; font-weight: 600; border: 1px solid currentColor; white-space: nowrap; }
.v-pass { color: var(--pass); } .v-fail, .v-error { color: var(--fail); } .v-deviation, .v-inconclusive { color: var(--warn); }
.v-observed { color: var(--info); } .v-vacuous, .v-unsupported { color: var(--none); } .v-known { color: var(--known); }
.v-proved, .v-covered { color: var(--pass); } .v-unproved, .v-unexercised { color: var(--warn); } .v-open { color: var(--fail); } .v-excused, .v-leads-on, .v-model { color: var(--none); }
.v-fail, .v-error { background: var(--band); }
.controls { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; margin: .6rem 0; }
.controls input[type=search] { flex: 1 1 14rem; min-width: 0; padding: .35rem .6rem; }
.chip { display: inline-flex; gap: .4em; align-items: baseline; }
.chip[aria-pressed=true] { background: var(--mark); border-color: var(--focus); }
.chip span { color: var(--dim); }
.matrix { columns: 20.5rem; column-gap: 2rem; }
.matrix .line { display: flex; gap: .6rem; padding: .12rem 0; break-inside: avoid; align-items: flex-start; border-bottom: 1px dotted var(--line); }
.matrix .line > a { flex: 0 0 12.5rem; overflow-wrap: anywhere; font-size: .84rem; line-height: 1.25; text-decoration: none; color: var(--text); }
.matrix .line > a:hover { text-decoration: underline; }
.matrix .line > span { flex: 1; line-height: 1; }
.cell, [class^=c-] { display: inline-block; width: 15px; height: 15px; margin: 1px; border-radius: 3px; text-align: center; font: bold 10px/15px ui-monospace, "DejaVu Sans Mono", monospace; text-decoration: none; color: var(--page); vertical-align: top; }
[class^=c-]:hover { outline: 2px solid var(--focus); }
.c-pass { background: var(--pass); } .c-fail, .c-error { background: var(--fail); } .c-deviation, .c-inconclusive { background: var(--warn); }
.c-observed { background: var(--info); } .c-known { background: var(--known); }
.c-vacuous, .c-unsupported { background: transparent; color: var(--none); box-shadow: inset 0 0 0 1px var(--line); }
.off { opacity: .13; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; color: var(--dim); font-size: .88em; margin: .4rem 0 .8rem; }
details.rule { border-top: 1px solid var(--line); }
details.rule > summary { display: flex; flex-wrap: wrap; gap: .2rem .7rem; padding: .3rem 0; cursor: pointer; align-items: baseline; list-style: none; }
details.rule > summary::-webkit-details-marker { display: none; }
details.rule > summary .name { flex: 1 1 16rem; } .name, .table > h3 { overflow-wrap: anywhere; }
details.rule > summary .n { color: var(--dim); font-size: .86em; }
details.rule > div { padding: 0 0 .6rem 1rem; border-left: 3px solid var(--line); margin-left: .4rem; }
details.rule p { margin: .3rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .9rem; margin: .5rem 0; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
dd ul, dd ol { margin: 0; padding-left: 1.1rem; }
.expected { color: var(--pass); font-weight: 600; } .observed { color: var(--fail); font-weight: 600; }
details.cause, details.machine, details.part { border-top: 1px solid var(--line); }
details.cause > summary { display: flex; flex-wrap: wrap; gap: .1rem .7rem; padding: .3rem 0; cursor: pointer; align-items: baseline; list-style: none; }
details.cause > summary::-webkit-details-marker { display: none; }
details.cause > summary .rank { color: var(--dim); min-width: 1.6em; text-align: right; }
details.impact > summary { padding: .45rem 0 .3rem; cursor: pointer; } details.impact { border-top: 2px solid var(--line); }
details.cause > summary .name { flex: 1 1 18rem; overflow-wrap: anywhere; }
details.cause > summary .n { color: var(--dim); font-size: .86em; overflow-wrap: anywhere; }
details.machine > summary, details.part > summary, details.aside > summary { padding: .3rem 0; cursor: pointer; overflow-wrap: anywhere; }
dl.facts { grid-template-columns: max-content 1fr; }
.machines .n { font-variant-numeric: tabular-nums; }
li { overflow-wrap: anywhere; }
article.failure { border: 1px solid var(--line); border-radius: 8px; padding: .3rem 1rem 1rem; margin: 1rem 0; }
article.failure.new { border-left: 5px solid var(--fail); } article.failure.old { border-left: 5px solid var(--known); }
article.failure h3 { font-size: 1.1rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
.packet { border-top: 1px solid var(--line); } .packet > summary { padding: .25rem 0; cursor: pointer; overflow-wrap: anywhere; }
.packet.guilty > summary { color: var(--fail); font-weight: 600; }
.bytes { width: 100%; border-collapse: collapse; font-size: .9em; }
.bytes td, .bytes th { text-align: left; vertical-align: top; padding: .15rem .7rem .15rem 0; border-top: 1px solid var(--line); }
.bytes td.mono { overflow-wrap: anywhere; }
.what { border-collapse: collapse; } .what td, .what th { text-align: left; vertical-align: top; padding: .15rem 1rem .15rem 0; border-top: 1px solid var(--line); }
.what .scroll { max-width: 100%; }
.copy { display: flex; gap: .5rem; align-items: flex-start; } .copy pre { flex: 1; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.bar-of { display: flex; height: 14px; border-radius: 4px; overflow: hidden; background: var(--panel); border: 1px solid var(--line); margin: .3rem 0; }
.bar-of span { display: block; }
.b-proved { background: var(--pass); } .b-covered { background: var(--info); } .b-excused, .b-unsupported, .b-leads-on, .b-model { background: var(--none); }
.b-unexercised, .b-unproved { background: var(--warn); } .b-open { background: var(--fail); }
.statement { border-top: 1px solid var(--line); padding: .3rem 0; } .statement p { margin: .1rem 0; } .statement p[data-to] { color: var(--dim); }
table.plain { border-collapse: collapse; width: 100%; } table.plain td, table.plain th { text-align: left; padding: .2rem .8rem .2rem 0; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td.n, th.n, table.plain td.n, table.plain th.n { text-align: right; white-space: nowrap; }
.connections .end { white-space: nowrap; }
.connections .head, .remark { position: sticky; left: 0; box-sizing: border-box; width: fit-content; max-width: calc(100vw - 3rem); }
.remark { padding-left: 1.4rem; }
.none { color: var(--dim); font-style: italic; }
[hidden] { display: none !important; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 1rem; top: .5rem; z-index: 9; background: var(--page); }
kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 .3em; background: var(--panel); }
footer { max-width: 1100px; margin: 3rem auto 2rem; padding: 0 1rem; color: var(--dim); font-size: .9em; }
${ladderStyle}
@media (max-width: 760px) {
  dl { grid-template-columns: 1fr; } dd { margin-bottom: .3rem; }
  article.failure { padding: .2rem .6rem .8rem; }
  nav.bar > div { gap: .2rem .7rem; font-size: .93rem; }
  .machines { font-size: .8rem; } table.machines th, table.machines td { padding: .1rem .45rem .1rem 0; white-space: nowrap; }
  details.cause > summary { gap: 0 .5rem; } details.cause > summary b[class^=v-] { min-width: 0; } details.cause > summary .name { flex: 1 1 12rem; } details.cause > summary .n { flex: 1 1 100%; padding-left: 5.4em; }
  details.machine > summary, details.part > summary { padding: .15rem 0; } .legend { gap: 0 .6rem; }
  .cell, [class^=c-] { width: 19px; height: 19px; line-height: 19px; font-size: 12px; }
}
@media (max-width: 480px) { main, header.top { font-size: .875rem; line-height: 1.4; } main > section > h2 { margin-top: 1.4rem; } }
@media print { nav.bar, .controls, .copy button { display: none; } details.cause { break-inside: avoid-page; } }
`;
