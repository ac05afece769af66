import type { PacketFields } from '../../../wire/index.ts';
import { dut, packet, regions, type Ground } from './ground.ts';

type Direction = 'to-dut' | 'from-dut';

const far = { va: 0x4000n, rkey: 9 };

/** Where a READ, a WRITE or an ATOMIC goes: mostly where it may. */
function target(on: Ground, direction: Direction): { va: bigint; rkey: number } {
  if (direction === 'from-dut') return on.draw.below(12) > 0 ? far : { ...far, rkey: 8 };
  const region = on.draw.of([regions[0], regions[0], regions[0], regions[1]]) ?? regions[0];
  const va = region.addr + BigInt(on.draw.of([0, 0, 0, 16, 4, 8000, 8190]) ?? 0);
  return { va, rkey: on.draw.below(12) > 0 ? region.rkey : 1 };
}

const ends = ['ONLY', 'LAST'];

/** One more packet of a family, which goes on with the message that is open or not. */
function positionOf(on: Ground, direction: Direction, family: string): string {
  const { draw, service } = on;
  if (service === 'UD') return 'ONLY';
  const going = on.open[direction] === family && draw.below(12) > 0;
  return (
    (going ? draw.of(['MIDDLE', 'LAST', 'LAST']) : draw.of(['ONLY', 'ONLY', 'FIRST', 'FIRST', 'LAST'])) ??
    'ONLY'
  );
}

function payloadOf(on: Ground, last: boolean): Uint8Array {
  const { draw, mtu } = on;
  const usual = last ? draw.of([16, 16, 16, 1, 0, mtu]) : mtu;
  const length = draw.below(12) > 0 ? usual : draw.of([0, 1, mtu - 1, mtu, mtu + 4, 16]);
  return new Uint8Array(length ?? 16).fill(draw.of([0, 0, 0xab]) ?? 0);
}

/** A PSN near one: mostly this. */
function near(on: Ground, psn: number): number {
  return psn + (on.draw.of([0, 0, 0, 0, 0, 0, 0, 1, -1, -1, -2, 2, 5]) ?? 0);
}

/** Header of the packets of an out-of-order QP. */
function placed(on: Ground, offset: number): Partial<PacketFields> {
  if (on.service !== 'ORC') return {};
  const { draw } = on;
  return {
    ooeth: {
      flags: draw.of([1, 1, 2, 0, 3]) ?? 1,
      recvWqeSn: draw.below(3),
      readWqeSn: draw.below(2),
      offset: draw.below(8) > 0 ? offset : (draw.of([0, 16, 256]) ?? 0),
    },
  };
}

/** Fields that a header may have wrong. */
function odd(on: Ground): Partial<PacketFields> {
  const { draw } = on;
  if (draw.below(14) > 0) return {};
  return (
    draw.of<Partial<PacketFields>>([
      { icrcXor: 1 },
      { tver: 1 },
      { pkey: 0x1234 },
      { pkey: 0x7fff },
      { destQp: dut.qp + 7 },
      { srcIp: '10.0.0.9' },
      { migReq: false },
      { solicited: true },
      { deth: { qkey: 0x2222, srcQp: 0x22 } },
      { trafficClass: 2 },
    ]) ?? {}
  );
}

/** A SEND or WRITE. */
function writes(on: Ground, direction: Direction): void {
  const { draw, mtu } = on;
  const family =
    on.open[direction] ?? draw.of(on.service === 'UD' ? ['SEND'] : ['SEND', 'SEND', 'RDMA_WRITE']) ?? 'SEND';
  const position = positionOf(on, direction, family);
  const last = ends.includes(position);
  const tail = last ? (draw.of(['', '', '_WITH_IMMEDIATE']) ?? '') : '';
  const payload = payloadOf(on, last);
  const starts = position === 'FIRST' || position === 'ONLY';
  const announced =
    draw.below(8) > 0 ? payload.length + (last ? 0 : mtu) : draw.of([0, 1, 2 ** 31, 2 ** 31 + 1, 16]);
  const next = direction === 'to-dut' ? on.theirs : on.ours;
  const psn = near(on, next);
  packet(on, direction, `${family}_${position}${tail}`, psn, {
    payload,
    ackReq: last ? draw.below(4) > 0 : draw.below(4) === 0,
    ...(family === 'RDMA_WRITE' && starts && { reth: { ...target(on, direction), dmaLen: announced ?? 16 } }),
    ...(tail !== '' && { immediate: 7 }),
    ...placed(on, starts ? 0 : mtu),
    ...odd(on),
  });
  if (psn !== next) return;
  advance(on, direction, 1);
  on.open[direction] = last ? undefined : family;
  if (last && direction === 'to-dut') on.messages++;
}

function advance(on: Ground, direction: Direction, psns: number): void {
  if (direction === 'to-dut') on.theirs += psns;
  else on.ours += psns;
}

/** A READ or ATOMIC. */
function fetches(on: Ground, direction: Direction): void {
  const { draw, mtu } = on;
  const next = direction === 'to-dut' ? on.theirs : on.ours;
  const psn = near(on, next);
  const read = draw.below(2) === 0;
  const dmaLen = draw.of([16, 16, 8, 0, 2 * mtu, 2 ** 31, 2 ** 31 + 1]) ?? 16;
  const where = target(on, direction);
  const common = { ackReq: draw.below(2) === 0, ...placed(on, 0), ...odd(on) };
  if (read) packet(on, direction, 'RDMA_READ_REQUEST', psn, { reth: { ...where, dmaLen }, ...common });
  else {
    const operation = draw.of(['FETCH_ADD', 'COMPARE_SWAP']) ?? 'FETCH_ADD';
    packet(on, direction, operation, psn, { atomicEth: { ...where, swapOrAdd: 1n, compare: 0n }, ...common });
  }
  if (psn !== next) return;
  advance(on, direction, read && dmaLen === 2 * mtu ? 2 : 1);
  if (direction === 'to-dut') on.messages++;
}

const syndromes = [
  0x1f, 0x1f, 0x1f, 0x1f, 0x00, 0x05, 0x60, 0x61, 0x62, 0x63, 0x64, 0x21, 0x2c, 0x20, 0x40, 0x7f,
];

/** A response to the newest request of the other end, or nearly. */
function answers(on: Ground, direction: Direction): void {
  const { draw, service, mtu } = on;
  const psn = near(on, (direction === 'from-dut' ? on.theirs : on.ours) - 1);
  const syndrome = draw.of(syndromes) ?? 0x1f;
  const nak = syndrome === 0x60;
  const msn = direction === 'from-dut' ? on.messages + (draw.of([0, 0, 0, 0, 1, -1]) ?? 0) : draw.below(4);
  const aeth = { syndrome, msn: msn & 0xff_ffff };
  const saeth = { flags: draw.of([0, 0, 1]) ?? 0, trigger: near(on, psn) & 0xff_ffff };
  const common = { ...placed(on, 0), ...odd(on) };
  switch (draw.below(6)) {
    case 0: {
      const position = draw.of(['ONLY', 'ONLY', 'FIRST', 'MIDDLE', 'LAST']) ?? 'ONLY';
      const length = position === 'ONLY' || position === 'LAST' ? (draw.of([16, 16, 8, 0]) ?? 16) : mtu;
      packet(on, direction, `RDMA_READ_RESPONSE_${position}`, psn, {
        aeth: { ...aeth, syndrome: draw.below(8) > 0 ? 0x1f : syndrome },
        payload: new Uint8Array(length),
        ...common,
      });
      return;
    }
    case 1:
      packet(on, direction, 'ATOMIC_ACKNOWLEDGE', psn, {
        aeth: { ...aeth, syndrome: 0x1f },
        atomicOriginal: 0n,
        ...common,
      });
      return;
    default:
      packet(on, direction, 'ACKNOWLEDGE', nak ? psn + 1 : psn, {
        aeth,
        ...(service === 'ORC' && { saeth }),
        ...common,
      });
  }
}

/** A packet of the peer. */
export function fromPeer(on: Ground): void {
  const { draw, service } = on;
  const reliable = service === 'RC' || service === 'ORC';
  const turn = draw.below(8);
  if (reliable && turn < 2) fetches(on, 'to-dut');
  else if (reliable && turn < 4) answers(on, 'to-dut');
  else writes(on, 'to-dut');
}

/** A packet of the device. */
export function fromDevice(on: Ground): void {
  const { draw, service } = on;
  const reliable = service === 'RC' || service === 'ORC';
  const turn = draw.below(8);
  if (reliable && turn < 5) answers(on, 'from-dut');
  else if (reliable && turn < 6) fetches(on, 'from-dut');
  else writes(on, 'from-dut');
}
