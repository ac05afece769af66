import { describe, expect, it } from 'vitest';
import { generateChunk } from '../../../suites/index.ts';
import { profile } from '../profile.ts';
import { broken, propertyNamed } from './parts.ts';

describe('work requests of several elements', () => {
  it('take the place of all that have memory which can be cut', () => {
    const all = generateChunk(propertyNamed('rc-requester/several-elements'), profile, 5, 0, 60);
    const wrs = all.flatMap(({ scenario }) =>
      scenario.steps.flatMap((step) => (step.do === 'post_send' ? [step.wr] : [])),
    );
    const cut = wrs.filter(({ sges = 1 }) => sges > 1);
    expect(cut.length).toBeGreaterThan(wrs.length / 3);
    expect(cut.every(({ inline, opcode }) => inline === undefined && !opcode.includes('ATOMIC'))).toBe(true);
    const whole = wrs.filter(({ sges }) => sges === undefined);
    expect(
      whole.every(
        ({ length, inline, opcode, repeat }) => length < 2 || inline || repeat || /ATOMIC/.test(opcode),
      ),
    ).toBe(true);
  });

  it('show a device whose second element fails', async () => {
    expect(await broken('second-element-fails', 'rc-requester/several-elements', 60)).not.toEqual([]);
  });
});
