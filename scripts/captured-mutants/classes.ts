/** Mutants by the table of the rule that they were made for, and why captures do not show some of them. */
export interface MutantClass {
  readonly says: string;
  /** how the names of the tables begin */
  readonly tables: readonly string[];
  readonly because: string;
  /** their faults show on the wire, if at all, and long conversations may help */
  readonly converses?: true;
}

/** The first class that fits counts. */
export const classes: readonly MutantClass[] = [
  {
    says: 'calls, completions, events, memory',
    tables: [
      'verbs-',
      'qp-',
      'device-',
      'rc-path-query',
      'rc-responder-completion',
      'rc-responder-report',
      'rc-responder-established',
      'rc-responder-event',
      'rc-responder-memory',
      'rc-requester-completion',
      'rc-requester-progress',
      'rc-outage-',
      'rc-effects',
      'ud-effects',
      'uc-responder-report',
      'uc-responder-abandon',
      'uc-ud-responder-completion',
      'uc-ud-responder-memory',
      'uc-ud-requester-completion',
      'uc-ud-requester-standing',
    ],
    because:
      'They show in the software of one end. A capture has no calls, completions or events, and does not know what memory held.',
  },
  {
    says: 'reaction point',
    tables: ['cc-rate-', 'cc-cnp-reaction', 'cc-pace', 'cc-cnp-received'],
    because:
      'They show in the rates that a device reports. Packets tell no rate: a QP may have had nothing to send, and a CNP may have been lost behind the point of capture. At the port of the sender, `--complete --profile` finds flows that are ahead of their rate for a tenth of a second, and these cases are shorter.',
  },
  {
    says: 'switch between the ends',
    tables: ['cc-hop-'],
    because:
      'They are faults of a switch. `check` judges NICs, and a capture at one place does not show its queue.',
  },
  {
    says: 'notification point',
    tables: ['cc-'],
    because:
      'Whether a packet was valid at its QP is not known, and a CNP may have been lost, or be for a packet that was marked behind the point of capture. Congestion control may be off, so that a missing CNP proves nothing. The pace of CNPs shows only in long trains of them.',
  },
  {
    says: 'out of order',
    tables: ['ooo-'],
    because:
      'They place, acknowledge, wait or send again wrongly, or leave something out. A capture holds packets against each other, and does not follow what an out-of-order QP has taken and still misses, also where it lacks nothing.',
  },
  {
    says: 'headers of a path',
    tables: ['route-'],
    because: 'Which traffic class, hop limit and flow label a path has is said by calls.',
  },
  {
    says: 'path migration',
    tables: ['rc-migration'],
    because:
      'When a path is armed, and when it is used, is said by calls. Packets of either path are judged alike.',
  },
  {
    says: 'receivers of UC and UD',
    tables: ['uc-responder-', 'ud-responder-', 'uc-ud-responder-', 'uc-ud-state'],
    because:
      'They never answer, so that nothing of what they do is on the wire. If one does answer, the packet does not name the QP that it comes from, and its number may serve another service.',
  },
  {
    says: 'senders of UC and UD',
    tables: ['uc-ud-requester-'],
    because:
      'What a packet has to hold is said by the work request: address, keys, immediate data, where it goes. A capture shows what is inconsistent between packets, and nothing else.',
  },
  {
    says: 'frames',
    tables: ['frame-'],
    because:
      'A frame that is wrong in front of its transport headers is counted, not judged: anything may have changed it. What becomes of it at the receiver looks like any loss.',
  },
  {
    says: 'checks of the RC responder',
    tables: ['rc-responder-admission', 'rc-responder-operation', 'rc-responder-state'],
    converses: true,
    because:
      'What has to be refused or discarded depends on keys, rights, receive WQEs, limits and the state of the QP, which no packet tells. A request that is discarded looks like one that was lost.',
  },
  {
    says: 'answers of the RC responder',
    tables: ['rc-responder-'],
    converses: true,
    because:
      'They leave out an answer, or give it late. A request or an answer may have been lost; in a complete capture an answer is overdue only after a second, if the QP answers later, and most cases end before. Some depend on receive WQEs, on limits, or on the contents of memory.',
  },
  {
    says: 'RC requester',
    tables: ['rc-requester-'],
    converses: true,
    because:
      'They send too late, too seldom or nothing, which also a QP does that has failed or has nothing to send. Its timer, retry counts and limits are said by calls. In a complete capture a connection is judged from the first response on that acknowledges all before it, and most cases end before.',
  },
];
