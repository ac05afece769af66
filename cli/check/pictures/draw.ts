import { decodeSyndrome, nakCodes, rnrNanoseconds } from '../../../spec/constants.ts';
import type { CheckViolation } from '../../../report/check-results.ts';
import {
  causes,
  causeWords,
  isCause,
  type Cause,
  type Connections,
  type Pictures,
} from '../../../report/connections/shape.ts';
import { endName } from '../../../report/connections/words.ts';
import type { CaptureRecord } from '../../../wire/index.ts';
import type { Packet } from '../../../wire/packet.ts';
import type { Flow } from '../connections/flow.ts';
import { placedPackets } from '../connections/placed.ts';
import type { Placed } from '../connections/table.ts';
import { Canvas } from './canvas.ts';
import { Histogram } from './histogram.ts';

/** Connections that are drawn: the worst. */
const mostDrawn = 12;

const nameOf = (from: string, to: string, destQp: number | undefined): string => `${from} ${to} ${destQp}`;

/** Reads a capture once more, and draws the worst of its connections. */
class Draughtsman {
  readonly #canvases = new Map<string, Canvas>();
  readonly #violations: ReadonlyMap<number, CheckViolation>;
  readonly #acks = new Histogram();
  readonly #again: Record<Cause, Histogram> = {
    'sequence-nak': new Histogram(),
    'rnr-nak': new Histogram(),
    unseen: new Histogram(),
    answered: new Histogram(),
    silence: new Histogram(),
  };

  constructor({ listed }: Connections, violations: readonly CheckViolation[]) {
    this.#violations = new Map(violations.map((violation) => [violation.frame ?? 0, violation]));
    for (const { service, ends, first, last } of listed
      .filter((row) => row.service !== 'UD')
      .slice(0, mostDrawn)) {
      for (const [from, to] of [ends, ends.toReversed()]) {
        if (from === undefined || to === undefined) continue;
        const title = `${service} ${endName(from)} \u2192 ${endName(to)}`;
        this.#canvases.set(nameOf(from.address, to.address, to.qp), new Canvas(title, first, last));
      }
    }
  }

  see({ flow, sight, asked }: Placed, packet: Packet, frame: number, t: number): void {
    const requests = asked ?? flow;
    const canvas = this.#canvasOf(requests);
    const { psn } = packet;
    const violation = this.#violations.get(frame);
    const fault =
      violation &&
      `frame ${frame}: ${violation.rule}: expected ${violation.expected}; observed ${violation.observed}`;
    if (packet.info?.kind === 'cnp') {
      // it goes to the sender of the flow that it slows, and has no PSN
      const slowed = this.#canvasOf(flow.peer ?? flow);
      if (fault !== undefined) slowed?.addHere('violation', t, fault);
      return slowed?.addHere('cnp', t, `frame ${frame}: CNP`);
    }
    if (fault !== undefined) canvas?.add('violation', t, psn, fault);
    if (packet.ecn === 3) canvas?.add('ce', t, psn, `frame ${frame}: PSN ${psn} marked CE`);
    if (packet.info?.kind === 'response') this.#response(requests, packet, frame, t, asked !== undefined);
    else this.#request(flow, sight, packet, frame, t);
  }

  pictures(): Pictures {
    const drawings = [...this.#canvases.values()].flatMap((canvas) => canvas.drawing() ?? []);
    const latencies = [
      this.#acks.latency('from a request to the response that carries its PSN'),
      ...causes.map((cause) => this.#again[cause].latency(waitWords[cause])),
    ].filter((latency) => latency !== undefined);
    return { drawings, latencies };
  }

  #canvasOf({ from, to, destQp }: Flow): Canvas | undefined {
    return this.#canvases.get(nameOf(from, to, destQp));
  }

  #request(flow: Flow, sight: Placed['sight'], packet: Packet, frame: number, t: number): void {
    const { psn, payloadLength: payload } = packet;
    const canvas = this.#canvasOf(flow);
    if (sight !== 'copy' && (!isCause(sight) || sight === 'unseen')) canvas?.carry(t, payload);
    if (!isCause(sight)) return canvas?.add('request', t, psn);
    const { waited } = flow.requests;
    if (waited !== undefined) this.#again[sight === 'unseen' ? 'sequence-nak' : sight].add(waited);
    canvas?.add('sent-again', t, psn, `frame ${frame}: PSN ${psn} sent again ${causeWords[sight]}`);
  }

  #response(requests: Flow, packet: Packet, frame: number, t: number, known: boolean): void {
    const canvas = known ? this.#canvasOf(requests) : undefined;
    const { psn, aethWord } = packet;
    const { kind, value } = decodeSyndrome(aethWord < 0 ? 0 : aethWord >>> 24);
    if (kind === 'ack') {
      canvas?.carry(t, packet.payloadLength);
      const age = known ? requests.requests.ageOf(psn, t) : undefined;
      if (age !== undefined) this.#acks.add(age);
      canvas?.add('answer', t, psn);
    } else if (kind === 'rnr-nak') {
      const wait = rnrNanoseconds(value);
      canvas?.add('rnr-nak', t, psn, `frame ${frame}: RNR NAK for PSN ${psn}, wait ${wait / 1e6} ms`);
      canvas?.wait(t, t + wait, psn);
    } else {
      const name = nakCodes.find(({ code }) => code === value)?.title ?? `code ${value}`;
      canvas?.add('nak', t, psn, `frame ${frame}: NAK ${name}, PSN ${psn}`);
    }
  }
}

const waitWords: Readonly<Record<Cause, string>> = {
  'sequence-nak': 'from a NAK PSN sequence error to what is sent again',
  'rnr-nak': 'from an RNR NAK to what is sent again',
  unseen: 'from a packet that is not in the capture',
  answered: 'from a request to its repetition, although it was answered',
  silence: 'from a request to its repetition after silence',
};

/** Pictures of the worst connections, and how long answers and retransmissions took in the whole capture. */
export function draw(
  records: Iterable<CaptureRecord>,
  connections: Connections,
  violations: readonly CheckViolation[],
): Pictures {
  const draughtsman = new Draughtsman(connections, violations);
  for (const { placed, packet, frame, t } of placedPackets(records))
    draughtsman.see(placed, packet, frame, t);
  return draughtsman.pictures();
}
