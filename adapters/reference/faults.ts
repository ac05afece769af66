import { reactingFaults } from './congestion/faults/reacting.ts';
import { memoryFaults } from './device/faults/memory.ts';
import { oooFaults } from './ooo/faults/index.ts';
import { rcRequesterFaults } from './rc-requester/faults/index.ts';
import { rcResponderFaults } from './rc-responder/faults/index.ts';
import { unreliableFaults } from './unreliable/faults/index.ts';

/** The mutants that do something wrong in the device; a faulty switch is none of its business. */
export const faultyMutants: ReadonlySet<string> = new Set(
  [
    ...memoryFaults,
    ...reactingFaults,
    ...oooFaults,
    ...rcRequesterFaults,
    ...rcResponderFaults,
    ...unreliableFaults,
  ].flat(),
);
