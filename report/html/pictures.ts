import { marks, type Drawing, type Latency, type Mark, type Pictures } from '../connections/shape.ts';
import { rate } from '../connections/words.ts';
import { duration, grouped } from '../text.ts';
import { html, trusted, type Markup } from './markup.ts';

const width = 1000;
const height = 280;
const words: Readonly<Record<Mark, string>> = {
  request: 'request',
  answer: 'ACK or READ response',
  nak: 'NAK',
  'rnr-nak': 'RNR NAK and its wait',
  'sent-again': 'sent again',
  ce: 'marked CE',
  cnp: 'CNP',
  violation: 'breaks a rule',
};

/** Scales of a drawing: nanoseconds and PSNs to its units. */
function scalesOf({ from, to, psns }: Drawing): { x: (t: number) => string; y: (psn: number) => string } {
  const wide = width / (to - from);
  const high = (height - 20) / Math.max(1, psns);
  return {
    x: (t) => (t * wide).toFixed(1),
    y: (psn) => (height - 10 - psn * high).toFixed(1),
  };
}

/** Points as lines of no length, whose round ends are seen whatever the zoom. */
function dots(mark: Mark, points: readonly number[], drawing: Drawing): string {
  const { x, y } = scalesOf(drawing);
  let path = '';
  for (let i = 0; i + 1 < points.length; i += 2) path += `M${x(points[i] ?? 0)} ${y(points[i + 1] ?? 0)}h.01`;
  return `<path class="m-${mark}" d="${path}"/>`;
}

function svgOf(drawing: Drawing): string {
  const { points, waits, notes } = drawing;
  const { x, y } = scalesOf(drawing);
  let lines = '';
  for (let i = 0; i + 2 < waits.length; i += 3)
    lines += `M${x(waits[i] ?? 0)} ${y(waits[i + 2] ?? 0)}H${x(waits[i + 1] ?? 0)}`;
  const drawn = marks.flatMap((mark) => {
    const list = points[mark];
    return list === undefined ? [] : [dots(mark, list, drawing)];
  });
  const texts = notes.map(
    ({ t, psn, text }) =>
      `<path class="note" d="M${x(t)} ${y(psn)}h.01">${html`<title>${duration(drawing.from + t)}: ${text}</title>`.text}</path>`,
  );
  return (
    `<svg class="psn" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" tabindex="0" role="img" ` +
    html`aria-label="PSN over time, ${drawing.title}"`.text +
    `>${lines === '' ? '' : `<path class="wait" d="${lines}"/>`}${drawn.join('')}${texts.join('')}</svg>`
  );
}

/** Goodput over the whole time of a drawing, as an area. */
function goodput({ carried, from, to }: Drawing): Markup | undefined {
  const most = Math.max(...carried);
  if (most === 0) return undefined;
  const wide = width / carried.length;
  let line = 'M0 40';
  for (const [i, bytes] of carried.entries())
    line += `V${(40 - (38 * bytes) / most).toFixed(1)}H${((i + 1) * wide).toFixed(1)}`;
  const step = (to - from) / carried.length;
  return html`<div class="axis">
      <span>goodput in steps of ${duration(step)}, at most ${rate((most / step) * 1e9)}</span>
    </div>
    ${trusted(`<svg class="goodput" viewBox="0 0 ${width} 40" preserveAspectRatio="none" aria-hidden="true"><path d="${line}V40Z"/></svg>`)}`;
}

function picture(drawing: Drawing): Markup {
  const { title, from, to, psn, psns, points } = drawing;
  const shown = marks.filter((mark) => points[mark] !== undefined);
  const mask = 0xffffff;
  return html`<figure
    class="psn"
    data-from="${from}"
    data-until="${to}"
    data-psn="${psn}"
    data-psns="${psns}"
  >
    <figcaption>${title}</figcaption>
    <p class="legend">${shown.map((mark) => html`<span class="k-${mark}">${words[mark]}</span> `)}</p>
    <div class="axis"><span>PSN ${(psn + psns) & mask}</span></div>
    ${trusted(svgOf(drawing))}
    <div class="axis"><span>PSN ${psn & mask}, ${duration(from)}</span><span>${duration(to)}</span></div>
    ${goodput(drawing)}
  </figure>`;
}

function latencyPart({ what, count, median, most, longest, steps }: Latency): Markup {
  const highest = Math.max(...steps.map(([, n]) => n));
  const each = 400 / Math.max(8, steps.length);
  const bars = steps.map(([, n], i) => {
    const tall = n === 0 ? 0 : Math.max(2, (60 * n) / highest);
    return `<rect x="${(i * each).toFixed(1)}" y="${(60 - tall).toFixed(1)}" width="${(each * 0.9).toFixed(1)}" height="${tall.toFixed(1)}"/>`;
  });
  return html`<figure class="latency">
    <figcaption>
      ${what}: ${grouped(count)}, half within ${duration(median)}, 99% within ${duration(most)}, longest
      ${duration(longest)}
    </figcaption>
    ${trusted(`<svg viewBox="0 0 400 60" preserveAspectRatio="none" aria-hidden="true">${bars.join('')}</svg>`)}
    <div class="axis"><span>${duration(steps[0]?.[0] ?? 0)}</span><span>${duration(longest)}</span></div>
  </figure>`;
}

/** PSN over time, and how long things took; nothing where there is nothing to draw. */
export function picturesPart({ drawings, latencies }: Pictures): Markup | undefined {
  if (drawings.length === 0) return undefined;
  return html`<p class="dim">
      PSN over time, each direction by itself. Wheel or <kbd>+</kbd> <kbd>-</kbd> zoom, drag or arrows move,
      <kbd>0</kbd> shows all; hold the pointer over a mark to read it. Of many packets close together some are
      drawn; those that are rare are kept.
    </p>
    ${drawings.map(picture)} ${latencies.length === 0 ? undefined : html`<h3>How long it took</h3>`}
    ${latencies.map(latencyPart)}
    <script>
      ${trusted(zoomScript)};
    </script>`;
}

/** Style of the pictures, beside that of every page. */
export const picturesStyle = `
figure.psn, figure.latency { margin: 1rem 0 1.4rem; }
figure figcaption { font-weight: 600; overflow-wrap: anywhere; }
figure.latency figcaption { font-weight: 400; }
figure .legend { margin: .1rem 0; font-size: .84rem; color: var(--dim); }
figure .legend span { margin-right: 1em; white-space: nowrap; }
figure .legend span::before { content: ''; display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin-right: .35em; background: var(--m); }
figure .axis { display: flex; justify-content: space-between; font-size: .8rem; color: var(--dim); font-variant-numeric: tabular-nums; }
svg.psn { display: block; width: 100%; height: 280px; background: var(--panel); border: 1px solid var(--line); border-radius: 4px; cursor: crosshair; touch-action: pan-y; }
svg.psn path { fill: none; stroke: var(--m); stroke-width: 4; stroke-linecap: round; vector-effect: non-scaling-stroke; }
svg.psn path.wait { --m: var(--warn); stroke-width: 2; stroke-linecap: butt; opacity: .7; }
svg.psn path.note { stroke: transparent; stroke-width: 12; pointer-events: stroke; }
.m-request, .k-request { --m: var(--link); } .m-answer, .k-answer { --m: var(--pass); }
.m-nak, .k-nak { --m: var(--fail); } .m-rnr-nak, .k-rnr-nak { --m: var(--warn); }
.m-sent-again, .k-sent-again { --m: var(--known); } .m-ce, .k-ce { --m: var(--none); }
.m-cnp, .k-cnp { --m: var(--info); } .m-violation, .k-violation { --m: var(--fail); }
svg.psn path.m-answer { stroke-width: 2.5; } svg.psn path.m-nak, svg.psn path.m-rnr-nak, svg.psn path.m-cnp { stroke-width: 8; stroke-linecap: square; }
svg.psn path.m-sent-again { stroke-width: 6; } svg.psn path.m-violation { stroke-width: 14; opacity: .75; }
svg.goodput { display: block; width: 100%; height: 40px; fill: var(--link); opacity: .6; border-bottom: 1px solid var(--line); }
figure.latency svg { display: block; width: 100%; max-width: 640px; height: 60px; fill: var(--link); border-bottom: 1px solid var(--line); }
figure.latency .axis { max-width: 640px; }
`;

/** Zooms a picture by its viewBox, goodput below it by the same time, and keeps the words at its corners right. */
const zoomScript = String.raw`
'use strict';
for (const figure of document.querySelectorAll('figure.psn')) {
  const svg = figure.querySelector('svg');
  const whole = svg.viewBox.baseVal;
  const [W, H] = [whole.width, whole.height];
  const box = { x: 0, y: 0, w: W, h: H };
  const [top, low, right] = figure.querySelectorAll('.axis span');
  const below = figure.querySelector('svg.goodput');
  const { from, until: to, psn, psns } = figure.dataset;
  const time = (ns) => ns < 1e3 ? Math.round(ns) + ' ns' : ns < 1e6 ? (ns / 1e3).toFixed(3) + ' us' : ns < 1e9 ? (ns / 1e6).toFixed(3) + ' ms' : (ns / 1e9).toFixed(3) + ' s';
  const show = () => {
    box.w = Math.min(W, Math.max(W / 1e6, box.w)); box.h = Math.min(H, Math.max(H / 1e6, box.h));
    box.x = Math.min(W - box.w, Math.max(0, box.x)); box.y = Math.min(H - box.h, Math.max(0, box.y));
    svg.setAttribute('viewBox', [box.x, box.y, box.w, box.h].join(' '));
    if (below) below.setAttribute('viewBox', [box.x, 0, box.w, 40].join(' '));
    const at = (x) => time(+from + (x / W) * (to - from));
    const number = (y) => 'PSN ' + ((Math.round(+psn + ((H - 10 - y) / (H - 20)) * psns) + 0x1000000) & 0xffffff);
    top.textContent = number(Math.max(10, box.y));
    low.textContent = number(Math.min(H - 10, box.y + box.h)) + ', ' + at(box.x);
    right.textContent = at(box.x + box.w);
  };
  const zoom = (by, fx, fy) => {
    const [w, h] = [Math.min(W, box.w * by), Math.min(H, box.h * by)];
    box.x += (box.w - w) * fx; box.y += (box.h - h) * fy; box.w = w; box.h = h;
    show();
  };
  svg.addEventListener('wheel', (event) => {
    if (event.deltaY > 0 && box.w >= W) return;
    event.preventDefault();
    const at = svg.getBoundingClientRect();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, (event.clientX - at.left) / at.width, (event.clientY - at.top) / at.height);
  }, { passive: false });
  svg.addEventListener('pointerdown', (event) => svg.setPointerCapture(event.pointerId));
  svg.addEventListener('pointermove', (event) => {
    if (event.buttons !== 1) return;
    const at = svg.getBoundingClientRect();
    box.x -= (event.movementX / at.width) * box.w; box.y -= (event.movementY / at.height) * box.h;
    show();
  });
  const keys = {
    '+': () => zoom(0.8, 0.5, 0.5), '=': () => zoom(0.8, 0.5, 0.5), '-': () => zoom(1.25, 0.5, 0.5),
    0: () => { Object.assign(box, { x: 0, y: 0, w: W, h: H }); show(); },
    ArrowLeft: () => { box.x -= box.w / 8; show(); }, ArrowRight: () => { box.x += box.w / 8; show(); },
    ArrowUp: () => { box.y -= box.h / 8; show(); }, ArrowDown: () => { box.y += box.h / 8; show(); },
  };
  svg.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  });
}`;
