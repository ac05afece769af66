import type { SuiteProperty } from '../property.ts';
import { destruction } from './destruction.ts';
import { cqOverflow, drain, established, lastWqe, port, portQuery, sharedLimit } from './events.ts';
import { faultySend } from './faults.ts';
import { fullCqs, overflowApart } from './grids/full-cqs.ts';
import { gids } from './gids.ts';
import { corners } from './grids/index.ts';
import { invalidations } from './invalidations.ts';
import { receiveLimits, sendLimits } from './limits.ts';
import { localOperations } from './grids/local-operations.ts';
import { lists, listsOnSrq } from './lists.ts';
import { transitions } from './modify.ts';
import { notification } from './notification.ts';
import { pkeys } from './pkeys.ts';
import { recoveredAttributes } from './recovered-attributes.ts';
import { refusedDestruction } from './refused-destruction.ts';
import { registration } from './registration.ts';
import { reregistrations } from './reregistrations.ts';
import { resizing, room } from './room.ts';
import { signalAll } from './signaling.ts';
import { byState, flushOrder, fullQueues, ownQueue } from './posting.ts';
import { windowsByCall } from './windows-by-call.ts';
import { bindings, quietBindings, windows } from './windows.ts';

/** What is claimed of the verbs of every service: posting, flushes, local errors, events, SRQs, CQs, ports. */
export const verbs: readonly SuiteProperty[] = [
  byState,
  fullQueues,
  flushOrder,
  faultySend,
  transitions,
  drain,
  sharedLimit,
  lastWqe,
  cqOverflow,
  port,
  portQuery,
  established,
];

/**
 * What software asks of a device that has one QP: completion events, lists of work requests, memory regions and windows,
 * room, addresses and P_Keys of the port, and the end of objects.
 */
export const software: readonly SuiteProperty[] = [
  notification,
  lists,
  listsOnSrq,
  signalAll,
  registration,
  resizing,
  room,
  destruction,
  gids,
  pkeys,
  windows,
  bindings,
  invalidations,
  reregistrations,
  ownQueue,
  sendLimits,
  receiveLimits,
  quietBindings,
  windowsByCall,
  ...corners,
  fullCqs,
  overflowApart,
  refusedDestruction,
  localOperations,
  recoveredAttributes,
];
