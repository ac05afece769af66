import type { RecvWr, SendWr } from '../../spec/verbs.ts';
import type { QpStateName } from '../device/qp-state.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import {
  isMalformed,
  isMalformedReceive,
  isMisaligned,
  places,
  regionsOf,
  sendFaultOf,
} from './send-fault.ts';
import type { Rule } from '../rules.ts';
import type { KnownSrq, KnownQp } from './objects.ts';
import type { Becomes, VerbsWork } from './outstanding.ts';
import type { Spot, When } from '../spot.ts';
import type { VerbsContext } from './context.ts';

type Room = 'free' | 'full' | 'open';

const ENOMEM = 12;
/** the shortest ACK timeout, in nanoseconds: nothing fails for lack of an answer before */
const soonest = 4096;

/** Judges whether posting succeeds, and remembers what was posted. `errno`: the call failed with it. */
export class PostingJudge {
  readonly #context: VerbsContext;

  constructor(context: VerbsContext) {
    this.#context = context;
  }

  send(qp: KnownQp | undefined, wr: SendWr, when: When, errno: number | undefined): void {
    const context = this.#context;
    if (qp === undefined) return;
    const { most, pd, signalsAll } = qp.qp;
    const { capabilities, port, memory } = context.objects;
    const view = {
      service: qp.service,
      pd,
      maxSge: most.sendSge,
      maxInline: most.inline,
      maxMessage: port?.max_msg_sz,
      declaredMessage: context.header.limits?.maxMessageBytes,
      mtu: port?.active_mtu,
      capabilities,
      memory,
    };
    const fault = sendFaultOf(wr, view);
    const room = this.#sendRoom(qp, when.t);
    const malformed = isMalformed(fault) || isMisaligned(wr);
    this.#judge('post-send', 'ibv_post_send', qp, { room, malformed }, when, errno);
    if (errno !== undefined) return;
    qp.sends.add({
      ...newWork(wr.wr_id, qp.state, this.#becomes('post-send', qp.state), when),
      signaled: signalsAll || wr.send_flags?.includes('IBV_SEND_SIGNALED') === true,
      fault,
      places: places(wr),
      regions: fault === 'none' ? regionsOf(wr.sg_list, memory) : [],
    });
    if (qp.state === 'RTS') qp.busy = true;
    if (qp.failed) qp.happens('flushed-post', when.event);
  }

  receive(qp: KnownQp | undefined, wr: RecvWr, when: When, errno: number | undefined): void {
    if (qp === undefined || qp.srq !== undefined) return;
    const malformed = isMalformedReceive(wr, qp.qp.most.receiveSge);
    const room = this.#receiveRoom(qp);
    this.#judge('post-receive', 'ibv_post_recv', qp, { room, malformed }, when, errno);
    if (errno !== undefined) return;
    qp.receives.add(newWork(wr.wr_id, qp.state, this.#becomes('post-receive', qp.state), when));
    if (qp.state === 'ERR') qp.happens('flushed-post', when.event);
  }

  shared(srq: KnownSrq, wr: RecvWr, when: When, errno: number | undefined): void {
    const context = this.#context;
    const shape = isMalformedReceive(wr, srq.srq.maxSge) ? 'malformed' : 'sound';
    const room = this.#sharedRoom(srq);
    const found = context.book.ruling('post-shared-receive', { room, shape }, 'result');
    const spot = { ...when, qp: `srq ${srq.srq.handle}` };
    if (found !== undefined) this.#hold(found, 'ibv_post_srq_recv', spot, errno);
    if (errno === undefined) srq.posted.add(newWork(wr.wr_id, 'RTS', 'queued', when));
  }

  /** What becomes of a work request that a QP in this state has taken. */
  #becomes(table: 'post-send' | 'post-receive', postedIn: QpStateName): Becomes {
    const [rule] = this.#context.book.ask(table, { postedIn, room: 'free', shape: 'sound' });
    const word = ruleWord(rule, 'becomes');
    return word === 'held' || word === 'flushed' ? word : 'queued';
  }

  /** A post that failed leaves the QP as it is. */
  #judge(
    table: 'post-send' | 'post-receive',
    call: string,
    qp: KnownQp,
    { room, malformed }: { room: Room; malformed: boolean },
    when: When,
    errno: number | undefined,
  ): void {
    if (errno !== undefined) qp.happens('refused-post', when.event);
    // a QP in RTR that has failed unseen takes what it would have refused before
    if (qp.unsure || (qp.state === 'RTR' && this.#mayHaveFailed(qp))) {
      this.#context.book.skip('posting to a QP that may have failed unseen');
      return;
    }
    const shape = malformed ? 'malformed' : 'sound';
    const found = this.#context.book.ruling(table, { postedIn: qp.state, room, shape }, 'result');
    if (found === undefined) return;
    this.#hold(found, `${call} in ${qp.state}`, { ...when, qp: qp.name }, errno);
    if (errno !== undefined) this.#errno(call, room, { ...when, qp: qp.name }, errno);
  }

  #hold(
    { rule, word }: { rule: Rule; word: string },
    call: string,
    spot: Spot,
    errno: number | undefined,
  ): void {
    const { book } = this.#context;
    const observed = errno === undefined ? 'it succeeds' : `it fails with errno ${errno}`;
    if (word === 'either') book.choice(rule, errno === undefined ? 'accepted' : 'refused');
    else if ((word === 'accepted') !== (errno === undefined))
      book.violate(rule, spot, `${call} ${word === 'accepted' ? 'succeeds' : 'fails'}`, observed);
  }

  #errno(call: string, room: Room, spot: Spot, errno: number): void {
    for (const rule of this.#context.book.decide('post-refused', {
      refusedFor: room === 'full' ? 'full' : 'other',
    })) {
      if (ruleWord(rule, 'mustErrno') !== 'ENOMEM' || errno === ENOMEM) continue;
      this.#context.book.violate(rule, spot, `${call} fails with errno ${ENOMEM} (ENOMEM)`, `errno ${errno}`);
    }
  }

  #mayHaveFailed(qp: KnownQp): boolean {
    return this.#context.atDevice ? qp.arrived > 0 : true;
  }

  #sendRoom(qp: KnownQp, t: number): Room {
    const { sends, state } = qp;
    const { most } = qp.qp;
    // what should have completed and did not may still fill the queue
    if (qp.blind) return 'open';
    if (sends.length < most.send) return 'free';
    if (qp.failed || sends.forgetful) return 'open';
    const waits = (work: VerbsWork): boolean =>
      (state === 'SQD' && work.becomes === 'held') || this.#unanswered(qp, work, t);
    return sends.all().filter(waits).length >= most.send ? 'full' : 'open';
  }

  /** Whether a work request cannot have been answered by now, nor have failed. */
  #unanswered({ service, newestArrival }: KnownQp, work: VerbsWork, t: number): boolean {
    if (service !== 'RC' || !this.#context.atDevice) return false;
    return work.fault === 'none' && work.event > newestArrival && t - work.t < soonest;
  }

  #receiveRoom(qp: KnownQp): Room {
    const { receives, state } = qp;
    const { most } = qp.qp;
    if (qp.blind) return 'open';
    if (receives.length < most.receive) return 'free';
    if (state === 'ERR' || receives.forgetful) return 'open';
    const taken = this.#context.atDevice
      ? qp.arrived + (qp.everArrived ? 1 : 0)
      : state === 'INIT'
        ? 0
        : Number.POSITIVE_INFINITY;
    return receives.length - taken >= most.receive ? 'full' : 'open';
  }

  #sharedRoom(srq: KnownSrq): Room {
    const { size } = srq.srq;
    if (srq.posted.length < size) return 'free';
    return least(srq, this.#context) >= size ? 'full' : 'open';
  }
}

/** Fewest WQEs that may be left on an SRQ. */
export function least({ srq, posted }: KnownSrq, context: VerbsContext): number {
  let taken = 0;
  for (const qp of context.on(srq)) {
    if (qp.blind) return 0;
    if (!context.atDevice && qp.state !== 'RESET' && qp.state !== 'INIT') return 0;
    taken += qp.arrived + (qp.everArrived ? 1 : 0);
  }
  return posted.forgetful ? 0 : Math.max(0, posted.length - taken);
}

function newWork(wrId: number, postedIn: QpStateName, becomes: Becomes, { event, t }: When): VerbsWork {
  return {
    wrId,
    postedIn,
    becomes,
    signaled: true,
    fault: 'none',
    places: false,
    regions: [],
    event,
    t,
    doomed: becomes === 'flushed',
    lost: becomes === 'flushed',
    past: false,
  };
}
