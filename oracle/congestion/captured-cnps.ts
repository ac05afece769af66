import type { Packet } from '../../wire/packet.ts';
import { qpName } from '../device/qp.ts';
import type { When } from '../spot.ts';
import type { CongestionContext } from './context.ts';
import { bareFrame, isNak } from './arrival.ts';
import { CongestionEvent } from './event.ts';
import type { CongestionVariables } from './variables.ts';

/** Pairs of addresses and flows that are followed; beyond it all begin anew. */
const mostFollowed = 0x10000;

/**
 * Whether a CNP has a cause, where a capture shows everything that reached the port of its sender: a packet with CE, or a NAK, for which
 * some NICs send a CNP as well.
 */
export class CapturedCnps {
  readonly #context: CongestionContext;
  readonly #addresses: ReadonlySet<string>;
  /** time from which on everything is seen */
  #from = -1;
  /** whose CNPs a packet may cause, by its ECN bits, and 4 more if it is a NAK: asked for each packet of a capture */
  readonly #causing: readonly { atTarget: boolean; atSource: boolean }[];
  /** registers by the addresses that a CNP goes from and to, of those of which it had a cause */
  readonly #causes = new Map<string, CongestionVariables>();
  /** newest CNP, by these and the QP that it names */
  readonly #cnps = new Map<string, number>();

  /** `addresses`: ends at whose ports the capture was taken; none: all. */
  constructor(context: CongestionContext, addresses: readonly string[]) {
    this.#context = context;
    this.#addresses = new Set(addresses);
    const { machine, none } = context;
    this.#causing = [false, true].flatMap((nak) =>
      [0, 1, 2, 3].map((ecn) => {
        const inputs = { packet: { ...bareFrame(ecn), nak } };
        return {
          atTarget: machine.flag('causesAtTarget')(inputs, none),
          atSource: machine.flag('causesAtSource')(inputs, none),
        };
      }),
    );
  }

  /** Something was not seen. */
  forget(): void {
    this.#from = -1;
    this.#causes.clear();
    this.#cnps.clear();
  }

  packet(packet: Packet, { t }: When): void {
    if (this.#from < 0) this.#from = t;
    const { srcIp, dstIp, ecn, aethWord } = packet;
    const causes = this.#causing[ecn + (isNak(aethWord) ? 4 : 0)];
    if (causes?.atTarget === true) this.#caused(`${dstIp} ${srcIp}`, t);
    if (causes?.atSource === true) this.#caused(`${srcIp} ${dstIp}`, t);
    if (this.#causes.size > mostFollowed) this.forget();
  }

  #caused(pair: string, t: number): void {
    let registers = this.#causes.get(pair);
    if (registers === undefined) this.#causes.set(pair, (registers = this.#context.registers()));
    this.#context.machine.step('caused')(new CongestionEvent(this.#context, t), registers);
  }

  cnp(cnp: Packet, when: When): void {
    const { t } = when;
    if (this.#from < 0) this.#from = t;
    const { srcIp, dstIp, destQp } = cnp;
    if (!cnp.icrcOk || (this.#addresses.size > 0 && !this.#addresses.has(srcIp))) return;
    const pair = `${srcIp} ${dstIp}`;
    const flow = `${pair} ${destQp}`;
    const cause = this.#causes.get(pair);
    const before = this.#cnps.get(flow);
    this.#cnps.set(flow, t);
    const { machine, none } = this.#context;
    const { event } = new CongestionEvent(this.#context, t);
    const inputs = { event, cnpBefore: before, seenFrom: this.#from };
    if (machine.flag('cnpUncaused')(inputs, cause ?? none)) this.#uncaused(cnp, when);
    else if (cause !== undefined && before !== undefined)
      this.#again(cnp, when, machine.flag('causedSince')(inputs, cause));
    if (this.#cnps.size > mostFollowed) this.forget();
  }

  #uncaused({ destQp, srcIp }: Packet, { event, t }: When): void {
    const context = this.#context;
    const given = { carried: 'packet', ecnBits: 'ect0', fecnBit: 'clear', soundness: 'sound' };
    const qp = `sender at ${srcIp}`;
    const observed = `a CNP for ${qpName(destQp)}, and no packet with CE before`;
    for (const rule of context.decide('notify', {}, context.none, given))
      context.violate(rule, { event, t, qp }, 'no CNP', observed);
  }

  #again({ destQp, srcIp }: Packet, { event, t }: When, marked: boolean): void {
    const context = this.#context;
    const given = { cnpSpacing: 'due', unnotified: marked ? 'some' : 'none' };
    const rules = context.decide('cnp-pace', {}, context.none, given);
    if (marked) return;
    const observed = `a second CNP for ${qpName(destQp)}, and no packet with CE since the first`;
    for (const rule of rules)
      context.violate(rule, { event, t, qp: `sender at ${srcIp}` }, 'no CNP', observed);
  }
}
