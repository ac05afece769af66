import { atomicBytes } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/packet.ts';
import { afterAtomic } from '../../device/packet/opcode-shape.ts';
import { bytesOf } from './arrivals.ts';
import type { Answer, Arrival, Executed } from './arrivals.ts';
import type { Rule } from '../../rules.ts';
import type { PendingReply } from './pending.ts';
import type { When } from '../../spot.ts';
import type { OooResponderContext } from './context.ts';

/** READs and ATOMICs of which at least so many are remembered */
const executedKept = 32;

/** The READs and ATOMICs of an out-of-order QP from their turn on. */
export class Executions {
  readonly #context: OooResponderContext;
  /** duplicates whose answer the rules leave open */
  readonly #open = new Set<number>();
  /** PSNs of requests that wait for their turn */
  readonly #held = new Set<number>();

  constructor(context: OooResponderContext) {
    this.#context = context;
  }

  hold({ psn }: Arrival): void {
    this.#held.add(psn);
  }

  execute(
    arrival: Arrival,
    rule: Rule,
    { answered, modifies }: { answered: boolean; modifies: boolean },
    { event }: When,
  ): void {
    const { arrivals, registers, device } = this.#context;
    const { placements } = device;
    const { spans, placed, count } = arrival;
    this.#held.delete(arrival.psn);
    registers.do('executed', {});
    const unsure = placed.work === 'atomic' && this.#unsure(arrival);
    const first = unsure ? undefined : bytesOf(spans);
    const executed: Executed = { arrival, msn: registers.msn, first, answered: !answered, answers: [] };
    if (answered) executed.answers.push({ sent: 0, data: first, rule, event });
    arrivals.executed.push(executed);
    const [oldest] = arrivals.executed;
    if (
      arrivals.executed.length > 2 * executedKept &&
      oldest?.answered === true &&
      oldest.answers.length === 0
    )
      arrivals.executed.shift();
    if (!modifies) return;
    if (unsure || first === undefined) return placements.leaveOpen(spans, count);
    placements.place(spans, modified(placed.packet, first), count, 'whole');
  }

  #unsure({ spans, count }: Arrival): boolean {
    const { placements } = this.#context.device;
    return spans.some(({ region, offset, length }) =>
      Array.from({ length }, (_, i) => placements.unsure(region, offset + i, count)).includes(true),
    );
  }

  /** A READ or ATOMIC that was executed is asked for again. */
  ask(executed: Executed, rule: Rule, recorded: boolean, { event }: When): void {
    const data = recorded ? executed.first : bytesOf(executed.arrival.spans);
    executed.answers.push({ sent: 0, data, rule, event });
  }

  leaveOpen(psn: number): void {
    this.#open.add(psn);
  }

  isOpen(psn: number): boolean {
    return this.#open.has(psn);
  }

  forget(): void {
    this.#open.clear();
    this.#held.clear();
  }

  /** Whether an older READ or ATOMIC has not been answered yet. */
  overtakes(executed: Executed): boolean {
    const all = this.#context.arrivals.executed;
    return all.slice(0, all.indexOf(executed)).some(({ answered }) => !answered);
  }

  /** The answer that goes on at this byte; those that were given up for it are left out from now on. */
  answerAt(executed: Executed, offset: number): Answer | undefined {
    const at = executed.answers.findIndex(({ sent }) => sent === offset);
    if (at > 0 && offset === 0) executed.answers.splice(0, at);
    return executed.answers.find(({ sent }) => sent === offset);
  }

  /** `bytes` more of an answer have been sent. */
  sent(executed: Executed, answer: Answer, bytes: number, whole: boolean): void {
    answer.sent += bytes;
    if (!whole) return;
    executed.answered = true;
    executed.answers.splice(0, executed.answers.indexOf(answer) + 1);
  }

  /** Everything due has had its time; gives an answer that is missing. */
  settle(): PendingReply | undefined {
    for (const executed of this.#context.arrivals.executed) {
      const [missing] = executed.answers;
      executed.answers = [];
      if (missing === undefined) continue;
      const { psn, placed } = executed.arrival;
      const kind = placed.work === 'atomic' ? 'atomic-ack' : 'read-response';
      return {
        kind,
        psn,
        selective: false,
        optional: false,
        nakCodes: [],
        rule: missing.rule,
        event: missing.event,
      };
    }
    this.#open.clear();
    return undefined;
  }

  /** Whether the request waits for its turn. */
  holds(psn: number): boolean {
    return this.#held.has(psn);
  }
}

/** What an ATOMIC leaves where it met `before`. */
function modified(packet: Packet, before: Uint8Array): Uint8Array {
  const bytes = Buffer.from(before);
  if (bytes.length === atomicBytes) bytes.writeBigUInt64LE(afterAtomic(packet, bytes.readBigUInt64LE()));
  return bytes;
}
