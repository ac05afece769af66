import type { Mutant } from './table.ts';

/** Faults of a UD QP as responder. */
export const datagrams = [
  {
    id: 'ud-qkey-unchecked',
    says: 'Takes datagrams whatever their Q_Key.',
    breaks: 'a datagram with another Q_Key is dropped',
    statements: ['ee-drop-qkey'],
  },
  {
    id: 'ud-qkey-mismatch-fatal',
    says: 'Goes to ERR for a datagram with another Q_Key.',
    breaks: 'dropping a packet changes no state',
    statements: ['ee-drop-no-state-change', 'ee-drop-qkey'],
  },
  {
    id: 'ud-psn-checked',
    says: 'Drops datagrams whose PSN does not follow the one before.',
    breaks: 'a datagram is taken whatever its PSN',
    statements: ['ee-send-ud-single-packet'],
  },
  {
    id: 'ud-reserved-opcode-taken',
    says: 'Takes a datagram with a reserved opcode.',
    breaks: 'a datagram with a reserved opcode is dropped',
    statements: ['ee-drop-general'],
  },
  {
    id: 'ud-long-truncated',
    says: 'Receives as much of a long datagram as fits.',
    breaks: 'a datagram that does not fit is dropped',
    statements: ['ee-send-ud-oversize-drop'],
  },
  {
    id: 'ud-long-consumes-receive',
    says: 'Drops a long datagram together with its receive WQE.',
    breaks: 'a datagram that does not fit takes no receive WQE',
    statements: ['ee-send-ud-oversize-drop'],
  },
  {
    id: 'ud-long-fatal',
    says: 'Fails for a long datagram.',
    breaks: 'a datagram that does not fit is no error',
    statements: ['ee-send-ud-oversize-drop'],
  },
  {
    id: 'ud-long-stored',
    says: 'Writes as much of a long datagram as fits, and drops it then.',
    breaks: 'a dropped datagram leaves the memory alone',
    statements: ['ee-send-ud-oversize-drop'],
  },
  {
    id: 'ud-without-grh',
    says: 'Puts the payload of a datagram at the start of the buffer.',
    breaks: '40 bytes stand in front of the payload',
    statements: ['ee-send-ud-oversize-drop'],
  },
  {
    id: 'ud-byte-len-without-grh',
    says: 'Reports the payload alone as byte_len of a datagram.',
    breaks: 'byte_len counts the 40 bytes of the GRH',
    statements: ['ee-send-ud-oversize-drop'],
  },
  {
    id: 'ud-source-number-wrong',
    says: 'Reports its own number as that of the sender of a datagram.',
    breaks: 'src_qp is the number of the sending QP',
    statements: ['ee-success-meaning'],
  },
  {
    id: 'ud-grh-flag-missing',
    says: 'Does not tell that a GRH stands in the buffer.',
    breaks: 'a datagram of RoCE comes with a GRH',
    statements: ['ee-success-meaning'],
  },
  {
    id: 'ud-no-receive-fatal',
    says: 'Goes to ERR for a datagram that finds no receive WQE.',
    breaks: 'a datagram without receive WQE is dropped',
    statements: ['ee-drop-no-state-change'],
  },
  {
    id: 'ud-acknowledges',
    says: 'Acknowledges datagrams.',
    breaks: 'a UD QP answers nothing',
    statements: ['ee-evrow-sq-drained-rc-meaning'],
  },
] as const satisfies readonly Mutant[];
