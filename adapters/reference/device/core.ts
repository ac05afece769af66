import type { AsyncEvent, Wc } from '../../../spec/verbs.ts';
import type { Clock } from '../../adapter.ts';
import type { ReferenceConfig } from '../config.ts';
import type { CompletionQueue } from './cq.ts';
import type { Fields } from './headers.ts';
import type { Memory } from './memory/memory.ts';
import type { VariantId } from '../variant.ts';
import type { Destination } from './path.ts';
import type { QueuePair } from './qp.ts';

/** What the two roles of a QP need of the device around them. */
export interface Core {
  readonly clock: Clock;
  readonly config: ReferenceConfig;
  readonly memory: Memory;
  /** the name under which it does otherwise than the reference NIC does by default */
  readonly variant: VariantId | undefined;
  /** when the packet being processed reached the port */
  readonly arrival: number;
  /** Processes what has reached the port and waits, at once. */
  catchUp(): void;
  /** Sends one packet, to the QP's peer unless another address is given; addresses and the constant header fields are filled in. */
  transmit(qp: QueuePair, fields: Fields, to?: Destination): void;
  /** `solicited`: of a message whose sender asked for an event. */
  complete(cq: CompletionQueue, wc: Wc, solicited?: boolean): void;
  raise(event: AsyncEvent): void;
  /** Moves the QP to ERR and flushes its queues. */
  fail(qp: QueuePair): void;
}
