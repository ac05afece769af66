import type { QpState } from '../../spec/verbs.ts';

/** Ways from RTS through the states in which a responder receives or does not. */
export const statePaths: readonly QpState[][] = [
  ['IBV_QPS_ERR'],
  ['IBV_QPS_SQD'],
  ['IBV_QPS_SQD', 'IBV_QPS_RTS'],
  ['IBV_QPS_RESET'],
  ['IBV_QPS_RESET', 'IBV_QPS_INIT'],
  ['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR'],
  ['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR', 'IBV_QPS_RTS'],
  ['IBV_QPS_ERR', 'IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR'],
];
