/**
 * What it means for those who use a device that a rule is broken, the gravest first. Each rule of `spec/machines/` names one,
 * or its table does for all that do not.
 */
export const impacts = {
  'device-loss': 'The device or its host stops working.',
  security: 'Memory is read or written without right, or a packet is believed that should not be.',
  'wrong-data':
    'Success without effect: memory or a message holds other bytes than it should, and nobody learns of it.',
  hang: 'Work is lost or waits for ever: a packet, a completion or an event that is waited for never comes.',
  'qp-loss': 'A QP fails although nothing happened that justifies it.',
  protocol: 'A packet differs from what the peer must expect of it; transfers fail or take longer.',
  'wrong-report': 'A failure, a state or an event is reported wrongly, or not at all.',
  performance: 'Time or bandwidth is lost, or the rate is not the one that congestion calls for.',
  'wrong-value': 'A call takes, refuses or gives a value wrongly.',
  header: 'A detail of a header is wrong that hardly any peer looks at.',
} as const;

export type Impact = keyof typeof impacts;
