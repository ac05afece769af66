import type { Mutant } from './table.ts';

/** Faults of the port. */
export const ports = [
  {
    id: 'port-error-missing',
    says: 'Says nothing when the link goes down.',
    breaks: 'a link that goes down raises IBV_EVENT_PORT_ERR',
    statements: ['ee-port-events-on-link-change', 'ee-port-err-transition'],
  },
  {
    id: 'port-active-missing',
    says: 'Says nothing when the link comes up.',
    breaks: 'a link that comes up raises IBV_EVENT_PORT_ACTIVE',
    statements: ['ee-port-events-on-link-change', 'ee-port-active-transition'],
  },
  {
    id: 'port-event-unprompted',
    says: 'Raises IBV_EVENT_PORT_ACTIVE when it is asked for the state of the port.',
    breaks: 'events of the port come with changes of the link',
    statements: ['ee-port-active-transition'],
  },
  {
    id: 'port-down-fails-qps',
    says: 'Takes every QP to ERR when the link goes down.',
    breaks: 'loss of the link changes no QP',
    statements: ['ee-port-err-qp-state-kept'],
  },
  {
    id: 'port-always-active',
    says: 'Gives its port as active while the link is down.',
    breaks: 'a port whose link is down is not active',
    statements: ['ee-port-err-state'],
  },
  {
    id: 'port-stays-down',
    says: 'Gives its port as down after the link has come up again.',
    breaks: 'a port whose link is up is active',
    statements: ['ee-port-active-state'],
  },
  {
    id: 'port-events-not-flagged',
    says: 'Does not tell that it raises events of the port.',
    breaks: 'a device that raises events of the port says so',
    statements: ['ee-port-events-cap-flag'],
  },
  {
    id: 'port-max-message-zero',
    says: 'Gives no longest message of its port.',
    breaks: 'max_msg_sz is the longest message',
    statements: ['ee-max-msg-sz-query'],
  },
] as const satisfies readonly Mutant[];
