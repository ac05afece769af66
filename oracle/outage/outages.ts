import type { Wc } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Qp } from '../device/qp.ts';
import type { RequesterJudge } from '../rc-requester/judge.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import type { OutageRules } from './machine.ts';
import { Outage } from './outage.ts';

/** The requesters of a device that had something to send without a link. */
export class Outages {
  readonly #rules: OutageRules;
  readonly #ledger: Ledger;
  readonly #open = new Map<Qp, Outage>();

  constructor(rules: OutageRules, ledger: Ledger) {
    this.#rules = rules;
    this.#ledger = ledger;
  }

  /** The QP has something to send and no link. One that has an alternate path, or that its rate may hold back, is left out. */
  begin(qp: Qp, judge: RequesterJudge, t: number): void {
    const { left, migration, requester } = judge;
    const readsNone = (requester.attributes.maxRdAtomic ?? 0) === 0;
    if (left === undefined || migration?.loaded !== false || requester.stalls.limited || readsNone) return;
    if (qp.state !== 'RTS') return;
    this.#open.set(qp, new Outage(this.#rules, this.#ledger, judge, left, t));
  }

  link(up: boolean, t: number): void {
    for (const outage of this.#open.values()) outage.link(up, t);
  }

  posted(qp: Qp, t: number): void {
    this.#open.get(qp)?.posted(t);
  }

  sent(qp: Qp | undefined): void {
    if (qp !== undefined) this.#open.get(qp)?.sent();
  }

  arrived(qp: Qp | undefined, packet: Packet, t: number): void {
    if (qp !== undefined && this.#open.get(qp)?.arrived(packet, t) === false) this.end(qp);
  }

  completed(qp: Qp | undefined, wc: Wc, when: When): void {
    if (qp !== undefined) this.#open.get(qp)?.completed(wc, when);
  }

  settle(t: number): void {
    for (const [qp, outage] of this.#open) if (!outage.settle(t)) this.end(qp);
  }

  /** What must come of it is unknown from now on. */
  end(qp: Qp): void {
    this.#open.delete(qp);
  }

  endAll(): void {
    this.#open.clear();
  }
}
