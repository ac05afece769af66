/** Events after which nothing is known of what a QP has still to do. */
export const fatalEvents: ReadonlySet<string> = new Set([
  'IBV_EVENT_QP_FATAL',
  'IBV_EVENT_CQ_ERR',
  'IBV_EVENT_SRQ_ERR',
  'IBV_EVENT_DEVICE_FATAL',
]);
