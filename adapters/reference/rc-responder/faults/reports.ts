import type { RecvWr, WcOpcode, WcStatus } from '../../../../spec/verbs.ts';
import type { Core } from '../../device/core.ts';
import type { QueuePair } from '../../device/qp.ts';
import { faultsAt } from '../../seam.ts';
import { completeReceive, dequeue, receiptOf, takeWqe } from '../receive.ts';
import {
  completeRefused,
  endConnection,
  refuse,
  refuseDisabled,
  refuseLength,
  refuseMalformed,
  refuseOutOfSequence,
  report,
} from '../refuse.ts';
import { sendNak } from '../reply.ts';
import type { ResponderState } from '../state.ts';

type Completing = (core: Core, qp: QueuePair, wqe: RecvWr, status: WcStatus) => void;

/** A status is taken for another, or for something vague. */
const mistaking =
  (from: WcStatus, to: WcStatus = 'IBV_WC_GENERAL_ERR') =>
  (sound: Completing, core: Core, qp: QueuePair, wqe: RecvWr, status: WcStatus): void =>
    sound(core, qp, wqe, status === from ? to : status);

const withImmediate: WcOpcode = 'IBV_WC_RECV_RDMA_WITH_IMM';

function swap32(value: number): number {
  return (((value & 0xff) << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24)) >>> 0;
}

const invalid = { nak: 'invalid-request', event: 'IBV_EVENT_QP_REQ_ERR' } as const;

/** responders that have just refused a request for want of a receive WQE */
const refused = new WeakSet<ResponderState>();

export const reportFaults = [
  faultsAt(takeWqe, {
    'rnr-consumes-wqe': (sound, core, qp, psn) => {
      const r = qp.responder;
      if (refused.delete(r)) qp.receiveQueue.wqes.shift();
      const wqe = sound(core, qp, psn);
      if (wqe === undefined) refused.add(r);
      return wqe;
    },
  }),

  faultsAt(dequeue, {
    'receive-queue-last-first': (_sound, _core, { receiveQueue }) => receiveQueue.wqes.pop(),
  }),

  faultsAt(completeReceive, {
    'completion-missing': () => undefined,
    'completion-doubled': (sound, core, qp, packet, wqe, opcode, bytes) => {
      sound(core, qp, packet, wqe, opcode, bytes);
      sound(core, qp, packet, wqe, opcode, bytes);
    },
  }),

  faultsAt(receiptOf, {
    'byte-len-of-last-packet': (sound, core, qp, packet, wqe, opcode) =>
      sound(core, qp, packet, wqe, opcode, packet.payloadLength),
    'write-immediate-byte-len-zero': (sound, core, qp, packet, wqe, opcode, bytes) => {
      const wrong = opcode === withImmediate && qp.ooo === undefined;
      return sound(core, qp, packet, wqe, opcode, wrong ? 0 : bytes);
    },
    'immediate-byte-order': (sound, core, qp, packet, wqe, opcode, bytes) => {
      const wc = sound(core, qp, packet, wqe, opcode, bytes);
      return wc.imm_data === undefined ? wc : { ...wc, imm_data: swap32(wc.imm_data) };
    },
    'ud-source-number-wrong': (sound, core, qp, packet, wqe, opcode, bytes) => {
      const wc = sound(core, qp, packet, wqe, opcode, bytes);
      return qp.service === 'UD' ? { ...wc, src_qp: qp.num } : wc;
    },
    'ud-grh-flag-missing': (sound, core, qp, packet, wqe, opcode, bytes) => {
      const wc = sound(core, qp, packet, wqe, opcode, bytes);
      return qp.service === 'UD' ? { ...wc, grh: false } : wc;
    },
  }),

  faultsAt(refuseOutOfSequence, {
    'bad-opcode-as-length': (sound, core, qp, psn) => {
      const { message } = qp.responder;
      if (message?.kind === 'send')
        refuse(core, qp, { ...invalid, psn, wqe: message.wqe, status: 'IBV_WC_LOC_LEN_ERR' });
      else sound(core, qp, psn);
    },
  }),

  faultsAt(refuseLength, {
    'bad-length-as-access': (sound, core, qp, psn, wqe) => {
      if (wqe !== undefined) refuse(core, qp, { ...invalid, psn, wqe, status: 'IBV_WC_LOC_ACCESS_ERR' });
      else sound(core, qp, psn);
    },
    'bad-length-unreported': (sound, core, qp, psn, wqe) => {
      if (wqe !== undefined) {
        sound(core, qp, psn, wqe);
        return;
      }
      sendNak(core, qp, 'invalid-request', psn);
      core.fail(qp);
    },
  }),

  faultsAt(refuseDisabled, {
    'refused-right-by-receive': (sound, core, qp, psn) => {
      const wqe = dequeue(core, qp);
      if (wqe === undefined) sound(core, qp, psn);
      else refuse(core, qp, { ...invalid, psn, wqe, status: 'IBV_WC_LOC_QP_OP_ERR' });
    },
  }),

  faultsAt(refuseMalformed, {
    'receive-elements-as-invalid': (_sound, core, qp, psn, wqe) => {
      refuse(core, qp, { ...invalid, psn, wqe, status: 'IBV_WC_LOC_QP_OP_ERR' });
    },
    'receive-elements-status': (_sound, core, qp, psn, wqe) => {
      const status = 'IBV_WC_LOC_PROT_ERR';
      refuse(core, qp, { ...invalid, nak: 'remote-operational-error', psn, wqe, status });
    },
    'receive-elements-unreported': (_sound, core, qp, psn) => {
      sendNak(core, qp, 'remote-operational-error', psn);
      core.fail(qp);
    },
  }),

  faultsAt(endConnection, { 'qp-survives-fatal-nak': () => undefined }),

  faultsAt(report, {
    'async-event-missing': (sound, core, qp, refusal) => {
      if (refusal.wqe !== undefined) sound(core, qp, refusal);
    },
    'long-send-as-event': (sound, core, qp, refusal) =>
      sound(core, qp, refusal.status === 'IBV_WC_LOC_LEN_ERR' ? { ...refusal, wqe: undefined } : refusal),
    'fault-reported-twice': (sound, core, qp, refusal) => {
      sound(core, qp, refusal);
      if (refusal.wqe !== undefined) sound(core, qp, { ...refusal, wqe: undefined });
    },
  }),

  faultsAt(completeRefused, {
    'too-long-status': mistaking('IBV_WC_LOC_LEN_ERR'),
    'local-memory-status': mistaking('IBV_WC_LOC_PROT_ERR'),
    'invalid-request-status': mistaking('IBV_WC_LOC_QP_OP_ERR'),
    'remote-access-status': mistaking('IBV_WC_LOC_ACCESS_ERR'),
    'receive-key-as-operation': mistaking('IBV_WC_LOC_PROT_ERR', 'IBV_WC_LOC_QP_OP_ERR'),
    'receive-invalid-request': mistaking('IBV_WC_LOC_LEN_ERR', 'IBV_WC_REM_INV_REQ_ERR'),
    'long-send-as-abort': mistaking('IBV_WC_LOC_LEN_ERR', 'IBV_WC_REM_ABORT_ERR'),
    'receive-remote-operational': mistaking('IBV_WC_LOC_PROT_ERR', 'IBV_WC_REM_OP_ERR'),
  }),
];
