import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConnectionTable } from '../../../cli/check/connections/table.ts';
import type { Connection, Connections } from '../../../report/connections/shape.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import { decode, encode, readCapture, type PacketFields } from '../../../wire/index.ts';
import { answer, conversation, pcap, sendOnly } from '../captures.ts';
import { runHere, temporaryFolder } from '../command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

const [ack, sequenceNak, rnrNak, accessNak] = [0x1f, 0x60, 0x2a, 0x62];

/** The table of frames that come `gap` nanoseconds after one another. */
function tableOf(frames: readonly Uint8Array[], gap = 20e6): Connections {
  const table = new ConnectionTable();
  for (const [i, frame] of frames.entries()) {
    const decoded = decode(frame);
    if (decoded.kind !== 'packet') throw new Error(decoded.reason);
    table.see(decoded.packet, frame.length, i * gap);
  }
  return table.result([]);
}

function only(frames: readonly Uint8Array[], gap?: number): Connection {
  const { total, listed } = tableOf(frames, gap);
  expect(total).toBe(1);
  const [connection] = listed;
  if (connection === undefined) throw new Error('no connection');
  return connection;
}

const hintsOf = (frames: readonly Uint8Array[], gap?: number): string => only(frames, gap).hints.join('\n');
const write = (
  operation: string,
  psn: number,
  length: number,
  fields: Partial<PacketFields> = {},
): Uint8Array =>
  sendOnly(psn, { opcode: opcodeByName(`RC_${operation}`), payload: new Uint8Array(length), ...fields });

describe('the connections of a capture', () => {
  it('pairs both directions, and counts what each end sends', () => {
    const connection = only(conversation(5, 0xfffffe));
    expect(connection).toMatchObject({
      service: 'RC',
      judged: 'both ends',
      hints: [],
      ends: [
        { address: '10.0.0.1', qp: 0x11, packets: 5, requests: 5, responses: 0, missing: 0 },
        { address: '10.0.0.2', qp: 0x22, packets: 5, requests: 0, responses: 5 },
      ],
    });
  });

  it.each([
    ['sequence-nak', [sendOnly(1), sendOnly(2), answer(1, 1, sequenceNak), sendOnly(1), sendOnly(2)], 2],
    ['rnr-nak', [sendOnly(1), answer(1, 1, rnrNak), sendOnly(1)], 1],
    ['answered', [sendOnly(1), answer(1, 1), sendOnly(1)], 1],
    ['silence', [sendOnly(1), answer(1, 1), sendOnly(2), sendOnly(3), sendOnly(2), sendOnly(3)], 2],
    ['unseen', [sendOnly(1), answer(1, 1), sendOnly(3), answer(2, 1, sequenceNak), sendOnly(2)], 1],
  ] as const)('tells why requests were sent again: %s', (cause, frames, n) => {
    const { again } = only(frames).ends[0];
    expect(again).toEqual({
      'sequence-nak': 0,
      'rnr-nak': 0,
      unseen: 0,
      answered: 0,
      silence: 0,
      [cause]: n,
    });
  });

  it('does not take what overtook another for lost or sent again', () => {
    const [end] = only([sendOnly(1), sendOnly(3), sendOnly(2), answer(3, 3, ack)], 1000).ends;
    expect(end).toMatchObject({ reordered: 1, missing: 0, again: { unseen: 0, silence: 0 } });
  });

  it('takes the PSNs of a READ for used, whether the path MTU is known or not', () => {
    const read = (psn: number): Uint8Array =>
      write('RDMA_READ_REQUEST', psn, 0, { reth: { va: 0n, rkey: 1, dmaLen: 4096 } });
    expect(only([read(10), read(26), read(42), sendOnly(58)]).ends[0].missing).toBe(0);
    const known = [write('SEND_FIRST', 8, 1024), write('SEND_LAST', 9, 8), read(10), sendOnly(14)];
    expect(only(known)).toMatchObject({ mtu: 1024, ends: [{ missing: 0 }, {}] });
    expect(only([...known.slice(0, 3), sendOnly(16)]).ends[0].missing).toBe(2);
  });

  it.each([
    ['one direction', conversation(5).filter((_, i) => i % 2 === 0), undefined, /^One direction only/],
    ['two mirrors', conversation(5).flatMap((frame) => [frame, frame]), 1000, /^Every frame is there twice/],
    [
      'no ICRC',
      conversation(5).map((f) => f.slice().fill(0, -4)),
      undefined,
      /ICRC of every packet is wrong/,
    ],
    [
      'an ICRC that only one end gets wrong',
      conversation(9).map((f, i) => (i % 2 === 0 ? f : f.slice().fill(0, -4))),
      undefined,
      /^The ICRC of every packet from 10\.0\.0\.2 is wrong: its NIC/,
    ],
    [
      'loss behind this point',
      [sendOnly(1), sendOnly(2), answer(1, 1, sequenceNak), sendOnly(1)],
      undefined,
      /nothing is missing here: lost between this point and the other end/,
    ],
    ['loss in front of it', [sendOnly(1), sendOnly(3), answer(3, 3)], undefined, /^1 PSN .* never seen/],
    [
      'RNR NAKs',
      [sendOnly(1), answer(1, 1, rnrNak)],
      undefined,
      /1 RNR NAK from 10\.0\.0\.2: the software there/,
    ],
    ['a fatal NAK', [sendOnly(1), answer(1, 1, accessNak)], undefined, /NAK Remote access error .* ends/],
    ['CE', [sendOnly(1, { trafficClass: 3 }), answer(1, 1)], undefined, /marked CE, and no CNP back/],
    [
      'another path',
      [sendOnly(1, { srcPort: 50_000 }), answer(1, 1), sendOnly(2, { srcPort: 50_001 })],
      undefined,
      /source port of 10\.0\.0\.1 changes/,
    ],
  ] as const)('says in words what %s means', (_, frames, gap, hint) => {
    expect(hintsOf(frames, gap)).toMatch(hint);
  });

  it('counts the connections that a hint is about, without their figures', () => {
    const other = { srcIp: '10.0.0.3', destQp: 0x23 };
    const frames = [sendOnly(1), sendOnly(3), sendOnly(1, other), sendOnly(4, other), answer(1, 1)];
    const { hints, judged } = tableOf(frames);
    expect(hints).toContainEqual({
      says: expect.stringMatching(/^PSNs never seen: lost between the sender and this point/) as string,
      connections: 2,
    });
    expect(judged).toEqual([
      { says: 'both ends', connections: 1 },
      { says: 'the requester only', connections: 1 },
    ]);
  });

  it('pairs QPs that all begin at the same PSN, by their UDP source ports', () => {
    const frames = Array.from({ length: 6 }, (_, psn) =>
      [0, 1, 2].map((qp) => sendOnly(psn, { destQp: 0x20 + qp, srcPort: 50_000 + qp })),
    ).flat();
    const answers = [0, 1, 2].map((qp) =>
      encode({
        srcIp: '10.0.0.2',
        dstIp: '10.0.0.1',
        srcPort: 50_000 + qp,
        opcode: opcodeByName('RC_ACKNOWLEDGE'),
        destQp: 0x10 + qp,
        psn: 5,
        aeth: { syndrome: ack, msn: 6 },
      }),
    );
    const { total, listed } = tableOf([...frames, ...answers]);
    expect(total).toBe(3);
    expect(listed.map(({ ends }) => (ends[1].qp ?? 0) - (ends[0].qp ?? 0))).toEqual([0x10, 0x10, 0x10]);
  });

  it('counts far more connections than it follows, and lists the worst', () => {
    const table = new ConnectionTable();
    const see = (frame: Uint8Array, t: number): void => {
      const decoded = decode(frame);
      if (decoded.kind === 'packet') table.see(decoded.packet, frame.length, t);
    };
    for (let i = 0; i < 40_000; i++) see(sendOnly(i, { destQp: 0x100 + i }), i);
    see(sendOnly(39_999, { destQp: 0x100 + 39_999 }), 1e9);
    const { total, listed } = table.result([]);
    expect({ total, listed: listed.length }).toEqual({ total: 40_000, listed: 1000 });
    expect(listed[0]?.ends[1].qp).toBe(0x100 + 39_999);
  });

  it('gives packets that were sent again a comment with the cause, which a filter finds', async () => {
    const frames = [
      ...conversation(2, 100),
      sendOnly(102),
      answer(102, 2, rnrNak),
      sendOnly(102),
      answer(102, 3),
    ];
    writeFileSync(join(folder.path, 'again.pcap'), pcap(frames));
    await runHere(['check', 'again.pcap', '--annotate', 'noted.pcapng'], { cwd: folder.path });
    const comments = [...readCapture(join(folder.path, 'noted.pcapng'))].flatMap((record) =>
      record.kind === 'frame' && record.comments.length > 0 ? [[record.number, ...record.comments]] : [],
    );
    expect(comments).toContainEqual([7, 'sent again after an RNR NAK (PSN 102)']);
  });

  it('begins the report, with the connection that has violations first', async () => {
    const frames = [...conversation(4, 100), sendOnly(104), answer(104, 9)];
    const other = sendOnly(0x20000, { destQp: 0x99 });
    writeFileSync(join(folder.path, 'two.pcap'), pcap([other, ...frames]));
    const { stdout } = await runHere(['check', 'two.pcap'], { cwd: folder.path });
    expect(stdout).toMatch(
      /^Connections \(2, worst first\)\n.*\nRC +10\.0\.0\.1 qp 0x000011 - 10\.0\.0\.2 qp 0x000022, 1 violation\n/m,
    );
    expect(stdout.indexOf('Connections')).toBeLessThan(stdout.indexOf('Violations'));
  });

  it('counts what a requester does wrong before its QP number is known', async () => {
    const frames = conversation(4, 100).map((frame) => {
      const decoded = decode(frame);
      if (decoded.kind !== 'packet' || decoded.packet.destQp !== 0x22) return frame;
      return sendOnly(decoded.packet.psn, { resv6: 0x10 });
    });
    writeFileSync(join(folder.path, 'reserved.pcap'), pcap(frames));
    const { stdout } = await runHere(['check', 'reserved.pcap'], { cwd: folder.path });
    expect(stdout).toMatch(/sender to qp 0x000022 at 10\.0\.0\.1/);
    expect(stdout).toMatch(/^RC +10\.0\.0\.1 qp 0x000011 - 10\.0\.0\.2 qp 0x000022, 4 violations$/m);
    expect(stdout).toMatch(/^1 rule broken \(4 violations\)\.$/m);
  });
});

describe('how fast an end sends', () => {
  /** SENDs of 1,000 bytes at these microseconds, the answer to the first, and CNPs for their sender. */
  function paced(sends: readonly number[], cnps: readonly number[]): Connection {
    const table = new ConnectionTable();
    const frames = [
      ...sends.map((t, i) => ({ t, frame: write('SEND_ONLY', i, 1000) })),
      { t: 1, frame: answer(0, 1) },
      ...cnps.map((t) => ({
        t,
        frame: encode({
          opcode: opcodeByName('CNP'),
          srcIp: '10.0.0.2',
          dstIp: '10.0.0.1',
          destQp: 0x11,
          psn: 0,
        }),
      })),
    ];
    for (const { t, frame } of frames.toSorted((a, b) => a.t - b.t)) {
      const decoded = decode(frame);
      if (decoded.kind !== 'packet') throw new Error(decoded.reason);
      table.see(decoded.packet, 1062, t * 1000);
    }
    const [connection] = table.result([]).listed;
    if (connection === undefined) throw new Error('no connection');
    return connection;
  }
  const every = (microseconds: number, from: number, to: number): number[] =>
    Array.from({ length: Math.ceil((to - from) / microseconds) }, (_, i) => from + i * microseconds);

  it('is the payload by time, and that of the busiest millisecond', () => {
    const { ends } = paced([...every(100, 0, 1000), ...every(500, 1000, 4001)], []);
    // 17 messages in 4 ms, 10 of them in the first
    expect(ends[0]).toMatchObject({ goodput: { mean: 17_000 / 4e-3, busiest: 10_000 / 1e-3 } });
    expect(ends[0].paced).toBeUndefined();
    expect(ends[1].goodput).toBeUndefined();
  });

  it('is no more on average than in the busiest millisecond, where the capture begins in the middle of one', () => {
    const { ends } = paced(every(100, 500, 1600), []);
    expect(ends[0]).toMatchObject({ goodput: { mean: 11_000 / 1e-3, busiest: 11_000 / 1e-3 } });
  });

  it('says nothing of less than a millisecond', () => {
    expect(paced(every(100, 0, 900), []).ends[0].goodput).toBeUndefined();
  });

  it.each([
    { what: 'half', sends: [...every(100, 0, 2000), ...every(200, 2000, 5000)], behind: 5 },
    { what: 'nothing', sends: [...every(100, 0, 1500), ...every(100, 4000, 5000)], behind: 0 },
    { what: 'as much', sends: every(100, 0, 5000), behind: 10 },
  ])('tells that an end sends $what behind a CNP', ({ sends, behind }) => {
    const { ends, hints } = paced(sends, [1200, 1300, 2100]);
    expect(ends[0].paced).toEqual({ cnps: 1, before: 10 * 1062, behind: behind * 1062 });
    expect(hints.join()).not.toContain('does not slow down');
  });

  it('hints at a sender that does not heed several of them', () => {
    const cnps = [1500, 3500, 5500];
    expect(paced(every(100, 0, 9000), cnps).hints.join()).toContain('10.0.0.1 sends as much behind CNPs');
    // it sends half as much in every other millisecond, behind the one in which each CNP comes
    const heeding = every(100, 0, 13_000).filter((t) => t % 4000 < 3000 || t % 200 === 0);
    expect(paced(heeding, [2500, 6500, 10_500]).hints.join()).not.toContain('sends as much');
  });
});
