import type { AsyncEvent, Wc } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import type { ObservedReply } from '../model/observed.ts';
import type { ResponderState } from '../model/state.ts';

/** One event of the trace as one responder sees it; `event` is its index in the trace. */
export type Entry =
  | { kind: 'request'; event: number; t: number; packet: Packet }
  | { kind: 'reply'; event: number; t: number; seen: ObservedReply; reported?: boolean }
  | { kind: 'call'; event: number; t: number; apply: (state: ResponderState) => void }
  | { kind: 'completion'; event: number; t: number; wc: Wc; reported?: boolean }
  | { kind: 'async'; event: number; t: number; what: AsyncEvent; reported?: boolean };
