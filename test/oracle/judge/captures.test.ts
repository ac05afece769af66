import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Judge, loadRules } from '../../../oracle/index.ts';
import type { Judgement } from '../../../oracle/index.ts';
import { decodeCaptured, encode, readCapture } from '../../../wire/index.ts';
import type { CaptureFrame, PacketFields } from '../../../wire/index.ts';
import { recipes } from '../../fixtures/captures/recipes.ts';

const folder = fileURLToPath(new URL('../../fixtures/captures', import.meta.url));
const rules = loadRules();
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.pcapng'))
  .map((name) => name.replace('.pcapng', ''))
  .toSorted();

interface Explained {
  rule: string;
  /** packet number in the file, from 1 */
  packet: number;
  reason: string;
}

/** What each capture is known to show, and how much of it may stay unjudged. */
const table = parse(readFileSync(join(folder, 'expected.yaml'), 'utf8')) as Record<
  string,
  { violations: Explained[]; unjudged: number; inconclusive: number }
>;

const bytesOf = (name: string): Uint8Array => readFileSync(join(folder, `${name}.pcapng`));

function framesOf(bytes: Uint8Array): { frames: CaptureFrame[]; damage: string | undefined } {
  const frames: CaptureFrame[] = [];
  for (const record of readCapture([bytes])) {
    if (record.kind === 'damage') return { frames, damage: record.message };
    frames.push(record);
  }
  return { frames, damage: undefined };
}

/** Judges frames as `check` does; events count from 0 as frames are taken. */
function judged(frames: readonly CaptureFrame[]): Judgement {
  const judge = new Judge({ sight: { packets: 'mid-path', verbs: false }, clock: 'recorded' }, rules);
  const start = frames[0]?.time ?? 0n;
  for (const frame of frames) {
    const decoded = decodeCaptured(frame);
    if (decoded.kind !== 'packet') throw new Error(`frame ${frame.number} is no packet`);
    judge.push({
      kind: 'packet',
      t: Number(frame.time - start),
      direction: 'unknown',
      packet: decoded.packet,
      number: frame.number,
    });
  }
  return judge.finish();
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((a, b) => a + b, 0);

it('has every capture that the recipes name, and a line of the table for each', () => {
  expect(names).toEqual(recipes.map(({ name }) => name).toSorted());
  expect(Object.keys(table).toSorted()).toEqual(names);
});

describe.each(names)('%s', (name) => {
  const { frames } = framesOf(bytesOf(name));
  const judgement = judged(frames);
  const known = table[name];

  it('shows the explained violations and no other', () => {
    const found = judgement.violations.map(({ rule, event }) => ({ rule, packet: frames[event]?.number }));
    expect(found).toEqual(known?.violations.map(({ rule, packet }) => ({ rule, packet })));
  });

  it('is judged, all but a few packets', () => {
    expect(judgement.packets).toBe(frames.length);
    expect(judgement.exercised.get('rc-response-header')).toBeGreaterThan(frames.length / 8);
    expect(sum(judgement.notJudged.values())).toBe(known?.unjudged);
    expect(judgement.inconclusive).toHaveLength(known?.inconclusive ?? 0);
  });

  /** Rules that the capture violates at the frame, if its fields are changed. */
  const violatedBy = (index: number, change: (fields: PacketFields) => Partial<PacketFields>): string[] => {
    const spoiled = frames.map((frame, i) => {
      const decoded = decodeCaptured(frame);
      if (i !== index || decoded.kind !== 'packet') return frame;
      const fields = decoded.packet.fields();
      return { ...frame, data: encode({ ...fields, ...change(fields) }) };
    });
    return judged(spoiled)
      .violations.filter(({ event }) => event === index)
      .map(({ rule }) => rule);
  };
  // one of the last: by then the MSN of its connection is known
  const last = (operations: RegExp): number =>
    frames.findLastIndex((frame) => {
      const decoded = decodeCaptured(frame);
      return decoded.kind === 'packet' && operations.test(decoded.packet.info?.operation ?? '');
    });
  // after a loss, a wrong MSN may look like that of another way in which things went; READs may be counted early
  const exact = name.endsWith('-loss') || name.endsWith('-read') ? [] : [last(/ACKNOWLEDGE/)];

  it.each(exact)('would show a wrong MSN in frame index %i', (index) => {
    const raised =
      (by: number) =>
      ({ aeth }: PacketFields): Partial<PacketFields> =>
        aeth === undefined ? {} : { aeth: { ...aeth, msn: (aeth.msn + by) & 0xffffff } };
    expect(violatedBy(index, raised(0))).toEqual([]);
    for (const by of [1, 2, 0xffffff])
      expect(violatedBy(index, raised(by))).toEqual(['rc-msn-counts-messages']);
  });

  it('would show a wrong header, but not lay damage on the way at the door of the device', () => {
    const index = last(/ACKNOWLEDGE|RESPONSE/);
    expect(violatedBy(index, () => ({ tver: 1 }))).toEqual(['rc-response-header']);
    expect(violatedBy(index, () => ({ icrcXor: 1 }))).toEqual([]);
  });

  it('tells of the faults that the wire made', () => {
    const faults = frames.filter(({ comments }) => comments.some((c) => c.startsWith('the wire ')));
    expect(faults.length > 4).toBe(name.endsWith('-loss'));
  });

  it('is judged up to where it is cut, at any byte', () => {
    const bytes = bytesOf(name);
    fc.assert(
      fc.property(fc.nat(bytes.length), (length) => {
        const cut = framesOf(bytes.subarray(0, length));
        expect(cut.frames.length).toBeLessThanOrEqual(frames.length);
        const part = judged(cut.frames);
        expect(part.packets).toBe(cut.frames.length);
        const before = judgement.violations.filter(({ event }) => event < cut.frames.length);
        expect(part.violations).toEqual(before);
      }),
      { numRuns: 8 },
    );
  });

  it.each((known?.violations.length ?? 0) > 0 ? [] : [name])(
    '%s shows no violation either when the capture itself missed packets',
    () => {
      fc.assert(
        fc.property(fc.uniqueArray(fc.nat(frames.length - 1), { minLength: 1, maxLength: 30 }), (missed) => {
          const rest = frames.filter((_, i) => !missed.includes(i));
          expect(judged(rest).violations).toEqual([]);
        }),
        // a gate says the same every time; RUNS=200 goes hunting
        process.env['RUNS'] === undefined
          ? { numRuns: 6, seed: 1 }
          : { numRuns: Number(process.env['RUNS']) },
      );
    },
    60_000,
  );
});
