import type { CongestionProfile } from '../../spec/congestion.ts';
import type { Packet } from '../../wire/packet.ts';
import { qpName } from '../device/qp.ts';
import type { When } from '../spot.ts';
import { inUnits } from '../time.ts';
import type { Violation } from '../trace.ts';
import type { CongestionContext } from './context.ts';
import { CongestionEvent } from './event.ts';
import type { CongestionVariables } from './variables.ts';

/** Pacers that are followed; beyond it all begin anew. */
const mostFollowed = 0x10000;

/**
 * Whether CNPs come faster than the interval of the profile allows, in a capture taken anywhere. Queues and pauses move CNPs closer
 * together, so that many must have come before it is certain.
 */
export class CapturedPace {
  readonly #context: CongestionContext;
  readonly #cnp: CongestionProfile['cnp'];
  readonly #suspect: (violation: Violation) => void;
  /** registers by pacer */
  readonly #trains = new Map<string, CongestionVariables>();

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
    const { machine, none } = this.#context;
    const inputs = new CongestionEvent(this.#context, t);
    if (train === undefined || machine.flag('trainOver')(inputs, train)) return this.#begin(key, inputs);
    this.#context.refrained('cnp-pace', {}, none, { cnpSpacing: 'early', unnotified: 'some' });
    // coarse or corrected clocks give several packets one stamp
    if (machine.flag('stampRepeated')(inputs, train)) return;
    const tight = machine.flag('trainTight')(inputs, train);
    machine.step('trainGoesOn')(inputs, train);
    if (!tight) return;
    const { trainCount: count, trainFrom: first } = train;
    this.#begin(key, inputs);
    for (const rule of this.#context.decide('cnp-pace', {}, none, {
      cnpSpacing: 'early',
      unnotified: 'some',
    }))
      this.#suspect({
        rule: rule.id,
        event,
        t,
        qp: `sender at ${cnp.srcIp}`,
        expected: `no CNP within ${inUnits(interval)} of another`,
        observed: `${count} CNPs ${this.#cnp.scope === 'qp' ? `for ${qpName(cnp.destQp)} ` : ''}in ${inUnits(t - first)}`,
      });
  }

  #begin(key: string, inputs: CongestionEvent): void {
    if (this.#trains.size > mostFollowed) this.#trains.clear();
    let train = this.#trains.get(key);
    if (train === undefined) this.#trains.set(key, (train = this.#context.registers()));
    this.#context.machine.step('trainBegins')(inputs, train);
  }

  #pacer({ srcIp, dstIp, destQp }: Packet): string {
    const scopes = { port: srcIp, source: `${srcIp} ${dstIp}`, qp: `${srcIp} ${dstIp} ${destQp}` };
    return scopes[this.#cnp.scope];
  }
}
