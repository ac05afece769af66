import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSpecYaml, specDirectory } from '../../spec/load.ts';
import { validator } from '../../oracle/compile/shape.ts';
import {
  credits,
  opcodes,
  qpAttrMask,
  qpTransitions,
  rnrMicroseconds,
  wcStatus,
} from '../../spec/constants.ts';

const names = ['aeth', 'dcqcn', 'latitudes', 'opcodes', 'qp-transitions', 'timers', 'verbs', 'work-requests'];

function schema(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(specDirectory, 'schema', `${name}.schema.json`), 'utf8')) as Record<
    string,
    unknown
  >;
}

describe('constants', () => {
  test('every file has a schema', () => {
    const files = readdirSync(join(specDirectory, 'constants')).map((file) => file.replace('.yaml', ''));
    expect(files.toSorted()).toEqual(names);
  });

  test.each(names)('%s.yaml has the shape its schema says', (name) => {
    const validate = validator(schema(name));
    validate(loadSpecYaml(`constants/${name}.yaml`));
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each([
    ['aeth', { kinds: { ack: 4 } }],
    ['aeth', { creditInvalid: 32 }],
    ['work-requests', { IBV_WR_SEND: { asks: 'post', carries: 'nothing', completes: 'IBV_WC_SEND' } }],
    ['dcqcn', { profiles: {} }],
    ['dcqcn', { tolerance: { rate: 1, alpha: 0, pace: 0, burst: 2, marks: 0 } }],
    ['latitudes', { port: { gap: 2, headers: 128 } }],
    ['latitudes', { captures: { clock: 0.001 } }],
    ['opcodes', { headers: { RETH: 16 } }],
    ['timers', { rnrMicroseconds: [655360] }],
    ['timers', { more: 1 }],
    ['verbs', { wcStatus: { WC_SUCCESS: 0 } }],
    ['verbs', { qpState: { IBV_QPS_RESET: '0' } }],
    ['qp-transitions', { RC: [{ from: 'RESET', to: 'INIT', required: ['PKEY'], optional: [] }] }],
  ])('%s.yaml with %j is refused', (name, change) => {
    const value = { ...(loadSpecYaml(`constants/${name}.yaml`) as object), ...change };
    expect(validator(schema(name))(value)).toBe(false);
  });

  test('opcodes: no two operations share a byte, and the three service bits are the service', () => {
    const known = opcodes.filter((info) => info !== undefined);
    const { operations, services } = loadSpecYaml('constants/opcodes.yaml') as {
      operations: { op: number; services: string[] }[];
      services: Record<string, number>;
    };
    const bytes = operations.flatMap(({ op, services: on }) => on.map((s) => (services[s] ?? 0) | op));
    expect(new Set(bytes).size).toBe(bytes.length);
    expect(known).toHaveLength(bytes.length + 1);
    for (const info of known) expect(info.opcode & 0xe0).toBe(services[info.service]);
  });

  test('credit codes rise; RNR timers rise from code 1, and code 0 is the longest', () => {
    expect(credits).toEqual(credits.toSorted((a, b) => a - b));
    const [zero, ...rest] = rnrMicroseconds;
    expect(rest).toEqual(rest.toSorted((a, b) => a - b));
    expect(zero).toBeGreaterThan(rest.at(-1) ?? Infinity);
  });

  test('no attribute of a transition is both required and optional, and all have a mask bit', () => {
    for (const transitions of Object.values(qpTransitions)) {
      const pairs = transitions.map(({ from, to }) => `${from} -> ${to}`);
      expect(new Set(pairs).size).toBe(pairs.length);
      for (const { required, optional } of transitions) {
        expect(required.filter((attribute) => optional.includes(attribute))).toEqual([]);
        for (const attribute of [...required, ...optional]) {
          expect(() => qpAttrMask.number(`IBV_QP_${attribute}`)).not.toThrow();
        }
      }
    }
  });

  test('names and numbers of an enum lead to each other', () => {
    for (const [name, value] of Object.entries(wcStatus.numbers)) expect(wcStatus.name(value)).toBe(name);
    expect(() => wcStatus.number('IBV_WC_NO_SUCH')).toThrow(RangeError);
  });
});
