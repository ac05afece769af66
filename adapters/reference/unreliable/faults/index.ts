import { datagramFaults } from './datagrams.ts';
import { receivingFaults } from './receiving.ts';
import { sendingFaults } from './sending.ts';

/** What mutants do wrong on UC and UD. */
export const unreliableFaults = [...datagramFaults, ...receivingFaults, ...sendingFaults];
