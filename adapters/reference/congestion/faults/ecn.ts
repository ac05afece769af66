import { opcodes } from '../../../../spec/constants.ts';
import type { Varied } from '../../seam.ts';
import { faultsAt } from '../../seam.ts';
import { ecnOf } from '../ecn.ts';

type Operation = NonNullable<(typeof opcodes)[number]>;

/** ECN bits of some packets are others. */
const marking =
  (ecn: number, which: (info: Operation) => boolean) =>
  (sound: (device: Varied, opcode: number) => number, device: Varied, opcode: number): number => {
    const info = opcodes[opcode];
    return info !== undefined && which(info) ? ecn : sound(device, opcode);
  };

export const ecnFaults = [
  faultsAt(ecnOf, {
    'ecn-left-out': marking(0, ({ kind }) => kind === 'request'),
    'ecn-ect1': marking(1, ({ kind }) => kind === 'request'),
    'ecn-ce-sent': marking(3, ({ kind }) => kind === 'request'),
    'ecn-ce-sent-with-acks': marking(3, ({ operation }) => operation === 'ACKNOWLEDGE'),
    'ecn-left-out-of-read-responses': marking(0, ({ operation }) =>
      operation.startsWith('RDMA_READ_RESPONSE'),
    ),
  }),
];
