import { opcodeByName } from '../../../../spec/constants.ts';
import { psnAdd } from '../../../../wire/index.ts';
import type { Core } from '../../device/core.ts';
import type { Fields } from '../../device/headers.ts';
import type { QueuePair } from '../../device/qp.ts';
import { faultsAt } from '../../seam.ts';
import {
  begin,
  behindStalled,
  isFenced,
  psnsOf,
  readSlots,
  startsRequests,
  takesReadSlot,
} from '../launch.ts';
import { reloadRnrRetries } from '../progress.ts';
import { dethOf, messagePacket, payloadOf, readReth, segmentSize } from '../segment.ts';
import { failLocally, sendRequest } from '../send.ts';
import type { RequesterState, SendWqe } from '../state.ts';

type Packing = (core: Core, qp: QueuePair, wqe: SendWqe, psn: number) => Fields | undefined;

/** Something is wrong in a packet. */
const spoiling =
  (spoil: (fields: Fields, qp: QueuePair, wqe: SendWqe) => Partial<Fields>) =>
  (sound: Packing, core: Core, qp: QueuePair, wqe: SendWqe, psn: number): Fields | undefined => {
    const fields = sound(core, qp, wqe, psn);
    return fields && { ...fields, ...spoil(fields, qp, wqe) };
  };

const sendOnly = opcodeByName('UC_SEND_ONLY');
const writeOnly = opcodeByName('UC_RDMA_WRITE_ONLY');

const sendMiddle = opcodeByName('RC_SEND_MIDDLE');
const writeMiddle = opcodeByName('RC_RDMA_WRITE_MIDDLE');

type Sending = (core: Core, qp: QueuePair, wqe: SendWqe, fields: Fields, again: boolean) => void;

/** Something is changed in a packet that is sent again. */
const changing =
  (change: (fields: Fields, wqe: SendWqe) => Partial<Fields>) =>
  (sound: Sending, core: Core, qp: QueuePair, wqe: SendWqe, fields: Fields, again: boolean): void =>
    sound(core, qp, wqe, again ? { ...fields, ...change(fields, wqe) } : fields, again);

function inverted(payload: Uint8Array): Uint8Array {
  const copy = payload.slice();
  copy[0] = (payload[0] ?? 0) ^ 0xff;
  return copy;
}

/** max_rd_atomic when the first request was looked at */
const depths = new WeakMap<RequesterState, number>();
/** request packets sent */
const sent = new WeakMap<RequesterState, number>();

export const requestFaults = [
  // which request is next

  faultsAt(takesReadSlot, { 'atomics-not-limited': (_sound, _core, { kind }) => kind === 'read' }),

  faultsAt(startsRequests, {
    'sqd-starts-requests': () => true,
    'sqd-starts-local-work': (sound, core, qp, wqe) => wqe.kind === 'local' || sound(core, qp, wqe),
  }),

  faultsAt(readSlots, {
    'read-depth-exceeded': (sound, core, qp) => sound(core, qp) + 1,
    'read-depth-of-first-use': (sound, core, qp) => {
      const slots = depths.get(qp.requester) ?? sound(core, qp);
      depths.set(qp.requester, slots);
      return slots;
    },
  }),

  faultsAt(isFenced, {
    'fence-ignored': () => false,
    'fence-not-for-windows': (sound, core, qp, wqe) => wqe.kind !== 'local' && sound(core, qp, wqe),
    'fence-open-while-retrying': (sound, core, qp, wqe) => !qp.requester.recovering && sound(core, qp, wqe),
  }),

  faultsAt(behindStalled, {
    // A SEND or WRITE passes a READ that has to wait.
    'stalled-read-overtaken': (_sound, core, qp, stalled) => {
      const { queue } = qp.requester;
      const from = queue.indexOf(stalled);
      const free = queue.findIndex((wqe, i) => i > from && (wqe.kind === 'send' || wqe.kind === 'write'));
      const [wqe] = free < 0 ? [] : queue.splice(free, 1);
      if (wqe === undefined) return undefined;
      queue.splice(from, 0, wqe);
      return begin(core, qp, wqe);
    },
  }),

  faultsAt(begin, {
    'psn-skipped': (sound, core, qp, wqe) => {
      const q = qp.requester;
      if (q.next !== q.una) q.next = q.end = psnAdd(q.next, 1);
      return sound(core, qp, wqe);
    },
  }),

  faultsAt(psnsOf, {
    'read-takes-one-psn': (sound, core, qp, wqe) => (wqe.kind === 'read' ? 1 : sound(core, qp, wqe)),
  }),

  faultsAt(failLocally, {
    'local-fault-overtakes': (sound, core, qp, wqe) => {
      const { queue } = qp.requester;
      queue.unshift(...queue.splice(queue.indexOf(wqe), 1));
      sound(core, qp, wqe);
    },
  }),

  // what is in a packet

  faultsAt(readReth, {
    'addresses-of-48-bits': (sound, core, wqe, offset) => {
      const reth = sound(core, wqe, offset);
      return { ...reth, va: BigInt.asUintN(48, reth.va) };
    },
    'read-retry-keeps-length': (sound, core, wqe, offset) => ({
      ...sound(core, wqe, offset),
      dmaLen: wqe.length,
    }),
    'read-retry-carry-lost': (sound, core, wqe, offset) => {
      const { va, ...reth } = sound(core, wqe, offset);
      const high = (wqe.wr.remote_addr ?? 0n) >> 32n;
      return { ...reth, va: (high << 32n) | (va & 0xffffffffn) };
    },
    'read-retry-keeps-address': (sound, core, wqe, offset) => ({
      ...sound(core, wqe, offset),
      va: wqe.wr.remote_addr ?? 0n,
    }),
  }),

  faultsAt(payloadOf, {
    'reth-in-later-packets': (sound, core, qp, wqe, offset, length) => {
      const data = sound(core, qp, wqe, offset, length);
      const { kind, wr } = wqe;
      if (data === undefined || qp.service !== 'RC' || kind !== 'write' || offset === 0) return data;
      const reth = Buffer.alloc(16);
      reth.writeBigUInt64BE(wr.remote_addr ?? 0n, 0);
      reth.writeUInt32BE(wr.rkey ?? 0, 8);
      reth.writeUInt32BE(wqe.length, 12);
      return Uint8Array.from([...reth, ...data]).subarray(0, data.length);
    },
    'payload-repeated': (sound, core, qp, wqe, _offset, length) => sound(core, qp, wqe, 0, length),
  }),

  faultsAt(segmentSize, {
    'uc-short-packets': (_sound, _core, qp) => (qp.service === 'RC' ? qp.mtu : qp.mtu / 2),
  }),

  faultsAt(dethOf, {
    'ud-qkey-always-own': (sound, core, qp, wqe, to) => ({
      ...sound(core, qp, wqe, to),
      qkey: qp.attr.qkey ?? 0,
    }),
    'ud-qkey-top-bit-sent': (sound, core, qp, wqe, to) => ({
      ...sound(core, qp, wqe, to),
      qkey: wqe.wr.remote_qkey ?? 0,
    }),
    'ud-deth-reserved-set': (sound, core, qp, wqe, to) => ({ ...sound(core, qp, wqe, to), reserved: 1 }),
    'ud-source-of-destination': (sound, core, qp, wqe, to) => ({
      ...sound(core, qp, wqe, to),
      srcQp: to.destQp,
    }),
  }),

  faultsAt(messagePacket, {
    'addresses-of-48-bits': spoiling(({ reth }) =>
      reth === undefined ? {} : { reth: { ...reth, va: BigInt.asUintN(48, reth.va) } },
    ),
    'immediate-zero-sent': spoiling(({ immediate }) => (immediate === undefined ? {} : { immediate: 0 })),
    'request-reserved-bits': spoiling(() => ({ resv6: 0x20 })),
    'solicited-never': spoiling(() => ({ solicited: false })),
    'unreliable-wrong-icrc': spoiling((_fields, { service }) => (service === 'RC' ? {} : { icrcXor: 1 })),
    'uc-write-length-of-packet': spoiling(({ reth, payload }, { service }) =>
      service === 'RC' || reth === undefined ? {} : { reth: { ...reth, dmaLen: payload?.length ?? 0 } },
    ),
    'uc-every-packet-only': spoiling((_fields, { service }, { kind }) =>
      service === 'UC' ? { opcode: kind === 'send' ? sendOnly : writeOnly } : {},
    ),
  }),

  // what is sent again

  faultsAt(sendRequest, {
    'read-retry-psn-unwrapped': (sound, core, qp, wqe, fields, again) => {
      const { reth, psn } = fields;
      if (wqe.kind !== 'read' || reth === undefined || psn >= wqe.psn) {
        sound(core, qp, wqe, fields, again);
        return;
      }
      const va = BigInt.asUintN(64, (wqe.wr.remote_addr ?? 0n) + BigInt((psn - wqe.psn) * qp.mtu));
      sound(core, qp, wqe, { ...fields, reth: { ...reth, va } }, again);
    },
    'rnr-retries-reloaded-at-wrap': (sound, core, qp, wqe, fields, again) => {
      sound(core, qp, wqe, fields, again);
      if (fields.psn === 0) reloadRnrRetries(core, qp);
    },
    'read-request-with-payload': changing((_fields, { kind }) =>
      kind === 'read' || kind === 'atomic' ? { payload: new Uint8Array(8) } : {},
    ),
    'retransmission-new-psn': changing(({ psn }) => ({ psn: psnAdd(psn, 1) })),
    'retransmission-altered-payload': changing(({ payload }) =>
      payload === undefined || payload.length === 0 ? {} : { payload: inverted(payload) },
    ),
    'retransmission-opcode-changed': changing((_fields, { kind }) => {
      if (kind === 'send') return { opcode: sendMiddle };
      return kind === 'write' ? { opcode: writeMiddle } : {};
    }),
    'retransmission-unsolicited': changing(() => ({ solicited: false })),
    'retransmission-unprompted': (sound, core, qp, wqe, fields, again) => {
      sound(core, qp, wqe, fields, again);
      const count = (sent.get(qp.requester) ?? 0) + 1;
      sent.set(qp.requester, count);
      if (count % 5 === 0) core.transmit(qp, fields);
    },
  }),
];
