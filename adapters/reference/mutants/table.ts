import { acknowledgements } from './acknowledgements.ts';
import { completions } from './completions.ts';
import { congestionNotification } from './congestion-notification.ts';
import { congestionReaction } from './congestion-reaction.ts';
import { congestionSwitch } from './congestion-switch.ts';
import { counters } from './counters.ts';
import { datagrams } from './datagrams.ts';
import { failures } from './failures.ts';
import { headers } from './headers.ts';
import { localFaults } from './local-faults.ts';
import { migration } from './migration.ts';
import { outOfOrderRequester } from './out-of-order-requester.ts';
import { outOfOrderResponder } from './out-of-order-responder.ts';
import { parameters } from './parameters.ts';
import { placement } from './placement.ts';
import { ports } from './ports.ts';
import { posting } from './posting.ts';
import { protection } from './protection.ts';
import { queues } from './queues.ts';
import { reports } from './reports.ts';
import { responder } from './responder.ts';
import { responses } from './responses.ts';
import { retransmission } from './retransmission.ts';
import { sending } from './sending.ts';
import { sequence } from './sequence.ts';
import { survival } from './survival.ts';
import { timers } from './timers.ts';
import { unreliableReceiving } from './unreliable-receiving.ts';
import { unreliableSending } from './unreliable-sending.ts';

/** One named fault of the reference NIC: a device that breaks one rule and is sound otherwise. */
export interface Mutant {
  readonly id: string;
  /** what the device does, as a sentence */
  readonly says: string;
  /** the behaviour of a sound device that is broken, in words */
  readonly breaks: string;
  /** ids of the statements in spec/statements that it breaks */
  readonly statements: readonly string[];
}

const table = [
  ...headers,
  ...sequence,
  ...survival,
  ...acknowledgements,
  ...protection,
  ...completions,
  ...responder,
  ...timers,
  ...retransmission,
  ...counters,
  ...responses,
  ...failures,
  ...sending,
  ...migration,
  ...parameters,
  ...unreliableReceiving,
  ...datagrams,
  ...unreliableSending,
  ...localFaults,
  ...posting,
  ...queues,
  ...ports,
  ...reports,
  ...placement,
  ...congestionNotification,
  ...congestionReaction,
  ...congestionSwitch,
  ...outOfOrderRequester,
  ...outOfOrderResponder,
] as const;

export type MutantId = (typeof table)[number]['id'];

/** All mutants, in a fixed order. */
export const mutants: readonly (Mutant & { readonly id: MutantId })[] = table;

const ids: ReadonlySet<string> = new Set(table.map((m) => m.id));

export function isMutantId(id: string): id is MutantId {
  return ids.has(id);
}
