import { hasFittingChecksum } from '../../device/packet/header.ts';
import { captureLatitude } from '../../../spec/latitudes.ts';
import { Memory } from '../../device/memory.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { seenQp, type QpSurroundings } from '../../device/qp.ts';
import type { RequestEntry } from '../../rc-responder/entry.ts';
import type { ResponderJudge } from '../../rc-responder/judge.ts';
import type { RequesterTables } from '../../rc-requester/tables.ts';
import type { ResponderRules } from '../../rc-responder/rules.ts';
import type { Rule } from '../../rules.ts';
import type { When } from '../../spot.ts';
import type { Violation } from '../../trace.ts';
import type { Packet } from '../../../wire/packet.ts';
import { doubted } from '../anew.ts';
import type { CapturedRules } from '../connection-rules.ts';
import type { CapturedRequester } from '../requester.ts';
import type { Stamps } from '../../device/packet/stamps.ts';
import type { HeldVerdicts } from './held.ts';
import { CapturedPaths } from './paths.ts';
import { ackTimer } from './ack-timer.ts';
import { FirstCount } from './first-count.ts';
import type { AckTimer } from './ack-timer.ts';
import type { CompletePorts } from './ports.ts';
import { CompleteRequester } from './requester.ts';
import { CompleteResponder } from './responder.ts';

/** What of a connection is judged as if the capture had lost nothing: the ends at whose ports it was taken. */
export class CompleteConnection {
  readonly #responder: CompleteResponder | undefined;
  readonly #requester: CompleteRequester | undefined;
  readonly #held: HeldVerdicts;
  readonly #count = new FirstCount();
  readonly #countRule: Rule | undefined;
  readonly #migrated: () => boolean;
  #asked = false;
  /** whether the newest request repeats what was acknowledged long before, if it does not begin another connection */
  #again = false;

  constructor(
    responder: CompleteResponder | undefined,
    requester: CompleteRequester | undefined,
    { held, count, migrated }: { held: HeldVerdicts; count: Rule | undefined; migrated: () => boolean },
  ) {
    this.#held = held;
    this.#countRule = count;
    this.#migrated = migrated;
    this.#responder = responder;
    this.#requester = requester;
  }

  /** A request that the judge of its requester has looked at. `first`: the first PSN of the connection, if both ends have said it. */
  request(entry: RequestEntry, requester: CapturedRequester, first: number | undefined): void {
    this.#again = requester.renewed && this.#requester?.repeatsCompleted(entry.packet.psn, entry.t) === true;
    if (requester.renewed) this.restart();
    const behind = requester.asked.behind(entry.packet);
    this.#counts(entry.packet, behind, requester, first);
    this.#responder?.request(entry, behind);
    const judge = this.#requester;
    // it may have been captured before the NIC filled the ICRC in
    if (!entry.packet.icrcOk && entry.packet.icrc === 0) return this.forget();
    if (!hasFittingChecksum(entry.packet)) return this.forget();
    if (!entry.packet.icrcOk || judge === undefined) return;
    this.#orAnew(requester.repeats, () => {
      judge.request(entry, behind);
    });
  }

  /** A response that the judge of lossy captures has looked at. */
  reply(seen: ObservedReply, when: When, judge: ResponderJudge, requester: CapturedRequester): void {
    if (!seen.packet.icrcOk || !hasFittingChecksum(seen.packet)) return this.forget();
    const { repeats, asked } = requester;
    this.#orAnew(repeats || requester.mayBegin(seen), () => {
      this.#counted(seen, when, judge.connection.name);
      this.#responder?.reply(seen, when, judge, asked.mtu);
    });
    this.#requester?.reply(seen, when.t);
  }

  /** Where the PSNs are those of another connection, or its ends have named the first one, no message was counted before. On another path, more may have been. */
  #counts(
    packet: Packet,
    behind: number | undefined,
    { renewed, far }: CapturedRequester,
    first: number | undefined,
  ): void {
    const begins = (renewed && far) || (packet.psn === first && (renewed || !this.#asked));
    this.#asked = true;
    if (!packet.icrcOk) return this.#count.forget();
    if ((begins || this.#again) && !this.#migrated()) this.#count.begin(packet.psn, { certain: begins });
    this.#count.request(packet, behind);
  }

  #counted(seen: ObservedReply, when: When, qp: string): void {
    const wrong = this.#count.reply(seen);
    const rule = this.#countRule;
    if (wrong === undefined || rule === undefined) return;
    const { certain, observed, expected } = wrong;
    if (certain) this.#held.ledger.violate({ rule: rule.id, ...when, qp, observed, expected });
    else
      this.#held.doubt(
        `${qp}: ${observed}, expected ${expected}: ${rule.id} is broken, or a request before it repeats what was acknowledged`,
      );
  }

  /** `repeats`: what was sent before is sent again, or another connection has begun. */
  #orAnew(repeats: boolean, look: () => void): void {
    if (!repeats) return look();
    const doubt = (why: string): void => {
      this.#held.doubt(why);
    };
    if (doubted(this.#held.ledger, look, doubt)) this.restart();
  }

  /** Something has come that could not be identified or followed. */
  forget(): void {
    this.#responder?.forget();
    this.#requester?.restart();
    this.#count.forget();
  }

  /** Another connection may begin, or packets were not seen. */
  restart(): void {
    this.#responder?.restart();
    this.#requester?.restart();
    this.#count.forget();
  }

  finish(t: number): void {
    this.#responder?.finish(t);
  }
}

/** Rules of both roles. */
interface CompleteRules extends ResponderRules {
  requester: RequesterTables;
  captured: CapturedRules;
}

/** Makes the judges of what is certain only where nothing was lost. */
export class CompleteConnections {
  readonly #ports: CompletePorts;
  readonly #rules: CompleteRules;
  readonly #held: HeldVerdicts;
  readonly #stamps: Stamps;
  readonly #timer: AckTimer;
  /** whether somebody has said what it is, and there is one */
  readonly #timed: boolean;
  readonly #patience: number;
  readonly #paths = new CapturedPaths();
  readonly #surroundings: QpSurroundings;
  #newest = 0;

  constructor(
    ports: CompletePorts,
    held: HeldVerdicts,
    stamps: Stamps,
    rules: CompleteRules,
    capabilities: ReadonlySet<string> | undefined,
  ) {
    this.#ports = ports;
    this.#held = held;
    this.#stamps = stamps;
    this.#rules = rules;
    const { timeout } = ports;
    this.#timer = ackTimer(rules.requester.machine, timeout);
    this.#timed = timeout !== undefined && this.#timer.interval < Number.POSITIVE_INFINITY;
    const patience = captureLatitude().times.answer;
    this.#patience = this.#timed ? Math.max(patience, this.#timer.longest) : patience;
    this.#surroundings = { memory: new Memory(), atDevice: true, verbs: false, capabilities, stamps };
  }

  /** The connection that the request belongs to. */
  connection(
    { destQp, dstIp, srcIp, pkey }: Packet,
    { connection }: ResponderJudge,
    { asked: { record } }: CapturedRequester,
    name: () => string,
  ): CompleteConnection {
    const [there, here] = [this.#ports.at(dstIp), this.#ports.at(srcIp)];
    const { requester: tables } = this.#rules;
    const qp = seenQp(destQp, this.#surroundings, { name: connection.name, pkey, attr: {} });
    qp.peerAddress = srcIp;
    const around = { rules: this.#rules, held: this.#held, patience: this.#patience, qp };
    const migrated = (): boolean => this.#paths.migrated(destQp);
    return new CompleteConnection(
      there ? new CompleteResponder(around) : undefined,
      here
        ? new CompleteRequester({
            tables,
            held: this.#held,
            stamps: this.#stamps,
            timer: this.#timer,
            timed: this.#timed,
            name,
            record,
            migrated,
          })
        : undefined,
      { held: this.#held, count: this.#rules.captured.counts, migrated },
    );
  }

  /** Whether the capture shows everything that the sender sends. */
  shows(sender: string, receiver: string): boolean {
    this.#ports.at(receiver);
    return this.#ports.at(sender);
  }

  /** Something is wrong if the capture lacks nothing, and holds nothing twice. */
  violate(violation: Violation): void {
    this.#held.ledger.violate(violation);
  }

  /** A sender of UC or UD leaves out a PSN, or the capture lacks its packet. */
  lacks(sender: string, why: string): void {
    this.#held.contradict(sender, why);
  }

  /** The newest packet. */
  saw(packet: Packet, t: number): void {
    this.#newest = t;
    this.#paths.saw(packet);
  }

  /** The newest packet of the capture came at `t`. */
  reaches(t: number): void {
    this.#newest = t;
  }

  /** A QP uses another path, as packets show that are not seen here. */
  migrated(destQp: number | 'all'): void {
    this.#paths.found(destQp);
  }

  /** Nothing more is seen of it; the newest packet of the capture came at `newest`. */
  over({ complete }: { complete: CompleteConnection | undefined }, newest = this.#newest): void {
    complete?.finish(newest);
  }
}
