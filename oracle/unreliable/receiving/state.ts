import type { MemoryNode } from '../../device/memory.ts';
import { joined } from '../../device/objects/memory-join.ts';
import type { Rule } from '../../rules.ts';
import type { UnreliableMachine } from '../tables.ts';
import type { UnreliableQp } from '../qp.ts';
import { UnreliableVariables } from '../variables.ts';

/** Bytes of a message: its payload, or a part of its header, and where in its receive WQE they begin. */
export interface Placed {
  readonly at: number;
  readonly bytes: Uint8Array;
  readonly byteClass: 'written' | 'header';
}

/** A receive completion that is due. */
export interface Due {
  end: 'message' | 'fault' | 'aborted';
  wqe: number;
  /** what was received into it, where only its completion tells which WQE of an SRQ it was */
  placed: readonly Placed[];
  /** statuses allowed */
  statuses: readonly string[];
  length: number;
  immediate: number | undefined;
  /** opcode of the completion */
  kind: 'receive' | 'receive-write';
  source: number | undefined;
  /** the rule that is broken if it does not come as it must; `undefined`: those of completions alone */
  violatedRule: Rule | undefined;
  /** the rule that had the WQE of a message that was given up used again */
  reused: Rule | undefined;
  /** index of the packet in the trace */
  event: number;
}

/** Where the packets of a WRITE go. */
export interface OpenWrite {
  reth: { va: bigint; rkey: number; dmaLen: number } | undefined;
  /** payload bytes so far */
  received: number;
}

/**
 * What a QP receives, along one of the ways that the rules allow: the variables of the machine, and what would make bad
 * variables. Objects are replaced, not changed.
 */
export class ReceiveState extends UnreliableVariables {
  readonly machine: UnreliableMachine;
  /** of the message in progress */
  reth: OpenWrite['reth'];
  /** message that was given up, of which packets may still come, and the rule that ended it */
  rest: { write: OpenWrite | undefined; rule: Rule } | undefined;
  /** rule by which the message was begun, where that was not the usual one */
  via: Rule | undefined;
  /** rule by which the WQE of the message is used once more, and the next one */
  reused: Rule | undefined;
  reuses: Rule | undefined;
  /** rule by which it went to ERR */
  failedBy: Rule | undefined;
  due: readonly Due[] = [];
  /** what was received into the WQE that it holds, where it is not known yet which one of an SRQ that is */
  placed: readonly Placed[] = [];
  memory: MemoryNode | undefined;

  constructor(machine: UnreliableMachine) {
    super();
    this.machine = machine;
  }

  /** That of a QP which has just been created. */
  static first(machine: UnreliableMachine, qp: UnreliableQp): ReceiveState {
    const state = new ReceiveState(machine);
    machine.start({ qp, onSrq: qp.srq !== undefined }, state);
    return state;
  }

  clone(): ReceiveState {
    const copy = new ReceiveState(this.machine);
    this.machine.layout.copy(this, copy);
    copy.reth = this.reth;
    copy.rest = this.rest;
    copy.via = this.via;
    copy.reused = this.reused;
    copy.reuses = this.reuses;
    copy.failedBy = this.failedBy;
    copy.due = this.due;
    copy.placed = this.placed;
    copy.memory = this.memory;
    return copy;
  }

  /** What is built in, as the QP goes to RESET; what was done to memory stays. */
  forget(): void {
    this.reth = undefined;
    this.rest = undefined;
    this.via = undefined;
    this.reused = undefined;
    this.reuses = undefined;
    this.failedBy = undefined;
    this.due = [];
    this.placed = [];
  }

  /** The same for states that no packet and no completion will tell apart. */
  key(): string {
    const due = this.due.map(({ end, wqe, event, statuses }) => `${end}${wqe}@${event}${statuses.join('')}`);
    return `${this.machine.layout.key(this)};${due.join()}`;
  }

  /** The message in progress, or the one that was given up last. */
  get write(): OpenWrite | undefined {
    return this.message === 'none' ? this.rest?.write : this;
  }
}

/** Puts a state beside those found, by what packets and completions tell apart; of states that are the same to them, memory is what all leave. */
export function gather(found: Map<string, ReceiveState>, state: ReceiveState): void {
  const key = state.key();
  const known = found.get(key);
  if (known === undefined) found.set(key, state);
  else known.memory = joined(known.memory, state.memory);
}
