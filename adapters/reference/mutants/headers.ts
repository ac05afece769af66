import type { Mutant } from './table.ts';

/** Faults in what is dropped before a request reaches its QP. */
export const headers = [
  {
    id: 'icrc-unchecked',
    says: 'Takes packets whose ICRC is wrong.',
    breaks: 'a packet with a wrong ICRC is dropped silently',
    statements: ['rx-drop-bad-icrc'],
  },
  {
    id: 'transport-version-unchecked',
    says: 'Takes packets with a transport version other than 0.',
    breaks: 'a packet with a wrong TVer is dropped silently',
    statements: ['ee-drop-general'],
  },
  {
    id: 'source-address-unchecked',
    says: 'Takes packets from any source address.',
    breaks: 'a packet that does not come from the connected address is dropped silently',
    statements: ['ee-drop-general'],
  },
  {
    id: 'pkey-unchecked',
    says: 'Takes packets with any P_Key.',
    breaks: 'a packet with another P_Key is dropped silently',
    statements: ['ee-drop-pkey'],
  },
  {
    id: 'service-unchecked',
    says: 'Takes requests of other transport services as if they were RC.',
    breaks: 'a packet of another service is dropped silently',
    statements: ['ee-drop-service-mismatch'],
  },
  {
    id: 'answers-in-error-state',
    says: 'Goes on executing and answering requests in ERR.',
    breaks: 'a QP in ERR drops everything and sends nothing',
    statements: ['ee-drop-bad-state', 'rc-error-state-sends-no-nak', 'rc-qp-states-that-respond'],
  },
  {
    id: 'reserved-bits-checked',
    says: 'Drops packets whose reserved header bits are not zero.',
    breaks: 'a receiver ignores reserved bits',
    statements: [],
  },
  {
    id: 'reserved-opcode-dropped',
    says: 'Drops a request with a reserved opcode instead of refusing it.',
    breaks: 'a request with a reserved opcode is an invalid request',
    statements: ['ee-rem-inv-req-bad-opcode', 'ee-req-err-bad-opcode'],
  },
  {
    id: 'mig-req-zero',
    says: 'Sends MigReq 0 although the path is Migrated.',
    breaks: 'a QP in Migrated state sends MigReq 1',
    statements: [],
  },
  {
    id: 'opcode-sequence-unchecked',
    says: 'Lets a new message begin before the last one has ended.',
    breaks: 'requests keep the order First, Middle, Last, or Only',
    statements: ['ee-rem-inv-req-bad-opcode'],
  },
  {
    id: 'short-first-accepted',
    says: 'Takes a First or Middle packet that does not fill the path MTU.',
    breaks: 'First and Middle packets fill the path MTU',
    statements: ['ee-rem-inv-req-bad-payload-length', 'ee-req-err-bad-payload-length'],
  },
  {
    id: 'empty-last-accepted',
    says: 'Takes a Last packet without payload.',
    breaks: 'a Last packet carries at least one byte',
    statements: ['ee-rem-inv-req-bad-payload-length', 'ee-req-err-bad-payload-length'],
  },
  {
    id: 'payload-beyond-mtu-accepted',
    says: 'Takes an Only packet longer than the path MTU.',
    breaks: 'no packet carries more than the path MTU',
    statements: ['ee-rem-inv-req-bad-payload-length', 'ee-req-err-bad-payload-length'],
  },
] as const satisfies readonly Mutant[];
