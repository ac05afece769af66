import { describe, expect, test } from 'vitest';
import { lintRules, loadRules } from '../../../oracle/compile/load.ts';
import type { Machine } from '../../../oracle/rules.ts';
import { builtIn, edited, small } from './fixture.ts';

const file = 'machines/toy/machine.yaml';
const head = `machine: toy
about: A receiver that a trace does not show whole.
inputs:
  packet.psn: { type: psn, about: PSN of the packet }
  packet.length: { type: int, about: bytes that it asks for }
  packet.source: { type: address, about: host that it comes from }
  mtu: { type: int, unknown: true, about: path MTU }
  watched: { type: flag, about: the trace shows the calls }
state:
  ePsn: { type: psn, unknown: true, about: expected PSN }
  nak: { type: [none, sequence, rnr], starts: none, about: NAK that is out }
  held: { type: int, unknown: true, about: a copy of the path MTU }
  peer: { type: address, unknown: true, about: the far end }
values:
  responses:
    { type: int, unknown: true, about: PSNs that it takes, is: if packet.length <= 256 then 1 else ceil(packet.length / mtu) }
steps:
  asked: 'ePsn := packet.psn + responses'
  lost: ['ePsn := unknown', 'peer := unknown']
  copied: 'held := mtu'
  connected: { if: not known peer or peer != packet.source, do: ['peer := packet.source', 'nak := rnr'] }
  over: [reset]
  forgotten: 'reset but ePsn, peer'
facts:
`;
const machineText = `${edited(
  file,
  ['facts:\n', head],
  [
    '    values: { expected: equal',
    `    is: { expected: packet.psn = ePsn, duplicate: packet.psn behind ePsn, ahead: otherwise }
    unknown: if packet.length = 0 then expected else duplicate
    values: { expected: equal`,
  ],
  [
    '    values: { none: no NAK',
    `    is: nak
    may: { sequence: not watched and nak != none }
    values: { none: no NAK`,
  ],
)}${builtIn({ facts: 'ackReq', outcomes: 'reply, nakCode, events', reads: 'held' })}`;

function toy(text = machineText): Machine {
  const machine = loadRules({ directory: small, files: { [file]: text } }).machines.get('toy');
  if (machine === undefined) throw new Error('no machine');
  return machine;
}

function begun(machine: Machine): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  machine.start({}, variables);
  return variables;
}

describe('what a trace does not show', () => {
  test('of a choice only the part that is taken must be known', () => {
    const machine = toy();
    const variables = begun(machine);
    const asked = (length: number, mtu: number | undefined): unknown => {
      machine.step('asked')({ packet: { psn: 5, length }, mtu }, variables);
      return variables['ePsn'];
    };
    expect(asked(256, undefined)).toBe(6);
    expect(asked(257, undefined)).toBe(-1);
    expect(asked(257, 256)).toBe(7);
    expect(asked(512, 256)).toBe(7);
  });

  test('a variable may be forgotten, and what is left out is unknown', () => {
    const machine = toy();
    const variables = { ...begun(machine), ePsn: 7, peer: '::1' };
    machine.step('lost')({}, variables);
    expect(variables).toMatchObject({ ePsn: -1, peer: undefined });
    machine.step('copied')({}, variables);
    expect(variables).toMatchObject({ held: -1 });
    machine.step('copied')({ mtu: 1024 }, variables);
    expect(variables).toMatchObject({ held: 1024 });
  });

  test('addresses are copied and compared', () => {
    const machine = toy();
    const variables = begun(machine);
    const connected = (source: string): void => machine.step('connected')({ packet: { source } }, variables);
    connected('::1');
    expect(variables).toMatchObject({ peer: '::1', nak: 'rnr' });
    variables['nak'] = 'none';
    connected('::1');
    expect(variables).toMatchObject({ peer: '::1', nak: 'none' });
    connected('::2');
    expect(variables).toMatchObject({ peer: '::2', nak: 'rnr' });
  });

  test('reset takes everything back to its start', () => {
    const machine = toy();
    const variables = { ...begun(machine), ePsn: 7, nak: 'rnr' };
    machine.step('over')({}, variables);
    expect(variables).toEqual(begun(machine));
  });

  test('reset leaves the variables alone that it names', () => {
    const machine = toy();
    const variables = { ...begun(machine), ePsn: 7, nak: 'rnr', held: 1024, peer: '::1' };
    machine.step('forgotten')({}, variables);
    expect(variables).toEqual({ ...begun(machine), ePsn: 7, peer: '::1' });
  });

  test('what is likeliest may depend on the event', () => {
    const psn = toy().facts.get('psn');
    const likeliest = (length: number): number | undefined =>
      psn?.likeliest({ packet: { psn: 5, length } }, { ePsn: -1 });
    expect([likeliest(0), likeliest(1)]).toEqual([0, 2]);
  });

  test('a fact may have further values', () => {
    const fact = toy().facts.get('nakState');
    const read = (watched: boolean, nak: string): unknown[] => [
      fact?.read({ watched }, { nak }),
      fact?.likeliest({ watched }, { nak }),
    ];
    expect(fact?.kind).toBe('possible');
    expect(read(true, 'rnr')).toEqual([0b100, 2]);
    expect(read(false, 'rnr')).toEqual([0b110, 2]);
    expect(read(false, 'none')).toEqual([0b001, 0]);
  });

  test.each<[string, [string, string], string]>([
    ['a further value that the fact lacks', ['may: { sequence:', 'may: { order:'], '"order" is no value'],
    [
      'a further value of which nothing is known',
      ['not watched and', 'packet.psn = ePsn and'],
      'it may be unknown',
    ],
    [
      'a likeliest value that the fact lacks',
      ['then expected else duplicate', 'then expected else later'],
      'unknown name "later"',
    ],
    [
      'a reset that leaves out what is no variable',
      ['reset but ePsn', 'reset but epsn'],
      'did you mean "ePsn"?',
    ],
    ['a reset that leaves out an input', ['reset but ePsn', 'reset but mtu'], 'which nothing sets'],
    ['a reset that leaves out nothing', ['reset but ePsn, peer', 'reset but'], 'the name of a variable'],
    ['unknown in a variable that never is', ["'nak := rnr'", "'nak := unknown'"], 'which may not'],
    ['unknown without a type', ['packet.length <= 256', 'unknown = unknown'], '"unknown" has no type'],
    ['an order of addresses', ['peer != packet.source', 'peer < packet.source'], 'means nothing'],
  ])('the compiler refuses %s', (_title, [from, to], message) => {
    expect(machineText).toContain(from);
    const { diagnostics } = lintRules({ directory: small, files: { [file]: machineText.replace(from, to) } });
    expect(diagnostics[0]?.message).toContain(message);
  });
});
