import { psnAdd, psnDiff, type Packet } from '../../../../wire/index.ts';
import type { Core } from '../../device/core.ts';
import { scatter } from '../../device/memory/sge-list.ts';
import type { QueuePair } from '../../device/qp.ts';
import { faultsAt } from '../../seam.ts';
import { failHead, succeedAll } from '../complete.ts';
import { acknowledgeBefore, firstUnread, readLengthFits, resultBytes, storeRead } from '../data.ts';
import { failRefused, handleSequenceNak, meaningOf, type NakMeaning } from '../nak.ts';
import { acknowledge, acknowledgeUpTo, needsData } from '../progress.ts';
import { dropDuplicate, dropGhost, handleReserved, isBehind } from '../response.ts';
import { retry } from '../retry.ts';
import type { RequesterState, SendWqe } from '../state.ts';
import { noteVoidAnswer } from '../timers.ts';
import { find } from '../window.ts';

/** the newest requests of a requester that have completed */
const retired = new WeakMap<RequesterState, readonly SendWqe[]>();

const retire: (sound: typeof succeedAll.sound, ...args: Parameters<typeof succeedAll.sound>) => void = (
  sound,
  core,
  qp,
  passed,
) => {
  sound(core, qp, passed);
  const q = qp.requester;
  retired.set(q, [...(retired.get(q) ?? []), ...passed].slice(-4));
};

/** The request, complete or not, that an answer belongs to. */
function requestOf({ requester: q }: QueuePair, { psn }: Packet): SendWqe | undefined {
  return [...(retired.get(q) ?? []), ...q.queue].find((wqe) => {
    const d = psnDiff(psn, wqe.psn);
    return wqe.launched && d >= 0 && d < wqe.packets;
  });
}

type Meaning = (core: Core, code: number) => NakMeaning;

/** A NAK is taken for another. */
const mistaking =
  (from: NakMeaning, to: NakMeaning) =>
  (sound: Meaning, core: Core, code: number): NakMeaning => {
    const meaning = sound(core, code);
    return meaning === from ? to : meaning;
  };

/** PSN of the newest NAK */
const newestNak = new WeakMap<RequesterState, number>();

export const answerFaults = [
  faultsAt(isBehind, { 'response-psn-without-wrap': (_sound, _core, psn, una) => psn < una }),

  faultsAt(needsData, {
    'ack-completes-open-read': (sound, core, wqe) => wqe.kind !== 'read' && sound(core, wqe),
    'ack-completes-open-atomic': (sound, core, wqe) => wqe.kind !== 'atomic' && sound(core, wqe),
  }),

  faultsAt(acknowledgeUpTo, {
    'coalesced-ack-completes-one': (sound, core, qp, end, teller) => {
      const [head] = qp.requester.queue;
      const passed = head === undefined ? end : psnAdd(head.psn, head.packets);
      sound(core, qp, psnDiff(end, passed) > 0 ? passed : end, teller);
    },
  }),

  // READ responses

  faultsAt(acknowledgeBefore, {
    'read-gap-accepted': (sound, core, qp, wqe, psn) =>
      find(qp, qp.requester.una) === wqe || sound(core, qp, wqe, psn),
  }),

  faultsAt(readLengthFits, { 'read-length-unchecked': () => true }),

  faultsAt(storeRead, {
    'read-data-misplaced': (sound, core, qp, wqe, packet) => {
      const start = wqe.starts.at(-1) ?? wqe.psn;
      return sound(core, qp, psnDiff(packet.psn, start) >= 0 ? { ...wqe, psn: start } : wqe, packet);
    },
  }),

  faultsAt(firstUnread, { 'read-completes-early': (_sound, _core, wqe) => psnAdd(wqe.psn, wqe.packets) }),

  // answers that say nothing new

  faultsAt(succeedAll, { 'late-read-overwrites': retire, 'late-atomic-overwrites': retire }),

  faultsAt(dropDuplicate, {
    'duplicate-ack-retransmits': (sound, core, qp, packet) => {
      sound(core, qp, packet);
      const { una, end } = qp.requester;
      if (psnDiff(end, una) > 0) retry(core, qp, una, 'sequence-nak');
    },
    'retry-counter-reloaded-by-duplicates': (sound, core, qp, packet) => {
      sound(core, qp, packet);
      qp.requester.retriesLeft = qp.attr.retry_cnt ?? 0;
    },
    'rnr-counter-reloaded-by-duplicates': (sound, core, qp, packet) => {
      sound(core, qp, packet);
      qp.requester.rnrLeft = qp.attr.rnr_retry ?? 0;
    },
    'late-read-overwrites': (sound, core, qp, packet) => {
      sound(core, qp, packet);
      const wqe = requestOf(qp, packet);
      if (wqe?.kind === 'read' && packet.payload.length > 0) storeRead(core, qp, wqe, packet);
    },
    'late-atomic-overwrites': (sound, core, qp, packet) => {
      sound(core, qp, packet);
      const wqe = requestOf(qp, packet);
      const { atomicOriginal } = packet;
      if (wqe?.kind === 'atomic' && atomicOriginal !== undefined)
        scatter(core.memory, wqe.wr.sg_list, 0, resultBytes(atomicOriginal), qp.pd);
    },
  }),

  faultsAt(dropGhost, {
    'timer-restarted-by-ghosts': (_sound, core, qp) => noteVoidAnswer(core, qp, core.arrival),
    'ghost-ack-completes': (_sound, core, qp, { info }) => {
      if (info?.operation === 'ACKNOWLEDGE') acknowledge(core, qp, qp.requester.end);
    },
  }),

  // NAKs

  faultsAt(handleReserved, {
    'reserved-syndrome-as-ack': (_sound, core, qp, psn) => {
      acknowledge(core, qp, psnAdd(psn, 1));
    },
  }),

  faultsAt(meaningOf, {
    'fatal-nak-retried': (sound, core, code) => (sound(core, code) === undefined ? undefined : 'retry'),
    'reserved-nak-as-sequence-error': mistaking(undefined, 'retry'),
    'remote-access-as-local': mistaking('IBV_WC_REM_ACCESS_ERR', 'IBV_WC_LOC_ACCESS_ERR'),
    'remote-access-as-operational': mistaking('IBV_WC_REM_ACCESS_ERR', 'IBV_WC_REM_OP_ERR'),
    'invalid-request-of-rd': mistaking('IBV_WC_REM_INV_REQ_ERR', 'IBV_WC_REM_INV_RD_REQ_ERR'),
    'remote-invalid-request-as-access': mistaking('IBV_WC_REM_INV_REQ_ERR', 'IBV_WC_REM_ACCESS_ERR'),
    'remote-operational-as-invalid-request': mistaking('IBV_WC_REM_OP_ERR', 'IBV_WC_REM_INV_REQ_ERR'),
  }),

  faultsAt(failRefused, {
    'fatal-nak-fails-oldest': (_sound, core, qp, _psn, status) => failHead(core, qp, status),
  }),

  faultsAt(handleSequenceNak, {
    'nak-acknowledges-nothing': (_sound, core, qp) => retry(core, qp, qp.requester.una, 'sequence-nak'),
    'sequence-nak-waits-for-timer': (_sound, core, qp, psn) => {
      acknowledge(core, qp, psn);
    },
    'second-sequence-nak-ignored': (sound, core, qp, psn) => {
      const repeats = newestNak.get(qp.requester) === psn;
      newestNak.set(qp.requester, psn);
      if (repeats) acknowledge(core, qp, psn);
      else sound(core, qp, psn);
    },
    'sequence-nak-fatal': (_sound, core, qp, psn) => {
      acknowledge(core, qp, psn);
      failHead(core, qp, 'IBV_WC_REM_OP_ERR');
    },
  }),
];
