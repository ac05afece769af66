import type { Packet } from '../../../wire/packet.ts';
import { psnDiff } from '../../../wire/psn.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { samePartition } from '../../device/packet/header.ts';
import type { Qp } from '../../device/qp.ts';
import type { Migration } from '../../path-migration/migration.ts';
import { addressInUse } from '../../path-migration/tables.ts';
import type { PendingReply } from '../pending.ts';
import type { ResponderState } from '../state.ts';
import type { RcResponderInputs } from '../variables.ts';

type Inputs = Pick<
  RcResponderInputs,
  'packet' | 'reply' | 'answered' | 'samePartition' | 'farAddress' | 'qp' | 'onSrq' | 'stopsShort'
>;
type Read = NonNullable<PendingReply['read']>;

/** What a response answers, if it answers something that is pending. */
export class Answered implements Omit<RcResponderInputs['answered'], 'msn' | 'msnBefore' | 'responses'> {
  readonly item: PendingReply | undefined;
  readonly #state: ResponderState;
  readonly #seen: ObservedReply;
  #newest: number | undefined;

  constructor(state: ResponderState, seen: ObservedReply, item: PendingReply | undefined) {
    this.#state = state;
    this.#seen = seen;
    this.item = item;
  }

  get repeat(): boolean {
    return this.item?.repeat === true;
  }

  get duplicate(): boolean {
    return this.item?.duplicate === true;
  }

  get msn(): number {
    return this.item?.msn ?? -1;
  }

  get msnBefore(): number {
    return this.item?.msnBefore ?? -1;
  }

  get newestMsn(): number {
    const { kind, psn } = this.#seen;
    if (kind !== 'ack') return 0;
    this.#newest ??= this.#state.replies.findLast((r) => r.kind === 'ack' && coversPsn(r, psn))?.msn ?? 0;
    return this.#newest;
  }

  get readsBehind(): number {
    const { replies } = this.#state;
    if (replies.reads === 0) return 0;
    let count = 0;
    for (let i = replies.length - 1; i >= 0 && replies.at(i) !== this.item; i--)
      if (replies.at(i)?.kind === 'read') count++;
    return count;
  }

  get #read(): Read | undefined {
    return this.item?.read;
  }

  get responses(): number {
    return this.#read?.count ?? -1;
  }

  get length(): number {
    return this.#read?.length ?? 0;
  }

  get failsMidway(): boolean {
    return this.#read?.readable !== undefined;
  }

  get newestRead(): boolean {
    return this.#read?.count === -1 && this.#state.replies.list().every(({ kind }) => kind === 'ack');
  }

  get newestPsn(): number {
    return this.item?.psnTo ?? -1;
  }

  get rqHead(): number {
    return this.item?.rqHead ?? this.#state.rqHead;
  }

  get anyPsn(): boolean {
    return this.item !== undefined && this.item.psnFrom < 0;
  }
}

/** A response that was seen, and what it answers: all that the expressions of the machine read of it. */
export class SeenReply implements Inputs {
  readonly qp: Qp;
  readonly reply: ObservedReply;
  readonly answered: Answered;
  readonly #state: ResponderState;
  readonly #migration: Migration;

  /** `migration`: the path that it may have been addressed by */
  constructor(
    qp: Qp,
    state: ResponderState,
    reply: ObservedReply,
    item: PendingReply | undefined,
    migration = state.migration,
  ) {
    this.qp = qp;
    this.#migration = migration;
    this.reply = reply;
    this.#state = state;
    this.answered = new Answered(state, reply, item);
  }

  get packet(): Packet {
    return this.reply.packet;
  }

  get samePartition(): boolean {
    return samePartition(this.qp, this.packet);
  }

  get farAddress(): string | undefined {
    return addressInUse(this.qp, this.#migration);
  }

  get onSrq(): boolean {
    return this.qp.srq !== undefined;
  }

  get stopsShort(): boolean {
    return this.#state.records.some(({ psn }) => psnDiff(psn, this.reply.psn) === 1);
  }
}

/** Whether an Acknowledge with the PSN answers the item. */
export function coversPsn(item: PendingReply, psn: number): boolean {
  return psnDiff(psn, item.psnFrom) >= 0 && psnDiff(psn, item.psnTo) <= 0;
}
