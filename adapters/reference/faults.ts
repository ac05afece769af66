import { memoryFaults } from './device/faults/memory.ts';
import { rcRequesterFaults } from './rc-requester/faults/index.ts';
import { rcResponderFaults } from './rc-responder/faults/index.ts';
import { unreliableFaults } from './unreliable/faults/index.ts';

/** The mutants that do something wrong in the device; a faulty switch is none of its business. */
export const faultyMutants: ReadonlySet<string> = new Set(
  [...memoryFaults, ...rcRequesterFaults, ...rcResponderFaults, ...unreliableFaults].flat(),
);
