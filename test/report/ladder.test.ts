import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawLadder } from '../../report/ladder/ladder.ts';
import type { LadderLine } from '../../report/results.ts';
import { sampleFailure } from './sample.ts';

const anyLine: fc.Arbitrary<LadderLine> = fc.record(
  {
    t: fc.nat({ max: 10_000_000_000 }),
    kind: fc.constantFrom('to-dut', 'from-dut', 'verbs', 'completion', 'event', 'note'),
    text: fc.string({ unit: fc.constantFrom('a', 'B', ' ', '=', '9'), maxLength: 300 }),
    guilty: fc.boolean(),
  },
  { requiredKeys: ['t', 'kind', 'text'] },
);

describe('ladder', () => {
  it('draws packets as arrows in their direction and marks the guilty one', () => {
    const lines = drawLadder(sampleFailure.ladder, 80);
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "                peer                                                         DUT
                 0 ns |                                [post_recv wr_id=1 length=256]|
             1.000 us |-- SEND_ONLY psn=7 ackreq payload=16 -----------------------> |
      >>     2.500 ms | <= ACKNOWLEDGE psn=6 NAK psn-sequence-error msn=0 ===========|
             3.000 ms |                                      [wr_id=1 IBV_WC_SUCCESS]|
             3.000 ms |  (settled)                                                   |"
    `);
  });

  it('keeps within the width, and keeps both ends in line, whatever the texts', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 10 }), fc.integer({ min: 48, max: 130 }), (lines, width) => {
        const [, ...drawn] = drawLadder(lines, width);
        for (const line of drawn) {
          expect(line.length).toBe(width);
          expect(line[16]).toBe('|');
          expect(line[width - 1]).toBe('|');
        }
      }),
    );
  });

  it('loses no word of a text that does not fit', () => {
    const text = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ');
    for (const kind of ['to-dut', 'from-dut', 'verbs', 'note'] as const) {
      const drawn = drawLadder([{ t: 0, kind, text }], 80).join('\n');
      for (const word of text.split(' ')) expect(drawn).toContain(word);
    }
  });
});
