import { credits, decodeSyndrome } from '../../spec/constants.ts';
import type { Wc, WcStatus } from '../../spec/verbs.ts';
import { workRequests } from '../../spec/work-requests.ts';
import type { Packet } from '../../wire/packet.ts';
import { psnDiff } from '../../wire/psn.ts';
import { samePartition } from '../device/packet/header.ts';
import { requestShape, serviceOfOpcode } from '../device/packet/opcode-shape.ts';
import { completionOpcode, endOf } from '../device/queues/send-queue.ts';
import { targetOf } from '../device/queues/request-target.ts';
import type { WorkItem } from '../device/queues/send-queue.ts';
import type { QpStateName } from '../device/qp-state.ts';
import { addressInUse } from '../path-migration/tables.ts';
import type { Requester } from './requester.ts';
import { asFirst, payloadDiffers } from './requests/posted.ts';
import { dataOf, readRequestsFor } from './responses/data.ts';
import { earliestDeparture, oldest, runningTime, timeoutInUse } from './requester.ts';
import { nothingPending, Pending } from './retransmission/pending.ts';
import type { WayBack } from './retransmission/pending.ts';
import type { Cause, RequesterState, RetransmitCause } from './state.ts';
import type { RcRequesterInputs } from './variables.ts';
import { acknowledgedWork } from './words/acknowledged-work.ts';
import { readsBefore } from './words/reads-before.ts';

/** What is known of an event besides the state of the requester. */
export interface EventParts {
  packet?: Packet;
  /** the work request of the packet or completion */
  work?: WorkItem | undefined;
  /** the packet is one that the device sent */
  sent?: boolean;
  cause?: Cause;
  response?: Pick<RcRequesterInputs['response'], 'acknowledges' | 'gap'>;
  nak?: { since: number; wait: number };
  /** one of the causes that wait for their retransmission */
  waiting?: RetransmitCause;
  /** the packet goes back */
  back?: WayBack;
  /** PSN that a cause of retransmission names, where it is no packet that has just come */
  from?: number;
  call?: { to: QpStateName | undefined; sqPsn: number | undefined; counters: boolean };
  completion?: Completion;
}

/** A completion of the work request; `overtakes`: one that was posted before it and must complete has not. */
export interface Completion {
  wc: Wc;
  overtakes: boolean;
}

/**
 * What the expressions of the machine may ask of one event in one state. It is worked out when they ask; RangeError where the
 * event has nothing of the kind.
 */
export class RequesterEvent implements RcRequesterInputs {
  readonly requester: Requester;
  readonly state: RequesterState;
  readonly parts: EventParts;
  readonly now: number;
  // several facts of one table ask for them
  #work: RcRequesterInputs['work'] | undefined;
  #response: RcRequesterInputs['response'] | undefined;
  #first: RcRequesterInputs['first'] | undefined;
  #surroundings: Surroundings | undefined;

  constructor(requester: Requester, state: RequesterState, now: number, parts: EventParts = {}) {
    this.requester = requester;
    this.state = state;
    this.parts = parts;
    this.now = now;
  }

  /** A packet left no earlier than the recorder allows for, nor before its work request was posted. */
  get earliest(): number {
    const { sent, work } = this.parts;
    return sent === true ? Math.max(earliestDeparture(this.requester, this.now), work?.t ?? 0) : this.now;
  }

  get slack(): number {
    return this.requester.timing.responseTime;
  }

  ran(since: number): number {
    return runningTime(this.requester, since, this.now);
  }

  get packet(): Packet {
    return this.parts.packet ?? lacking('packet');
  }

  get serviceMatches(): boolean {
    return serviceOfOpcode(this.packet.opcode) === 'RC';
  }

  get addressed(): boolean {
    return this.requester.connection.mayHave(this.packet.dstIp);
  }

  get samePartition(): boolean {
    return samePartition(this.requester.connection, this.packet);
  }

  get qp(): RcRequesterInputs['qp'] {
    return this.requester.attributes;
  }

  get farEnd(): RcRequesterInputs['farEnd'] {
    const { connection } = this.requester;
    const address = addressInUse(connection, this.state.migration);
    return { qpNumber: connection.peerQpNumber ?? -1, address };
  }

  get #item(): WorkItem {
    return this.parts.work ?? lacking('work');
  }

  get opcode(): RcRequesterInputs['opcode'] {
    return requestShape(this.packet.opcode);
  }

  get target(): RcRequesterInputs['target'] {
    return targetOf(this.packet, this.#item);
  }

  get bytesAsPosted(): boolean {
    const offset = this.state.machine.offset(this, this.state);
    return payloadDiffers(this.requester, this.state, this.packet, this.#item, offset) === undefined;
  }

  get first(): RcRequesterInputs['first'] {
    return (this.#first ??= asFirst(this.requester, this.packet));
  }

  get data(): RcRequesterInputs['data'] {
    return dataOf(this.packet);
  }

  get readRequest(): RcRequesterInputs['readRequest'] {
    return readRequestsFor(this.state, this.packet, this.parts.work);
  }

  get attr(): RcRequesterInputs['attr'] {
    return (this.#surroundings ??= new Surroundings(this));
  }

  get call(): RcRequesterInputs['call'] {
    const { to, sqPsn, counters } = this.parts.call ?? lacking('call');
    return { qp_state: to, sq_psn: sqPsn ?? -1, counters };
  }

  get path(): RcRequesterInputs['path'] {
    return (this.#surroundings ??= new Surroundings(this));
  }

  get device(): RcRequesterInputs['device'] {
    return (this.#surroundings ??= new Surroundings(this));
  }

  get queue(): RcRequesterInputs['queue'] {
    return this.requester.work;
  }

  get work(): RcRequesterInputs['work'] {
    if (this.#work !== undefined) return this.#work;
    const { work } = this.parts;
    return (this.#work = work === undefined ? noWork : new Work(this, work));
  }

  get came(): boolean {
    return this.parts.completion !== undefined;
  }

  get wc(): RcRequesterInputs['wc'] {
    const { wc } = this.parts.completion ?? lacking('completion');
    const { work } = this.parts;
    return {
      status: statuses[wc.status] ?? (wc.status.startsWith('IBV_WC_LOC_') ? 'local' : 'other'),
      listed: this.state.failure?.statuses.includes(wc.status) === true,
      asPosted: wc.opcode === undefined || work === undefined || wc.opcode === completionOpcode(work),
      byteLen: wc.byte_len ?? -1,
    };
  }

  get oldest(): RcRequesterInputs['oldest'] {
    const item = oldest(this.requester, this.state);
    if (item === undefined) return { psn: this.state.end, end: -1, reads: false, receives: false };
    const { kind, psn, wr } = item;
    const receives = kind === 'send' || wr.opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM';
    return { psn, end: endOf(item), reads: kind === 'read' || kind === 'atomic', receives };
  }

  get response(): RcRequesterInputs['response'] {
    return (this.#response ??= new Response(this, this.parts.response ?? lacking('response')));
  }

  get cause(): Cause {
    return this.parts.cause ?? lacking('cause');
  }

  get nak(): RcRequesterInputs['nak'] {
    const { since, wait } = this.parts.nak ?? lacking('nak');
    return { since, wait, ran: this.ran(since) };
  }

  get pending(): RcRequesterInputs['pending'] {
    const { causes, machine } = this.state;
    const { cause, from, back } = this.parts;
    if (causes.length === 0) return nothingPending;
    return new Pending(causes, cause, () => from ?? machine.resumesAt(this, this.state), back);
  }

  get waiting(): RcRequesterInputs['waiting'] {
    const { cause, psn, since, wait, latest } = this.parts.waiting ?? lacking('waiting');
    return { cause, psn, since, wait, longest: latest.wait };
  }

  get resend(): RcRequesterInputs['resend'] {
    return { psn: this.parts.from ?? this.packet.psn };
  }

  get goesBack(): boolean {
    return this.parts.back?.goesBack === true;
  }

  get timer(): RcRequesterInputs['timer'] {
    return { expiry: this.parts.back?.expiry?.() ?? lacking('back') };
  }

  get left(): RcRequesterInputs['left'] {
    const { machine } = this.state;
    const fact = machine.counter(this, this.state) === 'rnr_retry' ? 'rnrLeft' : 'retryLeft';
    const left = machine.left[fact].possible(this, this.state);
    return { some: left.includes('some'), none: left.includes('none') };
  }

  get overAlternate(): boolean {
    const { migration } = this.state;
    return migration.machine.flag('leavesByAlternate')({ packet: this.packet }, migration);
  }
}

const statuses: Readonly<Partial<Record<WcStatus, RcRequesterInputs['wc']['status']>>> = {
  IBV_WC_SUCCESS: 'IBV_WC_SUCCESS',
  IBV_WC_WR_FLUSH_ERR: 'IBV_WC_WR_FLUSH_ERR',
  IBV_WC_RETRY_EXC_ERR: 'IBV_WC_RETRY_EXC_ERR',
  IBV_WC_RNR_RETRY_EXC_ERR: 'IBV_WC_RNR_RETRY_EXC_ERR',
};

function lacking(what: keyof EventParts): never {
  throw new RangeError(`the event has no ${what}`);
}

/** What stands around every event: attributes of the QP, its path, the device. */
class Surroundings {
  readonly #event: RequesterEvent;

  constructor(event: RequesterEvent) {
    this.#event = event;
  }

  get retry_cnt(): number {
    return this.#event.requester.attributes.retryCnt;
  }

  get rnr_retry(): number {
    return this.#event.requester.attributes.rnrRetry;
  }

  get max_rd_atomic(): number {
    return this.#event.requester.attributes.maxRdAtomic ?? 0;
  }

  get timeout(): number {
    return timeoutInUse(this.#event.requester, this.#event.state);
  }

  get state(): RcRequesterInputs['path']['state'] {
    return this.#event.state.migration.pathState;
  }

  get minTimeout(): number {
    return this.#event.requester.minTimeout;
  }

  get ran(): number {
    return this.#event.ran(0);
  }

  get held(): boolean {
    return this.#event.requester.stalls.holdsAt(this.#event.now);
  }
}

class Work {
  readonly carries: RcRequesterInputs['work']['carries'];
  readonly swaps: boolean;
  readonly #event: RequesterEvent;
  readonly #item: WorkItem;
  readonly index: number;
  readonly kind: WorkItem['kind'];
  readonly length: number;
  readonly immediate: number;
  readonly invalidates: number;
  readonly psn: number;
  readonly end: number;
  readonly signaled: boolean;
  readonly solicited: boolean;
  readonly fenced: boolean;

  constructor(event: RequesterEvent, item: WorkItem) {
    this.#event = event;
    this.#item = item;
    this.index = item.index;
    this.kind = item.kind;
    this.length = item.length;
    this.carries = workRequests[item.wr.opcode].carries;
    this.swaps = item.wr.opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP';
    this.immediate = item.wr.imm_data ?? -1;
    this.invalidates = item.wr.invalidate_rkey ?? -1;
    this.psn = item.psn;
    this.end = endOf(item);
    this.signaled = item.signaled;
    this.solicited = item.solicited;
    this.fenced = item.fenced;
  }

  get readsBefore(): number {
    return readsBefore(this.#event.requester, this.#event.state, this.#item).length;
  }

  get overtakes(): boolean {
    return this.#event.parts.completion?.overtakes === true;
  }
}

class Response {
  readonly #event: RequesterEvent;
  readonly acknowledges: RcRequesterInputs['response']['acknowledges'];
  readonly gap: number;

  constructor(event: RequesterEvent, { acknowledges, gap }: NonNullable<EventParts['response']>) {
    this.#event = event;
    this.acknowledges = acknowledges;
    this.gap = gap;
  }

  get #upTo(): number {
    const { state } = this.#event;
    return state.machine.acknowledged(this.#event, state);
  }

  get head(): number {
    return acknowledgedWork(this.#event.requester, this.#event.state, this.#upTo);
  }

  get starves(): boolean {
    const { packet } = this.#event.parts;
    if (packet?.aeth === undefined) return false;
    const { kind, value } = decodeSyndrome(packet.aeth.syndrome);
    return kind === 'ack' && credits[value] === 0;
  }

  get answersNak(): boolean {
    return this.#event.state.causes.some(({ psn }) => psnDiff(psn, this.#upTo) < 0);
  }
}

/** No work request has the packet's PSN, or the completion's id. */
const noWork: RcRequesterInputs['work'] = {
  index: -1,
  kind: 'send',
  length: 0,
  carries: 'nothing',
  swaps: false,
  immediate: -1,
  invalidates: -1,
  psn: 0,
  end: 0,
  signaled: false,
  solicited: false,
  fenced: false,
  readsBefore: 0,
  overtakes: false,
};
