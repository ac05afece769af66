import type { CongestionProfile } from '../../spec/congestion.ts';
import type { Packet } from '../../wire/packet.ts';
import { qpName } from '../device/qp.ts';
import type { When } from '../spot.ts';
import type { Violation } from '../trace.ts';
import type { CongestionContext } from './context.ts';

/** Pacers that are followed; beyond it all begin anew. */
const mostFollowed = 0x10000;

/** CNPs of one pacer since a time at which it was surely idle. */
interface Train {
  first: number;
  newest: number;
  count: number;
  /** earliest time at which the newest may have left, had the first not been held up on its way */
  earliest: number;
}

/**
 * Whether CNPs come faster than the interval of the profile allows, in a capture taken anywhere. Queues and pauses move CNPs closer
 * together, so that many must have come before it is certain.
 */
export class CapturedPace {
  readonly #context: CongestionContext;
  readonly #cnp: CongestionProfile['cnp'];
  readonly #suspect: (violation: Violation) => void;
  readonly #trains = new Map<string, Train>();

  constructor(
    context: CongestionContext,
    { cnp }: CongestionProfile,
    suspect: (violation: Violation) => void,
  ) {
    this.#context = context;
    this.#cnp = cnp;
    this.#suspect = suspect;
  }

  cnp(cnp: Packet, { event, t }: When): void {
    const { interval } = this.#cnp;
    if (!cnp.icrcOk || interval === 0) return;
    const key = this.#pacer(cnp);
    const train = this.#trains.get(key);
    const { machine, none, declared } = this.#context;
    if (train === undefined) return this.#begin(key, t);
    const inputs = { ...declared, event: { at: t, earliest: t, jitter: 0, slack: 0 }, train };
    if (machine.flag('trainOver')(inputs, none)) return this.#begin(key, t);
    this.#context.refrained('cnp-pace', {}, none, { cnpSpacing: 'early', unnotified: 'some' });
    // coarse or corrected clocks give several packets one stamp
    if (t === train.newest) return;
    train.newest = t;
    train.count++;
    const tight = machine.flag('trainTight')(inputs, none);
    train.earliest += interval;
    if (!tight) return;
    this.#begin(key, t);
    const { count, first } = train;
    for (const rule of this.#context.decide('cnp-pace', {}, none, {
      cnpSpacing: 'early',
      unnotified: 'some',
    }))
      this.#suspect({
        rule: rule.id,
        event,
        t,
        qp: `sender at ${cnp.srcIp}`,
        expected: `no CNP within ${interval} ns of another`,
        observed: `${count} CNPs ${this.#cnp.scope === 'qp' ? `for ${qpName(cnp.destQp)} ` : ''}in ${t - first} ns`,
      });
  }

  #begin(key: string, t: number): void {
    if (this.#trains.size > mostFollowed) this.#trains.clear();
    this.#trains.set(key, { first: t, newest: t, count: 1, earliest: t });
  }

  #pacer({ srcIp, dstIp, destQp }: Packet): string {
    const scopes = { port: srcIp, source: `${srcIp} ${dstIp}`, qp: `${srcIp} ${dstIp} ${destQp}` };
    return scopes[this.#cnp.scope];
  }
}
