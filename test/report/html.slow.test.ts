import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReportContext } from '../../report/reporter.ts';
import { htmlCheck, htmlRun } from '../../report/html/index.ts';
import { html } from '../../report/html/markup.ts';
import type { RunResult } from '../../report/results.ts';
import { opcodeByName } from '../../spec/constants.ts';
import { dissect, encode } from '../../wire/index.ts';
import { Browser, browserMissing } from './browser.ts';
import { sampleCheck, sampleFailure, sampleRule, sampleRun } from './sample.ts';

const frame = Buffer.from(
  encode({
    opcode: opcodeByName('RC_ACKNOWLEDGE'),
    destQp: 5,
    psn: 6,
    aeth: { syndrome: 0x60, msn: 0 },
  }),
).toString('hex');

const hostile = '</script><script>throw new Error("x")</script><img src=x onerror=alert(1)>';

const result: RunResult = sampleRun({
  rules: [
    ...sampleRun().rules.map((rule) =>
      rule.id === 'rc-passes' ? { ...rule, statements: ['rx-a', 'rx-b'] } : rule,
    ),
    ...Array.from({ length: 40 }, (_, i) =>
      sampleRule({ id: `many-${i}`, table: 'many', says: `rule ${i}` }),
    ),
    sampleRule({ id: 'hostile', says: hostile, verdict: 'observed', level: 'may', table: hostile }),
  ],
  failures: [
    {
      ...sampleFailure,
      statements: ['rx-b', 'rx-a'],
      ladder: sampleFailure.ladder.map((line) => (line.guilty === true ? { ...line, frame } : line)),
      influences: [
        { what: 'psn offset', is: '1', broken: ['2'], kept: ['0', '-1'] },
        { what: 'path MTU', is: '256', broken: ['512'], kept: [] },
      ],
    },
    { ...sampleFailure, rule: 'rc-known', known: true, expected: hostile, ladder: [] },
  ],
});

const context: ReportContext = {
  version: '1.2.3',
  width: 100,
  colour: false,
  dissect: (hex) => dissect(Buffer.from(hex, 'hex')),
  statement: (id) => ({
    id,
    text: `what ${id} says`,
    source: 'a page; section 2',
    also: ['a book; chapter 1'],
  }),
  coverage: () => [
    {
      id: 'retransmission',
      counts: {
        proved: 1,
        covered: 0,
        'leads-on': 0,
        model: 0,
        excused: 0,
        unsupported: 0,
        unexercised: 0,
        unproved: 0,
        open: 1,
      },
      statements: [
        { id: 'rx-a', section: '1', statement: 'A', status: 'proved', rules: ['rc-passes'] },
        { id: 'rx-b', section: '1', statement: hostile, status: 'open', rules: [] },
      ],
    },
  ],
};

describe('HTML report', () => {
  it('escapes every text, and asks for nothing from elsewhere', () => {
    const text = htmlRun(result, context);
    expect(text).not.toContain('<img');
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toMatch(/\b(src|href)="(?!#|data:)/);
    expect(html`<p title="${'a"b'}">${'<'}${undefined}${false}${[1, html`<b></b>`]}</p>`.text).toBe(
      '<p title="a&quot;b">&lt;1<b></b></p>',
    );
  });

  it('tells of a capture, too', () => {
    const text = htmlCheck(sampleCheck, context);
    expect(text).toContain('<h1>some capture.pcapng</h1>');
    expect(text).toContain('frame 11');
    expect(text).toContain('class=ladder');
  });
});

describe.skipIf(browserMissing)(`HTML report in a browser (${browserMissing ?? 'Chromium'})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rdma-conform-html-'));
  const file = join(folder, 'report.html');
  const url = pathToFileURL(file).href;
  let browser: Browser;

  const shownRules = async (): Promise<string[]> =>
    browser.evaluate(
      `[...document.querySelectorAll('details.rule')].filter((r) => r.closest('[hidden]') === null).map((r) => r.id.replace('rule-', ''))`,
    );
  const count = async (selector: string): Promise<number> =>
    browser.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
  /** Opens the causes and the matrix. */
  const unfold = async (): Promise<unknown> =>
    browser.evaluate(
      `document.querySelectorAll('details.impact, details.cause, details.part').forEach((d) => { d.open = true; })`,
    );
  const open = async (id: string): Promise<boolean> =>
    browser.evaluate(`document.getElementById(${JSON.stringify(id)}).open`);

  beforeAll(async () => {
    writeFileSync(file, htmlRun(result, context));
    browser = await Browser.open();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    await browser.look(1200, 900);
    await browser.go('about:blank');
    await browser.go(url);
    await browser.evaluate('localStorage.clear()');
  });

  it('shows a cell and a row per rule, and complains of nothing', async () => {
    expect(await count('.matrix span > a')).toBe(result.rules.length);
    expect(await shownRules()).toHaveLength(result.rules.length);
    expect(browser.complaints).toEqual([]);
  });

  it('finds rules by words of their id and text', async () => {
    await browser.press('/');
    await browser.type('many 17');
    expect(await shownRules()).toEqual(['many-17']);
    expect(await browser.evaluate(`document.getElementById('rule-many-17').checkVisibility()`)).toBe(true);
    expect(await browser.evaluate(`document.querySelector('#shown').textContent`)).toBe(
      `1 of ${result.rules.length} rules`,
    );
    expect(await count('.matrix span > a:not(.off)')).toBe(1);
    await browser.press('Escape');
    expect(await shownRules()).toHaveLength(result.rules.length);
  });

  it('filters by verdict and level', async () => {
    await browser.click('.chip[data-verdict="fail"]');
    expect(await shownRules()).toEqual(['rc-request-ahead']);
    await browser.click('.chip[data-verdict="known"]');
    expect(await shownRules()).toEqual(['rc-request-ahead', 'rc-known']);
    await browser.click('.chip[data-verdict="fail"]');
    await browser.click('.chip[data-verdict="known"]');
    await browser.evaluate(
      `(() => { const l = document.querySelector('#level'); l.value = 'should'; l.dispatchEvent(new Event('change')); })()`,
    );
    expect(await shownRules()).toEqual(['rc-should']);
  });

  it('leads from the matrix to a rule, from there to its failure, and from its ladder to the bytes', async () => {
    expect(await open('rule-rc-request-ahead')).toBe(false);
    await unfold();
    await browser.click('.matrix a[href="#rule-rc-request-ahead"]');
    await expect.poll(async () => open('rule-rc-request-ahead')).toBe(true);
    await browser.click('#rule-rc-request-ahead a[href="#failure-rc-request-ahead"]');
    expect(await browser.evaluate('location.hash')).toBe('#failure-rc-request-ahead');
    const packet = 'packet-rc-request-ahead-2';
    await browser.evaluate(`document.getElementById('${packet}').open = false`);
    await browser.click(`.ladder a[href="#${packet}"]`);
    await expect.poll(async () => open(packet)).toBe(true);
    expect(await browser.evaluate(`document.getElementById('${packet}').innerText`)).toContain(
      'syndrome 0x60 NAK PSN sequence error',
    );
  });

  it('leads from a rule and from its failure to every statement, and back', async () => {
    for (const id of ['rx-a', 'rx-b'])
      expect(await count(`#rule-rc-passes a[href="#statement-${id}"]`)).toBe(1);
    expect(await count('#failure-rc-request-ahead a[href="#statement-rx-a"]')).toBe(1);
    expect(await count('#statement-rx-a a[href="#rule-rc-passes"]')).toBe(1);
  });

  it('has a button that copies a command', async () => {
    expect(await count('#failure-rc-request-ahead .copy > button')).toBe(1);
    await unfold();
    await browser.click('#failure-rc-request-ahead .copy > button');
    await expect
      .poll(async () =>
        browser.evaluate(`document.querySelector('#failure-rc-request-ahead .copy > button').textContent`),
      )
      .toMatch(/copied|selected/);
  });

  it('shows a rule that is linked to although a filter hides it', async () => {
    await browser.click('.chip[data-verdict="fail"]');
    await browser.evaluate(`location.hash = '#rule-many-3'`);
    await expect.poll(async () => open('rule-many-3')).toBe(true);
    expect(await shownRules()).toHaveLength(result.rules.length);
  });

  it('is walked by keys: one tab stop in the matrix, arrows within, n and p along the failures', async () => {
    expect(await count('.matrix span > a[tabindex="0"]')).toBe(1);
    await unfold();
    await browser.evaluate(`document.querySelector('.matrix span > a').focus()`);
    await browser.press('ArrowRight');
    const focused = `document.activeElement.hash`;
    expect(await browser.evaluate(focused)).toBe('#rule-rc-known');
    await browser.press('ArrowDown');
    expect(await browser.evaluate(focused)).toBe('#rule-rc-choice');
    await browser.press('n');
    expect(await browser.evaluate('document.activeElement.id')).toBe('failure-rc-request-ahead');
    await browser.press('n');
    expect(await browser.evaluate('document.activeElement.id')).toBe('failure-rc-known');
    await browser.press('p');
    expect(await browser.evaluate('document.activeElement.id')).toBe('failure-rc-request-ahead');
  });

  it('is light or dark as the reader has it, or as the page is told', async () => {
    const background = async (): Promise<string> =>
      browser.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await browser.look(1200, 900, 'dark');
    const dark = await background();
    expect(dark).not.toBe(light);
    await browser.click('#theme');
    expect(await background()).toBe(light);
    await browser.click('#theme');
    expect(await background()).toBe(dark);
  });

  it.each([
    [360, 'phone'],
    [800, 'tablet'],
    [1600, 'desk'],
  ])('is no wider than a window of %i pixels (%s), and draws the ladder for it', async (width) => {
    await browser.look(width, 800);
    expect(await browser.evaluate('document.documentElement.scrollHeight')).toBeLessThan(5000);
    await unfold();
    expect(await browser.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const below = `(() => { const [time, text] = document.querySelector('.ladder .in').children;
      return text.getBoundingClientRect().top >= time.getBoundingClientRect().bottom; })()`;
    expect(await browser.evaluate(below)).toBe(width < 760);
    const outside = `[...document.querySelectorAll('.ladder')].filter((s) => s.checkVisibility()).flatMap((s) =>
      [...s.querySelectorAll("p")].filter((t) => t.getBoundingClientRect().right > s.getBoundingClientRect().right + 1)
        .map((t) => t.textContent))`;
    expect(await browser.evaluate(outside)).toEqual([]);
  });

  it('shows everything where scripts are off', async () => {
    await browser.send('Emulation.setScriptExecutionDisabled', { value: true });
    try {
      await browser.go(url);
      expect(await shownRules()).toHaveLength(result.rules.length);
      expect(await browser.evaluate(`document.querySelector('.controls').checkVisibility()`)).toBe(false);
      expect(await browser.evaluate(`document.querySelector('#statement-rx-a').textContent`)).toContain(
        'rc-passes',
      );
    } finally {
      await browser.send('Emulation.setScriptExecutionDisabled', { value: false });
    }
  });
});
