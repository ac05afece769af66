import { psnDiff } from '../../../wire/psn.ts';
import type { Rule } from '../../rules.ts';
import type { When } from '../../spot.ts';

/** A response that a packet calls for. */
export interface PendingReply {
  kind: 'ack' | 'nak' | 'rnr-nak' | 'read-response' | 'atomic-ack';
  /** PSN of the packet */
  psn: number;
  /** the Acknowledge has to name the packet */
  selective: boolean;
  /** it may stay away */
  optional: boolean;
  /** codes of which a NAK has to carry one; none: any */
  nakCodes: readonly string[];
  rule: Rule;
  event: number;
}

/** The responses that packets have called for and that have not been seen. */
export class PendingReplies {
  #all: PendingReply[] = [];

  add(reply: PendingReply): void {
    this.#all.push(reply);
  }

  /** A positive Acknowledge of everything up to a packet, which names `selective` besides. */
  acknowledged(through: number, selective: number | undefined): void {
    this.#all = this.#all.filter(
      ({ kind, psn, selective: named }) =>
        kind !== 'ack' || (psnDiff(psn, through) > 0 && (named ? psn !== selective : false)),
    );
  }

  /** Takes what a NAK or an answer is there for; `undefined` where nothing called for it. */
  take(kinds: readonly PendingReply['kind'][], psn: number): PendingReply | undefined {
    const at = this.#all.findIndex((reply) => kinds.includes(reply.kind) && reply.psn === psn);
    return at < 0 ? undefined : this.#all.splice(at, 1)[0];
  }

  /** Everything due has had its time; gives the first that is missing. */
  settle(): PendingReply | undefined {
    const missing = this.#all.find(({ optional }) => !optional);
    this.#all = [];
    return missing;
  }

  forget(): void {
    this.#all = [];
  }
}

/** What a packet calls for, by the word of a rule. */
export function pendingReply(reply: string, rule: Rule, psn: number, { event }: When): PendingReply {
  const kind =
    reply === 'nak' || reply === 'rnr-nak' || reply === 'read-response' || reply === 'atomic-ack'
      ? reply
      : 'ack';
  return { kind, psn, selective: false, optional: false, nakCodes: [], rule, event };
}

const words: Readonly<Record<PendingReply['kind'], string>> = {
  ack: 'an Acknowledge',
  nak: 'a NAK',
  'rnr-nak': 'an RNR NAK',
  'read-response': 'all READ responses',
  'atomic-ack': 'an ATOMIC Acknowledge',
};

export function pendingWords({ kind, selective }: PendingReply): string {
  return selective ? 'an Acknowledge that names the packet' : words[kind];
}
