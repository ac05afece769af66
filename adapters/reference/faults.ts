import { attributeFaults } from './attributes/faults.ts';
import { congestionFaults } from './congestion/faults/index.ts';
import { cqEventFaults } from './cq-event/faults.ts';
import { deviceFaults } from './device/faults/index.ts';
import { oooFaults } from './ooo/faults/index.ts';
import { migrationFaults } from './path-migration/faults.ts';
import { rcRequesterFaults } from './rc-requester/faults/index.ts';
import { rcResponderFaults } from './rc-responder/faults/index.ts';
import { unreliableFaults } from './unreliable/faults/index.ts';
import { failedSrqFaults } from './verbs/faults/failed-srq.ts';
import { verbsFaults } from './verbs/faults.ts';

/** The mutants that do something wrong in the device; a faulty switch is none of its business. */
export const faultyMutants: ReadonlySet<string> = new Set(
  [
    attributeFaults,
    congestionFaults,
    cqEventFaults,
    deviceFaults,
    migrationFaults,
    oooFaults,
    rcRequesterFaults,
    rcResponderFaults,
    unreliableFaults,
    verbsFaults,
    failedSrqFaults,
  ].flat(2),
);
