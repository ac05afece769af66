import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/reports.ts`. */
export const reports = {
  'remote-access-as-local': ['status-local-access-requester'],
  'datagram-access-error': ['status-local-access-datagram'],
  'unreliable-retries-exceeded': ['status-remote-unreliable-requester'],
  'receive-remote-operational': ['status-remote-responder'],
  'unreliable-receive-invalid': ['status-invalid-request-unreliable-responder'],
  'retries-exceeded-as-abort': ['status-abort-requester'],
  'long-send-as-abort': ['status-abort-reliable'],
  'invalid-request-of-rd': ['status-of-rd'],
  'status-unheard-of': ['status-known'],
  'event-unheard-of': ['event-known'],
  'event-without-qp': ['event-of-qp'],
  'fault-event-without-qp': ['event-of-reliable'],
  'established-without-qp': ['event-established'],
  'migration-without-qp': ['event-of-connected'],
  'event-without-cq': ['event-of-cq'],
  'event-without-srq': ['event-of-srq'],
  'event-without-port': ['event-of-port'],
  'datagram-migrates': ['event-of-connected-elsewhere'],
  'completion-of-other-qp': ['completion-attributed'],
  'long-send-as-event': ['rc-report-too-long'],
  'fault-reported-twice': ['rc-event-undue'],
  'access-event-as-request': ['rc-report-access-unbound'],
  'request-event-as-access': {
    notJudged:
      'The documents disagree on which of the two events a wrong length raises; the rule takes either for any invalid request.',
  },
} satisfies MutantEntries;
