import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { executeAtomic } from './atomic.ts';
import { executeRead } from './read.ts';
import { refuseInvalid, refuseOutOfSequence } from './refuse.ts';
import { sendRnrNak } from './reply.ts';
import { isFirst, requestOf, type Request } from './request.ts';
import { executeSend } from './send.ts';
import { executeWrite } from './write.ts';

/** A request with the expected PSN. */
export function execute(core: Core, qp: QueuePair, packet: Packet): void {
  const request = requestOf(packet);
  if (!inSequence(core, qp, request)) {
    refuseOutOfSequence(core, qp, packet.psn);
    return;
  }
  if (busy(core, qp, request)) {
    sendRnrNak(core, qp, packet.psn, core.config.busyTimer);
    qp.responder.waiting = 'rnr';
    return;
  }
  switch (request.kind) {
    case 'send':
      executeSend(core, qp, packet, request.position);
      return;
    case 'write':
      executeWrite(core, qp, packet, request.position, request.immediate);
      return;
    case 'read':
      executeRead(core, qp, packet);
      return;
    case 'compare-swap':
    case 'fetch-add':
      executeAtomic(core, qp, packet, request.kind);
      return;
    case 'unsupported':
      refuseUnsupported(core, qp, packet.psn);
      return;
  }
}

/** A request that the device does not know. */
export const refuseUnsupported = seam((core: Core, qp: QueuePair, psn: number): void => {
  refuseInvalid(core, qp, psn);
});

/** Whether the device takes a rest, for reasons of its own. */
function busy(core: Core, qp: QueuePair, request: Request): boolean {
  const { busyEvery } = core.config;
  if (busyEvery === 0 || request.kind === 'send' || request.kind === 'unsupported') return false;
  return ++qp.responder.looked % busyEvery === 0;
}

/** A message goes First, Middle.., Last of one kind, or is an Only; nothing else may come in between. */
export const inSequence = seam((_core: Core, qp: QueuePair, request: Request): boolean => {
  const { message } = qp.responder;
  if (request.kind === 'unsupported') return true;
  return message === undefined
    ? startsRequest(request)
    : !startsRequest(request) && message.kind === request.kind;
});

export function startsRequest(request: Request): boolean {
  return request.kind === 'send' || request.kind === 'write' ? isFirst(request.position) : true;
}
