import { describe, expect, test } from 'vitest';
import { lintRules, loadRules } from '../../../oracle/compile/load.ts';
import { machineFlips } from '../../../oracle/compile/machine/flips.ts';
import { machineOf } from '../../../oracle/rulebook/machine.ts';
import type { TypedMachine } from '../../../oracle/rulebook/machine.ts';
import { builtIn, edited, places, small } from './fixture.ts';

const file = 'machines/toy/machine.yaml';
const head = `machine: toy
about: A sender that counts.
inputs:
  packet.psn: { type: psn, about: PSN of the packet }
  attr.retry_cnt: { type: int, about: as set }
state:
  ePsn: { type: psn, starts: '7', about: expected PSN }
  retries: { type: 0..7, starts: attr.retry_cnt, about: retries left }
  again: { type: psn, unknown: true, about: packet to send again }
  until: { type: time, starts: 0 ns, merges: greatest, about: end of the wait }
timers:
  ack: { about: ACK timer, from: 1 us, to: forever, off: attr.retry_cnt = 7 }
values:
  lastTry: { type: flag, is: 'known again and again = ePsn', about: last try }
steps:
  sent: [start ack, 'again := packet.psn', 'until := max(until, now + 5 ns)']
  ranOut: [expire ack, 'again := unknown']
  call: reset
  mayFail: 'may retries := retries - 1'
  mayReload: 'may retries := attr.retry_cnt'
facts:
`;
const text = `${edited(
  file,
  ['facts:\n', head],
  [
    '    values: { none: no NAK',
    '    is: { rnr: retries = 0, sequence: retries = 1, none: otherwise }\n    values: { none: no NAK',
  ],
  [
    '    values: { none: no packet',
    `    does: { nak: 'retries := retries - 1', acknowledge: [start ack, 'retries := attr.retry_cnt'] }
    values: { none: no packet`,
  ],
)}${builtIn({ facts: 'psn, ackReq', outcomes: 'nakCode, events', reads: 'ack, lastTry, until', writes: 'ePsn' })}`;

interface Variables {
  ePsn: number;
  retries: number;
  again: number;
  until: number;
  ackEarliest: number;
  ackLatest: number;
}
interface Inputs {
  packet: { psn: number };
  attr: { retry_cnt: number };
  now: number;
  earliest: number;
  slack: number;
  ran: (since: number) => number;
}
type Toy = TypedMachine<
  Variables,
  Inputs,
  'sent' | 'ranOut' | 'call' | 'mayFail' | 'mayReload',
  'lastTry' | 'ack phase'
>;

const attr = { retry_cnt: 3 };
const at = (now: number, earliest = now): Inputs => ({
  packet: { psn: 9 },
  attr,
  now,
  earliest,
  slack: 0,
  ran: (since) => now - since,
});

function begun(): { toy: Toy; v: Variables } {
  const toy: Toy = machineOf(loadRules({ directory: small, files: { [file]: text } }), 'toy');
  const v: Variables = { ePsn: 0, retries: 0, again: 0, until: 0, ackEarliest: 0, ackLatest: 0 };
  toy.start({ attr }, v);
  return { toy, v };
}

describe('of what several values are possible', () => {
  test('all that a fact may be are given, the likeliest first in the vocabulary', () => {
    const { toy, v } = begun();
    v.retries = 0b101;
    expect(toy.possible('nakState')({}, v)).toEqual(['none', 'rnr']);
    expect(toy.fact('nakState')({}, v)).toBe('none');
    v.retries = 0b11;
    expect(toy.possible('nakState')({}, v)).toEqual(['sequence', 'rnr']);
    expect(toy.fact('nakState')({}, v)).toBe('sequence');
    expect(() => toy.fact('reply')).toThrow('gives fact reply no meaning');
  });

  test('those are left that agree with what the fact turned out to be', () => {
    const { toy, v } = begun();
    const narrow = toy.narrow('nakState');
    for (const [value, left] of [
      ['none', 0b1100],
      ['sequence', 0b10],
      ['rnr', 0b1],
    ] as const) {
      v.retries = 0b1111;
      narrow({}, v, value);
      expect(v.retries).toBe(left);
    }
  });

  test('outcomes of which any may hold leave all that they may come to', () => {
    const { toy, v } = begun();
    v.retries = 0b10;
    v.ackEarliest = 4;
    v.ackLatest = 6;
    toy.applyAny([{ reply: 'nak' }, { reply: 'acknowledge' }], at(20, 10), v);
    expect(v).toMatchObject({ retries: 0b1001, ackEarliest: 4, ackLatest: 20 });
    toy.applyAny([{ reply: 'acknowledge' }], at(30, 25), v);
    expect(v).toMatchObject({ retries: 0b1000, ackEarliest: 25, ackLatest: 30 });
    toy.applyAny([], at(40), v);
    expect(v.ackLatest).toBe(30);
  });

  test('states differ by what is not merged', () => {
    const { toy, v } = begun();
    const other: Variables = { ...v };
    toy.layout.copy({ ...v, retries: 0b10, until: 9, ackEarliest: 1, ackLatest: 8 }, other);
    expect(toy.layout.key(other)).toBe(toy.layout.key(v));
    toy.layout.absorb(v, other);
    expect(v).toMatchObject({ retries: 0b1010, until: 9, ackEarliest: -1, ackLatest: 8 });
    other.ePsn = 70;
    expect(toy.layout.key(other)).not.toBe(toy.layout.key(v));
  });
});

describe('statements', () => {
  test('what may change has its values of before as well', () => {
    const { toy, v } = begun();
    v.retries = 0b10011;
    toy.step('mayFail')({}, v);
    expect(v.retries).toBe(0b11011);
    v.retries = 0b1;
    toy.step('mayFail')({}, v);
    expect(v.retries).toBe(0b1);
    toy.step('mayReload')({ attr }, v);
    expect(v.retries).toBe(0b1001);
  });

  test('of what may change, it is flipped whether it must, and to what', () => {
    const { toy } = begun();
    const flips = machineFlips(toy.machine.draft, () => []);
    const changes = flips.filter(({ where }) => where === 'steps.mayReload');
    expect(changes.map(({ to }) => to)).toEqual([
      '',
      'retries := attr.retry_cnt',
      'may retries := (attr.retry_cnt) + 1',
      'may retries := (attr.retry_cnt) - 1',
    ]);
  });

  test('a timer that has run out counts anew, at the earliest when its time was over', () => {
    const { toy, v } = begun();
    toy.step('sent')(at(100, 90), v);
    toy.step('ranOut')(at(1200, 0), v);
    expect(v).toMatchObject({ ackEarliest: 1090, ackLatest: 1200, again: -1, until: 105 });
    toy.step('ranOut')(at(9000, 8000), v);
    expect(v.ackEarliest).toBe(8000);
  });

  test('a timer never began earlier than it did before', () => {
    const { toy, v } = begun();
    toy.step('sent')(at(100), v);
    toy.step('sent')(at(110, 50), v);
    expect(v).toMatchObject({ ackEarliest: 100, ackLatest: 110 });
  });

  test('reset gives back the start values', () => {
    const { toy, v } = begun();
    toy.step('sent')(at(100), v);
    v.ePsn = 12;
    expect(toy.flag('lastTry')({}, v)).toBe(false);
    v.again = 12;
    expect(toy.flag('lastTry')({}, v)).toBe(true);
    toy.step('call')({ attr: { retry_cnt: 1 } }, v);
    expect(v).toEqual({ ePsn: 7, retries: 0b10, again: -1, until: 0, ackEarliest: -1, ackLatest: -1 });
  });
});

describe('the compiler refuses', () => {
  test.each<[string, string, string]>([
    ['again := unknown', 'ePsn := unknown', 'which may not'],
    ['again := unknown', 'agian := unknown', 'did you mean "again"?'],
    ['may retries := retries - 1', 'may ePsn := packet.psn', 'that needs a type such as 0..7'],
    ['expire ack', 'expire acks', 'unknown timer "acks"'],
    ["starts: '7'", "starts: '16777216'", 'int, where psn is needed'],
    ['type: psn, unknown: true,', 'type: psn, merges: least, unknown: true,', 'there is no least'],
  ])('%s made %s', (from, to, message) => {
    expect(text).toContain(from);
    const { diagnostics } = lintRules({ directory: small, files: { [file]: text.replace(from, to) } });
    expect(places(diagnostics)).toHaveLength(1);
    expect(diagnostics[0]?.message).toContain(message);
  });
});
