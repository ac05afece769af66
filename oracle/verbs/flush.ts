import type { Rule } from '../rules.ts';
import type { VerbsContext } from './context.ts';
import { workInputs } from './inputs.ts';
import type { KnownQp } from './objects.ts';

/** Queue of a work request; `shared`: an SRQ. */
export type Queue = 'send' | 'receive' | 'shared';

/** What the rules say of flushing a queue in the QP's state; they count as exercised. */
export function flushRules(context: VerbsContext, qp: KnownQp, queue: Queue): readonly Rule[] {
  return context.book.decide('flush', context.work(qp, workInputs(queue)));
}
