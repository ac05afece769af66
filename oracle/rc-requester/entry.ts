import type { Wc } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import type { PathEvent } from './migration.ts';
import type { RequesterState } from './state.ts';

/** One event of the trace as a requester sees it; `event` is its index in the trace. */
export type RequesterEntry =
  | {
      kind: 'call';
      event: number;
      t: number;
      /** it makes no difference which responses have been looked at before */
      commutes?: boolean;
      /** the QP is in ERR after it, and may have failed by itself before */
      fails?: boolean;
      apply: (state: RequesterState) => void;
    }
  /** or, with an alternate path, a request */
  | { kind: 'response'; event: number; t: number; packet: Packet }
  | SentEntry
  | { kind: 'completion'; event: number; t: number; wc: Wc }
  | { kind: 'path'; event: number; t: number; type: PathEvent };

/** A packet that the device sent. */
export interface SentEntry {
  kind: 'sent';
  event: number;
  t: number;
  packet: Packet;
}
