import type { Packet } from '../../wire/packet.ts';
import type { Qp } from '../device/qp.ts';
import type { CongestionQps } from './qps.ts';
import type { Rule } from '../rules.ts';
import { bareFrame, toNobody } from './arrival.ts';
import { cnpFaults } from './cnp-format.ts';
import type { Spot } from '../spot.ts';
import { inUnits } from '../time.ts';
import type { CongestionContext, Inputs } from './context.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import { ecnOfFrame } from './ecn.ts';
import { CongestionEvent, ExactEvent } from './event.ts';
import { Flows } from './flows.ts';
import type { Flow, Mark } from './flows.ts';

/** Something that must draw no CNP. */
interface Bait {
  event: number;
  rule: Rule;
  /** it looked like a marked packet to somebody who does not look closely */
  tempting: boolean;
}

const baitsKept = 16;

interface Arrival {
  event: number;
  t: number;
  mayBeLost?: boolean;
}

/** Judges the notification point: which packets draw CNPs, when, to whom, and what is in them. */
export class NotificationJudge {
  readonly #context: CongestionContext;
  readonly #qps: CongestionQps;
  readonly #flows: Flows;
  #baits: Bait[] = [];
  /** CNPs may have left unseen until then; -1: none has */
  #unseen = -1;

  constructor(context: CongestionContext, qps: CongestionQps) {
    this.#context = context;
    this.#qps = qps;
    this.#flows = new Flows(context);
  }

  /** A frame that is no RoCEv2 packet reached the device. */
  frame(frame: Uint8Array, event: number): void {
    this.#note({ packet: bareFrame(ecnOfFrame(frame)), arrival: toNobody }, event);
  }

  /** A packet reached the device, or its port at least. */
  arrived(packet: Packet, { event, t, mayBeLost = false }: Arrival): void {
    const { qp, inputs } = this.#qps.arrived(packet, 'notification', !mayBeLost);
    const rule = this.#note(inputs, event);
    if (rule === undefined || qp === undefined) return;
    if (this.#context.fact('notify', 'soundness', inputs, this.#context.none) === 'sound')
      this.#context.decide('marked', inputs);
    this.#mark(packet, qp, { rule, event, t });
  }

  /** Gives the rule where a CNP may come. */
  #note(inputs: Inputs & Pick<Required<Inputs>, 'packet' | 'arrival'>, event: number): Rule | undefined {
    const rule = this.#context.rule('notify', inputs);
    if (ruleWord(rule, 'comes') !== 'forbidden') return rule;
    const tempting = this.#context.machine.flag('tempting')(inputs, this.#context.none);
    this.#baits.push({ event, rule, tempting });
    if (this.#baits.length > 2 * baitsKept) this.#baits = this.#baits.slice(-baitsKept);
    return undefined;
  }

  #mark(packet: Packet, qp: Qp, { rule, event, t }: { rule: Rule } & Arrival): void {
    const flow = this.#flows.of(packet, qp);
    if (flow === undefined) return;
    const pacer = this.#flows.pacer(flow);
    // nothing is prompt unless the interval was over beyond doubt
    const inputs = new ExactEvent(this.#context, t, { unseenUntil: this.#unseen }, t + this.#context.jitter);
    const unknown = this.#context.machine.flag('cnpUnseen')(inputs, pacer);
    const owed = ruleWord(rule, 'comes') === 'owed' && !unknown ? rule : undefined;
    const [promptly] = this.#context.ask('cnp-prompt', inputs, pacer);
    if (promptly !== undefined && ruleWord(promptly, 'comes') !== 'owed')
      this.#context.refrained('cnp-pace', inputs, pacer, { cnpSpacing: 'early', unnotified: 'some' });
    const prompt = owed && this.#context.rule('cnp-prompt', inputs, pacer);
    const now = prompt !== undefined && ruleWord(prompt, 'comes') === 'owed' ? prompt : undefined;
    this.#flows.mark(flow, { t, event, packet, sound: owed !== undefined, owed: now && owed, prompt: now });
  }

  /** The device sent a CNP. */
  sent(cnp: Packet, event: number, t: number): void {
    const flow = this.#flows.meant(cnp);
    const qp = (flow ?? this.#flows.named(cnp))?.qp.name ?? 'the device';
    for (const { rule, expected, observed } of cnpFaults(this.#context, cnp, flow?.marks ?? [], flow))
      this.#context.violate(rule, { event, t, qp }, expected, observed);
    const spot = { event, t, qp: this.#flows.named(cnp)?.qp.name ?? 'the device' };
    this.#judgePace(cnp, flow, spot);
    if (flow !== undefined) this.#reported(flow, spot);
    const pacer = this.#flows.pacer(flow ?? { address: cnp.dstIp, peerNumber: cnp.destQp });
    this.#context.machine.step('cnpSent')(new CongestionEvent(this.#context, t), pacer);
  }

  #judgePace(cnp: Packet, flow: Flow | undefined, spot: Spot): void {
    const pacer = this.#flows.pacer(flow ?? { address: cnp.dstIp, peerNumber: cnp.destQp });
    const parts = { flow: { marks: flow?.marks.length ?? 0, qp: flow?.peerNumber ?? -1 } };
    const latest = this.#context.machine.number('latestGap')(
      new CongestionEvent(this.#context, spot.t),
      pacer,
    );
    const inputs = new CongestionEvent(this.#context, spot.t, parts, latest);
    const rule = this.#context.rule('cnp-pace', inputs, pacer);
    if (ruleWord(rule, 'comes') !== 'forbidden') return;
    const early = this.#context.fact('cnp-pace', 'cnpSpacing', inputs, pacer) === 'early';
    const bait = flow === undefined ? this.#taken(early) : undefined;
    const last = pacer.pacerLatest;
    const passed = last < 0 ? '' : `, ${inUnits(spot.t - last)} after the one before`;
    const { interval } = this.#context.declared.cnp;
    const expected =
      early && bait === undefined ? `no CNP within ${inUnits(interval ?? 0)} of another` : 'no CNP';
    this.#context.violate(bait?.rule ?? rule, spot, expected, `a CNP for qp ${cnp.destQp}${passed}`);
  }

  /** What most likely drew a CNP that nothing calls for. */
  #taken(early: boolean): Bait | undefined {
    return this.#baits.findLast(({ tempting }) => tempting) ?? (early ? undefined : this.#baits.at(-1));
  }

  /** Marked packets up to now have been reported by a CNP; the newest may still have been on their way through the device. */
  #reported(flow: Flow, spot: Spot): void {
    const { machine, none } = this.#context;
    const about = ({ t }: Mark): CongestionEvent =>
      new CongestionEvent(this.#context, spot.t, { mark: { at: t, ran: this.#context.waited(t, spot.t) } });
    const first = flow.marks.find(({ prompt }) => prompt !== undefined);
    if (first?.prompt !== undefined && machine.flag('cnpLate')(about(first), none))
      this.#context.violate(
        first.prompt,
        { ...spot, qp: flow.qp.name },
        `a CNP for the marked packet within ${inUnits(this.#context.slack)}`,
        `a CNP ${inUnits(spot.t - first.t)} after it`,
      );
    const [, ...rest] = flow.marks;
    flow.marks = rest.filter((mark) => machine.flag('markOpen')(about(mark), none));
    const pacer = this.#flows.pacer(flow);
    this.#flows.forgive((other) => this.#flows.pacer(other) === pacer);
    this.#baits = [];
  }

  /** What is due from a QP is unknown once it may have gone out of service. */
  forgive(qp: Qp): void {
    this.#flows.forgive((flow) => flow.qp === qp);
  }

  settle(t: number): void {
    this.#baits = [];
    for (const flow of this.#flows.all()) {
      const { qp, marks } = flow;
      const pacer = this.#flows.pacer(flow);
      if (marks.length === 0 && pacer.pacerLatest >= 0)
        this.#context.refrained('cnp-pace', {}, pacer, { cnpSpacing: 'due', unnotified: 'none' });
      const owed = marks.find((mark) => mark.owed !== undefined);
      const rule = owed?.owed;
      if (owed === undefined || rule === undefined) continue;
      this.#flows.forgive((other) => other === flow);
      if (!this.#qps.receives(qp)) continue;
      const expected = `a CNP to ${flow.address} for qp ${flow.peerNumber}`;
      this.#context.violate(rule, { event: owed.event, t, qp: qp.name }, expected, 'none');
    }
  }

  /** What was under way until `t` is unknown. */
  forget(t: number): void {
    this.#unseen = t;
    this.#flows.forget();
    this.#baits = [];
  }
}
