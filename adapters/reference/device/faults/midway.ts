import type { QueuePair } from '../qp.ts';
import { reset } from '../reset.ts';
import type { Fields } from '../headers.ts';
import type { Destination } from '../path.ts';
import { schedule } from '../pump.ts';
import { retry } from '../../rc-requester/retry.ts';
import { windowOf } from '../../rc-requester/window.ts';
import { respond } from '../../rc-responder/respond.ts';
import { faultsAt } from '../../seam.ts';
import type { Core } from '../core.ts';
import { removeQp } from '../../verbs/queue-pairs.ts';
import { flushed } from '../flush.ts';
import { isDevice } from './is-device.ts';

/** Between two responses of a QP, nanoseconds. */
const responseGap = 400;

/** What is left of an RNR wait, nanoseconds. */
const restOfWait = 1e6;

interface Response {
  fields: Fields;
  to: Destination;
}

/** Responses that have not left yet, by QP. */
const waiting = new WeakMap<QueuePair, Response[]>();

/** Sends responses one by one, for as long as `goesOn`. */
function inTurn(core: Core, qp: QueuePair, fields: Fields, goesOn: () => boolean): void {
  const { remote, destQp, srcPort } = qp;
  const line = waiting.get(qp) ?? [];
  waiting.set(qp, line);
  line.push({ fields, to: { remote, destQp, srcPort } });
  if (line.length > 1) return;
  const next = (): void => {
    const [first] = line;
    if (first === undefined) return;
    if (!goesOn()) return void line.splice(0);
    core.transmit(qp, first.fields, first.to);
    line.shift();
    if (line.length > 0) core.clock.setTimer(responseGap, next);
  };
  core.clock.setTimer(responseGap, next);
}

/** What ibv_modify_qp and ibv_destroy_qp do not reach in the middle of a message, a wait or a timer. */
export const midwayFaults = [
  faultsAt(respond, {
    'responses-outlive-error': (_sound, core, qp, fields) => {
      const { responder } = qp;
      inTurn(core, qp, fields, () => qp.responder === responder);
    },
    'responses-outlive-reset': (_sound, core, qp, fields) => {
      inTurn(core, qp, fields, () => qp.state !== 'IBV_QPS_ERR');
    },
  }),

  faultsAt(reset, {
    'message-survives-reset': (sound, device, qp) => {
      const { message } = qp.responder;
      sound(device, qp);
      qp.responder.message = message;
    },
    'uc-message-survives-reset': (sound, device, qp) => {
      const { message } = qp.responder;
      sound(device, qp);
      if (qp.service === 'UC') qp.responder.message = message;
    },
    'unreliable-requests-survive-reset': (sound, device, qp) => {
      const { queue } = qp.requester;
      sound(device, qp);
      if (qp.service !== 'RC') qp.requester.queue = queue;
    },
    'rnr-wait-survives-reset': (sound, device, qp) => {
      const waits = qp.requester.rnrTimer !== undefined;
      sound(device, qp);
      if (!waits || !isDevice(device)) return;
      const q = qp.requester;
      q.rnrTimer = device.clock.setTimer(restOfWait, () => {
        q.rnrTimer = undefined;
        schedule(device, qp);
      });
    },
    'ack-timer-survives-reset': (sound, device, qp) => {
      const { deadline, timer } = qp.requester;
      sound(device, qp);
      if (deadline === undefined || timer === undefined || !isDevice(device)) return;
      const q = qp.requester;
      device.clock.setTimer(Math.max(0, deadline - device.clock.now()), () => {
        if (qp.requester === q && q.una !== q.end) retry(device, qp, q.una, 'timeout');
      });
    },
  }),

  faultsAt(removeQp, {
    'destroyed-qp-retries': (_sound, device, qp) => {
      device.qps.delete(qp.handle);
      device.qpByNumber.delete(qp.num);
    },
    'destroyed-qp-answers': (_sound, device, qp) => void device.qps.delete(qp.handle),
    'destroyed-unreliable-qp-receives': (sound, device, qp) => {
      if (qp.service === 'RC') sound(device, qp);
      else device.qps.delete(qp.handle);
    },
    'destroyed-qp-flushed-late': (sound, device, qp) => {
      const { queue } = qp.requester;
      const { wqes, srq } = qp.receiveQueue;
      const received = srq === undefined ? [...wqes] : [];
      sound(device, qp);
      device.clock.setTimer(restOfWait, () => {
        for (const { wr } of queue) flushed(device, qp, 'send', wr.wr_id);
        for (const { wr_id: id } of received) flushed(device, qp, 'recv', id);
      });
    },
  }),

  faultsAt(windowOf, {
    'sqd-stops-midway': (sound, core, qp) => (qp.state === 'IBV_QPS_SQD' ? 0 : sound(core, qp)),
  }),
];
