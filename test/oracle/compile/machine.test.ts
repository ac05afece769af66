import { describe, expect, test } from 'vitest';
import { lintRules, loadRules } from '../../../oracle/compile/load.ts';
import type { Machine, Outcome } from '../../../oracle/rules.ts';
import { builtIn, edited, places, small } from './fixture.ts';

const file = 'machines/toy/machine.yaml';
const head = `machine: toy
about: A receiver of numbered packets.
inputs:
  packet.psn: { type: psn, about: PSN of the packet }
  packet.count: { type: int, unknown: true, about: PSNs that it takes }
  attr.retry_cnt: { type: int, about: as set }
state:
  ePsn: { type: psn, unknown: true, about: expected PSN }
  msn: { type: int, starts: '0', about: messages }
  retries: { type: 0..7, starts: attr.retry_cnt, about: retries left }
  nak: { type: [none, sequence, rnr], starts: none, about: NAK that is out }
timers:
  ack: { about: ACK timer, from: ackTime, to: 4 * ackTime, off: attr.retry_cnt = 7 }
values:
  ackTime: { type: time, is: 4.096 us * 2, about: T }
  beyond: { type: flag, unknown: true, is: packet.psn ahead ePsn, about: as it is }
  anew: { type: flag, is: not known ePsn or ePsn = packet.psn, about: as it is }
steps:
  sent: [start ack, 'nak := rnr']
  reset: { if: nak = rnr, do: ['msn := 0', stop ack], else: 'msn := msn + 10' }
  asked: 'ePsn := packet.psn + packet.count'
  spent: 'retries := retries - 1'
  lost: [{ if: known ePsn, do: 'msn := ePsn - packet.psn', else: 'msn := 0' }, 'ePsn := unknown']
facts:
`;
const machineText = `${edited(
  file,
  ['facts:\n', head],
  [
    '    values: { expected: equal',
    `    is: { expected: packet.psn = ePsn, duplicate: packet.psn behind ePsn, ahead: otherwise }
    unknown: expected
    values: { expected: equal`,
  ],
  ['    values: { none: no NAK', '    is: nak\n    values: { none: no NAK'],
  [
    '    values: { none: no packet',
    `    does: { nak: 'nak := sequence', acknowledge: ['msn := msn + 1', 'nak := none'] }
    holds: { nak: nak != none, acknowledge: ePsn = packet.psn }
    values: { none: no packet`,
  ],
)}${builtIn({ facts: 'ackReq', outcomes: 'nakCode, events', reads: 'msn, retries, ack, beyond, anew' })}`;

/** Variables of a machine that has just begun. */
function begun(machine: Machine, retry_cnt = 3): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  machine.start({ attr: { retry_cnt } }, variables);
  return variables;
}

function toy(text = machineText): Machine {
  const machine = loadRules({ directory: small, files: { [file]: text } }).machines.get('toy');
  if (machine === undefined) throw new Error('no machine');
  return machine;
}

describe('a machine', () => {
  test('begins with its start values; what has none is unknown', () => {
    expect(begun(toy())).toEqual({
      ePsn: -1,
      msn: 0,
      retries: 1 << 3,
      nak: 'none',
      ackEarliest: -1,
      ackLatest: -1,
    });
  });

  test('has a value of each type where nothing has set a variable that has no start', () => {
    const unset = machineText
      .replace(
        '  retries: { type: 0..7, starts: attr.retry_cnt, about: retries left }\n',
        '  retries: { type: 0..7, about: retries left }\n  low: { type: flag, about: set by a step }\n',
      )
      .replace("msn: { type: int, starts: '0'", 'msn: { type: int')
      .replace('rnr], starts: none', 'rnr]')
      .replace('  sent: [start ack,', "  sent: [{ if: low, do: stop ack }, 'low := true', start ack,");
    expect(begun(toy(unset))).toMatchObject({ msn: -1, retries: 1, low: false, nak: 'none' });
  });

  test('gives facts their values, and leaves open what is unknown', () => {
    const machine = toy();
    const variables = begun(machine);
    const psn = machine.facts.get('psn');
    const read = (value: number): number | undefined => psn?.read({ packet: { psn: value } }, variables);
    expect(psn?.kind).toBe('possible');
    expect(psn?.likeliest({ packet: { psn: 5 } }, variables)).toBe(0);
    expect(read(5)).toBe(0b111);
    variables['ePsn'] = 5;
    expect([5, 6, 4, 5 + 0x800000].map(read)).toEqual([0b001, 0b010, 0b100, 0b100]);
    const nak = machine.facts.get('nakState');
    expect(nak?.kind).toBe('one');
    expect(nak?.read({}, { nak: 'rnr' })).toBe(2);
  });

  test('does what outcomes say, and no more', () => {
    const machine = toy();
    const variables = begun(machine);
    const apply = (outcome: Outcome): void => machine.apply(outcome, {}, variables);
    apply({ reply: 'nak', nakCode: 'sequence' });
    expect(variables).toMatchObject({ msn: 0, nak: 'sequence' });
    apply({ reply: 'none' });
    expect(variables).toMatchObject({ msn: 0, nak: 'sequence' });
    machine.effect('reply')({ reply: 'acknowledge' }, {}, variables);
    expect(variables).toMatchObject({ msn: 1, nak: 'none' });
  });

  test('takes steps, under conditions', () => {
    const machine = toy();
    const variables = begun(machine);
    const clock = { now: 100, earliest: 90 };
    machine.step('reset')({}, variables);
    expect(variables).toMatchObject({ msn: 10 });
    machine.step('sent')(clock, variables);
    expect(variables).toMatchObject({ ackEarliest: 90, ackLatest: 100, nak: 'rnr' });
    machine.step('reset')({}, variables);
    expect(variables).toMatchObject({ msn: 0, ackEarliest: -1 });
    expect(() => machine.step('none')).toThrow('step "none" is not in the YAML');
  });

  test('does not know what comes of the unknown', () => {
    const machine = toy();
    const variables = begun(machine);
    const asked = machine.step('asked');
    asked({ packet: { psn: 0xffffff, count: 2 } }, variables);
    expect(variables['ePsn']).toBe(1);
    asked({ packet: { psn: 3, count: -1 } }, variables);
    expect(variables['ePsn']).toBe(-1);
  });

  test('forgets, and tells what it then does not know', () => {
    const machine = toy();
    const variables = { ...begun(machine), ePsn: 7 };
    const packet = { psn: 5, count: 1 };
    const read = (name: string): unknown => machine.value(name)({ packet }, variables);
    expect([read('beyond'), read('anew')]).toEqual([false, false]);
    machine.step('lost')({ packet }, variables);
    expect(variables).toMatchObject({ ePsn: -1, msn: 2 });
    expect([read('beyond'), read('anew')]).toEqual([undefined, true]);
    machine.step('lost')({ packet }, variables);
    expect(variables).toMatchObject({ msn: 0 });
  });

  test('tells whether a demand is met', () => {
    const machine = toy();
    const variables = { ...begun(machine), ePsn: 7 };
    const demanded = machine.holds('reply');
    const holds = (reply: string, psn: number): unknown =>
      demanded({ reply }, { packet: { psn } }, variables);
    expect([holds('nak', 7), holds('acknowledge', 7), holds('acknowledge', 8)]).toEqual([false, true, false]);
    expect(holds('none', 7)).toBeUndefined();
    variables['ePsn'] = -1;
    expect(holds('acknowledge', 7)).toBeUndefined();
    expect(() => machine.holds('nakCode')).toThrow('the demand of outcome "nakCode" is not in the YAML');
  });

  test('keeps every value that a counter may have; none is below 0', () => {
    const machine = toy();
    const variables = { ...begun(machine), retries: 0b1011 };
    machine.step('spent')({}, variables);
    expect(variables.retries).toBe(0b101);
  });

  test('tells how far a timer is', () => {
    const machine = toy();
    const phase = machine.value('ack phase');
    const variables = begun(machine);
    const at = (now: number, stalled = 0, retry_cnt = 3): unknown =>
      phase({ now, slack: 5, ran: (since: number) => now - since - stalled, attr: { retry_cnt } }, variables);
    expect(at(50)).toBe('stopped');
    Object.assign(variables, { ackEarliest: 0, ackLatest: 100 });
    const t = 8192;
    expect([t - 1, t, 100 + 4 * t + 5, 100 + 4 * t + 6].map((now) => at(now))).toEqual([
      'early',
      'due',
      'due',
      'overdue',
    ]);
    expect(at(100 + 4 * t + 6, 1)).toBe('due');
    expect(at(t, 0, 7)).toBe('stopped');
  });

  test('has a timer without a greatest time expire after the least', () => {
    const phase = toy(machineText.replace(', to: 4 * ackTime', '')).value('ack phase');
    const at = (now: number): unknown =>
      phase(
        { now, slack: 5, ran: (since: number) => now - since, attr: { retry_cnt: 3 } },
        { ackEarliest: 0, ackLatest: 0 },
      );
    expect([8191, 8192, 8192 + 5, 8192 + 6].map(at)).toEqual(['early', 'due', 'due', 'overdue']);
  });

  test('a changed text is another machine', () => {
    const machine = toy(machineText.replace("'msn := msn + 1'", "'msn := msn + 2'"));
    const variables = begun(machine);
    machine.effect('reply')({ reply: 'acknowledge' }, {}, variables);
    expect(variables['msn']).toBe(2);
  });
});

describe('the compiler refuses, in a machine', () => {
  test.each<[string, [string, string], string, string]>([
    [
      'an unknown name',
      ['packet.psn = ePsn', 'packet.psn = epsn'],
      '27:21 expression',
      'unknown name "epsn"; did you mean "ePsn"?',
    ],
    ['an unknown type', ['type: int, starts', 'type: whole, starts'], '9:16 schema', 'unknown type "whole"'],
    [
      'a start value of another type',
      ["starts: '0'", 'starts: nak'],
      '9:29 expression',
      'one of none, sequence, rnr, where int is needed',
    ],
    [
      'an effect on an input',
      ["spent: 'retries := retries - 1'", "spent: 'packet.psn := 0'"],
      '22:10 expression',
      '"packet.psn" is an input, which nothing sets',
    ],
    [
      'an unknown variable',
      ['nak := rnr', 'nack := rnr'],
      '19:9 expression',
      '"nack" is no variable of the machine; did you mean "nak"?',
    ],
    [
      'a word that the fact lacks',
      ['ahead: otherwise', 'beyond: otherwise'],
      '27:83 unknown-fact-value',
      '"beyond" is no value of fact "psn"',
    ],
    [
      'cases without an end',
      ['ahead: otherwise', 'ahead: packet.psn ahead ePsn'],
      '27:9 expression',
      'must hold "otherwise"',
    ],
    ['what may be unknown, unsaid', ['    unknown: expected\n', ''], '27:21 expression', 'it may be unknown'],
    [
      'unknown in a variable that never is',
      ['msn := msn + 10', 'msn := packet.count'],
      '20:10 expression',
      'which may not',
    ],
    [
      'a timer that nothing starts',
      ['[start ack, ', '['],
      '13:8 unused-word',
      'nothing starts the timer "ack"',
    ],
    [
      'an effect of a word that the outcome lacks',
      ['does: { nak:', 'does: { nack:'],
      '42:19 unknown-outcome-value',
      '"nack" is no value of outcome "reply"',
    ],
    [
      'a demand of a word that the outcome lacks',
      ['holds: { nak:', 'holds: { nack:'],
      '43:20 unknown-outcome-value',
      '"nack" is no value of outcome "reply"',
    ],
    [
      'a demand that is no condition',
      ['holds: { nak: nak != none', 'holds: { nak: msn'],
      '43:19 expression',
      'int, where flag is needed',
    ],
    [
      'another name than the folder',
      ['machine: toy', 'machine: toys'],
      '1:10 schema',
      'machine "toys" is in the folder of "toy"',
    ],
    [
      'a fact without a meaning',
      ['list\n    facts: [ackReq]', 'list'],
      '63:13 no-meaning',
      '"ackReq" has no meaning',
    ],
    [
      'an outcome without a meaning',
      ['[nakCode, events]', '[events]'],
      '60:29 no-meaning',
      '"nakCode" has no meaning',
    ],
    [
      'a built-in word that no table has',
      ['list\n    facts: [ackReq]', 'list\n    facts: [ackReq, ackRe]'],
      '70:21 unused-word',
      'no table of the machine has "ackRe"; did you mean "ackReq"?',
    ],
    [
      'two meanings of a word',
      ['list\n    facts: [ackReq]', 'list\n    facts: [ackReq, psn]'],
      '70:21 duplicate-word',
      'the YAML gives "psn" its meaning',
    ],
    [
      'a word that is built in twice',
      ['built-in:\n', 'built-in:\n  toy/more: { about: x, facts: [ackReq] }\n'],
      '71:13 duplicate-word',
      '"ackReq" is built in at another place',
    ],
    [
      'a variable that nothing reads',
      ['reads: [msn, retries, ', 'reads: [retries, '],
      '9:8 unused-word',
      'nothing reads "msn"',
    ],
    [
      'a value that nothing reads',
      [', beyond, anew]', ', beyond]'],
      '17:9 unused-word',
      'nothing reads "anew"',
    ],
    [
      'a variable that nothing changes',
      ["  spent: 'retries := retries - 1'\n", ''],
      '10:12 unused-word',
      'nothing changes "retries"',
    ],
    [
      'an input that nothing reads',
      ['  attr.retry_cnt:', '  attr.rnr_retry: { type: int, about: as set }\n  attr.retry_cnt:'],
      '6:19 unused-word',
      'nothing reads input "attr.rnr_retry"',
    ],
    [
      'what is built in and the machine lacks',
      ['reads: [msn, ', 'reads: [nsm, msn, '],
      '72:13 unused-word',
      'the machine declares no "nsm"',
    ],
    [
      'what the YAML reads itself',
      ['reads: [msn, ', 'reads: [nak, msn, '],
      '72:13 unused-word',
      'the YAML reads "nak" itself',
    ],
    ['a key that machines lack', ['steps:', 'stepps:'], '18:1 unknown-key', 'did you mean "steps"?'],
  ])('%s', (_title, [from, to], at, message) => {
    expect(machineText).toContain(from);
    const { diagnostics } = lintRules({ directory: small, files: { [file]: machineText.replace(from, to) } });
    // the first is what was changed; more may follow from it
    expect(places(diagnostics)[0]).toBe(`small/${file}:${at}`);
    expect(diagnostics[0]?.message).toContain(message);
  });

  test('state in another file than that of the machine', () => {
    const words = 'machines/toy/more-words.yaml';
    const other = "values: {}\nfacts: {}\nstate:\n  gap: { type: flag, starts: 'false', about: a gap }\n";
    const { diagnostics } = lintRules({ directory: small, files: { [file]: machineText, [words]: other } });
    const found = diagnostics.find(({ message }) => message.includes('"state:" belongs to the file'));
    expect(found && places([found])).toEqual([`small/${words}:4:3 schema`]);
  });
});
