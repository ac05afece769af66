import type { Plan } from '../trace/setup.ts';
import { Trace } from '../trace/trace.ts';

/** All that is found wrong with UC and UD, and what stays in doubt. */
const judging: Plan = { judged: /^unreliable\/|\/unreliable-/, doubts: ['inconclusive'] };

export const uc = (plan: Plan = {}): Trace => new Trace('UC', { ...judging, ...plan });
export const ud = (plan: Plan = {}): Trace => new Trace('UD', { ...judging, ...plan });
