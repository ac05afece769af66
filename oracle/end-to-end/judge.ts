import type { SendWr } from '../../spec/verbs.ts';
import { changeRequester, changeResponder, gathered } from './memory.ts';
import { endOf, type EffectsEnd, type PostedSend, type ReceiveWqes } from './end.ts';
import { askedOf, localReason, reaches, remoteReasons, type Port, type Reason } from './reason.ts';
import { Memory, totalLength } from '../device/memory.ts';
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
import type { Ledger } from '../rulebook/ledger.ts';

export type EffectsRules = Readonly<Record<EffectsEnd['service'], Lookup>>;

export function effectsRules(rules: RuleSet): EffectsRules {
  return {
    RC: lookupOf(rules, 'rc-effects'),
    UC: lookupOf(rules, 'uc-effects'),
    UD: lookupOf(rules, 'ud-effects'),
  };
}

/**
 * Judges two QPs of one device that talk to each other unseen: each work request by its cause and the effects that the
 * tables rc-effects, uc-effects and ud-effects give it at both ends, in posting order.
 */
export class EndToEndJudge {
  readonly #rules: EffectsRules;
  readonly #ledger: Ledger;
  readonly #responseTime: number;
  readonly #memory = new Memory();
  readonly #srqs = new Map<number, ReceiveWqes>();
  readonly #ends = new Map<number, End>();
  readonly #stalls = new Stalls();
  #port: Port | undefined;
  /** posted and not yet decided, in order */
  readonly #open: { from: End; send: PostedSend }[] = [];

  constructor(rules: EffectsRules, ledger: Ledger, header: TraceHeader) {
    this.#rules = rules;
    this.#ledger = ledger;
    this.#responseTime = header.timing?.responseTime ?? Number.POSITIVE_INFINITY;
  }

  see(event: TraceEvent, index: number): void {
    switch (event.kind) {
      case 'call':
        return this.#call(event, index);
      case 'completion':
        return this.#completion({ wc: event.wc, event: index, t: event.t });
      case 'async':
        this.#byNumber(event.event.qp_num)?.eventsSeen.push({ event: event.event, index, t: event.t });
        return;
      case 'stall':
        return this.#stalls.add(event.t, event.until);
      case 'settled':
        return this.#settle(event.t, index);
      case 'memory':
        return this.#readBack(event, index);
      case 'gap':
        for (const end of this.#ends.values()) this.#lose(end, event.reason);
        return;
      case 'packet':
      case 'frame':
      case 'call-failed':
      case 'link':
      case 'rate':
      case 'hop':
      case 'gone':
        return;
    }
  }

  #call(event: Extract<TraceEvent, { kind: 'call' }>, index: number): void {
    const memory = this.#memory;
    switch (event.call) {
      case 'reg_mr':
        return memory.register(event);
      case 'dereg_mr': {
        this.#disturbed('dereg_mr while work was under way');
        const region = memory.regions.get(event.mr);
        if (region) region.alive = false;
        return;
      }
      case 'write_memory':
        this.#disturbed('memory written by software while work was under way');
        memory.regions.get(event.mr)?.content.set(event.bytes, event.offset);
        return;
      case 'create_srq':
        this.#srqs.set(event.srq, { waiting: [], shared: true });
        return;
      case 'post_srq_recv':
        this.#disturbed('a receive posted while work was under way');
        this.#srqs.get(event.srq)?.waiting.push(event.wr);
        return;
      case 'create_qp': {
        const end = endOf(event, this.#srqs);
        if (end === undefined) return this.#ledger.skip(`QPs of type ${event.qp_type}`);
        this.#ends.set(event.qp, watched(end));
        return;
      }
      case 'modify_qp':
        return this.#modify(event);
      case 'query_qp':
        return this.#query(event, index);
      case 'query_port':
        this.#port = { maxMessage: event.attr.max_msg_sz, mtu: event.attr.active_mtu };
        return;
      case 'destroy_qp':
        this.#ends.delete(event.qp);
        return;
      case 'post_recv': {
        const end = this.#ends.get(event.qp);
        if (end === undefined) return;
        this.#disturbed('a receive posted while work was under way');
        end.receives.waiting.push(event.wr);
        if (end.state === 'ERR' && !end.muted) this.#lose(end, 'work posted to a QP in ERR');
        return;
      }
      case 'post_send': {
        const end = this.#ends.get(event.qp);
        if (end === undefined) return;
        if (end.state !== 'RTS') return this.#lose(end, 'work posted to a QP that is not in RTS');
        const { wr } = event;
        const signaled = end.signalAll || wr.send_flags?.includes('IBV_SEND_SIGNALED') === true;
        const send = { wr, signaled, data: this.#data(wr), event: index, t: event.t };
        end.sends.push(send);
        this.#open.push({ from: end, send });
        return;
      }
      case 'create_cq':
      case 'modify_srq':
      case 'query_srq':
      case 'create_ah':
      case 'query_device':
        return;
    }
  }

  /** The message as it stands; none of one that is too long for any port, which is never sent. */
  #data({ sg_list }: SendWr): Uint8Array | undefined {
    const most = this.#port?.maxMessage ?? 2 ** 31;
    return totalLength(sg_list) > most ? undefined : gathered(this.#memory, sg_list);
  }

  #modify({ qp, attr }: Extract<TraceEvent, { kind: 'call'; call: 'modify_qp' }>): void {
    const end = this.#ends.get(qp);
    if (end === undefined) return;
    this.#disturbed('ibv_modify_qp while work was under way');
    end.attr = { ...end.attr, ...attr };
    if (attr.qp_state === undefined) return;
    end.state = stateName(attr.qp_state);
    if (end.state === 'SQD') return this.#lose(end, 'a QP that software took out of RTS');
    // what software itself made of a QP is no effect of work
    end.muted = end.state === 'ERR' || end.state === 'RESET';
    if (!end.muted) return;
    Object.assign(end, { rule: undefined, sends: [], sendsSeen: [], receivesSeen: [], eventsSeen: [] });
    if (!end.receives.shared) end.receives.waiting = [];
    if (end.state === 'RESET') {
      end.lost = false;
      end.attr = {};
    }
  }

  #completion(seen: Seen): void {
    const end = this.#byNumber(seen.wc.qp_num);
    if (end === undefined || end.muted) return;
    const sends = end.sends.some(({ wr }) => wr.wr_id === seen.wc.wr_id);
    (sends ? end.sendsSeen : end.receivesSeen).push(seen);
  }

  #byNumber(number: number | undefined): End | undefined {
    for (const end of this.#ends.values()) if (end.qpNumber === number) return end;
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
    return this.#byNumber(from.service === 'UD' ? wr.remote_qpn : from.attr.dest_qp_num);
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
  #perhaps(from: End, to: End | undefined, send: PostedSend): void {
    const asked = askedOf(send);
    if (!from.failedLate || asked === undefined || !reaches(from, to)) return;
    changeResponder(this.#memory, to, send, asked, 'undecided');
    if (asked !== 'write' && asked !== 'read' && asked !== 'atomic')
      this.#lose(to, 'a receive that flushed work may have taken');
  }

  /** Judges one work request; `false` where its completion waits for timers that still run. */
  #decide(from: End, to: End | undefined, send: PostedSend, t: number, index: number): boolean {
    const asked = askedOf(send);
    const local = asked && localReason(from, send, asked, this.#memory, this.#port);
    const reached = reaches(from, to);
    const reasons: Reason[] =
      asked === undefined || local === undefined || local !== 'none'
        ? [local ?? 'none']
        : reached
          ? remoteReasons(from, to, send, asked, this.#memory)
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
      t - this.#stalls.between(send.t, t) < deadline(from, to, send, reason, this.#responseTime)
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
    changeRequester(this.#memory, send, asked, sound ? 'whole' : 'undecided');
    if (from.sendsSeen[0]?.wc.wr_id === send.wr.wr_id) from.sendsSeen.shift();
    from.sends = from.sends.filter((other) => other !== send);
    from.rule = rule;
    if (to !== undefined) {
      to.rule = rule;
      const memory = outcomeWord(outcome, 'responderMemory');
      if (memory !== 'untouched')
        changeResponder(this.#memory, to, send, asked, memory === 'whole' ? 'whole' : 'undecided');
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
    from.failedLate = outcomeWord(outcome, 'responderWqe') === 'held';
    if (state === 'error') from.state = 'ERR';
    else if (state === 'sqe') from.state = 'SQE';
  }

  /** At rest: what is left to come is flushed work, and nothing else was seen. */
  #nothingElse(end: End, index: number, t: number): void {
    const { rule } = end;
    const violate = (expected: string, observed: string, event = index): void => {
      if (rule !== undefined)
        this.#ledger.violate({ rule: rule.id, event, t, qp: end.name, expected, observed });
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
    if (end.state === 'ERR' && !end.receives.shared) {
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

  #query(event: Extract<TraceEvent, { kind: 'call'; call: 'query_qp' }>, index: number): void {
    const end = this.#ends.get(event.qp);
    if (end === undefined || end.lost || end.rule === undefined || event.attr.qp_state === undefined) return;
    if (this.#open.some(({ from, send }) => from === end || this.#addressee(from, send) === end)) return;
    const seen = stateName(event.attr.qp_state);
    if (seen === end.state) return;
    this.#ledger.violate({
      rule: end.rule.id,
      event: index,
      t: event.t,
      qp: end.name,
      expected: `state ${end.state}`,
      observed: `state ${seen}`,
    });
    this.#drop(end);
  }

  #readBack(event: Extract<TraceEvent, { kind: 'memory' }>, index: number): void {
    const region = this.#memory.regions.get(event.mr);
    const inside =
      region !== undefined && event.offset >= 0 && event.offset + event.bytes.length <= region.length;
    if (!inside) return;
    const ends = [...this.#ends.values()];
    if (ends.some((end) => end.lost) || this.#open.length > 0)
      return this.#ledger.skip('memory, since the state of a QP was not known');
    const what = memoryMismatch(region, event.offset, event.bytes);
    const rule = ends.find((end) => end.rule !== undefined)?.rule;
    if (what === undefined || rule === undefined) return;
    const qp = ends[0]?.name ?? 'memory';
    this.#ledger.violate({ rule: rule.id, event: index, t: event.t, qp, ...what });
  }
}
