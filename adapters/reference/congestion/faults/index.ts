import { arrivingFaults } from './arriving.ts';
import { ecnFaults } from './ecn.ts';
import { notifyingFaults } from './notifying.ts';
import { reactingFaults } from './reacting.ts';

/** What mutants do wrong where there is congestion. */
export const congestionFaults = [...arrivingFaults, ...ecnFaults, ...notifyingFaults, ...reactingFaults];
