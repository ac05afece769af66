import type { DcqcnParameters, RateCause, RateRecord } from '../../spec/congestion.ts';
import type { PostedSend } from '../device/posted-send.ts';
import type { Packet } from '../../wire/packet.ts';
import { Backlog } from './backlog.ts';
import type { Qp } from '../device/qp.ts';
import { mtuOf, type CongestionQps } from './qps.ts';
import { sameRate, stageOf, stepFault, unlimited } from './dcqcn.ts';
import type { RateState, StepContext } from './dcqcn.ts';
import { Limiter } from './limiter.ts';
import type { Rule } from '../rules.ts';
import type { Spot } from '../spot.ts';
import type { CongestionContext, Hold } from './context.ts';
import { ruleWord } from './context.ts';
import { awaited, headroom, packetAwaited } from './deadlines.ts';
import { Pace } from './pace.ts';

interface Missed {
  rule: Rule;
  qp: Qp;
  spot: Spot;
  expected: string;
  observed: string;
}

/** Judges the reaction point of a device that tells of its rates: what it tells of the rate of each QP, and the packets that the QP sends. */
export class RateJudge {
  readonly #context: CongestionContext;
  readonly #qps: CongestionQps;
  readonly #hold: Hold;
  readonly #limiters = new Map<Qp, Limiter>();
  readonly #paces = new Map<Qp, Pace>();
  /** of QPs of UC and UD */
  readonly #backlogs = new Map<Qp, Backlog>();
  /** what forbids to heed a CNP that came since everything was at rest */
  #void: Rule | undefined;
  /** what did not come in time; by the next rest it shows whether the QP had failed */
  #missed: Missed[] = [];

  constructor(context: CongestionContext, qps: CongestionQps, hold: Hold) {
    this.#hold = hold;
    this.#context = context;
    this.#qps = qps;
  }

  get #parameters(): DcqcnParameters | undefined {
    return this.#context.profile?.dcqcn;
  }

  #limiterOf(qp: Qp): Limiter {
    let limiter = this.#limiters.get(qp);
    if (limiter === undefined) {
      const { profile } = this.#context;
      limiter = new Limiter(qp, profile && unlimited(profile));
      this.#limiters.set(qp, limiter);
    }
    return limiter;
  }

  /** A CNP reached the device. */
  arrived(packet: Packet, event: number, t: number): void {
    const { soundness, qp } = this.#qps.standing(packet);
    const known = soundness === 'sound' && qp !== undefined && !this.#qps.sends(qp) ? 'doubtful' : soundness;
    const { rule, word } = this.#context.word('cnp-reaction', { soundness: known }, 'comes');
    if (word === 'forbidden') this.#void = rule;
    if (word === 'forbidden' || qp === undefined) return;
    this.#limiterOf(qp).unnoted.push({ t, event, owed: word === 'owed' });
  }

  /** A QP of the device was given something to send. */
  posted(qp: Qp, send: PostedSend): void {
    if (qp.kind !== 'UC' && qp.kind !== 'UD') return;
    let backlog = this.#backlogs.get(qp);
    if (backlog === undefined) this.#backlogs.set(qp, (backlog = new Backlog(qp)));
    backlog.posted(send);
  }

  /** The device sent a request. */
  sent(packet: Packet, event: number, t: number): void {
    const qp = this.#qps.senderOf(packet);
    if (qp === undefined) return;
    const limiter = this.#limiters.get(qp);
    this.#backlogOf(qp, limiter, packet, t);
    if (limiter === undefined) return;
    limiter.frameBytes += packet.frame.length;
    limiter.payloadBytes += packet.payloadLength;
    if (limiter.payloadBytes >= (this.#parameters?.bytes ?? Number.POSITIVE_INFINITY))
      limiter.bytesFull ??= t;
    const limited = limiter.stage === 'limited' && !limiter.unsure;
    const rate = limited ? limiter.told?.rate : undefined;
    this.#holds(limiter, packet.frame.length, t);
    const ahead = rate === undefined ? undefined : this.#paceOf(qp).sent(packet, t, rate);
    if (ahead === undefined) return;
    if (ahead <= 0) this.#context.refrained('pace', { pace: 'ahead' });
    const { rule, word } = this.#context.word('pace', { pace: ahead > 0 ? 'ahead' : 'within' }, 'comes');
    if (word !== 'forbidden') return;
    const expected = `payload of no more than ${Math.round((rate ?? 0) / 1e6)} Mb/s`;
    this.#context.violate(rule, { event, t, qp: qp.name }, expected, `${Math.ceil(ahead / 8)} bytes more`);
  }

  /** A packet less is left; where the rate had to be waited for, it was. */
  #backlogOf(qp: Qp, limiter: Limiter | undefined, packet: Packet, t: number): void {
    const backlog = this.#backlogs.get(qp);
    if (backlog === undefined) return;
    const limited = limiter?.stage === 'limited' && !limiter.unsure;
    if (limited && backlog.since !== undefined) this.#context.decide('rate-owed', { awaited: 'packet' });
    backlog.sent(packet, t, limiter?.told?.rate ?? Number.POSITIVE_INFINITY);
  }

  /** At its rate, a limited QP may be kept from sending for the time of two packets of so many bytes. */
  #holds({ qp, stage, told, unsure }: Limiter, bytes: number, t: number): void {
    if (told === undefined || (stage !== 'limited' && !unsure)) return;
    this.#hold(qp, t, t + (2 * bytes * 8e9) / told.rate);
  }

  #paceOf(qp: Qp): Pace {
    let pace = this.#paces.get(qp);
    if (pace === undefined) this.#paces.set(qp, (pace = new Pace(qp, this.#context)));
    return pace;
  }

  /** The reaction point told of a QP. */
  told(record: RateRecord, event: number, t: number): void {
    const qp = this.#qps.byNumber(record.qp_num);
    if (qp === undefined) return this.#context.ledger.skip('rates of unknown QPs');
    // its last record may be late
    if (qp.state === 'RESET' || qp.state === 'INIT')
      return this.#context.ledger.skip('rates of QPs that were reset');
    const limiter = this.#limiterOf(qp);
    const spot = { event, t, qp: qp.name };
    this.#judgeRange(record, spot);
    if (!limiter.unsure) this.#judge(limiter, record, spot);
    if (limiter.stage === 'limited' && limiter.told !== undefined)
      this.#paceOf(qp).changes(t, limiter.told.rate);
    this.#take(limiter, record, t);
    this.#backlogs.get(qp)?.changes(record.rate);
    if (record.cause === 'cut') this.#holds(limiter, mtuOf(qp) + headroom, t);
  }

  #judgeRange({ alpha, rate, target }: RateRecord, spot: Spot): void {
    const values = { alpha, rate, target };
    const line = this.#context.profile?.lineRate ?? Number.POSITIVE_INFINITY;
    const least = this.#parameters?.minRate ?? 0;
    for (const rateField of ['alpha', 'rate', 'target'] as const) {
      const { rule, word } = this.#context.word('rate-range', { rateField }, 'mustLie');
      const value = values[rateField];
      const within = (low: number, high: number): boolean =>
        (value >= low || sameRate(value, low)) && (value <= high || sameRate(value, high));
      if (word === 'unit' && !(value >= 0 && value <= 1))
        this.#context.violate(rule, spot, `${rateField} from 0 to 1`, `${rateField} ${value}`);
      if (word === 'floor-to-line' && !(value > 0 && within(least, line)))
        this.#context.violate(rule, spot, `${rateField} from ${least} to ${line} b/s`, `${value} b/s`);
    }
  }

  #judge(limiter: Limiter, record: RateRecord, spot: Spot): void {
    const { cause } = record;
    switch (cause) {
      case 'cnp': {
        const cnpCame = limiter.unnoted.length > 0 ? 'some' : 'none';
        return this.#demand('rate-cnp', { cnpCame, limiter: limiter.stage }, { limiter, record, spot });
      }
      case 'cut':
        return this.#demand(
          'rate-cut',
          {
            cnpCame: this.#callsForCut(limiter, spot.t) ? 'some' : 'none',
            cutSpacing: this.#spacing(limiter, spot.t),
          },
          { limiter, record, spot },
        );
      case 'alpha-slot': {
        const slotAge =
          limiter.slotEnd === undefined
            ? 'first'
            : this.#early(limiter.slotEnd, spot.t, 'alphaSlot')
              ? 'early'
              : 'due';
        const facts = { limiter: limiter.stage, slotAge, cnpInSlot: limiter.slotFact };
        if (slotAge === 'due') this.#context.refrained('rate-alpha', { ...facts, slotAge: 'early' });
        return this.#demand('rate-alpha', facts, { limiter, record, spot });
      }
      case 'timer':
      case 'bytes': {
        const early = cause === 'timer' ? this.#timerEarly(limiter, spot.t) : this.#bytesEarly(limiter);
        const facts = { increaseBy: cause, spanElapsed: early ? 'early' : 'due' };
        if (!early) this.#context.refrained('rate-increase', { ...facts, spanElapsed: 'early' });
        this.#demand('rate-increase', facts, { limiter, record, spot });
        const timers = limiter.timerEvents + (cause === 'timer' ? 1 : 0);
        const bytes = limiter.byteEvents + (cause === 'bytes' ? 1 : 0);
        const threshold = this.#parameters?.threshold;
        const stage = threshold === undefined ? 'any' : stageOf(timers, bytes, threshold);
        return this.#demand('rate-step', { stage }, { limiter, record, spot });
      }
    }
  }

  /** Whether a CNP may stand behind a cut: noted since the last one and no longer ago than a slot, or come and not yet noted. */
  #callsForCut({ newestUncut, unnoted }: Limiter, t: number): boolean {
    if (unnoted.length > 0) return true;
    if (newestUncut === undefined) return false;
    const slot = this.#parameters?.decreaseSlot ?? Number.POSITIVE_INFINITY;
    return this.#context.waited(newestUncut, t) <= slot + this.#context.slack;
  }

  #spacing({ lastCut }: Limiter, t: number): string {
    if (lastCut === undefined) return 'first';
    return this.#early(lastCut, t, 'decreaseSlot') ? 'early' : 'due';
  }

  #early(since: number, t: number, span: 'decreaseSlot' | 'alphaSlot' | 'timer'): boolean {
    const length = this.#parameters?.[span];
    return length !== undefined && this.#context.gap(since, t) < length;
  }

  #timerEarly({ timerSince }: Limiter, t: number): boolean {
    return timerSince !== undefined && this.#early(timerSince, t, 'timer');
  }

  #bytesEarly({ frameBytes, lastCut, qp }: Limiter): boolean {
    const bytes = this.#parameters?.bytes;
    const underWay = mtuOf(qp) + headroom;
    return bytes !== undefined && lastCut !== undefined && frameBytes + underWay < bytes;
  }

  #demand(
    table: 'rate-cnp' | 'rate-cut' | 'rate-alpha' | 'rate-increase' | 'rate-step',
    facts: Readonly<Record<string, string>>,
    { limiter, record, spot }: { limiter: Limiter; record: RateRecord; spot: Spot },
  ): void {
    const rules = this.#context.decide(table, facts);
    const undue = rules.find((rule) => ruleWord(rule, 'comes') === 'forbidden');
    if (undue !== undefined)
      return this.#context.violate(
        record.cause === 'cnp' ? (this.#void ?? undue) : undue,
        spot,
        `no ${record.cause} yet`,
        `${record.cause}, ${this.#words(record)}`,
      );
    const before = limiter.told;
    if (before === undefined) return;
    for (const rule of rules) this.#judgeStep(rule, before, { limiter, record, spot });
  }

  #judgeStep(
    rule: Rule,
    before: RateState,
    { limiter, record, spot }: { limiter: Limiter; record: RateRecord; spot: Spot },
  ): void {
    const context: StepContext = {
      parameters: this.#parameters,
      lineRate: this.#context.profile?.lineRate ?? Number.POSITIVE_INFINITY,
      increased: limiter.increased,
      events: limiter.timerEvents + limiter.byteEvents + 1,
      resolution: this.#context.profile?.resolution,
    };
    const faults = rule.outcomes.map((outcome) => stepFault(outcome, before, record, context));
    if (faults.includes(undefined)) return;
    const expected = [...new Set(faults.map((fault) => fault?.expected))].join(', or ');
    this.#context.violate(rule, spot, `${record.cause}: ${expected}`, this.#words(record));
  }

  #words({ rate, target, alpha }: RateRecord): string {
    const mega = (value: number): string => `${Number((value / 1e6).toFixed(6))}`;
    return `rate ${mega(rate)} Mb/s, target ${mega(target)} Mb/s, alpha ${Number(alpha.toFixed(9))}`;
  }

  /** What the device owed, and has told. */
  #paid({ oldestUncut, bytesFull, stage, unsure }: Limiter, cause: RateCause): void {
    if (unsure || stage !== 'limited' || cause === 'cnp') return;
    if (cause === 'cut' && oldestUncut === undefined) return;
    if (cause === 'bytes' && bytesFull === undefined) return;
    this.#context.decide('rate-owed', { awaited: cause });
  }

  /** What the device says is so from now on. */
  #take(limiter: Limiter, record: RateRecord, t: number): void {
    const { rate, target, alpha, cause } = record;
    this.#paid(limiter, cause);
    limiter.told = { rate, target, alpha };
    switch (cause) {
      case 'cnp': {
        const noted = limiter.unnoted.shift();
        const first = limiter.stage !== 'limited';
        if (first) limiter.start(t);
        else limiter.cnpsInSlot++;
        const firstRate = this.#parameters?.firstRate;
        // back at the line rate, a limiter may as well have gone on: then a cut follows
        if (first && firstRate !== undefined && sameRate(rate, firstRate)) return limiter.cut(t);
        if (this.#spacing(limiter, t) === 'early')
          this.#context.refrained('rate-cut', { cnpCame: 'some', cutSpacing: 'early' });
        limiter.oldestUncut ??= { t, event: noted?.event ?? 0 };
        limiter.newestUncut = t;
        return;
      }
      case 'cut':
        if (limiter.stage === 'idle') limiter.start(t);
        limiter.cut(t);
        limiter.stage = 'limited';
        return;
      case 'alpha-slot':
        limiter.slotEnd = t;
        limiter.cnpsInSlot = 0;
        limiter.startedInSlot = false;
        return;
      case 'timer':
      case 'bytes':
        limiter.increased = true;
        limiter.idleSince = t;
        limiter.payloadBytes = 0;
        limiter.bytesFull = undefined;
        if (cause === 'timer') {
          limiter.timerEvents++;
          limiter.timerSince = t;
        } else {
          limiter.byteEvents++;
          limiter.frameBytes = Math.max(0, limiter.frameBytes - (this.#parameters?.bytes ?? 0));
        }
        this.#reachedLine(limiter);
    }
  }

  #reachedLine(limiter: Limiter): void {
    const line = this.#context.profile?.lineRate;
    const { told, stage, oldestUncut, qp } = limiter;
    if (line === undefined || told === undefined || stage !== 'limited' || oldestUncut !== undefined) return;
    if (!sameRate(told.rate, line) || !sameRate(told.target, line)) return;
    limiter.stage = 'at-line';
    this.#paces.delete(qp);
  }

  /** Whatever is overdue by now is missed, unless the QP turns out to have failed. */
  passes(event: number, t: number): void {
    for (const limiter of this.#limiters.values()) {
      if (limiter.unsure || limiter.stage !== 'limited' || !this.#qps.sends(limiter.qp)) continue;
      const backlog = this.#backlogs.get(limiter.qp);
      const packet = backlog && packetAwaited(backlog, limiter, this.#context, t);
      const late = [...awaited(limiter, this.#context, t), ...(packet === undefined ? [] : [packet])];
      for (const { what, since, event: cause, expected } of late) {
        const { rule, word } = this.#context.word('rate-owed', { awaited: what }, 'comes');
        const spot = { event: cause ?? event, t, qp: limiter.qp.name };
        if (word === 'owed')
          this.#missed.push({ rule, qp: limiter.qp, spot, expected, observed: `none since ${since} ns` });
        this.#forgive(limiter);
      }
    }
  }

  /** Judging of this QP begins anew, so that what is missing is told of once. */
  #forgive(limiter: Limiter): void {
    const fresh = new Limiter(limiter.qp, undefined);
    fresh.unsure = true;
    this.#limiters.set(limiter.qp, fresh);
    this.#paces.delete(limiter.qp);
  }

  settle(t: number): void {
    this.#void = undefined;
    for (const { rule, qp, spot, expected, observed } of this.#missed)
      if (this.#qps.sends(qp)) this.#context.violate(rule, spot, expected, observed);
    this.#missed = [];
    for (const limiter of this.#limiters.values()) {
      const owed = limiter.unnoted.find((cnp) => cnp.owed);
      limiter.unnoted = [];
      this.#context.refrained('rate-cnp', { cnpCame: 'none', limiter: limiter.stage });
      if (limiter.oldestUncut === undefined)
        this.#context.refrained('rate-cut', { cnpCame: 'none', cutSpacing: 'due' });
      if (owed === undefined || !this.#qps.sends(limiter.qp)) continue;
      for (const rule of this.#context.ask('cnp-reaction', { soundness: 'sound' })) {
        if (ruleWord(rule, 'comes') !== 'owed') continue;
        const spot = { event: owed.event, t, qp: limiter.qp.name };
        this.#context.violate(rule, spot, 'the reaction point takes note of the CNP', 'it does not');
      }
    }
  }

  /** A QP was reset or failed: so may its limiter have been. */
  restart(qp: Qp): void {
    const limiter = this.#limiters.get(qp);
    // what it was limited to is gone with everything else
    if (qp.state === 'RESET') return this.drop(qp);
    this.#backlogs.get(qp)?.forget();
    if (limiter !== undefined && qp.state !== 'INIT' && qp.state !== 'RTR') this.#forgive(limiter);
  }

  /** The QP is gone. */
  drop(qp: Qp): void {
    this.#backlogs.delete(qp);
    this.#limiters.delete(qp);
    this.#paces.delete(qp);
  }

  /** What was under way is unknown. */
  forget(): void {
    this.#missed = [];
    for (const backlog of this.#backlogs.values()) backlog.forget();
    for (const limiter of this.#limiters.values()) this.#forgive(limiter);
  }
}
