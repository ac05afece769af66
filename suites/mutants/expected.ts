import { mutants, type MutantId } from '../../adapters/reference/index.ts';
import { acknowledgements } from './acknowledgements.ts';
import { completions } from './completions.ts';
import { congestionNotification } from './congestion-notification.ts';
import { congestionReaction } from './congestion-reaction.ts';
import { congestionSwitch } from './congestion-switch.ts';
import { counters } from './counters.ts';
import { datagrams } from './datagrams.ts';
import type { MutantEntries, MutantEntry } from './entry.ts';
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

/** By name of the family; an id stands in one of them only. */
export const families: Readonly<Record<string, MutantEntries>> = {
  headers,
  sequence,
  survival,
  acknowledgements,
  protection,
  completions,
  responder,
  timers,
  retransmission,
  counters,
  responses,
  failures,
  sending,
  migration,
  parameters,
  placement,
  reports,
  ports,
  queues,
  posting,
  'local-faults': localFaults,
  'unreliable-sending': unreliableSending,
  datagrams,
  'unreliable-receiving': unreliableReceiving,
  'out-of-order-requester': outOfOrderRequester,
  'out-of-order-responder': outOfOrderResponder,
  'congestion-notification': congestionNotification,
  'congestion-reaction': congestionReaction,
  'congestion-switch': congestionSwitch,
};

/**
 * The rules that each mutant of the reference NIC breaks. It stands here and not with the mutants, since the reference NIC knows
 * no rules. A mutant without an entry does not compile.
 */
const entries: Readonly<Record<MutantId, MutantEntry>> = {
  ...outOfOrderRequester,
  ...outOfOrderResponder,
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
  ...placement,
  ...reports,
  ...ports,
  ...queues,
  ...posting,
  ...localFaults,
  ...unreliableSending,
  ...datagrams,
  ...unreliableReceiving,
  ...congestionNotification,
  ...congestionReaction,
  ...congestionSwitch,
};

/** One mutant with what is expected of it. */
export interface ExpectedMutant {
  readonly id: MutantId;
  readonly says: string;
  readonly family: string;
  /** ids of the statements that it breaks */
  readonly statements: readonly string[];
  /** rules that it breaks; empty where it is not judged */
  readonly rules: readonly string[];
  /** why no rule forbids what it does */
  readonly notJudged?: string;
}

function familyOf(id: MutantId): string {
  const [name = ''] = Object.entries(families).find(([, family]) => family[id] !== undefined) ?? [];
  return name;
}

/** All mutants, in the order of the reference NIC. */
export const expectedMutants: readonly ExpectedMutant[] = mutants.map(({ id, says, statements }) => {
  const entry = entries[id];
  const mutant = { id, says, statements, family: familyOf(id) };
  return 'notJudged' in entry
    ? { ...mutant, rules: [], notJudged: entry.notJudged }
    : { ...mutant, rules: entry };
});
