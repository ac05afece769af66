import type { Wc } from '../../spec/verbs.ts';
import { byteText } from '../device/byte-text.ts';
import type { End, OpenSend, Seen } from './end.ts';
import type { Asked } from './reason.ts';
import { firstDifference, readMemory, totalLength, type Region } from '../device/memory.ts';
import { outcomeWord, outcomeWords } from '../rulebook/outcome.ts';
import type { Outcome, Rule } from '../rules.ts';

/** One work request with what the tables say of it. */
export interface Decided {
  from: End;
  /** the QP that it reaches */
  to: End | undefined;
  send: OpenSend;
  asked: Asked;
  rule: Rule;
  /** whether work behind it may complete a receive WQE with that status, or, where it is judged as well, may be the cause of it */
  failsBehind: (status: string, judged: boolean) => boolean;
}

export interface Mismatch {
  qp: string;
  /** the guilty event, where there is one */
  event?: number;
  what: { expected: string; observed: string };
}

/** How what was seen differs from an outcome; `undefined`: not at all. */
export function mismatchOf(decided: Decided, outcome: Outcome): Mismatch | undefined {
  const { from, to, send } = decided;
  const allowed = outcomeWords(outcome, 'requesterStatus');
  const [own] = from.sendsSeen;
  const mine = own?.wc.wr_id === send.wr.wr_id ? own : undefined;
  const silent = !send.signaled && allowed.includes('IBV_WC_SUCCESS');
  const work = `completion of work request wr_id ${send.wr.wr_id}`;
  if (mine === undefined ? !silent : !allowed.includes(mine.wc.status)) {
    const expected = `${work} with ${allowed.join(' or ')}`;
    const observed = mine?.wc.status ?? (own === undefined ? 'none' : `that of wr_id ${own.wc.wr_id}`);
    return { qp: from.qp.name, ...(mine && { event: mine.event }), what: { expected, observed } };
  }
  if (to === undefined) return undefined;
  return responderMismatch({ ...decided, to }, outcome);
}

type Reaching = Decided & { to: End };

function responderMismatch(
  { to, send, asked, failsBehind }: Reaching,
  outcome: Outcome,
): Mismatch | undefined {
  const { wr } = send;
  const [wqe] = to.receives.waiting;
  const [seen] = to.receivesSeen;
  const differs = (expected: string, observed: string, event: number | undefined): Mismatch => ({
    qp: to.qp.name,
    ...(event !== undefined && { event }),
    what: { expected, observed },
  });
  const receive = `completion of receive wr_id ${wqe?.wr_id ?? '-'}`;
  const report = outcomeWord(outcome, 'responderReport');
  const event = to.eventsSeen.find((e) =>
    outcomeWords(outcome, 'responderEvent').includes(e.event.event_type),
  );
  const status = outcomeWords(outcome, 'responderStatus');
  const failed = seen !== undefined && seen.wc.wr_id === wqe?.wr_id && status.includes(seen.wc.status);
  switch (report ?? 'none') {
    case 'message': {
      const expected = receivedAs(to, wr, asked);
      if (seen === undefined || seen.wc.wr_id !== wqe?.wr_id || seen.wc.status !== 'IBV_WC_SUCCESS')
        return differs(`${receive} with IBV_WC_SUCCESS`, describe(seen), seen?.event);
      const wrong = Object.entries(expected).find(([key, value]) => seen.wc[key as keyof Wc] !== value);
      if (wrong === undefined) return undefined;
      const [key, value] = wrong;
      return differs(`${key} ${String(value)}`, `${key} ${String(seen.wc[key as keyof Wc])}`, seen.event);
    }
    case 'completion':
      return failed
        ? undefined
        : differs(`${receive} with ${status.join(' or ')}`, describe(seen), seen?.event);
    case 'event':
      return event === undefined
        ? differs(outcomeWords(outcome, 'responderEvent').join(' or '), eventsOf(to), undefined)
        : undefined;
    case 'either':
      return failed || event !== undefined
        ? undefined
        : differs(
            [
              ...status.map((s) => `a receive completion with ${s}`),
              ...outcomeWords(outcome, 'responderEvent'),
            ].join(' or '),
            seen === undefined ? eventsOf(to) : describe(seen),
            seen?.event,
          );
    default:
      // a completion with success may belong to a later message, and so may the one with which that has failed
      return seen !== undefined &&
        !['IBV_WC_SUCCESS', 'IBV_WC_WR_FLUSH_ERR'].includes(seen.wc.status) &&
        !failsBehind(seen.wc.status, outcomeWord(outcome, 'responderQp') !== 'either')
        ? differs('no receive completion in error', describe(seen), seen.event)
        : undefined;
  }
}

/** Fields of the receive completion of a sound message. */
function receivedAs(to: End, wr: OpenSend['wr'], asked: Asked): Partial<Wc> {
  const length = totalLength(wr.sg_list) + to.front;
  const immediate = asked === 'send-immediate' || asked === 'write-immediate';
  return {
    opcode: asked === 'write-immediate' ? 'IBV_WC_RECV_RDMA_WITH_IMM' : 'IBV_WC_RECV',
    byte_len: length,
    ...(immediate && { imm_data: wr.imm_data ?? 0 }),
  };
}

export function describe(seen: Seen | undefined): string {
  return seen === undefined ? 'none' : `wr_id ${seen.wc.wr_id} with ${seen.wc.status}`;
}

function eventsOf(end: End): string {
  return end.eventsSeen.map(({ event }) => event.event_type).join(', ') || 'none';
}

/** How bytes read back differ from what work left in a region; `undefined`: not where it decides on them. */
export function memoryMismatch(
  region: Region,
  offset: number,
  bytes: Uint8Array,
): Mismatch['what'] | undefined {
  const view = readMemory(undefined, region, offset, bytes.length);
  const wrong = firstDifference(view, bytes);
  if (wrong < 0) return undefined;
  return {
    expected: `byte ${offset + wrong} of region ${region.mr} = ${byteText(view.bytes[wrong])}`,
    observed: byteText(bytes[wrong]),
  };
}
