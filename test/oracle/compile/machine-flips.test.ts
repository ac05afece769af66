import { describe, expect, test } from 'vitest';
import { lintRules } from '../../../oracle/compile/load.ts';
import { machineFlips } from '../../../oracle/compile/machine/flips.ts';
import { makeMachine } from '../../../oracle/compile/machine/program.ts';
import { builtIn, edited, small } from './fixture.ts';

const file = 'machines/toy/machine.yaml';
const text = `${edited(
  file,
  [
    'facts:\n',
    `machine: toy
about: A receiver.
state:
  msn: { type: int, starts: '0', about: messages }
  nak: { type: [none, sequence, rnr], starts: none, about: NAK }
timers:
  ack: { about: ACK timer, from: 4 us, to: 4 * 4 us }
steps:
  sent: [start ack, 'nak := rnr', { if: msn > 2 and nak = rnr, do: 'msn := max(msn, 1)' }]
facts:
`,
  ],
  ['    values: { none: no NAK', '    is: nak\n    values: { none: no NAK'],
)}${builtIn({ facts: 'psn, ackReq', outcomes: 'reply, nakCode, events', reads: 'ack' })}`;
const { rules } = lintRules({ directory: small, files: { [file]: text } });
const draft = rules?.machines.get('toy')?.draft;
const nakStates = ['none', 'sequence', 'rnr'];
const flips = draft === undefined ? [] : machineFlips(draft, () => nakStates);

describe('flips of a machine', () => {
  test('change each start value, bound, condition, effect and statement', () => {
    expect(flips.map(({ where, from, to }) => `${where}: ${from} -> ${to}`)).toEqual([
      'state.msn.starts: 0 -> (0) + 1',
      'state.msn.starts: 0 -> (0) - 1',
      'state.nak.starts: none -> sequence',
      'state.nak.starts: none -> rnr',
      'timers.ack.from: 4 us -> 2 * (4 us)',
      'timers.ack.from: 4 us -> (4 us) / 2',
      'timers.ack.to: 4 * 4 us -> 2 * (4 * 4 us)',
      'timers.ack.to: 4 * 4 us -> (4 * 4 us) / 2',
      'timers.ack.to: 4 * 4 us -> 4 / 4 us',
      'facts.nakState: nak -> if nak = none then sequence else nak',
      'facts.nakState: nak -> if nak = sequence then rnr else nak',
      'facts.nakState: nak -> if nak = rnr then none else nak',
      'steps.sent: start ack -> ',
      'steps.sent: nak := rnr -> ',
      'steps.sent: nak := rnr -> nak := none',
      'steps.sent: nak := rnr -> nak := sequence',
      'steps.sent: if msn > 2 and nak = rnr -> if not (msn > 2 and nak = rnr)',
      'steps.sent: if msn > 2 and nak = rnr -> if msn > 2 or nak = rnr',
      'steps.sent: if msn > 2 and nak = rnr -> if msn >= 2 and nak = rnr',
      'steps.sent: if msn > 2 and nak = rnr -> if msn > 2 and nak != rnr',
      'steps.sent: if msn > 2 and nak = rnr -> if msn > 2 and nak = none',
      'steps.sent: if msn > 2 and nak = rnr -> if msn > 2 and nak = sequence',
      'steps.sent.if msn > 2 and nak = rnr: msn := max(msn, 1) -> ',
      'steps.sent.if msn > 2 and nak = rnr: msn := max(msn, 1) -> msn := (max(msn, 1)) + 1',
      'steps.sent.if msn > 2 and nak = rnr: msn := max(msn, 1) -> msn := (max(msn, 1)) - 1',
      'steps.sent.if msn > 2 and nak = rnr: msn := max(msn, 1) -> msn := min(msn, 1)',
    ]);
  });

  test('each makes a machine', () => {
    for (const flip of flips) expect(makeMachine(flip.draft, () => nakStates).draft).toBe(flip.draft);
  });

  test('and only that one place differs', () => {
    const variables = {};
    const flip = flips.find(({ to }) => to === '(0) + 1');
    if (flip !== undefined) makeMachine(flip.draft, () => nakStates).start({}, variables);
    expect(variables).toMatchObject({ msn: 1, nak: 'none' });
  });

  test.each([
    [
      'if nak = none then 1 ms else 4 us',
      [
        'if false then 1 ms else 4 us',
        'if true then 1 ms else 4 us',
        'if nak = none then 2 ms else 4 us',
        'if nak = none then 1 ms else 2 us',
      ],
    ],
    ['if ack early then 1 ms else 4 us', ['if ack due then 1 ms else 4 us']],
    ['if not (ack early) then 1 ms else 4 us', ['if (ack early) then 1 ms else 4 us']],
    [
      'if msn = 1 or msn = 2 or ack early then 1 ms else 4 us',
      ['if msn = 1 or false or ack early then 1 ms else 4 us'],
    ],
  ])('change each branch, operand, number and phase inside %s, if that is asked for', (from, expected) => {
    if (draft === undefined) throw new Error('no machine');
    const timers = { ack: { from, about: 'as it is' } };
    const made = (deeper: boolean): string[] =>
      machineFlips({ ...draft, timers }, () => nakStates, deeper).map(({ to }) => to);
    expect(made(true)).toEqual(expect.arrayContaining(expected));
    const plain = new Set(made(false));
    expect(expected.filter((text) => plain.has(text))).toEqual([]);
  });
});
