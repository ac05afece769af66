import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/unreliable-receiving.ts`. */
export const unreliableReceiving = {
  'uc-gap-ignored': ['uc-message-lost-packet'],
  'uc-gap-fatal': ['unreliable-state-kept', 'uc-reserved-opcode'],
  'uc-abandoned-receive-lost': [
    'uc-receive-reused',
    'uc-shared-receive-reused',
    'uc-fault-too-long',
    'uc-fault-too-long-shared',
  ],
  'uc-abandoned-position-kept': ['unreliable-memory-written', 'unreliable-memory-unnamed'],
  'uc-resync-missing': ['uc-restarts-after-loss'],
  'uc-behind-as-duplicate': ['uc-restarts-after-loss'],
  'uc-first-in-message-dropped': ['uc-restarts-in-message'],
  'uc-middle-starts': ['uc-no-message', 'uc-message-mixed'],
  'uc-kinds-mixed': ['uc-no-message'],
  'uc-abort-fatal': ['uc-shared-receive-aborted', 'state-after-abort'],
  'uc-abort-status': ['uc-shared-receive-aborted', 'flush-shared-receive'],
  'uc-answers-gap': ['uc-never-answers'],
  'uc-acknowledges': ['uc-never-answers'],
  'uc-no-receive-fatal': ['unreliable-state-kept', 'state-kept-by-verbs'],
  'uc-access-event': [
    'event-of-reliable-elsewhere',
    'uc-fault-unbound',
    'uc-fault-access',
    'uc-fault-disabled',
  ],
  'uc-request-event': ['event-of-reliable-elsewhere', 'uc-fault-length', 'uc-fault-length-shared'],
  'uc-refused-write-fatal': ['uc-access-denied', 'state-kept-by-verbs'],
  'uc-too-long-status': ['uc-fault-too-long', 'uc-fault-too-long-shared', 'uc-send-too-long'],
  'uc-access-status': ['uc-fault-access', 'uc-fault-access-shared', 'uc-effects-remote-key'],
  'unreliable-receive-fault-silent': [
    'uc-fault-local-memory',
    'ud-fault-local-memory',
    'uc-fault-local-memory-shared',
    'ud-fault-local-memory-shared',
  ],
  'unreliable-receive-fault-survived': ['state-after-failed-receive-datagram', 'flush-receive-in-error'],
  'unreliable-receive-fault-status': ['uc-fault-local-memory', 'ud-fault-local-memory'],
} satisfies MutantEntries;
