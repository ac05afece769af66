import type { QpAttr, RecvWr } from '../../spec/verbs.ts';
import { changeRequester, changeResponder, gathered } from './memory.ts';
import type { EffectsEnd, OpenSend } from './end.ts';
import type { QpChange } from '../device/listener.ts';
import type { Objects } from '../device/objects.ts';
import type { Observer } from '../device/observer.ts';
import type { PostedSend } from '../device/posted-send.ts';
import { serviceOf, type Qp, type Srq } from '../device/qp.ts';
import type { When } from '../spot.ts';
import { askedOf, localReason, reaches, remoteReasons, type Reason } from './reason.ts';
import { lookupOf, type Lookup } from '../rulebook/lookup.ts';
import { Stalls } from '../device/stalls.ts';
import { outcomeWord, outcomeWords } from '../rulebook/outcome.ts';
import type { Outcome, RuleSet } from '../rules.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { stateName } from '../device/qp-state.ts';
import { deadline } from './deadline.ts';
import {
  describe,
  memoryMismatch,
  mismatchOf,
  watched,
  type Decided,
  type End,
  type Seen,
} from './compare.ts';
import { retryLimits } from '../rc-requester/limits.ts';
import type { RetryLimits } from '../rc-requester/limits.ts';
import type { Ledger } from '../rulebook/ledger.ts';

export type EffectsRules = Readonly<Record<EffectsEnd['service'], Lookup>> & { readonly limits: RetryLimits };

export function effectsRules(rules: RuleSet): EffectsRules {
  return {
    RC: lookupOf(rules, 'rc-effects'),
    UC: lookupOf(rules, 'uc-effects'),
    UD: lookupOf(rules, 'ud-effects'),
    limits: retryLimits(rules),
  };
}

/**
 * Judges two QPs of one device that talk to each other unseen: each work request by its cause and the effects that the
 * tables rc-effects, uc-effects and ud-effects give it at both ends, in posting order.
 */
export class EndToEndJudge implements Observer {
  readonly #rules: EffectsRules;
  readonly #ledger: Ledger;
  readonly #responseTime: number;
  readonly #objects: Objects;
  readonly #ends = new Map<Qp, End>();
  /** receive WQEs that wait on an SRQ */
  readonly #shared = new WeakMap<Srq, End['receives']>();
  readonly #stalls = new Stalls();
  /** posted and not yet decided, in order */
  readonly #open: { from: End; send: OpenSend }[] = [];

  constructor(rules: EffectsRules, ledger: Ledger, header: TraceHeader, objects: Objects) {
    this.#rules = rules;
    this.#ledger = ledger;
    this.#objects = objects;
    this.#responseTime = header.timing?.responseTime ?? Number.POSITIVE_INFINITY;
  }

  see(event: TraceEvent, index: number): 'mine' {
    switch (event.kind) {
      case 'completion':
        this.#completion({ wc: event.wc, event: index, t: event.t });
        break;
      case 'async':
        this.#byNumber(event.event.qp_num)?.eventsSeen.push({ event: event.event, index, t: event.t });
        break;
      case 'stall':
        this.#stalls.add(event.t, event.until);
        break;
      case 'settled':
        this.#settle(event.t, index);
        break;
      case 'memory':
        this.#readBack(event, index);
        break;
      case 'gap':
        for (const end of this.#ends.values()) this.#lose(end, event.reason);
        break;
      case 'packet':
      case 'frame':
      case 'call':
      case 'call-failed':
      case 'link':
      case 'rate':
      case 'hop':
      case 'gone':
    }
    return 'mine';
  }

  deregistered(): void {
    this.#disturbed('dereg_mr while work was under way');
  }

  written(): void {
    this.#disturbed('memory written by software while work was under way');
  }

  created(qp: Qp): void {
    const service = serviceOf(qp);
    if (service === undefined) return this.#ledger.skip(`QPs of type ${qp.type}`);
    const { srq } = qp;
    let receives = srq && this.#shared.get(srq);
    receives ??= { waiting: [] };
    if (srq !== undefined) this.#shared.set(srq, receives);
    this.#ends.set(qp, watched({ qp, service, state: 'RESET', receives, sends: [] }));
  }

  destroyed(qp: Qp): void {
    this.#ends.delete(qp);
  }

  sharedPosted(srq: Srq, wr: RecvWr): void {
    this.#disturbed('a receive posted while work was under way');
    const receives = this.#shared.get(srq) ?? { waiting: [] };
    receives.waiting.push(wr);
    this.#shared.set(srq, receives);
  }

  receivePosted(qp: Qp, wr: RecvWr): void {
    const end = this.#ends.get(qp);
    if (end === undefined) return;
    this.#disturbed('a receive posted while work was under way');
    end.receives.waiting.push(wr);
    if (end.state === 'ERR' && !end.muted) this.#lose(end, 'work posted to a QP in ERR');
  }

  sendPosted(qp: Qp, posted: PostedSend): void {
    const end = this.#ends.get(qp);
    if (end === undefined) return;
    if (end.state !== 'RTS') return this.#lose(end, 'work posted to a QP that is not in RTS');
    const send = { ...posted, data: this.#data(posted) };
    end.sends.push(send);
    this.#open.push({ from: end, send });
  }

  /** The message as it stands; none of one that is too long for any port, which is never sent. */
  #data({ wr, length }: PostedSend): Uint8Array | undefined {
    const most = this.#objects.port?.max_msg_sz ?? 2 ** 31;
    return length > most ? undefined : gathered(this.#objects.memory, wr.sg_list);
  }

  modified(qp: Qp, { to }: QpChange): void {
    const end = this.#ends.get(qp);
    if (end === undefined) return;
    this.#disturbed('ibv_modify_qp while work was under way');
    if (to === undefined) return;
    end.state = to;
    if (to === 'SQD') return this.#lose(end, 'a QP that software took out of RTS');
    // what software itself made of a QP is no effect of work
    end.muted = to === 'ERR' || to === 'RESET';
    if (!end.muted) return;
    Object.assign(end, { rule: undefined, sends: [], sendsSeen: [], receivesSeen: [], eventsSeen: [] });
    if (qp.srq === undefined) end.receives.waiting = [];
    if (to === 'RESET') end.lost = false;
  }

  #completion(seen: Seen): void {
    const end = this.#byNumber(seen.wc.qp_num);
    if (end === undefined || end.muted) return;
    const sends = end.sends.some(({ wr }) => wr.wr_id === seen.wc.wr_id);
    (sends ? end.sendsSeen : end.receivesSeen).push(seen);
  }

  #byNumber(number: number | undefined): End | undefined {
    for (const end of this.#ends.values()) if (end.qp.qpNumber === number) return end;
    return undefined;
  }

  /** Something changes that the order of unseen packets against it would decide on. */
  #disturbed(why: string): void {
    for (const { from, send } of this.#open) {
      this.#lose(from, why);
      const to = this.#addressee(from, send);
      if (to !== undefined) this.#lose(to, why);
    }
    this.#open.length = 0;
  }

  #lose(end: End, why: string): void {
    if (!end.lost) this.#ledger.skip(why);
    end.lost = true;
  }

  #addressee(from: End, { wr }: PostedSend): End | undefined {
    return this.#byNumber(from.service === 'UD' ? wr.remote_qpn : from.qp.attr.dest_qp_num);
  }

  #settle(t: number, index: number): void {
    const blocked = new Set<End>();
    const open = this.#open.splice(0);
    for (const entry of open) {
      const { from, send } = entry;
      const to = this.#addressee(from, send);
      if (from.lost || to?.lost === true) {
        if (to !== undefined) this.#lose(to, 'a QP whose other end is not judged');
        this.#lose(from, 'a QP whose other end is not judged');
        continue;
      }
      if (!blocked.has(from) && from.state !== 'RTS') this.#perhaps(from, to, send);
      if (blocked.has(from) || (from.state === 'RTS' && !this.#decide(from, to, send, t, index))) {
        blocked.add(from);
        this.#open.push(entry);
      }
    }
    for (const end of this.#ends.values())
      if (!end.lost && !blocked.has(end)) this.#nothingElse(end, index, t);
  }

  /** Flushed work: where the fault before it showed late, its packets may have been on their way already. */
  #perhaps(from: End, to: End | undefined, send: OpenSend): void {
    const asked = askedOf(send);
    if (!from.failedLate || asked === undefined || !reaches(from, to)) return;
    changeResponder(this.#objects.memory, to, send, asked, 'undecided');
    if (asked !== 'write' && asked !== 'read' && asked !== 'atomic')
      this.#lose(to, 'a receive that flushed work may have taken');
  }

  /** Judges one work request; `false` where its completion waits for timers that still run. */
  #decide(from: End, to: End | undefined, send: OpenSend, t: number, index: number): boolean {
    const asked = askedOf(send);
    const local = asked && localReason(from, send, asked, this.#objects);
    const reached = reaches(from, to);
    const reasons: Reason[] =
      asked === undefined || local === undefined || local !== 'none'
        ? [local ?? 'none']
        : reached
          ? remoteReasons(from, to, send, asked, this.#objects.memory)
          : ['unreachable'];
    const [reason = 'none', other] = reasons;
    if (asked === undefined || other !== undefined) {
      this.#lose(from, asked === undefined ? 'SEND with invalidate, unseen' : 'several faults at once');
      if (to !== undefined) this.#lose(to, 'a QP whose other end is not judged');
      return true;
    }
    const rules = this.#rules[from.service]({ asked, reason });
    const [rule] = rules;
    if (rule === undefined) return true;
    const waits = from.service === 'RC' && (reason === 'unreachable' || reason === 'no-receive');
    const seen = from.sendsSeen.some(({ wc }) => wc.wr_id === send.wr.wr_id);
    if (
      waits &&
      !seen &&
      t - this.#stalls.between(send.t, t) <
        deadline(this.#rules.limits, from, to, send, reason, this.#responseTime)
    )
      return false;
    this.#ledger.exercise(rules);
    const decided: Decided = { from, to: reached ? to : undefined, send, asked, reason, rule };
    const mismatches = rule.outcomes.map((outcome) => mismatchOf(decided, outcome));
    const fitting = mismatches.indexOf(undefined);
    const outcome = rule.outcomes[Math.max(0, fitting)] ?? {};
    const mismatch = mismatches[0];
    if (fitting < 0 && mismatch !== undefined) {
      this.#ledger.violate({
        rule: rule.id,
        event: mismatch.event ?? index,
        t,
        qp: mismatch.qp,
        ...mismatch.what,
      });
      this.#drop(from);
      if (to !== undefined) this.#drop(to);
      return true;
    }
    this.#apply(decided, outcome);
    return true;
  }

  /** After a violation nothing more is said of the QP, and nothing is doubtful either. */
  #drop(end: End): void {
    end.lost = true;
  }

  #apply({ from, to, send, asked, rule }: Decided, outcome: Outcome): void {
    const sound = outcomeWords(outcome, 'requesterStatus')[0] === 'IBV_WC_SUCCESS';
    changeRequester(this.#objects.memory, send, asked, sound ? 'whole' : 'undecided');
    if (from.sendsSeen[0]?.wc.wr_id === send.wr.wr_id) from.sendsSeen.shift();
    from.sends = from.sends.filter((other) => other !== send);
    from.rule = rule;
    if (to !== undefined) {
      to.rule = rule;
      const memory = outcomeWord(outcome, 'responderMemory');
      if (memory !== 'untouched')
        changeResponder(this.#objects.memory, to, send, asked, memory === 'whole' ? 'whole' : 'undecided');
      const status = outcomeWords(outcome, 'responderStatus');
      const report = outcomeWord(outcome, 'responderReport');
      const [seen] = to.receivesSeen;
      if (report === 'message' || (seen !== undefined && status.includes(seen.wc.status))) {
        to.receivesSeen.shift();
        to.receives.waiting.shift();
      }
      const events = outcomeWords(outcome, 'responderEvent');
      to.eventsSeen = to.eventsSeen.filter(({ event }) => !events.includes(event.event_type));
      const after = outcomeWord(outcome, 'responderQp');
      if (after === 'error') to.state = 'ERR';
      else if (after === 'either') this.#lose(to, 'a QP that may be in ERR or not');
    }
    const state = outcomeWord(outcome, 'requesterQp');
    from.failedLate = outcomeWord(outcome, 'behind') === 'may-arrive';
    if (state === 'error') from.state = 'ERR';
    else if (state === 'sqe') from.state = 'SQE';
  }

  /** At rest: what is left to come is flushed work, and nothing else was seen. */
  #nothingElse(end: End, index: number, t: number): void {
    const { rule } = end;
    const violate = (expected: string, observed: string, event = index): void => {
      if (rule !== undefined)
        this.#ledger.violate({ rule: rule.id, event, t, qp: end.qp.name, expected, observed });
      this.#drop(end);
    };
    if (end.state === 'ERR' || end.state === 'SQE') {
      for (const { wr } of end.sends.splice(0)) {
        const seen = end.sendsSeen.shift();
        if (seen?.wc.wr_id === wr.wr_id && seen.wc.status === 'IBV_WC_WR_FLUSH_ERR') continue;
        return violate(
          `completion of work request wr_id ${wr.wr_id} with IBV_WC_WR_FLUSH_ERR`,
          describe(seen),
          seen?.event,
        );
      }
    }
    if (end.state === 'ERR' && end.qp.srq === undefined) {
      for (const { wr_id } of end.receives.waiting.splice(0)) {
        const seen = end.receivesSeen.shift();
        if (seen?.wc.wr_id === wr_id && seen.wc.status === 'IBV_WC_WR_FLUSH_ERR') continue;
        return violate(
          `completion of receive wr_id ${wr_id} with IBV_WC_WR_FLUSH_ERR`,
          describe(seen),
          seen?.event,
        );
      }
    }
    const extra = end.sendsSeen[0] ?? end.receivesSeen[0];
    if (extra !== undefined) violate('no further completion', describe(extra), extra.event);
  }

  queried(qp: Qp, attr: QpAttr, { event, t }: When): void {
    const end = this.#ends.get(qp);
    if (end === undefined || end.lost || end.rule === undefined || attr.qp_state === undefined) return;
    if (this.#open.some(({ from, send }) => from === end || this.#addressee(from, send) === end)) return;
    const seen = stateName(attr.qp_state);
    if (seen === end.state) return;
    this.#ledger.violate({
      rule: end.rule.id,
      event,
      t,
      qp: end.qp.name,
      expected: `state ${end.state}`,
      observed: `state ${seen}`,
    });
    this.#drop(end);
  }

  #readBack(event: Extract<TraceEvent, { kind: 'memory' }>, index: number): void {
    const region = this.#objects.memory.regions.get(event.mr);
    const inside =
      region !== undefined && event.offset >= 0 && event.offset + event.bytes.length <= region.length;
    if (!inside) return;
    const ends = [...this.#ends.values()];
    if (ends.some((end) => end.lost) || this.#open.length > 0)
      return this.#ledger.skip('memory, since the state of a QP was not known');
    const what = memoryMismatch(region, event.offset, event.bytes);
    const rule = ends.find((end) => end.rule !== undefined)?.rule;
    if (what === undefined || rule === undefined) return;
    const qp = ends[0]?.qp.name ?? 'memory';
    this.#ledger.violate({ rule: rule.id, event: index, t: event.t, qp, ...what });
  }
}
