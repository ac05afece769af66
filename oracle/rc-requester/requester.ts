import type { Packet } from '../../wire/packet.ts';
import type { Rule } from '../rules.ts';
import type { Qp } from '../device/qp.ts';
import type { RequesterState } from './state.ts';
import { Holds, type Stalls } from '../device/stalls.ts';
import type { TraceHeader } from '../trace.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import { WorkQueue, type WorkItem } from '../device/queues/send-queue.ts';

/** Attributes of the QP that govern its requester. */
type RequesterAttributes = Pick<Qp, 'pmtu' | 'timeout' | 'retryCnt' | 'rnrRetry' | 'maxRdAtomic'>;

/** What the oracle keeps of one requester besides the state that packets move. */
export interface Requester {
  connection: Qp;
  work: WorkQueue;
  attributes: RequesterAttributes;
  /** first copy of every packet that is not complete, by PSN */
  copies: Map<number, Packet>;
  /** smallest effective code of the ACK timeout */
  minTimeout: number;
  /** see TraceHeader.timing */
  timing: { responseTime: number; jitter: number };
  stalls: Holds;
}

/** A requester of a device whose packets are all seen. */
export function requesterOf(qp: Qp, { limits, timing }: TraceHeader, stalls: Stalls): Requester {
  return {
    connection: qp,
    work: new WorkQueue(),
    attributes: qp,
    copies: new Map(),
    minTimeout: limits?.minTimeout ?? 1,
    stalls: new Holds(stalls),
    timing: timing ?? { responseTime: Number.POSITIVE_INFINITY, jitter: Number.POSITIVE_INFINITY },
  };
}

/** A demand that was not met, in words. */
export interface Finding {
  rule: Rule;
  expected: string;
  observed: string;
  /** no other way could make it good */
  certain?: boolean;
}

/** Code of the ACK timeout of the path in use. */
export function timeoutInUse({ attributes }: Requester, { migration }: RequesterState): number {
  return migration.machine.number('timeoutInUse')({ qp: attributes }, migration);
}

/** How long the device has surely been running between two instants; for upper bounds, which stalls put off. */
export function runningTime({ stalls }: Requester, from: number, to: number): number {
  return to - from - stalls.between(from, to);
}

/** The earliest that a packet from the device may have left which was seen at `t`. */
export function earliestDeparture({ timing, stalls }: Requester, t: number): number {
  return stalls.earliestDeparture(t, timing.jitter);
}

/** What a table of timers says: may the requester act? */
export function expiryOf(rule: Rule): 'forbidden' | 'allowed' | 'owed' {
  const word = outcomeWord(rule.outcomes[0] ?? {}, 'expiry');
  return word === 'allowed' || word === 'owed' ? word : 'forbidden';
}

/** The work request that the QP would fail with: the oldest that is not acknowledged. */
export function oldest({ work }: Requester, { head, tail }: RequesterState): WorkItem | undefined {
  return head < tail ? work.at(head) : undefined;
}

/** A work request in words. */
export function nameOf(item: WorkItem | undefined): string {
  return item === undefined ? 'a work request' : `${item.wr.opcode} wr_id ${item.wr.wr_id}`;
}
