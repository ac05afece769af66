import { Memory } from '../../device/memory.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { seenQp, type QpSurroundings } from '../../device/qp.ts';
import type { RequestEntry } from '../../rc-responder/capture/late.ts';
import type { ResponderJudge } from '../../rc-responder/judge.ts';
import type { ResponderRules } from '../../rc-responder/rules.ts';
import type { Ledger } from '../../rulebook/ledger.ts';
import type { When } from '../../spot.ts';
import type { TraceHeader } from '../../trace.ts';
import type { Packet } from '../../../wire/packet.ts';
import type { CapturedRequester } from '../requester.ts';
import { HeldVerdicts } from './held.ts';
import { CompletePorts } from './ports.ts';
import { CompleteResponder } from './responder.ts';

/** What of a connection is judged as if the capture had lost nothing: the ends at whose ports it was taken. */
export class CompleteConnection {
  readonly #responder: CompleteResponder | undefined;

  constructor(responder: CompleteResponder | undefined) {
    this.#responder = responder;
  }

  /** A request that the judge of its requester has looked at. */
  request(entry: RequestEntry, requester: CapturedRequester): void {
    if (requester.renewed) this.restart();
    this.#responder?.request(entry, requester.behind(entry.packet));
  }

  /** A response that the judge of lossy captures has looked at. */
  reply(seen: ObservedReply, when: When, { told }: ResponderJudge): void {
    if (seen.packet.icrcOk) this.#responder?.reply(seen, when, told);
    else this.forget();
  }

  /** Something has come that could not be told or followed. */
  forget(): void {
    this.#responder?.forget();
  }

  /** Another connection may begin, or packets were not seen. */
  restart(): void {
    this.#responder?.restart();
  }

  finish(t: number): void {
    this.#responder?.finish(t);
  }
}

/** Makes the judges of what is certain only where nothing was lost, and hands over what they have found in the end. */
export class CompleteConnections {
  readonly #ports: CompletePorts;
  readonly #rules: ResponderRules;
  readonly #ledger: Ledger;
  readonly #held = new HeldVerdicts();
  readonly #surroundings: QpSurroundings;
  #newest = 0;

  constructor(
    complete: NonNullable<TraceHeader['complete']>,
    rules: ResponderRules,
    ledger: Ledger,
    capabilities: ReadonlySet<string> | undefined,
  ) {
    this.#ports = new CompletePorts(complete);
    this.#rules = rules;
    this.#ledger = ledger;
    this.#surroundings = { memory: new Memory(), atDevice: true, verbs: false, capabilities };
  }

  /** The connection that the request belongs to. */
  connection({ destQp, dstIp, srcIp, pkey }: Packet, { connection }: ResponderJudge): CompleteConnection {
    const { patience } = this.#ports;
    const [there] = [this.#ports.at(dstIp), this.#ports.at(srcIp)];
    const qp = seenQp(destQp, this.#surroundings, { name: connection.name, pkey, attr: {} });
    qp.peerAddress = srcIp;
    const around = { rules: this.#rules, held: this.#held, patience, qp };
    return new CompleteConnection(there ? new CompleteResponder(around) : undefined);
  }

  /** Time of the newest packet. */
  now(t: number): void {
    this.#newest = t;
  }

  finish(all: Iterable<{ complete: CompleteConnection | undefined }>): void {
    for (const { complete } of all) complete?.finish(this.#newest);
    this.#held.finish(this.#ledger);
    for (const address of this.#ports.unseen)
      this.#ledger.doubt(`--at ${address}: the capture holds no request to this end or from it`);
  }
}
