import { directionOf } from '../congestion/direction.ts';
import { forgetRate } from '../congestion/rate-limiter.ts';
import type { Core } from '../device/core.ts';
import type { Fields } from '../device/headers.ts';
import { schedule } from '../device/pump.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';

/** Sends one response: data that was read at the rate of the QP, and everything else behind what was to leave before it. */
export function depart(core: Core, qp: QueuePair, fields: Fields): void {
  const { held } = qp.responder;
  const behind = queuesBehind(core, qp, fields);
  const wait = behind ? 0 : responseWait(core, qp, fields);
  if (!behind && wait === 0) {
    core.transmit(qp, fields);
    return;
  }
  const { payload } = fields;
  // Memory may be another by then.
  held.queue.push(payload === undefined ? fields : { ...fields, payload: payload.slice() });
  if (held.queue.length === 1) departIn(core, qp, wait);
}

/** Whether responses wait. */
export function holdsBack({ responder }: QueuePair): boolean {
  return responder.held.queue.length > 0;
}

/** Whether a response waits for those that wait already. */
export const queuesBehind = seam((_core: Core, qp: QueuePair, _fields: Fields): boolean => holdsBack(qp));

/** Nanoseconds until the rate of the QP lets a response leave. */
export const responseWait = seam((_core: Core, { limiter }: QueuePair, fields: Fields): number =>
  directionOf(fields) === 'read-responses' ? (limiter?.wait('read-responses') ?? 0) : 0,
);

function departIn(core: Core, qp: QueuePair, delay: number): void {
  const { held } = qp.responder;
  held.timer = core.clock.setTimer(delay, () => {
    held.timer = undefined;
    for (let [first] = held.queue; first !== undefined; [first] = held.queue) {
      const wait = responseWait(core, qp, first);
      if (wait > 0) {
        departIn(core, qp, wait);
        return;
      }
      held.queue.shift();
      core.transmit(qp, first);
    }
    if (qp.state === 'IBV_QPS_ERR') forgetRate(qp);
    else schedule(core, qp);
  });
}

/** The newest response refuses a request, which ends the connection. */
export function refusedLast({ responder }: QueuePair): void {
  responder.held.refused = responder.held.queue.length > 0;
}

/** Whether responses of a QP that goes to ERR now still leave, at its rate. */
export const outliveError = seam(
  (_core: Core, { state, responder }: QueuePair): boolean =>
    state !== 'IBV_QPS_ERR' && responder.held.refused,
);
