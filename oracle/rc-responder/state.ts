import type { ChoiceNode } from '../rulebook/choices.ts';
import type { MemoryNode, Region } from '../device/memory.ts';
import type { WindowKey } from '../device/objects/windows.ts';
import type { Qp } from '../device/qp.ts';
import type { Migration } from '../path-migration/migration.ts';
import type { ResponderMachine } from './machine.ts';
import type { ExecutedRecord, FaultReport, PendingCompletion, PendingReply } from './pending.ts';
import { PendingReplies } from './pending-replies.ts';
import { wqeText, type Wqe } from './unbound.ts';
import { RcResponderVariables } from './variables.ts';

/**
 * Everything that the oracle holds to be true of one RC responder: the variables of the machine, and what would make bad
 * variables. Arrays are replaced, not changed.
 */
export class ResponderState extends RcResponderVariables {
  readonly machine: ResponderMachine;
  /** receive WQE of the open message */
  wqe: Wqe | undefined;
  reth: { va: bigint; rkey: number; dmaLen: number } | undefined;
  records: readonly ExecutedRecord[] = [];
  replies = PendingReplies.none;
  completions: readonly PendingCompletion[] = [];
  report: FaultReport | undefined;
  /** completions that were due when the QP went to RESET: software may not have taken them yet */
  left: readonly PendingCompletion[] = [];
  /** the same of an event */
  leftEvent = false;
  /** the responder before ERR or RESET took what was to be answered: responses may have left before the call was back */
  former: ResponderState | undefined;
  /** index in the trace of the first request carried out in RTR */
  establishedBy = 0;
  /** index in the trace of the newest request that was answered, -1 for none: the device has looked at it; no part of what the responder is */
  looked = -1;
  /** choices made since the last certain point; no part of what the responder is */
  choices: ChoiceNode | undefined;
  memory: MemoryNode | undefined;
  /** places in the trace of the calls that have changed for it what a region grants, since the last certain point */
  changed: readonly number[] = [];
  /** verbs calls of the window already applied, for those that race with packets */
  callsApplied = 0;
  /** keys of memory windows that SENDs have invalidated */
  invalidated: readonly WindowKey<Region>[] = [];
  migration: Migration;

  constructor(machine: ResponderMachine) {
    super();
    this.machine = machine;
    this.migration = machine.firstMigration;
  }

  /** That of a QP which has just been created. */
  static first(machine: ResponderMachine, qp: Pick<Qp, 'posted' | 'srq'>): ResponderState {
    const state = new ResponderState(machine);
    machine.start({ onSrq: qp.srq !== undefined, postedUntil: qp.posted.length }, state);
    return state;
  }

  clone(): ResponderState {
    const copy = new ResponderState(this.machine);
    this.machine.layout.copy(this, copy);
    copy.wqe = this.wqe;
    copy.reth = this.reth;
    copy.records = this.records;
    copy.replies = this.replies;
    copy.completions = this.completions;
    copy.report = this.report;
    copy.left = this.left;
    copy.leftEvent = this.leftEvent;
    copy.former = this.former;
    copy.establishedBy = this.establishedBy;
    copy.looked = this.looked;
    copy.choices = this.choices;
    copy.memory = this.memory;
    copy.changed = this.changed;
    copy.callsApplied = this.callsApplied;
    copy.invalidated = this.invalidated;
    copy.migration = this.migration;
    return copy;
  }

  /** Nothing will be answered any more that was to be. */
  giveUpReplies(): void {
    if (this.replies.length === 0) return;
    this.former = this.clone();
    this.former.former = undefined;
    this.replies = PendingReplies.none;
  }

  /** What is pending may come or not. */
  excuseReplies(): void {
    this.replies = PendingReplies.of(this.replies.list().map((reply) => ({ ...reply, optional: true })));
  }

  /** The QP is in RESET, and its variables have their start values: what it held besides is gone. */
  forget(): void {
    this.wqe = undefined;
    this.reth = undefined;
    this.records = [];
    this.replies = PendingReplies.none;
    this.left = [...this.left, ...this.completions];
    this.completions = [];
    this.report = undefined;
    this.establishedBy = 0;
    this.choices = undefined;
    this.migration = this.machine.firstMigration;
  }

  /** How many things it holds that copies and keys of it go through. */
  get size(): number {
    const own = this.replies.length + this.completions.length + this.left.length + this.records.length;
    return own + (this.former?.size ?? 0);
  }

  /** Two states with equal keys behave alike from now on. */
  key(): string {
    const replies = this.replies.list().map(replyKey).join(',');
    const listed = (list: readonly PendingCompletion[]): string =>
      list
        .map(
          (c) =>
            `${c.kind}${wqeText(c.wr)}/${c.byteLen}/${c.opcode}${c.immediate}/${c.invalidated}/${c.rule.id}`,
        )
        .join(',');
    const completions = `${listed(this.completions)}/${listed(this.left)}${this.leftEvent}`;
    return [
      this.machine.layout.key(this),
      this.wqe && wqeText(this.wqe),
      this.reth?.va,
      this.records.map((r) => `${r.psn}/${r.va}/${r.length}/${r.value}`).join('.'),
      replies,
      completions,
      this.report?.rule.id,
      this.callsApplied,
      this.invalidated.map(({ mw, addr, length }) => `${mw}/${addr}/${length}`).join('.'),
      memoryKey(this.memory),
      this.changed.join('.'),
      this.former?.key(),
      this.migration.key,
    ].join('|');
  }
}

function replyKey(reply: PendingReply): string {
  const { kind, syndrome, psnFrom, psnTo, msn, optional, merges, rule } = reply;
  const due = `${optional ? 'o' : 'm'}${merges ?? ''}`;
  return `${kind}${syndrome}/${psnFrom}-${psnTo}/${msn}/${due}/${answerKey(reply)}/${rule.id}`;
}

function answerKey({ read, atomic }: PendingReply): string {
  if (read !== undefined) return `${read.index}/${read.count}/${read.length}/${read.offset}`;
  return atomic === undefined ? '' : `${atomic.value}`;
}

/** State at the start of a capture: the connection has been running for an unknown time. */
export function unknownState(machine: ResponderMachine, qp: Qp): ResponderState {
  const state = ResponderState.first(machine, qp);
  machine.step('seenMidway')({}, state);
  return state;
}

const nodeNumbers = new WeakMap<MemoryNode, number>();
let nextNodeNumber = 1;

function memoryKey(node: MemoryNode | undefined): number {
  if (node === undefined) return 0;
  let number = nodeNumbers.get(node);
  if (number === undefined) nodeNumbers.set(node, (number = nextNodeNumber++));
  return number;
}
