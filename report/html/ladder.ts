import type { LadderEnds, LadderLine } from '../results.ts';
import { count, duration } from '../text.ts';
import { html, trusted, type Markup } from './markup.ts';

/** What a line is drawn as, and what its text begins with: a picture alone must not carry the direction. */
const shapes: Readonly<Record<LadderLine['kind'], readonly [shape: string, sign: string]>> = {
  'to-dut': ['in', '→ '],
  'from-dut': ['out', '← '],
  verbs: ['', ''],
  completion: ['', ''],
  event: ['', ''],
  note: ['note', ''],
};

function row(line: LadderLine, link: string | undefined): Markup {
  const [shape, sign] = shapes[line.kind];
  const classes = [shape, line.guilty === true ? 'guilty' : '', line.lost === true ? 'lost' : ''];
  const text = link === undefined ? line.text : html`<a href="${link}">${line.text}</a>`;
  const named = classes.filter((word) => word !== '').join(' ');
  // in one line, without quotes that one word does not need, nor the end of what the next line ends: a report has thousands of these
  const begin = named.includes(' ') ? `<li class="${named}">` : named === '' ? '<li>' : `<li class=${named}>`;
  return html`${trusted(begin)}<b>${duration(line.t)}</b>${trusted('<p>')}${sign}${text}`;
}

/**
 * The exchange between the peer (left) and the DUT (right), as `drawLadder` draws it: a list whose style makes arrows and boxes of its
 * entries, and which takes the width that there is. `link`: where a packet leads to, by the index of its line.
 */
export function ladderList(
  ladder: readonly LadderLine[],
  link: (line: number) => string | undefined = () => undefined,
  [left, right]: LadderEnds = ['peer', 'device under test'],
): Markup {
  return html`<ol class="ladder" aria-label="Exchange of ${count(ladder.length, 'line')}">
    <li class="ends">
      <b>${left}</b>
      <p>${right}</p>
    </li>
    ${ladder.map((line, i) => row(line, link(i)))}
  </ol>`;
}

/** How the list is drawn. Times stand beside their rows, and above them where the page is narrow. */
export const ladderStyle = `
.ladder { --at: 7.2rem; position: relative; list-style: none; margin: .5rem 0; padding: .2rem 0; max-width: 58rem; font: .8rem/1.45 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.ladder::before { content: ""; position: absolute; z-index: -1; top: 1.7rem; bottom: 0; left: var(--at); right: 0; border: solid var(--line); border-width: 0 2px; }
.ladder li { display: grid; grid-template-columns: var(--at) 1fr; align-items: end; padding: .12rem 0; overflow-wrap: anywhere; }
.ladder b { font-weight: normal; color: var(--dim); text-align: right; padding-right: .7rem; font-variant-numeric: tabular-nums; }
.ladder p { position: relative; margin: 0; padding: 0 1.1rem .25rem; }
.ladder .ends { color: var(--dim); font-weight: bold; } .ladder .ends p { text-align: right; padding: 0; } .ladder .ends b { font-weight: bold; padding: 0; transform: translateX(50%); }
.ladder .in p::after, .ladder .out p::after { content: ""; position: absolute; left: 5px; right: 5px; bottom: 0; border-bottom: 2px solid var(--dim); }
.ladder .in p::before, .ladder .out p::before { content: ""; position: absolute; bottom: -3px; border: solid transparent; border-width: 4px 0; }
.ladder .in p::before { right: 2px; border-left: 9px solid var(--dim); } .ladder .out p::before { left: 2px; border-right: 9px solid var(--dim); }
.ladder .in.lost p::after { right: 5rem; } .ladder .out.lost p::after { left: 5rem; }
.ladder .lost p::before { content: "✕"; border: 0; bottom: -.6em; color: var(--bad); } .ladder .in.lost p::before { right: 4.2rem; border: 0; } .ladder .out.lost p::before { left: 4.2rem; border: 0; }
.ladder li:not(.in, .out, .note, .ends) p { justify-self: end; margin: 0 .7rem 0 2rem; padding: 0 .5rem; background: var(--box); border: 1px solid var(--line); border-radius: 4px; }
.ladder .note { color: var(--dim); font-style: italic; }
.ladder .guilty { background: var(--band); color: var(--bad); font-weight: bold; } .ladder .guilty a { color: inherit; }
.ladder .guilty p::after, .ladder .guilty p::before, .ladder li.guilty p { border-color: var(--bad); }
.ladder .in.guilty p::before, .ladder .out.guilty p::before { border-top-color: transparent; border-bottom-color: transparent; }
@media (max-width: 760px) { .ladder { --at: 1px; } .ladder li { grid-template-columns: 1fr; padding-left: .4rem; } .ladder b { text-align: left; padding-left: .6rem; font-size: .72rem; } .ladder .ends { grid-template-columns: 1fr 1fr; } .ladder .ends b { transform: none; } }`;
