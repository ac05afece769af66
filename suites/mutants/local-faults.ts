import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/local-faults.ts`. */
export const localFaults = {
  'local-key-unchecked': [
    'send-key-unregistered',
    'uc-fault-local-memory-shared',
    'uc-effects-receive-key',
    'ud-effects-receive-key',
  ],
  'local-bounds-unchecked': ['send-out-of-bounds'],
  'local-pd-unchecked': ['send-foreign-domain'],
  'local-right-unchecked': ['send-without-right'],
  'local-freed-key-used': ['send-region-deregistered', 'rc-effects-local-key'],
  'local-protection-status': ['send-key-unregistered'],
  'bad-opcode-status': [
    'send-opcode-invalid',
    'rc-effects-local-operation',
    'uc-effects-local-operation',
    'ud-effects-local-operation',
  ],
  'bad-opcode-completes': ['send-opcode-invalid', 'unreliable-send-unsent'],
  'many-elements-status': ['send-too-many-elements'],
  'many-elements-cut': ['unreliable-request-length', 'uc-write-target'],
  'long-request-status': ['send-too-long'],
  'long-request-completes': ['send-too-long'],
  'second-element-fails': ['send-sound'],
  'local-fault-overtakes': ['completion-in-order', 'rc-send-completes-in-order'],
  'local-fault-unreported': ['flush-uncaused', 'state-kept-by-verbs'],
  'local-fault-in-rts': [
    'state-after-failed-send',
    'unreliable-sent-stopped',
    'uc-effects-local-key',
    'ud-effects-local-key',
  ],
  'local-fault-in-err': ['state-after-failed-send'],
  'rc-fault-in-sqe': ['state-after-failure'],
  'sqe-flushes-receives': ['flush-receive-in-sqe'],
  'sqe-flush-missing': ['flush-send-in-sqe'],
  'sqe-flush-before': ['completion-in-order'],
  'sqe-deaf': ['uc-admit-sqe', 'ud-admit-sqe'],
  'sqe-final': ['unreliable-recovers'],
  'inline-data-late': ['rc-request-payload'],
} satisfies MutantEntries;
