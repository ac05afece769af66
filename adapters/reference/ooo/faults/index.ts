import { answerFaults } from './answers.ts';
import { arrivingFaults } from './arriving.ts';
import { executingFaults } from './executing.ts';
import { placingFaults } from './placing.ts';
import { requestFaults } from './requests.ts';
import { resetFaults } from './reset.ts';

/** What mutants do wrong out of order. */
export const oooFaults = [
  ...answerFaults,
  ...arrivingFaults,
  ...executingFaults,
  ...placingFaults,
  ...requestFaults,
  ...resetFaults,
];
