import type { AsyncEvent, PortState } from '../../../spec/verbs.ts';
import type { NotificationPoint } from '../congestion/notification.ts';
import type { ReactionPoint } from '../congestion/reaction.ts';
import type { Core } from './core.ts';
import type { CompletionQueue } from './cq.ts';
import type { Path } from './path.ts';
import type { QueuePair } from './qp.ts';
import type { ReceiveQueue } from './receive-queue.ts';

/** What create_ah made: a path, of a PD. */
export interface AddressHandle {
  readonly pd: number;
  readonly path: Path;
}

/** A device with all that its verbs have made, by handle. */
export interface Device extends Core {
  readonly pds: Set<number>;
  readonly cqs: Map<number, CompletionQueue>;
  readonly srqs: Map<number, ReceiveQueue>;
  readonly ahs: Map<number, AddressHandle>;
  readonly qps: Map<number, QueuePair>;
  readonly qpByNumber: Map<number, QueuePair>;
  nextHandle: number;
  nextQp: number;
  portState: PortState;
  /** addresses of the port beside those of its endpoint */
  readonly moreGids: Set<string>;
  cqListener: ((cq: number, time: number) => void) | undefined;
  eventListener: ((event: AsyncEvent, time: number) => void) | undefined;
  /** of a user context that owns no object */
  secondListener: ((event: AsyncEvent, time: number) => void) | undefined;
  /** notification and reaction point; absent on a device without congestion management */
  readonly notification: NotificationPoint | undefined;
  readonly reaction: ReactionPoint | undefined;
  /** GIDs of the port's own addresses, by index */
  ownGids(): string[];
  /** whether a packet is addressed to the device */
  isAddressed(packet: { dstIp: string; ipVersion: 4 | 6 }): boolean;
  /** Keeps the MAC address that a packet came from. */
  learn(packet: { srcIp: string; srcMac: string }): void;
}
