/** States of a QP as the rules name them. */
export type QpStateName = 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR';

const prefix = 'IBV_QPS_';

/** State name of the rules (`RTS`) of a verbs state (`IBV_QPS_RTS`). */
export function stateName(state: string): QpStateName {
  const name = state.slice(prefix.length);
  switch (name) {
    case 'RESET':
    case 'INIT':
    case 'RTR':
    case 'RTS':
    case 'SQD':
    case 'SQE':
    case 'ERR':
      return name;
    default:
      throw new RangeError(`unknown QP state ${state}`);
  }
}
