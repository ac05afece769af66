import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/unreliable-receiving.ts`. */
export const unreliableReceiving = {
  'uc-gap-ignored': ['uc-message-lost-packet'],
  'uc-gap-fatal': ['unreliable-state-kept'],
  'uc-abandoned-receive-lost': ['uc-receive-reused'],
  'uc-abandoned-position-kept': ['uc-receive-reused'],
  'uc-resync-missing': ['uc-restarts-after-loss'],
  'uc-behind-as-duplicate': ['uc-restarts-after-loss'],
  'uc-first-in-message-dropped': ['uc-restarts-in-message'],
  'uc-middle-starts': ['uc-no-message'],
  'uc-kinds-mixed': ['uc-message-mixed'],
  'uc-abort-fatal': ['uc-shared-receive-aborted'],
  'uc-abort-status': ['uc-shared-receive-aborted'],
  'uc-answers-gap': ['uc-never-answers'],
  'uc-acknowledges': ['uc-never-answers'],
  'uc-no-receive-fatal': ['uc-no-receive'],
  'uc-access-event': ['event-of-reliable-elsewhere'],
  'uc-request-event': ['event-of-reliable-elsewhere'],
  'uc-refused-write-fatal': ['uc-fault-unbound'],
  'uc-too-long-status': ['uc-fault-too-long'],
  'uc-access-status': ['uc-fault-access'],
  'unreliable-receive-fault-silent': ['uc-fault-local-memory', 'ud-fault-local-memory'],
  'unreliable-receive-fault-survived': ['uc-fault-local-memory', 'ud-fault-local-memory'],
  'unreliable-receive-fault-status': ['uc-fault-local-memory', 'ud-fault-local-memory'],
} satisfies MutantEntries;
