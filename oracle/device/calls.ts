import type { SendWr } from '../../spec/verbs.ts';
import type { CallSpan, When } from '../spot.ts';
import type { VerbsCall } from '../trace.ts';
import type { Destruction, Notice, RefusedList, RefusedPost } from './listener.ts';
import type { Region } from './memory.ts';
import type { Objects } from './objects.ts';
import { reregistered } from './objects/reregistration.ts';
import { roomOfCq, roomOfQp, roomOfSrq, type Room } from './objects/room.ts';
import { postedSend, workKind } from './queues/posted-send.ts';
import { stateName } from './qp-state.ts';
import type { Qp } from './qp.ts';

type Call<Name extends VerbsCall['call']> = Extract<VerbsCall, { call: Name }>;

/** Takes over what a call has done to the objects; `undefined` where no machine needs it. */
export function carryOut(objects: Objects, call: VerbsCall, when: CallSpan): Notice | undefined {
  switch (call.call) {
    case 'reg_mr':
      objects.memory.register(call);
      return (machine) => machine.registered?.(call.access, undefined, when);
    case 'dereg_mr': {
      const asked = destruction(objects, call);
      const region = objects.memory.regions.get(call.mr);
      if (region === undefined) return undefined;
      if (region.alive) region.freedAt = when.event;
      region.alive = region.registered = false;
      return (machine) => {
        machine.deregistered?.(region, when);
        if (asked !== undefined) machine.destroyAsked?.(asked, undefined, when);
      };
    }
    case 'rereg_mr':
      return reregistered(objects, call, when);
    case 'alloc_mw':
      objects.memory.windows.allocated(call.mw, call.pd, call.rkey, call.type);
      return undefined;
    case 'write_memory':
      return write(objects.memory.regions.get(call.mr), call, when);
    case 'create_cq':
      objects.addCq({ handle: call.cq, entries: call.cqe, qps: new Set() });
      return made(roomOfCq(call), `cq ${call.cq}`, when);
    case 'resize_cq': {
      const cq = objects.cq(call.cq);
      if (cq === undefined) return undefined;
      cq.entries = call.cqe;
      return (machine) => machine.cqResized?.(cq, { asked: call.asked, given: call.cqe }, when);
    }
    case 'req_notify_cq': {
      const cq = objects.cq(call.cq);
      return cq && ((machine) => machine.notificationAsked?.(cq, call.solicited_only, when));
    }
    case 'create_srq':
      objects.addSrq(call);
      return made(roomOfSrq(call), `srq ${call.srq}`, when);
    case 'create_ah':
      objects.addAddress(call);
      return undefined;
    case 'modify_srq':
    case 'query_srq':
    case 'post_srq_recv':
      return onSrq(objects, call, when);
    case 'create_qp': {
      const other = objects.byNumber(call.qp_num);
      // a trace that has one handle twice lacks the end of the first
      const numbering = { others: objects.size > 0, taken: other !== undefined && other.handle !== call.qp };
      const qp = objects.addQp(call);
      const rooms = roomOfQp(call);
      return (machine) => {
        machine.created?.(qp, when);
        machine.qpNumbered?.(numbering, qp, when);
        if (rooms !== undefined) machine.roomMade?.(rooms, qp.name, when);
      };
    }
    case 'modify_qp':
    case 'query_qp':
    case 'destroy_qp':
    case 'post_send':
    case 'post_recv': {
      const qp = objects.qp(call.qp);
      return qp && onQp(objects, qp, call, when);
    }
    case 'destroy_cq':
    case 'destroy_srq':
    case 'dealloc_mw':
    case 'dealloc_pd': {
      const asked = destruction(objects, call);
      if (call.call === 'dealloc_mw') return closed(objects, call.mw, asked, when);
      if (call.call === 'destroy_cq') objects.removeCq(call.cq);
      if (call.call === 'destroy_srq') objects.removeSrq(call.srq);
      return asked && ((machine) => machine.destroyAsked?.(asked, undefined, when));
    }
    case 'query_port':
      objects.port = call.attr;
      return (machine) => machine.portQueried?.(call.attr, when);
    case 'query_gid':
      return (machine) => machine.gidsQueried?.(call.gids, when);
    case 'query_pkey':
      return (machine) => machine.pkeyQueried?.(call.index, call.pkey, when);
    case 'query_device':
      return (machine) => machine.deviceQueried?.(call.attr, when);
  }
}

function onQp(
  objects: Objects,
  qp: Qp,
  call: Call<'modify_qp' | 'query_qp' | 'destroy_qp' | 'post_send' | 'post_recv'>,
  when: When,
): Notice {
  switch (call.call) {
    case 'modify_qp': {
      const { attr } = call;
      const change = { attr, from: qp.state, to: attr.qp_state && stateName(attr.qp_state) };
      qp.set(attr);
      qp.state = change.to ?? qp.state;
      objects.fences.modified(qp);
      if (change.to === 'RESET') {
        objects.memory.windows.ended(qp.handle);
        if (qp.srq === undefined) qp.posted.forget();
      }
      return (machine) => machine.modified?.(qp, change, when);
    }
    case 'query_qp':
      return (machine) => machine.queried?.(qp, call.attr, when);
    case 'destroy_qp': {
      const asked = destruction(objects, call);
      objects.remove(qp, when.t);
      return (machine) => {
        machine.destroyed?.(qp, when);
        if (asked !== undefined) machine.destroyAsked?.(asked, undefined, when);
      };
    }
    case 'post_send': {
      const { wr, listed = false } = call;
      const kind = workKind(wr);
      if (kind === 'internal') {
        askedOfWindows(objects, qp, wr);
        return (machine) => machine.localPosted?.(qp, wr, when, listed);
      }
      objects.fences.posted(qp, wr);
      const send = postedSend(qp, kind, wr, when);
      return (machine) => machine.sendPosted?.(qp, send, when, listed);
    }
    case 'post_recv':
      // where it is on an SRQ, no message takes this one
      if (qp.srq === undefined) qp.posted.push(call.wr);
      return (machine) => machine.receivePosted?.(qp, call.wr, when, call.listed === true);
  }
}

function onSrq(
  objects: Objects,
  call: Call<'modify_srq' | 'query_srq' | 'post_srq_recv'>,
  when: When,
): Notice | undefined {
  const srq = objects.srq(call.srq);
  if (srq === undefined) return undefined;
  switch (call.call) {
    case 'modify_srq':
      srq.size = call.attr.max_wr ?? srq.size;
      return (machine) => machine.srqModified?.(srq, call.attr, when);
    case 'query_srq':
      // a device may make one larger than it was asked for
      srq.size = Math.max(srq.size, call.attr.max_wr);
      return (machine) => machine.srqQueried?.(srq, call.attr, when);
    case 'post_srq_recv':
      srq.posted.share(call.wr);
      return (machine) => machine.sharedPosted?.(srq, call.wr, when, call.listed === true);
  }
}

function write(
  region: Region | undefined,
  { offset, bytes }: Call<'write_memory'>,
  when: When,
): Notice | undefined {
  if (region === undefined) return undefined;
  region.content.set(bytes, offset);
  region.byteClasses.forget(offset, offset + bytes.length);
  return (machine) => machine.written?.(region, { offset, length: bytes.length }, when);
}

function askedOfWindows({ memory, fences }: Objects, qp: Qp, wr: SendWr): void {
  const { wr_id: wrId, opcode, bind_mw: binding, invalidate_rkey: rkey = 0 } = wr;
  const waits = wr.send_flags?.includes('IBV_SEND_FENCE') === true && fences.hold(qp);
  const local = { qp, wrId, waits };
  if (opcode === 'IBV_WR_LOCAL_INV') memory.windows.endAsked(rkey, local);
  else if (binding !== undefined) memory.windows.asked(binding, memory.regions.get(binding.mr), local);
}

function closed(
  { memory }: Objects,
  mw: number,
  asked: Destruction | undefined,
  when: When,
): Notice | undefined {
  const pd = memory.windows.pdOf(mw);
  memory.windows.deallocated(mw);
  if (asked === undefined || pd === undefined) return undefined;
  return (machine) => {
    machine.windowClosed?.(pd, when);
    machine.destroyAsked?.(asked, undefined, when);
  };
}

type Ending = Call<'destroy_qp' | 'destroy_cq' | 'destroy_srq' | 'dereg_mr' | 'dealloc_mw' | 'dealloc_pd'>;

function isEnding(call: VerbsCall): call is Ending {
  return /^(?:destroy|dealloc|dereg)_/.test(call.call);
}

/** What a call is to destroy, as it stands before; `undefined` where the trace never made it, or nothing is demanded. */
function destruction(objects: Objects, call: Ending): Destruction | undefined {
  switch (call.call) {
    case 'destroy_qp': {
      const qp = objects.qp(call.qp);
      // whether a QP goes by which a window is bound, no source says
      if (qp === undefined || objects.memory.windows.mayHold(call.qp)) return undefined;
      return { object: 'qp', used: false, name: qp.name };
    }
    case 'destroy_cq': {
      const cq = objects.cq(call.cq);
      return cq && { object: 'cq', used: cq.qps.size > 0, name: `cq ${call.cq}` };
    }
    case 'destroy_srq': {
      const srq = objects.srq(call.srq);
      return srq && { object: 'srq', used: srq.qps.size > 0, name: `srq ${call.srq}` };
    }
    case 'dereg_mr': {
      const region = objects.memory.regions.get(call.mr);
      const bound = region && objects.memory.windows.boundTo(region);
      // the end of one to which a window may be bound, or not, is free
      if (region?.registered !== true || bound === 'maybe') return undefined;
      return { object: 'mr', used: bound === 'yes', name: `mr ${call.mr}` };
    }
    case 'dealloc_mw': {
      const known = objects.memory.windows.pdOf(call.mw) !== undefined;
      return known ? { object: 'mw', used: false, name: `mw ${call.mw}` } : undefined;
    }
    case 'dealloc_pd':
      return { object: 'pd', used: objects.usesPd(call.pd), name: `pd ${call.pd}` };
  }
}

function made(rooms: readonly Room[] | undefined, name: string, when: When): Notice | undefined {
  return rooms && ((machine) => machine.roomMade?.(rooms, name, when));
}

/** What machines are given of a call that has failed. `list`: what it was to post; `kept`: of rereg_mr, nothing has changed, as of all others. */
export function refused(
  objects: Objects,
  call: VerbsCall,
  errno: number,
  when: CallSpan,
  { list, kept = false }: { list?: RefusedList | undefined; kept?: boolean | undefined } = {},
): Notice | undefined {
  if (call.call === 'query_pkey') return (machine) => machine.pkeyQueried?.(call.index, undefined, when);
  if (call.call === 'rereg_mr') return reregistered(objects, call, when, { errno, kept });
  if (call.call === 'reg_mr') return (machine) => machine.registered?.(call.access, errno, when);
  if (call.call === 'resize_cq') {
    const cq = objects.cq(call.cq);
    return cq && ((machine) => machine.cqResized?.(cq, { asked: call.asked, errno }, when));
  }
  if (isEnding(call)) {
    const asked = destruction(objects, call);
    return asked && ((machine) => machine.destroyAsked?.(asked, errno, when));
  }
  if (call.call === 'modify_srq') {
    const srq = objects.srq(call.srq);
    return srq && ((machine) => machine.srqRefused?.(srq, call.attr, errno, when));
  }
  if (call.call === 'modify_qp') {
    const qp = objects.qp(call.qp);
    return qp && ((machine) => machine.modifyRefused?.(qp, call.attr, errno, when));
  }
  const post = refusedPost(objects, call);
  if (post === undefined) return undefined;
  return (machine) => {
    if (list === undefined || list.bad_wr !== undefined) machine.postRefused?.(post, errno, when);
    if (list !== undefined) machine.listRefused?.(post, list, when);
  };
}

function refusedPost(objects: Objects, call: VerbsCall): RefusedPost | undefined {
  if (call.call === 'post_srq_recv') {
    const srq = objects.srq(call.srq);
    return srq && { queue: 'shared', srq, wr: call.wr };
  }
  if (call.call !== 'post_send' && call.call !== 'post_recv') return undefined;
  const qp = objects.qp(call.qp);
  if (qp === undefined) return undefined;
  return call.call === 'post_send'
    ? { queue: 'send', qp, wr: call.wr }
    : { queue: 'receive', qp, wr: call.wr };
}
