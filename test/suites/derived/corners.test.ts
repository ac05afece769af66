import { describe, expect, it } from 'vitest';
import type { MutantId } from '../../../adapters/reference/index.ts';
import { broken } from './parts.ts';

/** Cases in which a grid of the property has shown all that it has. */
const cases = 24;

const faults: readonly [MutantId, string, string][] = [
  ['write-carry-lost', 'verbs/memory-across-4-gib', 'rc-memory-written'],
  ['read-carry-lost', 'verbs/memory-across-4-gib', 'rc-read-data'],
  ['gather-carry-lost', 'verbs/buffers-across-4-gib', 'rc-request-payload'],
  ['message-cut-by-rts', 'rc-responder/transitions-within', 'rc-send-complete-asked'],
  ['message-cut-by-sqd', 'rc-responder/transitions-within', 'rc-send-complete-asked'],
  ['nak-state-cleared-by-call', 'rc-responder/transitions-within', 'rc-request-ahead-after-sequence-nak'],
  ['replays-dropped-by-sqd', 'rc-responder/transitions-within', 'rc-duplicate-atomic'],
  ['uc-message-cut-by-call', 'uc/transitions-within', 'uc-receive-completes'],
  ['ooo-arrivals-dropped-by-call', 'ooo/transitions-within', 'ooo-ack-cumulative'],
  ['ooo-answers-dropped-by-call', 'ooo/transitions-within', 'ooo-duplicate-atomic'],
  ['ooo-lost-once', 'ooo/requester-lost-again', 'ooo-resend-owed'],
  ['retries-reloaded-by-rnr-nak', 'rc-requester/retries-spent-across', 'rc-request-unposted'],
  ['retries-reloaded-by-call', 'rc-requester/retries-spent-across', 'rc-request-unposted'],
  ['alternate-path-survives-reset', 'rc-requester/path-migration-second-life', 'rc-migration-queried'],
  ['drained-of-former-life', 'verbs/drained-anew', 'drained-undue'],
  ['foreign-region-invalidated', 'verbs/invalidated-regions', 'rc-invalidation-refused'],
  ['empty-last-accepted', 'rc-responder/last-packet-empty', 'rc-length-wrong'],
];

describe('a fault that other cases hardly show', () => {
  it.each(faults)('%s is found by %s within the cells of its grid', async (mutant, property, rule) => {
    expect(await broken(mutant, property, cases)).toContain(rule);
  });
});
