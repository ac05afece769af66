import { encodeSyndrome, nakCodeByName, opcodeByName } from '../../../../spec/constants.ts';
import type { WcStatus } from '../../../../spec/verbs.ts';
import { psnDiff } from '../../../../wire/index.ts';
import type { Core } from '../../device/core.ts';
import type { QueuePair } from '../../device/qp.ts';
import type { RecvWqe } from '../../device/receive-queue.ts';
import { isFirst } from '../../rc-responder/request.ts';
import { faultsAt } from '../../seam.ts';
import { abandon, abort, completeFailed, failReceive, giveBack } from '../receive-fault.ts';
import { crossGap, opens, refuseWrite, requestIn, storeSend } from '../responder.ts';
import { accept, dropUnfit, dropUnreceived } from '../silence.ts';

const opcode = opcodeByName('RC_ACKNOWLEDGE');
const ack = encodeSyndrome('ack', 31);
const nak = encodeSyndrome('nak', nakCodeByName('psn-sequence-error'));

function raise(
  core: Core,
  qp: QueuePair,
  event_type: 'IBV_EVENT_QP_REQ_ERR' | 'IBV_EVENT_QP_ACCESS_ERR',
): void {
  core.raise({ event_type, qp_num: qp.num });
}

type Completing = (core: Core, qp: QueuePair, wqe: RecvWqe, status: WcStatus) => void;

/** A status is taken for another. */
const mistaking =
  (from: WcStatus, to: WcStatus) =>
  (sound: Completing, core: Core, qp: QueuePair, wqe: RecvWqe, status: WcStatus): void =>
    sound(core, qp, wqe, status === from ? to : status);

/** how much of a message that was given up a receive WQE holds */
const interrupted = new WeakMap<RecvWqe, number>();

/** UC responders that have reported a migration, in this life of their QP */
const migrated = new WeakSet<QueuePair['responder']>();

export const receivingFaults = [
  faultsAt(accept, {
    'uc-acknowledges': (_sound, core, qp, { psn }) => {
      if (qp.service === 'UC') core.transmit(qp, { opcode, psn, aeth: { syndrome: ack, msn: 0 } });
    },
    'uc-lone-path-migrates': (_sound, core, qp) => {
      if (qp.service !== 'UC' || qp.attr.alt_ah_attr !== undefined || migrated.has(qp.responder)) return;
      migrated.add(qp.responder);
      core.raise({ event_type: 'IBV_EVENT_PATH_MIG', qp_num: qp.num });
    },
    'ud-acknowledges': (_sound, core, qp, { psn, srcIp: ip, ipVersion: version, srcPort, deth }) => {
      if (qp.service !== 'UD') return;
      const remote = { ip, version, trafficClass: 0, hopLimit: 64, flowLabel: 0 };
      const to = { remote, destQp: deth?.srcQp ?? 0, srcPort };
      core.transmit(qp, { opcode, psn, aeth: { syndrome: ack, msn: 0 } }, to);
    },
  }),

  faultsAt(dropUnreceived, {
    'uc-no-receive-fatal': (_sound, core, qp) => {
      if (qp.service === 'UC') core.fail(qp);
    },
    'ud-no-receive-fatal': (_sound, core, qp) => {
      if (qp.service === 'UD') core.fail(qp);
    },
  }),

  faultsAt(dropUnfit, { 'uc-request-event': (_sound, core, qp) => raise(core, qp, 'IBV_EVENT_QP_REQ_ERR') }),

  faultsAt(failReceive, {
    'unreliable-receive-fault-silent': (sound, core, qp, wqe, status) => {
      if (status === 'IBV_WC_LOC_PROT_ERR') qp.responder.message = undefined;
      else sound(core, qp, wqe, status);
    },
    'unreliable-receive-fault-survived': (sound, core, qp, wqe, status) => {
      if (status !== 'IBV_WC_LOC_PROT_ERR') {
        sound(core, qp, wqe, status);
        return;
      }
      qp.responder.message = undefined;
      completeFailed(core, qp, wqe, status);
    },
  }),

  faultsAt(completeFailed, {
    'unreliable-receive-fault-status': mistaking('IBV_WC_LOC_PROT_ERR', 'IBV_WC_GENERAL_ERR'),
    'receive-remote-operational': mistaking('IBV_WC_LOC_PROT_ERR', 'IBV_WC_REM_OP_ERR'),
    'receive-key-as-operation': mistaking('IBV_WC_LOC_PROT_ERR', 'IBV_WC_LOC_QP_OP_ERR'),
    'uc-too-long-status': mistaking('IBV_WC_LOC_LEN_ERR', 'IBV_WC_LOC_QP_OP_ERR'),
    'unreliable-receive-invalid': mistaking('IBV_WC_LOC_LEN_ERR', 'IBV_WC_REM_INV_REQ_ERR'),
    'uc-access-status': mistaking('IBV_WC_LOC_ACCESS_ERR', 'IBV_WC_LOC_PROT_ERR'),
    'datagram-access-error': (sound, core, qp, wqe, status) => {
      const wrong = status === 'IBV_WC_LOC_PROT_ERR' && qp.service === 'UD';
      sound(core, qp, wqe, wrong ? 'IBV_WC_LOC_ACCESS_ERR' : status);
    },
  }),

  // a message that is not gone on with

  faultsAt(abandon, {
    'uc-abandoned-position-kept': (sound, core, qp) => {
      const { message } = qp.responder;
      if (message?.kind === 'send') interrupted.set(message.wqe, message.received);
      sound(core, qp);
    },
  }),

  faultsAt(storeSend, {
    'uc-abandoned-position-kept': (sound, core, qp, wqe, received, data) =>
      sound(core, qp, wqe, received + (interrupted.get(wqe) ?? 0), data),
  }),

  faultsAt(giveBack, { 'uc-abandoned-receive-lost': () => undefined }),

  faultsAt(abort, {
    'uc-abort-status': (_sound, core, qp, { wr_id }) =>
      core.complete(qp.recvCq, { wr_id, status: 'IBV_WC_WR_FLUSH_ERR', qp_num: qp.num }),
    'uc-abort-fatal': (sound, core, qp, wqe) => {
      sound(core, qp, wqe);
      core.fail(qp);
    },
  }),

  faultsAt(crossGap, {
    'uc-gap-ignored': () => true,
    'uc-behind-as-duplicate': (sound, core, qp, packet) =>
      psnDiff(packet.psn, qp.responder.epsn) > 0 && sound(core, qp, packet),
    'uc-answers-gap': (sound, core, qp, packet) => {
      const crossed = sound(core, qp, packet);
      core.transmit(qp, { opcode, psn: qp.responder.epsn, aeth: { syndrome: nak, msn: 0 } });
      return crossed;
    },
    'uc-gap-fatal': (sound, core, qp, packet) => {
      sound(core, qp, packet);
      core.fail(qp);
      return false;
    },
    'uc-resync-missing': (sound, core, qp, packet) => {
      sound(core, qp, packet);
      return false;
    },
  }),

  faultsAt(requestIn, {
    'uc-kinds-mixed': (sound, core, r, packet) => {
      const request = sound(core, r, packet);
      if (r.message === undefined || !('position' in request) || isFirst(request.position)) return request;
      return { ...request, kind: r.message.kind };
    },
  }),

  faultsAt(opens, {
    'uc-sends-ignored': (sound, core, r, request) => request.kind !== 'send' && sound(core, r, request),
    'uc-first-in-message-dropped': (sound, core, r, request) =>
      r.message === undefined && sound(core, r, request),
    'uc-middle-starts': (sound, core, r, request) => request.kind === 'send' || sound(core, r, request),
  }),

  faultsAt(refuseWrite, {
    'uc-access-event': (sound, core, qp, immediate, status) => {
      raise(core, qp, 'IBV_EVENT_QP_ACCESS_ERR');
      sound(core, qp, immediate, status);
    },
    'uc-refused-write-fatal': (sound, core, qp, immediate, status) => {
      core.fail(qp);
      sound(core, qp, immediate, status);
    },
  }),
];
