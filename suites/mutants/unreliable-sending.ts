import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/unreliable-sending.ts`. */
export const unreliableSending = {
  'uc-retransmits': ['unreliable-sent-once'],
  'unreliable-psn-skipped': ['unreliable-sent-without-gap'],
  'unreliable-psn-repeated': ['unreliable-sent-without-gap'],
  'uc-middle-left-out': ['unreliable-sent-without-gap'],
  'uc-packets-swapped': ['unreliable-sent-without-gap'],
  'unreliable-newest-first': ['unreliable-request-payload'],
  'unreliable-completion-missing': ['unreliable-send-completes'],
  'unreliable-completion-doubled': ['completion-attributed'],
  'unreliable-unsignaled-not-sent': ['unreliable-send-owed'],
  'unreliable-sends-again-anew': ['unreliable-sent-unposted'],
  'immediate-zero-sent': ['unreliable-request-immediate'],
  'solicited-never': ['unreliable-request-solicited'],
  'uc-write-length-of-packet': ['uc-write-target'],
  'uc-every-packet-only': ['unreliable-request-opcode'],
  'uc-short-packets': ['unreliable-request-length'],
  'uc-sends-to-itself': ['uc-request-addressee'],
  'ud-number-of-last': ['ud-request-addressee'],
  'ud-qkey-always-own': ['ud-request-qkey'],
  'ud-qkey-top-bit-sent': ['ud-request-qkey'],
  'ud-source-of-destination': ['ud-request-source'],
  'ud-long-status': ['ud-effects-local-length'],
  'ud-long-split': ['unreliable-sent-unposted'],
  'unreliable-wrong-icrc': ['unreliable-request-header'],
  'unreliable-sends-after-failure': ['unreliable-request-opcode'],
} satisfies MutantEntries;
