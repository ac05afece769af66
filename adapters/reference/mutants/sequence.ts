import type { Mutant } from './table.ts';

/** Faults in what PSNs decide: gaps, duplicates, exactly once. */
export const sequence = [
  {
    id: 'nak-per-packet',
    says: 'Sends a sequence NAK for every packet behind a gap.',
    breaks: 'one sequence NAK per gap',
    statements: ['rx-rq-ignores-new-until-epsn'],
  },
  {
    id: 'nak-psn-of-request',
    says: 'Puts the PSN of the packet that came into the sequence NAK.',
    breaks: 'a sequence NAK carries the expected PSN',
    statements: ['rx-psn-nak-carries-epsn'],
  },
  {
    id: 'nak-psn-last-received',
    says: 'Puts the PSN before the expected one into the sequence NAK.',
    breaks: 'a sequence NAK carries the expected PSN',
    statements: ['rx-psn-nak-carries-epsn'],
  },
  {
    id: 'sequence-nak-missing',
    says: 'Says nothing about a gap.',
    breaks: 'a request ahead of the expected PSN is answered with a sequence NAK',
    statements: ['rx-rq-loss-returns-psn-nak', 'rc-oos-nak-returned', 'rx-psn-nak-condition'],
  },
  {
    id: 'sequence-nak-only-once',
    says: 'Reports the first gap of a connection and none after it.',
    breaks: 'each gap is reported',
    statements: ['rx-rq-loss-returns-psn-nak', 'rx-psn-nak-condition'],
  },
  {
    id: 'sequence-nak-after-rnr',
    says: 'Sends a sequence NAK for packets behind one that got an RNR NAK.',
    breaks: 'after an RNR NAK later requests are dropped until the expected PSN comes',
    statements: ['rx-rnr-discards-others', 'rx-rnr-nak-then-waits-epsn'],
  },
  {
    id: 'ahead-accepted',
    says: 'Executes a request that lies ahead of the expected PSN.',
    breaks: 'only the request with the expected PSN is executed',
    statements: ['rx-psn-nak-condition', 'rc-psn-ahead-means-loss'],
  },
  {
    id: 'psn-compare-without-wrap',
    says: 'Compares PSNs as plain numbers.',
    breaks: 'PSNs are compared modulo 2^24',
    statements: ['rx-duplicate-region-classification'],
  },
  {
    id: 'duplicates-ignored-while-waiting',
    says: 'Ignores duplicates while a NAK is outstanding.',
    breaks: 'duplicates are answered while a NAK is outstanding',
    statements: ['rx-responder-answers-duplicates-after-nak'],
  },
  {
    id: 'duplicate-send-executed',
    says: 'Delivers a duplicate SEND into the next receive WQE.',
    breaks: 'a SEND is executed once',
    statements: ['rx-dup-send-write-no-memory-write', 'rc-dup-send-write-ack-only'],
  },
  {
    id: 'duplicate-write-executed',
    says: 'Writes the data of a duplicate RDMA WRITE again.',
    breaks: 'an RDMA WRITE is executed once',
    statements: ['rx-dup-send-write-no-memory-write', 'rc-dup-send-write-ack-only'],
  },
  {
    id: 'duplicate-not-acknowledged',
    says: 'Drops a duplicate SEND or WRITE that asks for an ACK.',
    breaks: 'a duplicate SEND or WRITE is acknowledged',
    statements: ['rc-dup-send-write-ack-only'],
  },
  {
    id: 'duplicate-counted-in-msn',
    says: 'Counts a duplicate SEND or WRITE in the MSN.',
    breaks: 'duplicates leave the MSN alone',
    statements: [],
  },
  {
    id: 'duplicate-advances-expected-psn',
    says: 'Sets the expected PSN behind a duplicate SEND or WRITE.',
    breaks: 'a duplicate leaves the expected PSN alone',
    statements: ['rx-dup-send-write-epsn-unchanged'],
  },
  {
    id: 'duplicate-error-refused',
    says: 'NAKs what is wrong in a duplicate.',
    breaks: 'errors in duplicates are not NAKed',
    statements: ['rx-no-nak-for-errors-in-duplicates'],
  },
  {
    id: 'duplicate-read-ignored',
    says: 'Drops a duplicate READ.',
    breaks: 'a duplicate READ is executed again',
    statements: ['rx-dup-read-reexecuted'],
  },
  {
    id: 'duplicate-read-stale',
    says: 'Answers a duplicate READ with the bytes of the first time.',
    breaks: 'a duplicate READ reads memory again',
    statements: ['rx-dup-read-reexecuted'],
  },
  {
    id: 'partial-read-from-original-psn',
    says: 'Answers a READ resumed in its middle with PSNs from the start of the original.',
    breaks: 'responses to a READ start at the PSN of the request',
    statements: ['rx-dup-read-response-psn'],
  },
  {
    id: 'atomic-executed-twice',
    says: 'Executes a duplicate atomic again.',
    breaks: 'an atomic is executed exactly once',
    statements: ['rx-dup-atomic-not-reexecuted', 'rc-atomic-exactly-once'],
  },
  {
    id: 'duplicate-atomic-fresh-value',
    says: 'Answers a duplicate atomic with the present memory.',
    breaks: 'a duplicate atomic gets the saved result',
    statements: ['rx-dup-atomic-returns-saved-result', 'rc-atomic-value-of-execution-time'],
  },
  {
    id: 'one-replay-entry',
    says: 'Remembers only the newest READ or atomic for replay.',
    breaks: 'the newest max_dest_rd_atomic READs and atomics can be replayed',
    statements: ['rc-atomic-result-recorded', 'rc-max-dest-rd-atomic-at-rtr'],
  },
  {
    id: 'read-advances-one-psn',
    says: 'Expects the next request one PSN after a READ, however many responses it had.',
    breaks: 'a READ takes one PSN per response packet',
    statements: ['rx-retry-epsn-advances'],
  },
] as const satisfies readonly Mutant[];
