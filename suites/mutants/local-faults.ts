import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/local-faults.ts`. */
export const localFaults = {
  'local-key-unchecked': ['send-key-unregistered'],
  'local-bounds-unchecked': ['send-out-of-bounds'],
  'local-pd-unchecked': ['send-foreign-domain'],
  'local-right-unchecked': ['send-without-right'],
  'local-freed-key-used': ['send-region-deregistered'],
  'local-protection-status': ['send-key-unregistered'],
  'bad-opcode-status': ['send-opcode-invalid'],
  'bad-opcode-completes': ['send-opcode-invalid'],
  'many-elements-status': ['send-too-many-elements'],
  'many-elements-cut': ['send-too-many-elements'],
  'long-request-status': ['send-too-long'],
  'long-request-completes': ['send-too-long'],
  'second-element-fails': ['send-sound'],
  'local-fault-overtakes': ['flush-uncaused'],
  'local-fault-unreported': ['send-key-unregistered'],
  'local-fault-in-rts': ['state-after-failed-send'],
  'local-fault-in-err': ['state-after-failed-send'],
  'rc-fault-in-sqe': ['state-after-failure'],
  'sqe-flushes-receives': ['flush-receive-in-sqe'],
  'sqe-flush-missing': ['flush-send-in-sqe'],
  'sqe-flush-before': ['completion-in-order'],
  'sqe-deaf': ['uc-admit-sqe', 'ud-admit-sqe'],
  'sqe-final': ['unreliable-recovers'],
  'inline-data-late': ['unreliable-request-payload'],
} satisfies MutantEntries;
