import type { Mutant } from './table.ts';

/** Faults that write where nobody asked. */
export const placement = [
  {
    id: 'write-overruns-region',
    says: 'Writes one byte beyond a region with the last byte of a WRITE.',
    breaks: 'nothing is written beyond a region',
    statements: ['ee-remote-prot-out-of-range'],
  },
  {
    id: 'receive-overruns-region',
    says: 'Writes one byte beyond a region with the last byte of a receive buffer.',
    breaks: 'nothing is written beyond a region',
    statements: ['ee-local-prot-out-of-range'],
  },
  {
    id: 'receive-underruns-region',
    says: 'Writes one byte in front of a region with the first byte of a receive buffer.',
    breaks: 'nothing is written in front of a region',
    statements: ['ee-local-prot-out-of-range'],
  },
  {
    id: 'write-freed-region',
    says: 'Goes on with a WRITE into a region that was deregistered.',
    breaks: 'nothing is written to a region that is registered no more',
    statements: ['ee-remote-prot-unregistered'],
  },
] as const satisfies readonly Mutant[];
