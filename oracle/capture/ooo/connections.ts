import { forgetOldest } from '../../forget-oldest.ts';
import { noPartition } from '../../device/packet/header.ts';
import type { Difference } from '../../device/packet/header.ts';
import { observeReply } from '../../device/packet/observed-reply.ts';
import { isResponse } from '../../device/packet/opcode-shape.ts';
import { qpName } from '../../device/qp.ts';
import type { Ledger } from '../../rulebook/ledger.ts';
import type { Rule } from '../../rules.ts';
import type { When } from '../../spot.ts';
import { placedReply } from '../../ooo/packet.ts';
import { reversedKey } from '../../../wire/address-key.ts';
import type { Packet } from '../../../wire/packet.ts';
import { QpViolations } from '../qp-violations.ts';
import { wrongReserved, wrongVersion } from '../requests/seen-request.ts';
import { PlacedConnection } from './connection.ts';
import { wrongTrigger } from './responses.ts';
import type { CapturedPlacedRules } from './rules.ts';
import { seenPlaced } from './seen-placed.ts';

/** Connections that are followed at a time; the one that was found first is followed no further. */
const mostConnections = 4096;

/**
 * Judges both ends of connections of out-of-order QPs in a capture, which may lack packets, hold some twice, and show them in another order: by what each
 * packet says itself, and what the others say of its PSN and those beside it.
 */
export class CapturedOutOfOrder {
  readonly #rules: CapturedPlacedRules;
  readonly #ledger: Ledger;
  readonly #connections = new Map<string, PlacedConnection>();
  /** by the addresses of requester and responder: the only one */
  readonly #between = new Map<string, PlacedConnection | 'several'>();
  /** by the name of the QP */
  readonly #violations = new Map<string, QpViolations>();

  constructor(rules: CapturedPlacedRules, ledger: Ledger) {
    this.#rules = rules;
    this.#ledger = ledger;
  }

  packet(packet: Packet, when: When): void {
    if (!packet.icrcOk) return this.#ledger.skip('ORC packets damaged on the way');
    if (isResponse(packet.opcode)) this.#response(packet, when);
    else this.#request(packet, when);
  }

  /** Nothing is known of what comes next. */
  forget(): void {
    this.#connections.clear();
    this.#between.clear();
  }

  #request(packet: Packet, when: When): void {
    const request = seenPlaced(packet, when.t);
    if (request === undefined) return;
    const qp = `sender to ${qpName(packet.destQp)} at ${packet.srcIp}`;
    const { work, ends } = request;
    const { found, doubtful } = this.#at(packet).request(request, when.t);
    for (const [key, wrong] of [['mustHeader', headerOf(packet)] as const, ...found])
      this.#demand(this.#rules.request(key, work, ends ? 'last' : 'more'), wrong, { ...when, qp, doubtful });
  }

  #response(packet: Packet, when: When): void {
    const seen = observeReply(packet);
    if (seen === undefined) return;
    const answer = placedReply(seen);
    const qp = `sender to ${qpName(packet.destQp)} at ${packet.srcIp}`;
    const demand = (
      key: Parameters<CapturedPlacedRules['response']>[0],
      wrong: Difference | undefined,
    ): void => {
      this.#demand(this.#rules.response(key, answer), wrong, { ...when, qp, doubtful: false });
    };
    demand('mustHeader', headerOf(packet));
    if (answer === 'sequence-nak')
      return demand('mustAnswer', {
        expected: 'no NAK PSN sequence error',
        observed: `one with PSN ${seen.psn}`,
      });
    if (answer === 'selective') demand('mustTrigger', wrongTrigger(seen));
    const connection = this.#answered(packet);
    if (connection === undefined)
      return this.#ledger.skip('ORC responses that may be of several connections, or of none in sight');
    const data = answer === 'read-response' || answer === 'atomic-ack';
    const looked = data ? connection.fragment(seen) : connection.standing(seen, when.t);
    if (looked !== undefined) demand(data ? 'mustFragment' : 'mustCount', looked.wrong);
  }

  #at(packet: Packet): PlacedConnection {
    const { addressKey } = packet;
    const key = `${addressKey} ${packet.destQp}`;
    const known = this.#connections.get(key);
    if (known !== undefined) return known;
    const connection = new PlacedConnection();
    this.#connections.set(key, connection);
    this.#between.set(addressKey, this.#between.has(addressKey) ? 'several' : connection);
    forgetOldest(this.#connections, mostConnections);
    forgetOldest(this.#between, mostConnections);
    return connection;
  }

  /** The only connection between its addresses, if its responses all go to one QP. */
  #answered(packet: Packet): PlacedConnection | undefined {
    const connection = this.#between.get(reversedKey(packet.addressKey));
    if (connection === undefined || connection === 'several') return undefined;
    return connection.answersTo(packet.destQp) ? connection : undefined;
  }

  #demand(
    rule: Rule | undefined,
    wrong: Difference | undefined,
    { doubtful, ...where }: When & { qp: string; doubtful: boolean },
  ): void {
    if (rule === undefined) return;
    this.#ledger.exercise([rule]);
    if (wrong === undefined) return;
    const violation = { rule: rule.id, ...where, ...wrong };
    const violations = this.#violationsOf(where.qp);
    if (doubtful) violations.doubt(violation);
    else violations.add(violation);
  }

  #violationsOf(qp: string): QpViolations {
    const known = this.#violations.get(qp) ?? new QpViolations(this.#ledger);
    this.#violations.set(qp, known);
    forgetOldest(this.#violations, mostConnections);
    return known;
  }
}

function headerOf(packet: Packet): Difference | undefined {
  return wrongVersion(packet) ?? wrongReserved(packet) ?? noPartition(packet);
}
