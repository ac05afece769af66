import { frameFault } from '../../wire/frame-fault.ts';
import type { FrameFault } from '../../wire/frame-fault.ts';
import { decode } from '../../wire/decode.ts';
import type { Packet } from '../../wire/packet.ts';
import { isResponse } from '../device/opcode-shape.ts';
import { lookupOf } from '../rulebook/lookup.ts';
import type { Lookup } from '../rulebook/lookup.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import type { RuleSet } from '../rules.ts';
import type { TraceEvent } from '../trace.ts';
import type { Device } from '../device/devices.ts';
import type { RequestEntry } from '../rc-responder/capture-late.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { ResponderJudge } from '../rc-responder/judge.ts';

/** The tables that decide on frames in front of their transport headers. */
export interface FrameRules {
  received: Lookup;
  sent: Lookup;
}

export function frameRules(rules: RuleSet): FrameRules {
  return { received: lookupOf(rules, 'frame-received'), sent: lookupOf(rules, 'frame-sent') };
}

/** Judges frames that are no packets: nothing may come of one that the device receives, and it sends none itself. */
export class Frames {
  readonly #rules: FrameRules;
  readonly #ledger: Ledger;
  readonly #device: Device;

  constructor(rules: FrameRules, ledger: Ledger, device: Device) {
    this.#rules = rules;
    this.#ledger = ledger;
    this.#device = device;
  }

  frame({ t, direction, frame }: Extract<TraceEvent, { kind: 'frame' }>, event: number): void {
    const fault = frameFault(frame);
    if (fault === undefined) return;
    if (direction === 'from-dut') return this.sent(fault, t, event);
    const rules = this.#rules.received({ frame: fault });
    const [rule] = rules;
    if (rule === undefined) return;
    this.#ledger.exercise(rules);
    const decoded = fault === 'oversized' ? decode(frame) : undefined;
    if (decoded?.kind === 'packet') return this.#perhaps(decoded.packet, event, t);
    const branch = { rules, rule, outcome: rule.outcomes[0] ?? {} };
    for (const judge of this.#device.byHandle.values()) judge.push({ kind: 'frame', event, t, branch });
  }

  /** A packet that the port may have taken or not. */
  #perhaps(packet: Packet, event: number, t: number): void {
    if (isResponse(packet.opcode)) return this.#ledger.skip('oversized frames with a response');
    const judge = this.#device.byNumber.get(packet.destQp);
    judge?.push({ kind: 'request', event, t, packet, mayBeLost: true });
  }

  /** A packet to a QP that does not exist: what the rules say of it holds for every QP. */
  strayed(nobody: ResponderJudge, { packet, event, t }: RequestEntry): void {
    const { branch } = nobody.decide(packet);
    for (const judge of this.#device.byHandle.values()) judge.push({ kind: 'frame', event, t, branch });
  }

  /** A frame that left the device. */
  sent(frame: FrameFault | 'sound', t: number, event: number): void {
    const rules = this.#rules.sent({ frame });
    this.#ledger.exercise(rules);
    if (frame === 'sound') return;
    const [only, other] = [...this.#device.byHandle.values()].map((judge) => judge.connection.name);
    const qp = only !== undefined && other === undefined ? only : 'the device';
    const expected = 'a well-formed RoCEv2 packet';
    for (const rule of rules)
      if (outcomeWord(rule.outcomes[0] ?? {}, 'mustFrame') === 'sound')
        this.#ledger.violate({
          rule: rule.id,
          event,
          t,
          qp,
          expected,
          observed: `a frame with a fault: ${frame}`,
        });
  }
}
