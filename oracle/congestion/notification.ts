import type { Packet } from '../../wire/packet.ts';
import type { Qp } from '../device/qp.ts';
import type { CongestionQps } from './qps.ts';
import type { Rule } from '../rules.ts';
import { cnpFaults } from './cnp-format.ts';
import type { Spot } from '../spot.ts';
import type { CongestionContext } from './context.ts';
import { ruleWord } from './context.ts';

/** A marked packet of which no CNP has told. */
interface Mark {
  t: number;
  event: number;
  packet: Packet;
  /** it is valid beyond doubt */
  sound: boolean;
  /** rule that has a CNP come for it, once everything that waits for no timer has had its time */
  owed: Rule | undefined;
  /** rule that has it come at once */
  prompt: Rule | undefined;
}

/** What one QP of the device is sent by one QP elsewhere. */
interface Flow {
  address: string;
  peerNumber: number;
  qp: Qp;
  marks: Mark[];
}

/** Something that must draw no CNP. */
interface Bait {
  event: number;
  rule: Rule;
  /** it looked like a marked packet to somebody who does not look closely */
  tempting: boolean;
}

const marksKept = 256;
const baitsKept = 16;
const codes = ['not-ect', 'ect1', 'ect0', 'ce'] as const;

/** Word of the rules for the ECN bits of an IP header. */
export function ecnWord(bits: number): (typeof codes)[number] {
  return codes[bits & 3] ?? 'not-ect';
}

/** ECN bits of a frame, whatever is in it; those of an Ethernet frame without IP are 00. */
function ecnOfFrame(frame: Uint8Array): number {
  let at = 12;
  const type = (): number => ((frame[at] ?? 0) << 8) | (frame[at + 1] ?? 0);
  while (type() === 0x8100 || type() === 0x88a8) at += 4;
  if (type() === 0x0800) return (frame[at + 3] ?? 0) & 3;
  return type() === 0x86dd ? ((frame[at + 3] ?? 0) >> 4) & 3 : 0;
}

interface Arrival {
  event: number;
  t: number;
  mayBeLost?: boolean;
}

/** Judges the notification point: which packets draw CNPs, when, to whom, and what is in them. */
export class NotificationJudge {
  readonly #context: CongestionContext;
  readonly #qps: CongestionQps;
  readonly #flows = new Map<string, Flow>();
  /** when each pacer sent its newest CNP, by what it serves */
  readonly #pacers = new Map<string, number>();
  #baits: Bait[] = [];

  constructor(context: CongestionContext, qps: CongestionQps) {
    this.#context = context;
    this.#qps = qps;
  }

  /** A frame that is no RoCEv2 packet reached the device. */
  frame(frame: Uint8Array, event: number): void {
    const ecnBits = ecnWord(ecnOfFrame(frame));
    this.#note({ carried: 'foreign', ecnBits, soundness: 'broken', fecnBit: 'clear' }, event);
  }

  /** A packet reached the device, or its port at least. */
  arrived(packet: Packet, { event, t, mayBeLost = false }: Arrival): void {
    const { soundness: standing, qp } = this.#qps.standing(packet);
    const soundness = standing === 'sound' && mayBeLost ? 'doubtful' : standing;
    const ecnBits = ecnWord(packet.ecn);
    const carried = packet.info?.kind === 'cnp' ? 'cnp' : 'packet';
    const facts = { carried, ecnBits, soundness, fecnBit: packet.fecn ? 'set' : 'clear' };
    const rule = this.#note(facts, event);
    if (rule === undefined || qp === undefined) return;
    if (soundness === 'sound') this.#context.decide('marked', { markedService: markedService(packet, qp) });
    this.#mark(packet, qp, { rule, event, t });
  }

  /** Gives the rule where a CNP may come. */
  #note(facts: Record<string, string>, event: number): Rule | undefined {
    const { rule, word } = this.#context.word('notify', facts, 'comes');
    if (word !== 'forbidden') return rule;
    const tempting = facts['ecnBits'] === 'ce' || facts['fecnBit'] === 'set';
    this.#baits.push({ event, rule, tempting });
    if (this.#baits.length > 2 * baitsKept) this.#baits = this.#baits.slice(-baitsKept);
    return undefined;
  }

  #mark(packet: Packet, qp: Qp, { rule, event, t }: { rule: Rule; event: number; t: number }): void {
    const flow = this.#flowOf(packet, qp);
    if (flow === undefined) return;
    const owed = ruleWord(rule, 'comes') === 'owed' ? rule : undefined;
    const last = this.#pacers.get(this.#pacerOf(flow));
    const cnpSpacing = last === undefined ? 'first' : t - last > this.#interval ? 'due' : 'early';
    if (cnpSpacing === 'early') this.#context.refrained('cnp-pace', { cnpSpacing, unnotified: 'some' });
    const prompt = owed && this.#context.word('cnp-prompt', { cnpSpacing }, 'comes');
    const now = prompt?.word === 'owed' ? prompt.rule : undefined;
    flow.marks.push({ t, event, packet, sound: owed !== undefined, owed: now && owed, prompt: now });
    if (flow.marks.length > marksKept) flow.marks.splice(1, flow.marks.length - marksKept);
  }

  #flowOf(packet: Packet, qp: Qp): Flow | undefined {
    const peerNumber = qp.kind === 'UD' ? packet.deth?.srcQp : qp.peerQpNumber;
    if (peerNumber === undefined) return undefined;
    const key = `${packet.srcIp} ${peerNumber}`;
    const known = this.#flows.get(key);
    if (known !== undefined) return known;
    const flow: Flow = { address: packet.srcIp, peerNumber, qp, marks: [] };
    this.#flows.set(key, flow);
    return flow;
  }

  #pacerOf({ address, peerNumber }: Pick<Flow, 'address' | 'peerNumber'>): string {
    switch (this.#context.profile?.cnp.scope) {
      case 'port':
        return 'port';
      case 'source':
        return address;
      case 'qp':
      case undefined:
        return `${address} ${peerNumber}`;
    }
  }

  /** Unknown: any CNP but the first of a pacer may wait, and none is too early. */
  get #interval(): number {
    return this.#context.profile?.cnp.interval ?? Number.POSITIVE_INFINITY;
  }

  /** The device sent a CNP. */
  sent(cnp: Packet, event: number, t: number): void {
    const flow = this.#flows.get(`${cnp.dstIp} ${cnp.destQp}`);
    const spot = { event, t, qp: flow?.qp.name ?? 'the device' };
    const meant = flow !== undefined && flow.marks.length > 0 ? flow : this.#meant(cnp);
    const wrong = cnpFaults(this.#context, cnp, meant?.marks ?? [], meant);
    for (const { rule, expected, observed } of wrong)
      this.#context.violate(rule, { ...spot, qp: meant?.qp.name ?? spot.qp }, expected, observed);
    this.#judgePace(cnp, meant, spot);
    if (meant !== undefined) this.#told(meant, spot);
    this.#pacers.set(this.#pacerOf(meant ?? { address: cnp.dstIp, peerNumber: cnp.destQp }), t);
  }

  /** The flow that a CNP for somebody else was meant for. */
  #meant({ dstIp, destQp }: Packet): Flow | undefined {
    const open = [...this.#flows.values()].filter(({ marks }) => marks.length > 0);
    return (
      open.find(({ address }) => address === dstIp) ??
      open.find(({ peerNumber }) => peerNumber === destQp) ??
      open[0]
    );
  }

  #judgePace(cnp: Packet, flow: Flow | undefined, spot: Spot): void {
    const last = this.#pacers.get(this.#pacerOf(flow ?? { address: cnp.dstIp, peerNumber: cnp.destQp }));
    const interval = this.#context.profile?.cnp.interval ?? 0;
    const early = last !== undefined && this.#context.gap(last, spot.t) < interval;
    const facts = {
      cnpSpacing: last === undefined ? 'first' : early ? 'early' : 'due',
      unnotified: flow === undefined ? 'none' : 'some',
    };
    const { rule, word } = this.#context.word('cnp-pace', facts, 'comes');
    if (word !== 'forbidden') return;
    const bait = flow === undefined ? this.#taken(early) : undefined;
    const passed = last === undefined ? '' : `, ${spot.t - last} ns after the one before`;
    const expected = early && bait === undefined ? `no CNP within ${interval} ns of another` : 'no CNP';
    this.#context.violate(bait?.rule ?? rule, spot, expected, `a CNP for qp ${cnp.destQp}${passed}`);
  }

  /** What most likely drew a CNP that nothing calls for. */
  #taken(early: boolean): Bait | undefined {
    return this.#baits.findLast(({ tempting }) => tempting) ?? (early ? undefined : this.#baits.at(-1));
  }

  /** Marked packets up to now have been told of; the newest may still have been on their way through the device. */
  #told(flow: Flow, spot: Spot): void {
    const first = flow.marks.find(({ prompt }) => prompt !== undefined);
    if (first?.prompt !== undefined && this.#context.waited(first.t, spot.t) > this.#context.slack)
      this.#context.violate(
        first.prompt,
        { ...spot, qp: flow.qp.name },
        `a CNP within ${this.#context.slack} ns of the marked packet`,
        `a CNP ${spot.t - first.t} ns after it`,
      );
    const [, ...rest] = flow.marks;
    const cleared = Number.isFinite(this.#context.slack) ? spot.t - this.#context.slack : -1;
    flow.marks = rest.filter(({ t }) => t >= cleared);
    const pacer = this.#pacerOf(flow);
    for (const other of this.#flows.values())
      if (this.#pacerOf(other) === pacer) for (const mark of other.marks) mark.owed = mark.prompt = undefined;
    this.#baits = [];
  }

  /** What a QP owes is not known to be owed once it may have gone out of service. */
  forgive(qp: Qp): void {
    for (const flow of this.#flows.values())
      if (flow.qp === qp) for (const mark of flow.marks) mark.owed = mark.prompt = undefined;
  }

  settle(t: number): void {
    this.#baits = [];
    for (const flow of this.#flows.values()) {
      const { qp, marks } = flow;
      if (marks.length === 0) {
        if (this.#pacers.has(this.#pacerOf(flow)))
          this.#context.refrained('cnp-pace', { cnpSpacing: 'due', unnotified: 'none' });
        continue;
      }
      const owed = marks.find((mark) => mark.owed !== undefined);
      const rule = owed?.owed;
      if (owed === undefined || rule === undefined) continue;
      for (const mark of marks) mark.owed = mark.prompt = undefined;
      if (!this.#qps.receives(qp)) continue;
      const expected = `a CNP to ${flow.address} for qp ${flow.peerNumber}`;
      this.#context.violate(rule, { event: owed.event, t, qp: qp.name }, expected, 'none');
    }
  }

  /** What was under way is unknown. */
  forget(): void {
    this.#flows.clear();
    this.#pacers.clear();
    this.#baits = [];
  }
}

function markedService(packet: Packet, { kind }: Qp): string {
  if (kind === 'UC' || kind === 'UD') return kind;
  return packet.info?.kind === 'response' ? 'response' : 'RC';
}
