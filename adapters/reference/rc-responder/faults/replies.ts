import { creditInvalid, opcodeByName, type NakCode } from '../../../../spec/constants.ts';
import { psnAdd } from '../../../../wire/index.ts';
import type { Core } from '../../device/core.ts';
import type { Aeth, Fields } from '../../device/headers.ts';
import type { QueuePair } from '../../device/qp.ts';
import { faultsAt } from '../../seam.ts';
import {
  ackAeth,
  ackPacket,
  atomicAck,
  creditCode,
  creditsOf,
  nakPacket,
  oweAck,
  readResponse,
  rnrTimer,
  sendAck,
  sendNak,
  sendRnrNak,
} from '../reply.ts';
import { respond } from '../respond.ts';

const readOnly = opcodeByName('RC_RDMA_READ_RESPONSE_ONLY');
/** a syndrome of a kind that is reserved */
const reserved = 0x40;
/** Syndromes below this one acknowledge. */
const firstNak = 0x20;

type Refusing = (core: Core, qp: QueuePair, code: NakCode, psn: number) => void;

/** A NAK code is taken for another. */
const mistaking =
  (from: NakCode, to: NakCode) =>
  (sound: Refusing, core: Core, qp: QueuePair, code: NakCode, psn: number): void =>
    sound(core, qp, code === from ? to : code, psn);

type Responding = (core: Core, qp: QueuePair, fields: Fields) => void;

/** Something is wrong in a response. */
const spoiling =
  (spoil: (aeth: Aeth | undefined) => Partial<Fields>) =>
  (sound: Responding, core: Core, qp: QueuePair, fields: Fields): void =>
    sound(core, qp, { ...fields, ...spoil(fields.aeth) });

/** An MSN is one behind. */
function behind({ aeth, ...fields }: Fields): Fields {
  return aeth === undefined ? fields : { ...fields, aeth: { ...aeth, msn: psnAdd(aeth.msn, -1) } };
}

/** opcodes of the last response of a READ */
const ends: ReadonlySet<number> = new Set([readOnly, opcodeByName('RC_RDMA_READ_RESPONSE_LAST')]);

export const replyFaults = [
  faultsAt(creditsOf, {
    'credits-beyond-posted': (_sound, _core, { receiveQueue }) =>
      receiveQueue.srq === undefined ? creditCode(receiveQueue.wqes.length + 1) : creditInvalid,
  }),

  faultsAt(oweAck, { 'ack-request-ignored': () => undefined }),

  faultsAt(ackPacket, {
    'ack-msn-behind': (sound, core, qp, psn) => behind(sound(core, qp, psn)),
    'ack-psn-off-by-one': (sound, core, qp, psn) => sound(core, qp, psnAdd(psn, 1)),
  }),

  faultsAt(atomicAck, {
    'atomic-ack-msn-behind': (sound, core, qp, psn, original) => behind(sound(core, qp, psn, original)),
  }),

  faultsAt(readResponse, {
    'read-response-all-only': (sound, core, qp, psn, index, packets, payload) => ({
      ...sound(core, qp, psn, index, packets, payload),
      opcode: readOnly,
      aeth: ackAeth(core, qp),
    }),
    'read-response-psn-stuck': (sound, core, qp, psn, index, packets, payload) => ({
      ...sound(core, qp, psn, index, packets, payload),
      psn,
    }),
  }),

  faultsAt(sendNak, {
    'access-error-as-invalid-request': mistaking('remote-access-error', 'invalid-request'),
    'invalid-request-as-operational': mistaking('invalid-request', 'remote-operational-error'),
    'operational-as-access-error': mistaking('remote-operational-error', 'remote-access-error'),
    'ack-behind-fatal-nak': (sound, core, qp, code, psn) => {
      sound(core, qp, code, psn);
      if (code !== 'psn-sequence-error') sendAck(core, qp, psnAdd(qp.responder.epsn, -1));
    },
  }),

  faultsAt(nakPacket, {
    'nak-msn-zero': (sound, core, qp, syndrome, psn) => ({
      ...sound(core, qp, syndrome, psn),
      aeth: { syndrome, msn: 0 },
    }),
  }),

  faultsAt(sendRnrNak, {
    'rnr-silent': () => undefined,
    'rnr-psn-next': (sound, core, qp, psn, timer) => sound(core, qp, psnAdd(psn, 1), timer),
  }),

  faultsAt(rnrTimer, {
    'rnr-wrong-timer': (sound, core, qp) => (sound(core, qp) + 1) & 31,
    'rnr-timer-four-bits': (sound, core, qp) => sound(core, qp) & 15,
    'rnr-timer-zero-replaced': (sound, core, qp) => (sound(core, qp) === 0 ? 1 : sound(core, qp)),
  }),

  faultsAt(respond, {
    'response-to-own-number': (sound, core, qp, fields) => sound(core, { ...qp, destQp: qp.num }, fields),
    'response-wrong-icrc': spoiling(() => ({ icrcXor: 0x01000000 })),
    'response-wrong-pkey': spoiling(() => ({ pkey: 0x1234 })),
    'response-solicited': spoiling(() => ({ solicited: true })),
    'response-reserved-bits': spoiling(() => ({ resv7: 1 })),
    'ack-behind-read': (sound, core, qp, fields) => {
      sound(core, qp, fields);
      if (ends.has(fields.opcode)) sendAck(core, qp, fields.psn);
    },
    'nak-with-payload': spoiling((aeth) =>
      aeth === undefined || aeth.syndrome < firstNak ? {} : { payload: new Uint8Array(4) },
    ),
    'reserved-syndrome': spoiling((aeth) =>
      aeth === undefined || aeth.syndrome >= firstNak ? {} : { aeth: { ...aeth, syndrome: reserved } },
    ),
  }),
];
