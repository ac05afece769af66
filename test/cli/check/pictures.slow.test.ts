import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { draw } from '../../../cli/check/pictures/draw.ts';
import { ConnectionTable } from '../../../cli/check/connections/table.ts';
import type { CheckViolation } from '../../../report/check-results.ts';
import type { Pictures } from '../../../report/connections/shape.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import { decodeCaptured, encode, psnAdd, readCapture } from '../../../wire/index.ts';
import { Browser, browserMissing } from '../../report/browser.ts';
import { answer, conversation, pcap, sendOnly } from '../captures.ts';
import { run, temporaryFolder } from '../command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

function picturesOf(frames: readonly Uint8Array[], violations: readonly CheckViolation[] = []): Pictures {
  const records = [...readCapture([pcap(frames)])];
  const table = new ConnectionTable();
  for (const record of records) {
    const decoded = record.kind === 'frame' ? decodeCaptured(record) : undefined;
    if (record.kind === 'frame' && decoded?.kind === 'packet')
      table.see(decoded.packet, record.originalLength, Number(record.time - 1_700_000_000_000_000_000n));
  }
  return draw(records, table.result([]), violations);
}

const [sequenceNak, rnrNak] = [0x60, 0x2a];

/** A loss, and a receiver that is not ready. */
const trouble = [
  ...conversation(3, 10),
  sendOnly(13),
  answer(13, 3, rnrNak),
  sendOnly(13),
  answer(13, 4),
  sendOnly(14),
  answer(14, 4, sequenceNak),
  sendOnly(14, { trafficClass: 3 }),
  answer(14, 5),
];

describe('the pictures of a capture', () => {
  it('show each direction by itself, and say of what is rare what it is', () => {
    const { drawings, latencies } = picturesOf(trouble);
    expect(drawings.map(({ title }) => title)).toEqual(['RC 10.0.0.1 qp 0x000011 → 10.0.0.2 qp 0x000022']);
    const [drawing] = drawings;
    expect(drawing).toMatchObject({ psn: 10, psns: 4, waits: [7000, 7000 + 320_000, 3] });
    expect(drawing?.notes.map(({ text }) => text)).toEqual([
      'frame 8: RNR NAK for PSN 13, wait 0.32 ms',
      'frame 9: PSN 13 sent again after an RNR NAK',
      'frame 12: NAK PSN sequence error, PSN 14',
      'frame 13: PSN 14 marked CE',
      'frame 13: PSN 14 sent again after a NAK PSN sequence error',
    ]);
    expect(latencies.map(({ what, count, longest }) => [what, count, longest])).toEqual([
      ['from a request to the response that carries its PSN', 5, 1000],
      ['from a NAK PSN sequence error to what is sent again', 1, 1000],
      ['from an RNR NAK to what is sent again', 1, 1000],
    ]);
  });

  it('show a CNP that breaks a rule in the flow that it slows, since it has no PSN', () => {
    const opcode = opcodeByName('CNP');
    const cnp = encode({ opcode, srcIp: '10.0.0.2', dstIp: '10.0.0.1', destQp: 0x11, psn: 0 });
    const [expected, observed] = ['MigReq 0', 'MigReq 1'];
    const of = { rule: 'cc-cnp-header', level: 'must' as const, says: '', statements: [] };
    const violation = { ...of, frame: 7, t: 0, qp: '', expected, observed };
    const { drawings } = picturesOf([...conversation(3, 10), cnp], [violation]);
    expect(drawings.map(({ title }) => title)).toEqual(['RC 10.0.0.1 qp 0x000011 → 10.0.0.2 qp 0x000022']);
    expect(drawings[0]).toMatchObject({ psn: 10, psns: 2 });
    expect(drawings[0]?.notes.map(({ text }) => text)).toEqual([
      'frame 7: cc-cnp-header: expected MigReq 0; observed MigReq 1',
      'frame 7: CNP',
    ]);
  });

  it('say how long after a NAK a packet comes that was lost in front of the point of capture', () => {
    const { latencies } = picturesOf([
      ...conversation(3, 10),
      sendOnly(14),
      answer(13, 3, sequenceNak),
      sendOnly(13),
      sendOnly(14),
      answer(14, 5),
    ]);
    expect(latencies.map(({ what, count }) => [what, count])).toContainEqual([
      'from a NAK PSN sequence error to what is sent again',
      1,
    ]);
  });

  it('keep what is rare among very many packets, and no more of these than can be seen', () => {
    const many = conversation(20_000, 0xfffff0);
    const last = psnAdd(0xfffff0, 20_000);
    const [drawing] = picturesOf([
      ...many,
      sendOnly(last),
      answer(last, 0, rnrNak),
      ...many.slice(0, 0),
    ]).drawings;
    expect(drawing?.psns).toBe(20_000);
    expect(drawing?.points.request?.length).toBeLessThan(2100);
    expect(drawing?.points.request?.length).toBeGreaterThan(900);
    expect(drawing?.points['rnr-nak']).toHaveLength(2);
  });

  it.skipIf(browserMissing)(`are zoomed by keys (${browserMissing ?? 'Chromium'})`, async () => {
    writeFileSync(join(folder.path, 'trouble.pcap'), pcap(trouble));
    const { code } = await run(['check', 'trouble.pcap', '--reporter', 'html=out.html'], {
      cwd: folder.path,
    });
    expect(code).not.toBe(64);
    const browser = await Browser.open();
    try {
      await browser.go(pathToFileURL(join(folder.path, 'out.html')).href);
      const box = async (): Promise<string> =>
        browser.evaluate(`document.querySelector('svg.psn').getAttribute('viewBox')`);
      const below = async (): Promise<string> =>
        browser.evaluate(`document.querySelector('svg.goodput').getAttribute('viewBox')`);
      const axis = async (): Promise<string> =>
        browser.evaluate(`document.querySelectorAll('figure.psn .axis')[1].textContent.trim()`);
      expect(await box()).toBe('0 0 1000 280');
      await browser.evaluate(`document.querySelector('svg.psn').focus()`);
      await browser.press('+');
      expect(await box()).toBe('100 28 800 224');
      await browser.press('ArrowRight');
      expect(await box()).toBe('200 28 800 224');
      expect(await below()).toBe('200 0 800 40');
      expect(await axis()).toMatch(/^PSN 10, 2\.600 us\s*13\.000 us$/);
      await browser.press('0');
      expect(await box()).toBe('0 0 1000 280');
      expect(await below()).toBe('0 0 1000 40');
      expect(browser.complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
