import type { RateCause, RateRecord } from '../../../spec/congestion.ts';
import type { PostedSend } from '../../device/queues/posted-send.ts';
import type { Packet } from '../../../wire/packet.ts';
import type { Rule } from '../../rules.ts';
import type { Qp } from '../../device/qp.ts';
import type { CongestionQps } from '../qps.ts';
import type { CongestionContext, Hold } from '../context.ts';
import { ruleWord } from '../../rulebook/outcome.ts';
import { RateEvent } from '../event.ts';
import type { EventParts } from '../event.ts';
import { Limiter } from './limiter.ts';
import { cameInTime, OverdueJudge } from './overdue.ts';
import { RatePace } from './pace.ts';
import { ReportJudge } from './reports.ts';
import type { CongestionStep } from '../variables.ts';

const stepOf: Readonly<Record<RateCause, CongestionStep>> = {
  cnp: 'cnp',
  cut: 'cut',
  'alpha-slot': 'alphaSlot',
  timer: 'timer',
  bytes: 'bytes',
};

/** Judges the reaction point of a device that reports its rates: the reported rate of each QP, and the packets that the QP sends. */
export class RateJudge {
  readonly #context: CongestionContext;
  readonly #qps: CongestionQps;
  readonly #reports: ReportJudge;
  readonly #overdue: OverdueJudge;
  readonly #pace: RatePace;
  readonly #limiters = new Map<Qp, Limiter>();
  /** what forbids to take note of a CNP that came since everything was at rest */
  #void: Rule | undefined;

  constructor(context: CongestionContext, qps: CongestionQps, hold: Hold) {
    this.#context = context;
    this.#qps = qps;
    this.#reports = new ReportJudge(context);
    this.#overdue = new OverdueJudge(context, qps);
    this.#pace = new RatePace(context, hold);
  }

  #limiterOf(qp: Qp): Limiter {
    let limiter = this.#limiters.get(qp);
    if (limiter === undefined)
      this.#limiters.set(qp, (limiter = new Limiter(qp, this.#context, this.#limiters)));
    return limiter;
  }

  #step(name: CongestionStep, limiter: Limiter, t: number, about?: EventParts): void {
    const { machine } = this.#context;
    machine.step(name)(new RateEvent(limiter, this.#context, t, about), limiter.registers);
  }

  /** A CNP reached the device. */
  arrived(packet: Packet, event: number, t: number): void {
    const { qp, inputs } = this.#qps.arrived(packet, 'reaction');
    const rule = this.#context.rule('cnp-reaction', inputs);
    const word = ruleWord(rule, 'comes');
    if (word === 'forbidden') this.#void = rule;
    if (word === 'forbidden' || qp === undefined) return;
    const limiter = this.#limiterOf(qp);
    limiter.named = true;
    limiter.unnoted.push({ t, event, owed: word === 'owed' });
  }

  /** A QP of the device was given something to send. */
  posted(qp: Qp, { length: bytes, event, t }: PostedSend): void {
    if (qp.kind !== 'UC' && qp.kind !== 'UD') return;
    // what a QP in SQD is given waits for more than its rate
    const limiter = this.#limiterOf(qp);
    if (limiter.registers.nextPacketLatest < 0) limiter.packetBehind = event;
    if (this.#qps.sends(qp)) this.#step('posted', limiter, t, { posted: { bytes } });
    else this.#doubt(limiter, false);
  }

  /** The device sent a request. */
  requested(packet: Packet, event: number, t: number): void {
    const qp = this.#qps.senderOf(packet);
    const limiter = qp && this.#limiters.get(qp);
    if (limiter !== undefined) this.#pace.requested(limiter, packet, event, t);
  }

  /** The device sent a response. */
  responded(packet: Packet, event: number, t: number): void {
    const qp = this.#qps.senderOf(packet);
    const limiter = qp && this.#limiters.get(qp);
    if (limiter !== undefined) this.#pace.responded(limiter, packet, event, t);
  }

  /** The reaction point reported a rate of a QP. */
  reported(record: RateRecord, event: number, t: number): void {
    const qp = this.#qps.byNumber(record.qp_num);
    if (qp === undefined) return this.#context.ledger.skip('rates of unknown QPs');
    // its last record may be late
    if (qp.state === 'RESET' || qp.state === 'INIT')
      return this.#context.ledger.skip('rates of QPs that were reset');
    const limiter = this.#limiterOf(qp);
    limiter.named = true;
    const inputs = this.#reports.inputs(limiter, record, t);
    const spot = { event, t, qp: qp.name };
    this.#reports.range(record, inputs, spot);
    if (!limiter.registers.unsure) this.#reports.judge(limiter, inputs, spot, this.#void);
    if (limiter.registers.limiter === 'limited' && limiter.registers.rate >= 0)
      for (const step of ['drains', 'responsesDrain'] as const) this.#step(step, limiter, t);
    this.#take(limiter, inputs, t);
    if (record.cause === 'cut') this.#pace.hold(limiter, undefined, t);
  }

  /** What the device says is so from now on. */
  #take(limiter: Limiter, inputs: RateEvent, t: number): void {
    const { registers } = limiter;
    const { report } = inputs;
    const { cause } = report;
    if (cause !== 'cnp') cameInTime(this.#context, limiter, cause, t);
    this.#step('reported', limiter, t, { report });
    const noted = cause === 'cnp' ? limiter.take() : undefined;
    const before = registers.oldestUncut;
    this.#step(stepOf[cause], limiter, t, { report });
    if (cause !== 'cnp' || registers.oldestUncut < 0) return;
    if (registers.oldestUncut !== before) limiter.uncutEvent = noted?.event ?? 0;
    if (this.#context.fact('rate-cut', 'cutSpacing', inputs, registers) === 'early')
      this.#context.refrained('rate-cut', inputs, registers, { cnpCame: 'some', cutSpacing: 'early' });
  }

  /** Whatever is overdue by now is missed, unless the QP turns out to have failed. */
  passes(event: number, t: number): void {
    for (const limiter of this.#limiters.values())
      if (this.#overdue.look(limiter, event, t)) this.#forgive(limiter);
  }

  /** What is missing is reported once, and from now on nothing before it counts. A CNP that has come may still be noted. */
  #forgive(limiter: Limiter): void {
    limiter.forgive();
    limiter.counted = undefined;
    this.#context.machine.step('lost')({}, limiter.registers);
  }

  settle(t: number): void {
    this.#void = undefined;
    this.#overdue.settle();
    for (const limiter of this.#limiters.values()) if (limiter.named) this.#atRest(limiter, t);
  }

  #atRest(limiter: Limiter, t: number): void {
    const { registers, qp } = limiter;
    this.#pace.rests(limiter);
    limiter.counted = undefined;
    const owed = limiter.unnoted.find((cnp) => cnp.owed);
    limiter.unnoted = [];
    this.#context.refrained('rate-cnp', {}, registers, { cnpCame: 'none' });
    if (registers.oldestUncut < 0)
      this.#context.refrained('rate-cut', {}, registers, { cnpCame: 'none', cutSpacing: 'due' });
    if (owed === undefined || !this.#qps.sends(qp)) return;
    for (const rule of this.#context.ask('cnp-reaction', {}, registers, { soundness: 'sound' })) {
      if (ruleWord(rule, 'comes') !== 'owed') continue;
      const spot = { event: owed.event, t, qp: qp.name };
      this.#context.violate(rule, spot, 'the reaction point takes note of the CNP', 'it does not');
    }
  }

  /** A QP sends nothing new now. Where it was reset or failed, so may its limiter have been; one that drains keeps its rate. */
  restart(qp: Qp): void {
    const limiter = this.#limiters.get(qp);
    if (limiter === undefined) return;
    if (qp.state === 'RESET') this.#renew(limiter);
    else this.#doubt(limiter, qp.state === 'ERR' || qp.state === 'SQE');
  }

  /** What the QP was limited to is gone with everything else; a CNP that came before RESET may be noted behind it. */
  #renew({ qp, unnoted }: Limiter): void {
    this.drop(qp);
    if (unnoted.length === 0) return;
    const limiter = this.#limiterOf(qp);
    limiter.named = true;
    limiter.unnoted = unnoted;
    limiter.forgive();
  }

  /** The QP is gone. */
  drop(qp: Qp): void {
    this.#limiters.delete(qp);
  }

  finish(): void {
    for (const limiter of this.#limiters.values()) this.#pace.rests(limiter);
  }

  /** What was under way is unknown. */
  forget(): void {
    this.#overdue.forget();
    for (const limiter of this.#limiters.values()) this.#doubt(limiter, true);
  }

  /** What the QP has to send is not known from now on, nor its rate, if it may have been reset. */
  #doubt(limiter: Limiter, reset: boolean): void {
    this.#context.machine.step('backlogLost')({}, limiter.registers);
    if (reset && limiter.named) this.#forgive(limiter);
  }
}
