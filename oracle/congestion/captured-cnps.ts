import type { Packet } from '../../wire/packet.ts';
import { decodeSyndrome } from '../../spec/constants.ts';
import { qpName } from '../device/qp.ts';
import type { When } from '../spot.ts';
import type { CongestionContext } from './context.ts';
import type { CongestionInputs } from './variables.ts';

/** Pairs of addresses and flows that are followed; beyond it all begin anew. */
const mostFollowed = 0x10000;

type Causes = Required<CongestionInputs>['cause'];
const noCause: Causes = {};

/**
 * Whether a CNP has a cause, where a capture shows everything that reached the port of its sender: a packet with CE, or a NAK, for which
 * some NICs send a CNP as well.
 */
export class CapturedCnps {
  readonly #context: CongestionContext;
  readonly #addresses: ReadonlySet<string>;
  /** time from which on everything is seen */
  #from = -1;
  /** times of the newest cause and the one before it, by the addresses that a CNP goes from and to */
  readonly #causes = new Map<string, Causes>();
  /** newest CNP, by these and the QP that it names */
  readonly #cnps = new Map<string, number>();

  /** `addresses`: ends at whose ports the capture was taken; none: all. */
  constructor(context: CongestionContext, addresses: readonly string[]) {
    this.#context = context;
    this.#addresses = new Set(addresses);
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
    if (ecn === 3) this.#caused(`${dstIp} ${srcIp}`, t);
    if (aethWord >= 0 && decodeSyndrome(Math.floor(aethWord / 0x1000000)).kind === 'nak')
      this.#caused(`${srcIp} ${dstIp}`, t);
    if (this.#causes.size > mostFollowed) this.forget();
  }

  #caused(pair: string, t: number): void {
    this.#causes.set(pair, { newest: t, before: this.#causes.get(pair)?.newest });
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
    const event = { at: t, earliest: t, jitter: 0, slack: 0 };
    const inputs = { event, cause: cause ?? noCause, cnpBefore: before, seenFrom: this.#from };
    if (machine.flag('cnpUncaused')(inputs, none)) this.#uncaused(cnp, when);
    else if (cause !== undefined && before !== undefined)
      this.#again(cnp, when, machine.flag('causedSince')(inputs, none));
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
