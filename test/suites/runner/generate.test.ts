import { describe, expect, it } from 'vitest';
import { opcodes } from '../../../spec/constants.ts';
import { properties, statistics } from '../../../suites/index.ts';
import { schedule } from '../../../suites/runner/schedule.ts';
import { profile } from '../profile.ts';

const whole = { i: 1, n: 1 };

const drops = ['icrc', 'tver', 'pkey', 'dest-qp', 'service', 'short', 'frame ip-checksum', 'frame udp-port'];
const localFaults = ['lkey', 'bounds', 'foreign-pd', 'deregistered'];

/** What scenarios of UC and UD are meant to reach. */
const unreliableCorners = [
  ...(['UC', 'UD'] as const).flatMap((service) =>
    [
      'requester',
      'responder',
      'IPv4',
      'IPv6',
      'SRQ',
      'reserved opcode',
      'without payload',
      'solicited',
      'PSN out of turn',
      'posted with inline',
      'posted with solicited',
      'posted with several elements',
      'posted with rawOpcode',
      'zero length IBV_WR_SEND',
      'zero length IBV_WR_SEND_WITH_IMM',
      ...['RESET', 'INIT', 'RTR', 'RTS', 'SQD', 'ERR'].map((state) => `IBV_QPS_${state}`),
      ...[256, 512, 1024, 2048, 4096].map((mtu) => `mtu ${mtu}`),
      ...drops.map((kind) => `defect ${kind}`),
      ...localFaults.map((kind) => `posted with local fault ${kind}`),
    ].map((label) => `${service} ${label}`),
  ),
  ...[256, 512, 1024, 2048, 4096].map((mtu) => `UC message of several packets, mtu ${mtu}`),
  ...opcodes.flatMap((o) =>
    o?.kind === 'request' && (o.service === 'UC' || o.service === 'UD') ? [o.name] : [],
  ),
  'SRQ limit armed',
  'SRQ resized',
  'query_srq',
  'query_port',
  'link down',
  'link up',
  'small CQ',
  'both ends on the device',
  'UC defect source-ip',
  'UC zero length IBV_WR_RDMA_WRITE',
  'UD posted with nobody',
  'UD posted with path',
  'UD posted with qkey',
  'Q_Key of its own',
  'post_recv with several elements',
  ...[...localFaults, 'rights'].map((kind) => `post_recv with local fault ${kind}`),
];

describe('generated scenarios', () => {
  const seeds = [0, 1, 2];
  const runs = seeds.map((seed) => statistics(properties, profile, { seed, runs: 4400 }));
  const reached = new Set(runs.flatMap((run) => [...run.keys()]));

  it('reach every corner that is meant to be reached in three runs of the default length, and nearly every one in each', () => {
    const corners = [
      ...[256, 512, 1024, 2048, 4096].map((mtu) => `mtu ${mtu}`),
      ...Array.from({ length: 32 }, (_, code) => `RNR timer code ${code}`),
      ...Array.from({ length: 17 }, (_, depth) => `max_dest_rd_atomic ${depth}`),
      'IPv4',
      'IPv6',
      'SRQ',
      'own receive queue',
      'start PSN near the wrap',
      'start PSN near 2^23',
      'PSN ahead',
      'PSN ahead by 2^23-1',
      'PSN behind',
      'PSN behind by 2^23',
      'no payload',
      'payload of whole MTUs',
      'payload one byte short of an MTU',
      'payload one byte over an MTU',
      'DMALen 0',
      'DMALen above 2^31',
      'bad rkey',
      'target before its region',
      'misaligned ATOMIC',
      'region on a foreign PD',
      'region with a right missing',
      'post_recv with a bad lkey',
      'dereg_mr',
      ...['icrc', 'tver', 'pkey', 'dest-qp', 'source-ip', 'service', 'short'].map((kind) => `defect ${kind}`),
      ...[
        'resv6',
        'resv7',
        'fecn',
        'becn',
        'traffic-class',
        'flow-label',
        'hop-limit',
        'src-port',
        'mig-req',
      ].map((field) => `defect ignored ${field}`),
      ...['drop', 'duplicate', 'delay', 'hold', 'corrupt', 'set-ce'].flatMap((kind) => [
        `fault ${kind} to-responder`,
        `fault ${kind} to-requester`,
      ]),
      ...['RESET', 'INIT', 'RTR', 'RTS', 'SQD', 'ERR'].map((state) => `modify_qp IBV_QPS_${state}`),
      ...Array.from({ length: 32 }, (_, code) => [`timeout ${code}`, `RNR NAK code ${code}`]).flat(),
      ...Array.from({ length: 8 }, (_, count) => [`retry_cnt ${count}`, `rnr_retry ${count}`]).flat(),
      ...['1', '2 to 15', '16'].map((depth) => `READ window of ${depth} exceeded`),
      ...Array.from({ length: 4 }, (_, code) => `NAK code ${code}`),
      ...[256, 512, 1024, 2048, 4096].map((mtu) => `requester: mtu ${mtu}`),
      ...['ack', 'nak', 'rnr', 'syndrome', 'read', 'atomic'].map((kind) => `response ${kind}`),
      ...['icrc', 'tver', 'pkey', 'dest-qp', 'source-ip', 'service', 'short'].map(
        (kind) => `response defect ${kind}`,
      ),
      ...['ethertype', 'ip-checksum', 'ip-version', 'ip-length', 'udp-port', 'udp-length', 'oversized'].map(
        (part) => `response defect frame ${part}`,
      ),
      ...['SEND', 'SEND_WITH_IMM', 'RDMA_WRITE', 'RDMA_WRITE_WITH_IMM', 'RDMA_READ'].map(
        (opcode) => `zero length IBV_WR_${opcode}`,
      ),
      ...['fence', 'inline', 'badLkey', 'badRkey', 'solicited'].map((flag) => `posted with ${flag}`),
      'reserved NAK code',
      'PSNs of the requester wrap',
      'READ of several packets',
      'posted IBV_WR_ATOMIC_CMP_AND_SWP',
      'posted IBV_WR_ATOMIC_FETCH_AND_ADD',
      'posted unsignaled',
      'ghost response',
      'duplicate response',
      'live peer',
      'scripted peer',
      'fault damage to-responder',
      'fault damage to-requester',
      'requests in flight together',
      'reinject',
      ...opcodes.flatMap((o) =>
        o?.service === 'RC' && o.kind === 'request' && !/INVALIDATE|FLUSH|ATOMIC_WRITE/.test(o.name)
          ? [o.operation]
          : [],
      ),
      ...unreliableCorners,
    ];
    expect(corners.filter((corner) => !reached.has(corner))).toEqual([]);
    for (const run of runs) expect(corners.filter((corner) => !run.has(corner)).length).toBeLessThan(5);
  });

  it('stay within the profile of the device', () => {
    const small = {
      ...profile,
      capabilities: ['rc'] as const,
      pathMtus: [1024] as const,
      ipVersions: [4] as const,
    };
    const labels = statistics(
      properties.filter((p) => p.requires === undefined),
      small,
      { runs: 1000 },
    );
    const foreign = [
      'FETCH_ADD',
      'COMPARE_SWAP',
      'SRQ',
      'IPv6',
      'mtu 256',
      'mtu 4096',
      'live IBV_WR_ATOMIC_FETCH_AND_ADD',
    ];
    expect(foreign.filter((label) => labels.has(label))).toEqual([]);
    expect(labels.get('mtu 1024')).toBe(1000);
  });

  it('are a function of the seed, and differ between seeds', () => {
    const drawn = (seed: number): string =>
      JSON.stringify([...schedule(properties, profile, seed, 200, whole)].map((t) => t.generated.scenario));
    expect(drawn(1)).toBe(drawn(1));
    expect(drawn(1)).not.toBe(drawn(2));
  });

  it('are shared out among shards without repetition', () => {
    const parts = [1, 2, 3].flatMap((i) => [...schedule(properties, profile, 7, 700, { i, n: 3 })]);
    expect(new Set(parts.map((t) => JSON.stringify(t.generated.scenario))).size).toBeGreaterThan(690);
    expect(parts).toHaveLength(700);
    expect(new Set(parts.map((t) => t.property)).size).toBe(properties.length);
  });

  it('are the same in a longer run', () => {
    const drawn = (runs: number): string[] =>
      [...schedule(properties, profile, 7, runs, whole)].map((t) => JSON.stringify(t.generated.scenario));
    expect(drawn(60)).toEqual(drawn(90).slice(0, 60));
  });
});
