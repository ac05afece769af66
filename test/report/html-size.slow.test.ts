import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportExtras } from '../../cli/report-context.ts';
import { loadRules } from '../../oracle/index.ts';
import { reporters } from '../../report/reporters.ts';
import type { LadderLine, RunResult } from '../../report/results.ts';
import { recordedRuns } from '../../scripts/findings/runs.ts';
import { root } from '../project/files.ts';
import { Browser, browserMissing } from './browser.ts';

const html = reporters.filter(({ name }) => name === 'html');

/** As long as those of soft-RoCE are in the mean, longer ones included. */
const ladder: LadderLine[] = Array.from({ length: 20 }, (_, i) => ({
  t: i * 12_345_678,
  kind: i % 2 === 0 ? 'verbs' : 'to-dut',
  text: 'ibv_post_send QP 2 wr_id 1001 RDMA_WRITE of 1 SGE, 512 bytes, signaled, fence',
  ...(i === 19 && { guilty: true }),
}));

/** A run on soft-RoCE with all that the record leaves out to be small: nothing in it is known. */
function wholeRun(): RunResult {
  const run = recordedRuns().find(({ name }) => name === '6.12')?.result;
  if (run === undefined) throw new Error('no run is checked in');
  const rules = new Map(loadRules().rules.map((rule) => [rule.id, rule]));
  const covers = (id: string): string[] => [...(rules.get(id)?.covers ?? [])];
  return {
    ...run,
    rules: run.rules.map((rule) => ({
      ...rule,
      says: rules.get(rule.id)?.says ?? rule.says,
      statements: covers(rule.id),
      location: {
        file: `node_modules/rdma-conform/spec/machines/rc-responder/${rule.table}.yaml`,
        line: 123,
      },
    })),
    failures: run.failures.map((failure) => ({
      ...failure,
      known: false,
      ladder,
      statements: covers(failure.rule),
      token: 'x'.repeat(401),
      caseFile: `.rdma-conform/cases/${failure.rule}-0123456789.json`,
      capture: `.rdma-conform/cases/${failure.rule}-0123456789.pcapng`,
    })),
  };
}

describe('HTML report of a run that breaks a hundred rules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rdma-conform-html-size-'));
  const file = join(folder, 'report.html');
  let size = 0;
  let findings = 0;

  beforeAll(async () => {
    const run = wholeRun();
    findings = run.failures.length;
    const extras = await reportExtras(
      html.map((reporter) => ({ reporter })),
      root,
      { run },
    );
    const text = html
      .map((one) => one.run(run, { version: '1.2.3', width: 100, colour: false, ...extras }))
      .join('');
    size = Buffer.byteLength(text);
    writeFileSync(file, text);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is under 1.5 MB, by a seventh', () => {
    expect(findings).toBeGreaterThan(100);
    // room for what a device of other faults has more of
    expect(size).toBeLessThan(1_300_000);
    expect(size).toBeGreaterThan(1_000_000);
  });

  it.skipIf(browserMissing)(
    'is under 5,000 pixels high before anything is opened, on a phone and on a desk',
    async () => {
      const browser = await Browser.open();
      try {
        for (const width of [360, 800, 1600]) {
          await browser.look(width, 900);
          await browser.go(pathToFileURL(file).href);
          expect(await browser.evaluate('document.documentElement.scrollHeight')).toBeLessThan(5000);
          expect(await browser.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        }
        expect(browser.complaints).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );

  it.skipIf(browserMissing)('is printed with every cause in the list, and shut again', async () => {
    const browser = await Browser.open();
    try {
      await browser.go(pathToFileURL(file).href);
      const shut = async (): Promise<number> =>
        browser.evaluate(
          `document.querySelectorAll('details.impact:not([open]), details.cause:not([open])').length`,
        );
      const before = await shut();
      await browser.evaluate(`dispatchEvent(new Event('beforeprint'))`);
      expect(await shut()).toBe(0);
      await browser.evaluate(`dispatchEvent(new Event('afterprint'))`);
      expect(await shut()).toBe(before);
      expect(before).toBeGreaterThan(40);
    } finally {
      await browser.close();
    }
  });
});
