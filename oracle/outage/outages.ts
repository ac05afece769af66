import type { Wc } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Qp } from '../device/qp.ts';
import type { RequesterJudge } from '../rc-requester/judge.ts';
import { isResponse } from '../device/packet/opcode-shape.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import type { OutageRules } from './machine.ts';
import { Outage } from './outage.ts';
import { WaitWithoutLink } from './wait.ts';
import type { RnrWait } from './wait.ts';

/** The requesters of a device that had something to send without a link. */
export class Outages {
  readonly #rules: OutageRules;
  readonly #ledger: Ledger;
  readonly #open = new Map<Qp, Outage>();
  readonly #waits = new Map<Qp, WaitWithoutLink>();

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

  /** The link goes down during an RNR wait. */
  beginWait(qp: Qp, { requester }: RequesterJudge, wait: RnrWait): void {
    if (qp.state !== 'RTS' && qp.state !== 'SQD') return;
    this.#waits.set(qp, new WaitWithoutLink(this.#rules, this.#ledger, requester.connection.name, wait));
  }

  link(up: boolean, t: number): void {
    for (const wait of this.#waits.values()) wait.link(up);
    for (const outage of this.#open.values()) outage.link(up, t);
  }

  posted(qp: Qp, t: number): void {
    this.#open.get(qp)?.posted(t);
  }

  sent(qp: Qp | undefined, packet: Packet, when: When): void {
    if (qp === undefined) return;
    this.#open.get(qp)?.sent();
    if (isResponse(packet.opcode)) return;
    this.#waits.get(qp)?.sent(when);
    this.#waits.delete(qp);
  }

  arrived(qp: Qp | undefined, packet: Packet, t: number): void {
    if (qp === undefined) return;
    this.#waits.delete(qp);
    if (this.#open.get(qp)?.arrived(packet, t) === false) this.end(qp);
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
    this.#waits.delete(qp);
  }

  endAll(): void {
    this.#open.clear();
    this.#waits.clear();
  }
}
