import type { Rule, RuleSet } from '../../oracle/index.ts';

/** Every outcome only names the table that is asked next. */
export function leadsOn(rule: Rule, set: RuleSet): boolean {
  return rule.outcomes.every((outcome) =>
    Object.values(outcome).some((value) => typeof value === 'string' && set.tables.has(value)),
  );
}

/** Whether it binds the switch that the suites put between two devices: tables that are asked `at: switch`. */
export function isModel(rule: Rule, set: RuleSet): boolean {
  return set.tables.get(rule.table)?.on['at'] === 'switch';
}

// Outcomes by which a rule says what is to be thought of a device, and nothing that would have to be seen.
const thoughts: ReadonlySet<string> = new Set([
  'packet',
  'acknowledges',
  'retry',
  'data',
  'failure',
  'action',
  'spends',
  'ackTimer',
  'awaits',
  'goesBack',
  'retryCounter',
  'rnrCounter',
  'message',
  'fault',
  'memory',
  'msn',
  'expectedPsn',
  'placement',
  'invalidation',
  'receiveQueue',
  'completion',
  'grh',
  'payload',
]);

// Outcomes that forbid something with other values, and with these do not.
const permissions: Readonly<Record<string, string>> = {
  sends: 'allowed',
  expiry: 'allowed',
  comes: 'allowed',
};

/**
 * Whether a rule demands nothing that could be missed by itself: it moves the model, or allows something. A device that breaks
 * it breaks the rules about what follows, in whose name it is caught.
 */
export function isPremise(rule: Rule): boolean {
  return rule.outcomes.every((outcome) =>
    Object.entries(outcome).every(([key, value]) => thoughts.has(key) || permissions[key] === value),
  );
}
