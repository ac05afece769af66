import { noPartition } from '../device/packet/header.ts';
import type { Difference } from '../device/packet/header.ts';
import { qpName } from '../device/qp.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { Rule } from '../rules.ts';
import type { When } from '../spot.ts';
import type { Packet } from '../../wire/packet.ts';
import { psnAdd } from '../../wire/psn.ts';
import { connectedAnew, doubted } from './anew.ts';
import type { CompleteConnections } from './complete/connections.ts';
import type { Copies } from './copies.ts';
import { wrongByLength, wrongLength, wrongMessage } from './lengths.ts';
import { ConnectionLife } from './life.ts';
import { QpViolations } from './qp-violations.ts';
import { PsnRecord } from './requests/psn-record.ts';
import { wrongRepetition } from './requests/repetition.ts';
import {
  seenRequest,
  startsMessage,
  wrongDeth,
  wrongReserved,
  wrongVersion,
} from './requests/seen-request.ts';
import type { SeenRequest } from './requests/seen-request.ts';
import { mostSenders, senderKey } from './sender-queue.ts';
import type { SenderQueue } from './sender-queue.ts';
import { goesOn, wrongNeighbours } from './sequence.ts';
import type { CapturedUnreliableRules, UnreliableDemand } from './unreliable-rules.ts';

const addresseesKept = 4096;
/** What else may be the case where a message of UC ends midway: software has set the send queue going again. */
const failedQueue = 'its send queue has failed';
/** The QP of the subnet management interfaces: software may build its packets, with PSNs of its own. */
const managementQps: ReadonlySet<number | undefined> = new Set([0, 1]);

interface Sender {
  readonly name: string;
  readonly life: ConnectionLife;
  readonly record: PsnRecord;
  /** judges what it sends twice; `undefined` where the network may have doubled it */
  readonly atPort: CompleteConnections | undefined;
  /** of UD, whom the packet with a PSN is for */
  readonly addressees: Map<number, string>;
  readonly violations: QpViolations;
}

/** A packet with the PSN of an earlier one; `same`: they have one addressee. */
interface Again {
  sender: Sender;
  before: SeenRequest;
  request: SeenRequest;
  same: boolean;
  addressKey: string;
}

/**
 * Judges the senders of UC and UD packets in a capture, which may lack some, hold some twice, and show them in another order. Nobody answers
 * them and nothing is sent again, so that each PSN stands for one packet.
 */
export class CapturedUnreliable {
  readonly #rules: CapturedUnreliableRules;
  readonly #ledger: Ledger;
  readonly #copies: Copies;
  readonly #senders = new Map<string, Sender>();

  readonly #complete: CompleteConnections | undefined;
  readonly #queue: SenderQueue | undefined;

  /** `queue`: who is followed; `undefined` where somebody else says who is followed no further. */
  constructor(
    rules: CapturedUnreliableRules,
    ledger: Ledger,
    copies: Copies,
    complete: CompleteConnections | undefined,
    queue: SenderQueue | undefined,
  ) {
    this.#complete = complete;
    this.#queue = queue;
    this.#rules = rules;
    this.#ledger = ledger;
    this.#copies = copies;
  }

  packet(packet: Packet, service: 'UC' | 'UD', when: When): void {
    if (!packet.icrcOk) return this.#ledger.skip(`${service} packets damaged on the way`);
    const sender = this.#senderOf(packet, service);
    const request = seenRequest(packet, when.t);
    const demand = (key: UnreliableDemand, wrong: Difference | undefined): void => {
      this.#demand(sender, this.#rules.demand(key, service, request.family), wrong, when);
    };
    demand('mustHeader', wrongVersion(packet) ?? wrongReserved(packet) ?? noPartition(packet));
    if (service === 'UD') demand('mustDeth', wrongDeth(packet));
    if (managementQps.has(packet.deth?.srcQp)) return demand('mustSegment', wrongLength(request, 0));
    if (sender.life.isNew(request.psn, when.t, false)) forget(sender);
    else if (sender.life.skips) {
      sender.record.resume(request.psn);
      sender.atPort?.lacks(sender.name, `PSN ${request.psn} comes, and not the one before it`);
    }
    const look = (): void => {
      this.#look(sender, packet, service, request, when);
    };
    const { repeats, resumes } = sender.life;
    if (!repeats && !resumes) return look();
    const broken = doubted(this.#ledger, look);
    // nobody answers, so that nothing shows which of two connections goes on
    if (broken || resumes) beginAnew(sender, seenRequest(packet, when.t));
  }

  /** A packet with an opcode that the service has not; whom a datagram is from nobody can tell. */
  reserved(packet: Packet, service: 'UC' | 'UD', when: When): void {
    if (!packet.icrcOk) return this.#ledger.skip(`${service} packets damaged on the way`);
    const observed = `opcode 0x${packet.opcode.toString(16)}, which is reserved`;
    const wrong = { expected: `an opcode of ${service}`, observed };
    const rule = this.#rules.demand('mustOpcode', service, 'send');
    this.#demand(this.#senderOf(packet, 'UC'), rule, wrong, when);
  }

  /** Holds it against the packets around it. */
  #look(sender: Sender, packet: Packet, service: 'UC' | 'UD', request: SeenRequest, when: When): void {
    const demand = (
      key: UnreliableDemand,
      wrong: Difference | undefined,
      doubt: string | false = false,
    ): void => {
      this.#demand(sender, this.#rules.demand(key, service, request.family), wrong, when, doubt);
    };
    const { record, addressees } = sender;
    const before = record.at(request.psn);
    const addressee = `${qpName(packet.destQp)} at ${packet.dstIp}`;
    if (before !== undefined) {
      const same = service === 'UC' || addressees.get(request.psn) === addressee;
      return this.#again({ sender, before, request, same, addressKey: packet.addressKey }, when);
    }
    this.#copies.sawOnce();
    const [previous, next] = [record.at(psnAdd(request.psn, -1)), record.at(psnAdd(request.psn, 1))];
    if (previous !== undefined || next !== undefined)
      this.#demand(sender, this.#rules.order, undefined, when);
    if (service === 'UC') {
      if (previous !== undefined) {
        const givenUp = goesOn(previous) && startsMessage(request);
        demand('mustOpcode', wrongNeighbours(previous, request), givenUp && failedQueue);
      }
      if (next !== undefined && !startsMessage(next)) demand('mustOpcode', wrongNeighbours(request, next));
    }
    if (request.reth !== undefined) demand('mustTarget', wrongMessage(request));
    const { wrong, doubtful } = wrongSegment(record, request);
    demand('mustSegment', wrong, doubtful && connectedAnew);
    record.add(request);
    if (service === 'UD') noteAddressee(sender, request.psn, addressee);
  }

  /** Nothing is known of what comes next. */
  forget(): void {
    for (const sender of this.#senders.values()) forget(sender);
  }

  /** Follows a sender no further, by its key. */
  leave(key: string): void {
    if (!this.#senders.delete(key)) return;
    this.#ledger.skip(`UC and UD senders that were found before ${mostSenders} others`);
  }

  #senderOf(packet: Packet, service: 'UC' | 'UD'): Sender {
    const { srcIp, dstIp, destQp, deth } = packet;
    const key = senderKey(packet, service);
    const known = this.#senders.get(key);
    if (known !== undefined) return known;
    const name =
      service === 'UC'
        ? `sender to ${qpName(destQp)} at ${srcIp}`
        : `${qpName(deth?.srcQp ?? 0)} at ${srcIp}`;
    const sender: Sender = {
      name,
      life: new ConnectionLife({ resends: false, lossy: true }),
      record: new PsnRecord(),
      atPort: this.#complete?.shows(srcIp, dstIp) === true ? this.#complete : undefined,
      addressees: new Map(),
      violations: new QpViolations(this.#ledger),
    };
    this.#senders.set(key, sender);
    const first = this.#queue?.joined(key);
    if (first !== undefined) this.leave(first);
    return sender;
  }

  /** The PSN is that of an earlier packet: it is that one once more, or the PSN is used twice. */
  #again({ sender, before, request, same, addressKey }: Again, when: When): void {
    const wrong = same
      ? wrongRepetition(before, request)
      : { expected: 'the addressee of the first copy', observed: 'another addressee' };
    if (wrong !== undefined) {
      const observed = `PSN ${request.psn} twice; ${wrong.expected}, now ${wrong.observed}`;
      return this.#demand(sender, this.#rules.order, { expected: 'a PSN of its own', observed }, when);
    }
    const copy = before.ipId === request.ipId;
    if (copy) this.#copies.sawTwice(addressKey);
    else if (sender.atPort !== undefined && this.#rules.once !== undefined) {
      const [expected, observed] = ['every packet once', `PSN ${request.psn} once more`];
      return sender.atPort.violate({
        rule: this.#rules.once.id,
        ...when,
        qp: sender.name,
        expected,
        observed,
      });
    }
    this.#ledger.skip('UC and UD packets that are seen twice');
  }

  /** `doubt`: what else may be the case. */
  #demand(
    sender: Sender,
    rule: Rule | undefined,
    wrong: Difference | undefined,
    when: When,
    doubt: string | false = false,
  ): void {
    if (rule === undefined) return;
    this.#ledger.exercise([rule]);
    if (wrong === undefined) return;
    const violation = { rule: rule.id, ...when, qp: sender.name, ...wrong };
    if (doubt !== false) sender.violations.doubt(violation, doubt);
    else sender.violations.add(violation);
  }
}

function beginAnew(sender: Sender, request: SeenRequest): void {
  sender.life.beginAnew();
  forget(sender);
  sender.record.add(request);
}

function forget({ record, addressees }: Sender): void {
  record.clear();
  addressees.clear();
}

function noteAddressee({ addressees, record }: Sender, psn: number, addressee: string): void {
  addressees.set(psn, addressee);
  if (addressees.size <= addresseesKept) return;
  for (const old of addressees.keys()) if (record.at(old) === undefined) addressees.delete(old);
}

/** How its length differs from that of its place; takes the path MTU from it. */
function wrongSegment(record: PsnRecord, request: SeenRequest): ReturnType<typeof wrongByLength> {
  // which message it is of, only the packet before it tells
  if (record.at(psnAdd(request.psn, -1)) !== undefined) request.message ??= record.messageAt(request.psn);
  return wrongByLength(record, request);
}
