import type { Difference } from '../device/packet/header.ts';
import type { ObservedReply } from '../device/packet/observed-reply.ts';
import { wrongRepetition } from './requests/repetition.ts';
import type { PsnRecord } from './requests/psn-record.ts';
import type { SeenRequest } from './requests/seen-request.ts';

/**
 * ATOMICs that were answered before a pause behind which another connection may have begun. Where nothing was lost, an MSN that is greater than
 * all that was asked for since shows that none has.
 */
export class FormerAtomics {
  #answered: ReadonlyMap<number, SeenRequest> | undefined;
  /** requests since the pause */
  #since = 0;

  /** Another connection may begin: what the record holds is of the former one. */
  keep(record: PsnRecord): void {
    const answered = record.answeredAtomics();
    this.#answered =
      answered.length === 0 ? undefined : new Map(answered.map((request) => [request.psn, request]));
    this.#since = 0;
  }

  asked(): void {
    this.#since++;
  }

  /** How the answer to the ATOMIC differs from that of the first time, if it is of the same connection for sure. */
  wrong(request: SeenRequest | undefined, { psn, msn, packet }: ObservedReply): Difference | undefined {
    const value = packet.atomicOriginal;
    if (request?.family !== 'atomic' || request.disputed || value === undefined) return undefined;
    const before = this.#answered?.get(psn);
    if (before?.original === undefined || before.original === value) return undefined;
    if (msn <= this.#since || wrongRepetition(before, request) !== undefined) return undefined;
    return {
      expected: `value 0x${before.original.toString(16)}, as the ATOMIC with PSN ${psn} was answered before`,
      observed: `value 0x${value.toString(16)}`,
    };
  }

  clear(): void {
    this.#answered = undefined;
  }
}
