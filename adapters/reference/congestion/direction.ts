import { opcodes } from '../../../spec/constants.ts';

/** What the rate of a QP holds: its requests, and the data that its peer reads. */
export type Direction = 'requests' | 'read-responses';

/** By opcode byte. */
const directions: readonly (Direction | undefined)[] = opcodes.map((info) => {
  if (info?.kind === 'request') return 'requests';
  return info?.operation.startsWith('RDMA_READ_RESPONSE') === true ? 'read-responses' : undefined;
});

/** `undefined` of what brings no data, and leaves whatever the rate is. */
export function directionOf({ opcode }: { opcode: number }): Direction | undefined {
  return directions[opcode];
}
