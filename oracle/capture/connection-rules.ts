import { capturedRequesterRules } from './requester-rules.ts';
import type { CapturedRequesterRules } from './requester-rules.ts';
import type { RequesterTables } from '../rc-requester/tables.ts';
import { capturedUnreliableRules } from './unreliable-rules.ts';
import type { CapturedUnreliableRules } from './unreliable-rules.ts';
import { capturedPlacedRules } from './ooo/rules.ts';
import type { CapturedPlacedRules } from './ooo/rules.ts';
import { lookupOf } from '../rulebook/lookup.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { Rule, RuleSet } from '../rules.ts';

/** Rules for what a capture shows of a connection, whichever packets it lacks. */
export interface CapturedRules {
  readonly requester: CapturedRequesterRules;
  readonly unreliable: CapturedUnreliableRules;
  readonly outOfOrder: CapturedPlacedRules;
  /** how READ responses are numbered */
  readonly readResponses: Rule | undefined;
  /** no response comes that no request calls for */
  readonly unasked: Rule | undefined;
  /** an ATOMIC that is repeated is answered with the same value */
  readonly atomicValue: Rule | undefined;
  /** an ATOMIC whose address is no multiple of 8 is refused */
  readonly misaligned: Rule | undefined;
  /** a QP in ERR answers nothing */
  readonly ended: Rule | undefined;
  /** what the header of every response holds */
  readonly header: Rule | undefined;
  /** what the MSN of a positive response counts */
  readonly counts: Rule | undefined;
  /** bits that are 0 in every response, whichever connection it is of */
  readonly idleBits: Rule | undefined;
}

/** An ATOMIC that is refused for its address alone. */
const misalignedAtomic = {
  support: 'supported',
  receive: 'not-needed',
  otherReason: 'none',
  slots: 'free',
  access: 'granted',
  opens: 'region',
  alignment: 'misaligned',
  length: 'sound',
  localMemory: 'not-needed',
  elements: 'not-needed',
  invalidation: 'not-needed',
};

/** A sound request to a QP in ERR. */
const inError = {
  destination: 'known',
  icrc: 'good',
  transportVersion: 'zero',
  addressed: 'own',
  service: 'match',
  source: 'peer',
  pkey: 'match',
  qpState: 'ERR',
};

/** RangeError where the rules lack a table. */
export function capturedRules(rules: RuleSet, tables: RequesterTables): CapturedRules {
  const execute = lookupOf(rules, 'rc-responder-execute');
  const admission = lookupOf(rules, 'rc-responder-admission');
  const operation = lookupOf(rules, 'rc-responder-operation');
  const response = lookupOf(rules, 'rc-responder-response');
  const demanding = (replyKind: string, key: string): Rule | undefined =>
    response({ replyKind }).find((rule) => ruleWord(rule, key) !== undefined);
  return {
    requester: capturedRequesterRules(tables),
    unreliable: capturedUnreliableRules(rules),
    outOfOrder: capturedPlacedRules(rules),
    readResponses: execute({ operation: 'read', ends: 'last', ackReq: 'clear' })[0],
    unasked: demanding('read-response', 'mustAnswer'),
    atomicValue: demanding('atomic-ack', 'mustData'),
    misaligned: operation(misalignedAtomic)[0],
    ended: admission(inError)[0],
    header: demanding('ack', 'mustHeader'),
    counts: demanding('ack', 'mustMsn'),
    idleBits: demanding('ack', 'mustBits'),
  };
}
