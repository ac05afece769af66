import { apply, toError } from '../../attributes/modify.ts';
import { answerMessage, repeatRead, resultAgain } from '../../rc-responder/duplicate.ts';
import { completeReceive, takeWqe } from '../../rc-responder/receive.ts';
import { sendAck } from '../../rc-responder/reply.ts';
import { refuseAhead, sendSequenceNak } from '../../rc-responder/responder.ts';
import { hasNoResource } from '../../rc-responder/resources.ts';
import type { ResponderState } from '../../rc-responder/state.ts';
import { faultsAt } from '../../seam.ts';
import { entriesAfter } from '../../verbs/completion-queues.ts';
import { enqueue } from '../../verbs/post.ts';
import type { CompletionQueue } from '../cq.ts';
import { endReceiving } from '../flush.ts';
import type { QueuePair } from '../qp.ts';
import type { ReceiveQueue } from '../receive-queue.ts';
import { enterCq } from '../report.ts';
import { reset } from '../reset.ts';

/** READs that have come again */
const repeats = new WeakMap<ResponderState, number>();
/** SRQs on which a completion came before that of a WQE in use */
const overtaken = new WeakSet<ReceiveQueue>();
/** completions that a CQ has had since its ring was made */
const rounds = new WeakMap<CompletionQueue, number>();
/** path MTU of the first life */
const firstMtu = new WeakMap<QueuePair, number>();

/** What comes while a message, a refusal, a ring or a notification is under way, and upsets it. */
export const meanwhileFaults = [
  faultsAt(takeWqe, {
    'not-ready-cuts-write': (sound, core, qp, psn) => {
      const wqe = sound(core, qp, psn);
      if (wqe === undefined) qp.responder.message = undefined;
      return wqe;
    },
  }),

  faultsAt(repeatRead, {
    'repeats-fill-read-slots': (sound, core, qp, found, psn, data) => {
      repeats.set(qp.responder, (repeats.get(qp.responder) ?? 0) + 1);
      sound(core, qp, found, psn, data);
    },
  }),
  faultsAt(hasNoResource, {
    'repeats-fill-read-slots': (sound, core, qp) =>
      sound(core, qp) || (repeats.get(qp.responder) ?? 0) >= (qp.attr.max_dest_rd_atomic ?? 0),
  }),

  faultsAt(refuseAhead, {
    'gap-moves-message': (sound, core, qp, packet) => {
      const { message } = qp.responder;
      if (message !== undefined) message.received += packet.payload.length;
      sound(core, qp, packet);
    },
  }),

  faultsAt(answerMessage, {
    'repeated-first-begins-anew': (sound, core, qp, packet, request) => {
      const { message } = qp.responder;
      if (message?.kind === request.kind && request.position === 'first') message.received = 0;
      sound(core, qp, packet, request);
    },
    'repeat-acknowledges-refused': (sound, core, qp, packet, request) => {
      const { waiting, epsn } = qp.responder;
      if (waiting === 'rnr' && packet.ackReq) sendAck(core, qp, epsn);
      else sound(core, qp, packet, request);
    },
  }),

  faultsAt(sendSequenceNak, {
    'replays-dropped-by-gap': (sound, core, qp, packet) => {
      qp.responder.resources = [];
      sound(core, qp, packet);
    },
  }),

  faultsAt(resultAgain, {
    'replay-of-newest-at-address': (sound, core, qp, found, eth, kind) => {
      const newest = qp.responder.resources.findLast((one) => one.kind === 'atomic' && one.va === found.va);
      return sound(core, qp, newest?.kind === 'atomic' ? newest : found, eth, kind);
    },
  }),

  faultsAt(toError, {
    'receives-lost-before-rts': (sound, device, qp) => {
      const early = qp.state === 'IBV_QPS_INIT' || qp.state === 'IBV_QPS_RTR';
      if (early && qp.receiveQueue.srq === undefined) qp.receiveQueue.wqes = [];
      sound(device, qp);
    },
  }),

  faultsAt(completeReceive, {
    'srq-place-in-use-taken': (sound, core, qp, packet, wqe, opcode, bytes) => {
      if (qp.receiveQueue.srq !== undefined) overtaken.add(qp.receiveQueue);
      sound(core, qp, packet, wqe, opcode, bytes);
    },
  }),
  faultsAt(enqueue, {
    'srq-place-in-use-taken': (sound, device, call, queue, wr) => {
      sound(device, call, queue, wr);
      if (!overtaken.delete(queue)) return;
      for (const { receiveQueue, responder } of device.qps.values())
        if (receiveQueue === queue && responder.message?.kind === 'send')
          responder.message.wqe = { ...responder.message.wqe, sg_list: wr.sg_list };
    },
  }),

  faultsAt(enterCq, {
    'cq-resize-from-first-place': (sound, device, cq, wc, solicited) => {
      rounds.set(cq, (rounds.get(cq) ?? 0) + 1);
      sound(device, cq, wc, solicited);
    },
    'overflow-by-flush-silent': (sound, device, cq, wc, solicited) => {
      const lost = wc.status === 'IBV_WC_WR_FLUSH_ERR' && cq.entries.length >= cq.capacity;
      if (!lost) sound(device, cq, wc, solicited);
    },
  }),
  faultsAt(entriesAfter, {
    'cq-resize-from-first-place': (sound, device, queue, asked) => {
      const { entries, capacity } = queue;
      const oldest = ((rounds.get(queue) ?? 0) - entries.length) % capacity;
      const wrapped = Math.max(0, oldest + entries.length - capacity);
      queue.entries = [
        ...entries.slice(entries.length - wrapped),
        ...entries.slice(0, entries.length - wrapped),
      ];
      rounds.set(queue, entries.length);
      return sound(device, queue, asked);
    },
  }),

  faultsAt(endReceiving, {
    'srq-limit-disarmed-by-failure': (sound, core, qp) => {
      if (qp.receiveQueue.srq !== undefined) qp.receiveQueue.limit = 0;
      sound(core, qp);
    },
  }),

  faultsAt(reset, {
    'srq-limit-disarmed-by-reset': (sound, core, qp) => {
      if (qp.receiveQueue.srq !== undefined) qp.receiveQueue.limit = 0;
      sound(core, qp);
    },
    'reset-disarms-cqs': (sound, core, qp) => {
      sound(core, qp);
      qp.sendCq.armed = qp.recvCq.armed = 'no';
    },
  }),

  faultsAt(apply, {
    'mtu-of-former-life': (sound, device, qp, attr) => {
      sound(device, qp, attr);
      if (attr.path_mtu === undefined) return;
      const first = firstMtu.get(qp) ?? attr.path_mtu;
      firstMtu.set(qp, first);
      qp.mtu = first;
    },
  }),
];
