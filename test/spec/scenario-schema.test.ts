import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Profile } from '../../adapters/adapter.ts';
import { validator } from '../../oracle/compile/shape.ts';
import { specDirectory } from '../../spec/load.ts';
import { properties } from '../../suites/index.ts';
import type { Fault, PacketDefect, Reply, ResponsePsn, Scenario, Step } from '../../suites/scenario.ts';

const validate = validator(
  JSON.parse(readFileSync(join(specDirectory, 'schema', 'scenario.schema.json'), 'utf8')) as Record<
    string,
    unknown
  >,
);

const qp: Scenario['requester'] = {
  startPsn: 0xffffff,
  access: ['IBV_ACCESS_REMOTE_READ'],
  maxDestRdAtomic: 16,
  maxRdAtomic: 0,
  minRnrTimer: 31,
  timeout: 0,
  retryCnt: 7,
  rnrRetry: 7,
};

// One of each kind; the records are complete by their types.
const steps: { [Kind in Step['do']]: Extract<Step, { do: Kind }> } = {
  post_recv: {
    do: 'post_recv',
    length: 0,
    badLkey: true,
    localFault: 'deregistered',
    sges: 3,
    at: 'requester',
    again: true,
    linked: true,
  },
  post_send: {
    do: 'post_send',
    wr: {
      opcode: 'IBV_WR_ATOMIC_CMP_AND_SWP',
      length: 8,
      region: 0,
      offset: -8,
      signaled: true,
      fence: true,
      inline: true,
      badLkey: true,
      badRkey: true,
      compare: '18446744073709551615',
      swapOrAdd: '0',
      localFault: 'bounds',
      sges: 2,
      repeat: 3,
      rawOpcode: 99,
      qkey: 0x80000000,
      nobody: true,
      ends: 1,
      bind: { window: 1, length: 8, access: ['IBV_ACCESS_REMOTE_READ'] },
      path: 'other-ip',
    },
    at: 'responder',
  },
  inject: {
    do: 'inject',
    packet: {
      operation: 'RDMA_WRITE_ONLY_WITH_IMMEDIATE',
      psn: { from: 'next', offset: -8388608 },
      ackReq: true,
      solicited: false,
      payload: { mtus: 1, bytes: 3 },
      target: { region: 0, offset: 4096, length: 0xffffffff, rkey: 'bad', window: 1 },
      atomic: { compare: '0', swapOrAdd: '1' },
      immediate: 0xffffffff,
      invalidate: 0,
      qkey: 0xffffffff,
      place: { recvWqe: 0xffffff, readWqe: 0, offset: { mtus: 7, bytes: 3 } },
    },
  },
  reinject: { do: 'reinject', back: 0 },
  respond: {
    do: 'respond',
    packet: {
      reply: { kind: 'read', position: 'ONLY', bytes: -4, fill: 7, index: 2 },
      psn: { from: 'wr-end', wr: 0, offset: -8388608 },
      msnOffset: -1,
      selective: { from: 'newest', offset: 0 },
      path: 'other-ip',
      defect: { kind: 'frame', part: 'udp-port' },
    },
  },
  await: { do: 'await', packets: 3, us: 1e12 },
  finish: { do: 'finish', us: 0 },
  settle: { do: 'settle' },
  sleep: { do: 'sleep', us: 10 },
  modify_qp: {
    do: 'modify_qp',
    at: 'responder',
    state: 'IBV_QPS_RTS',
    attr: { timeout: 32, alt_ah_attr: 'peer', path_mig_state: 'IBV_MIG_REARM' },
    omit: ['sq_psn'],
    followed: true,
  },
  query_qp: { do: 'query_qp' },
  query_device: { do: 'query_device' },
  reg_mr: { do: 'reg_mr', length: 64, access: ['IBV_ACCESS_REMOTE_WRITE'] },
  rereg_mr: { do: 'rereg_mr', region: 0, access: ['IBV_ACCESS_REMOTE_READ'], pd: 'foreign', length: 0 },
  dereg_mr: { do: 'dereg_mr', region: 0 },
  write_buffer: { do: 'write_buffer', wr: 0, fill: 1 },
  modify_srq: { do: 'modify_srq', limit: 3, maxWr: 16 },
  query_srq: { do: 'query_srq' },
  query_port: { do: 'query_port' },
  query_gid: { do: 'query_gid' },
  query_pkey: { do: 'query_pkey', index: 1, beyond: true },
  destroy: { do: 'destroy', object: 'srq' },
  alloc_mw: { do: 'alloc_mw', type: 'IBV_MW_TYPE_1' },
  dealloc_mw: { do: 'dealloc_mw', window: 1 },
  resize_cq: { do: 'resize_cq', queue: 'send', cqe: 8 },
  req_notify_cq: { do: 'req_notify_cq', queue: 'receive', solicitedOnly: true },
  link: { do: 'link', up: false },
  gid: { do: 'gid', present: true },
};

const defects: { [Kind in PacketDefect['kind']]: Extract<PacketDefect, { kind: Kind }> } = {
  icrc: { kind: 'icrc' },
  tver: { kind: 'tver', value: 15 },
  pkey: { kind: 'pkey', value: 0x8001 },
  'dest-qp': { kind: 'dest-qp' },
  'source-ip': { kind: 'source-ip', part: 'front' },
  'dest-ip': { kind: 'dest-ip' },
  service: { kind: 'service', service: 'XRC' },
  pad: { kind: 'pad', value: 3 },
  short: { kind: 'short' },
  frame: { kind: 'frame', part: 'ip-checksum' },
  ignored: { kind: 'ignored', field: 'resv7' },
  unusual: { kind: 'unusual', field: 'limited-member' },
};

const replies: { [Kind in Reply['kind']]: Extract<Reply, { kind: Kind }> } = {
  ack: { kind: 'ack' },
  nak: { kind: 'nak', code: 31 },
  rnr: { kind: 'rnr', timer: 0 },
  syndrome: { kind: 'syndrome', value: 0xff },
  read: { kind: 'read' },
  atomic: { kind: 'atomic', value: '18446744073709551615' },
  opcode: { kind: 'opcode', value: 0x81 },
  cnp: { kind: 'cnp', qp: 'nobody', ecn: 1 },
};
const psns: ResponsePsn[] = [
  { from: 'wr', wr: 2, offset: 0 },
  { from: 'newest', offset: 8388607 },
  { from: 'oldest', offset: -1 },
  { from: 'start', offset: 0 },
];

type Action = Fault['action'];
const actions: { [Kind in Action['kind']]: Extract<Action, { kind: Kind }> } = {
  drop: { kind: 'drop' },
  duplicate: { kind: 'duplicate', copies: 1 },
  delay: { kind: 'delay', us: 100 },
  hold: { kind: 'hold', packets: 2 },
  corrupt: { kind: 'corrupt', byte: 54, mask: 1, repairIcrc: true },
  'set-ce': { kind: 'set-ce' },
  damage: { kind: 'damage', part: 'oversized' },
  rewrite: { kind: 'rewrite', field: 'psn', xor: 0x800000 },
};

const whole: Scenario = {
  version: 1,
  dut: 'responder',
  peer: 'scripted',
  service: 'UD',
  ooo: true,
  path: {
    rate: 1e9,
    buffer: 65536,
    marking: { low: 0, high: 30000, most: 0.5, seed: 1 },
    lossless: true,
    cross: [{ rate: 1e8, bytes: 1024, from: 0, until: 10, ecn: 1 }],
  },
  cqe: 4,
  ip: 6,
  mtu: 4096,
  requester: qp,
  responder: { ...qp, startPsn: 0, qkey: 1, maxSendWr: 1, maxRecvWr: 2, maxSge: 3 },
  regions: [{ length: 4096, access: ['IBV_ACCESS_LOCAL_WRITE'], fill: 7, foreignPd: true }],
  srq: false,
  steps: [
    ...Object.values(steps),
    ...Object.values(defects).map((defect): Step => {
      return { do: 'inject', packet: { ...steps.inject.packet, operation: 0x1f, defect } };
    }),
    ...Object.values(replies).flatMap((reply) =>
      psns.map((psn): Step => ({ do: 'respond', packet: { reply, psn } })),
    ),
  ],
  faults: Object.values(actions).map((action) => ({
    direction: 'to-responder',
    match: { class: 'data', opcode: 4, psnOffset: 3, ordinal: 0, transmission: 1 },
    action,
  })),
};

describe('the schema of scenarios', () => {
  test('takes one of every step, defect and fault', () => {
    validate(whole);
    expect(validate.errors ?? []).toEqual([]);
  });

  test('takes it after a way through JSON', () => {
    expect(validate(JSON.parse(JSON.stringify(whole)))).toBe(true);
  });

  const profile: Profile = {
    name: 'device that can do everything',
    capabilities: [
      'rc',
      'uc',
      'ud',
      'srq',
      'uc-srq',
      'atomic',
      'send-with-invalidate',
      'cq-events',
      'wr-lists',
      'port-events',
      'srq-resize',
    ],
    pathMtus: [256, 512, 1024, 2048, 4096],
    ipVersions: [4, 6],
    limits: { maxDestRdAtomic: 16, maxMessageBytes: 0x7fffffff, maxQps: 64 },
    clock: 'virtual',
    responseTime: 1000,
    concurrency: 1,
  };
  test.each(properties.map((property) => [property.id, property] as const))(
    'takes what %s generates',
    (_id, property) => {
      fc.assert(
        fc.property(property.arbitrary(profile), (scenario) => {
          validate(JSON.parse(JSON.stringify(scenario)));
          expect(validate.errors ?? []).toEqual([]);
        }),
        { numRuns: 50 },
      );
    },
  );

  const step = (value: unknown): unknown => ({ ...whole, steps: [value] });
  const inject = (change: object): unknown =>
    step({ do: 'inject', packet: { ...steps.inject.packet, ...change } });
  test.each<[string, unknown]>([
    ['a PSN of 25 bits', { ...whole, requester: { ...qp, startPsn: 0x1000000 } }],
    ['a negative PSN', { ...whole, responder: { ...qp, startPsn: -1 } }],
    ['a PSN that is no whole number', { ...whole, responder: { ...qp, startPsn: 0.5 } }],
    ['a timer code of 32', { ...whole, responder: { ...qp, minRnrTimer: 32 } }],
    ['a retry count of 8', { ...whole, requester: { ...qp, retryCnt: 8 } }],
    ['a path MTU of 1500', { ...whole, mtu: 1500 }],
    ['another version', { ...whole, version: 2 }],
    ['another service', { ...whole, service: 'XRC' }],
    ['another peer', { ...whole, peer: 'friend' }],
    ['a local fault of no kind', step({ ...steps.post_recv, localFault: 'moon' })],
    ['no scatter elements', step({ ...steps.post_recv, sges: 0 })],
    ['a link without a state', step({ do: 'link' })],
    ['an unknown key', { ...whole, seed: 1 }],
    ['a missing key', { ...whole, faults: undefined }],
    ['a region without bytes', { ...whole, regions: [{ length: 0, access: [], fill: 0 }] }],
    ['a step of no kind', step({ length: 1 })],
    ['an unknown step', step({ do: 'explode' })],
    ['a step with the key of another', step({ do: 'settle', us: 1 })],
    ['a step that lacks its key', step({ do: 'sleep' })],
    [
      'an RNR timer of 32',
      step({ do: 'respond', packet: { reply: { kind: 'rnr', timer: 32 }, psn: psns[1] } }),
    ],
    [
      'a response at nothing',
      step({ do: 'respond', packet: { reply: { kind: 'ack' }, psn: { offset: 0 } } }),
    ],
    [
      'a response to a work request without number',
      step({ do: 'respond', packet: { reply: { kind: 'ack' }, psn: { from: 'wr', offset: 0 } } }),
    ],
    ['an opcode of nine bits', inject({ operation: 256 })],
    ['in order by saying so', { ...whole, ooo: false }],
    ['a number of 25 bits', inject({ place: { recvWqe: 0x1000000, offset: { mtus: 0, bytes: 0 } } })],
    ['a place without offset', inject({ place: { recvWqe: 0 } })],
    ['a PSN too far off', inject({ psn: { from: 'next', offset: 8388608 } })],
    ['an operand that is no decimal number', inject({ atomic: { compare: '0x1', swapOrAdd: '0' } })],
    ['a defect with a value too large', inject({ defect: { kind: 'tver', value: 16 } })],
    ['a DMALen of 33 bits', inject({ target: { region: 0, offset: 0, length: 0x100000000 } })],
    [
      'a fault that changes nothing',
      {
        ...whole,
        faults: [{ direction: 'to-responder', match: {}, action: { ...actions.corrupt, mask: 0 } }],
      },
    ],
  ])('refuses %s', (_title, value) => {
    expect(validate(JSON.parse(JSON.stringify(value)))).toBe(false);
  });
});
