import { opcodes } from '../../../spec/constants.ts';
import type { MutantId } from '../mutant.ts';

/** ECN bits of a packet whose sender heeds congestion */
const ect0 = 2;

/** ECN bits that the packets of a device with congestion management leave with. */
export function ecnOf(opcode: number, fault: MutantId | undefined): number {
  if (fault === undefined) return ect0;
  const info = opcodes[opcode];
  const data = info?.kind === 'request';
  if (fault === 'ecn-left-out' && data) return 0;
  if (fault === 'ecn-ect1' && data) return 1;
  if (fault === 'ecn-ce-sent' && data) return 3;
  if (fault === 'ecn-ce-sent-with-acks' && info?.operation === 'ACKNOWLEDGE') return 3;
  const read = info?.operation.startsWith('RDMA_READ_RESPONSE') === true;
  return fault === 'ecn-left-out-of-read-responses' && read ? 0 : ect0;
}
