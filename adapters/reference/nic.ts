import type { RateRecord } from '../../spec/congestion.ts';
import type { AsyncEvent, PortState, Wc } from '../../spec/verbs.ts';
import { unusedGid } from '../../wire/gid.ts';
import type { Packet } from '../../wire/index.ts';
import type { Clock, Endpoint, Verbs } from '../adapter.ts';
import { isSwitchFault } from '../switch/faults.ts';
import { defaultConfig, type ReferenceConfig } from './config.ts';
import { NotificationPoint } from './congestion/notification.ts';
import { directionOf } from './congestion/direction.ts';
import { ReactionPoint } from './congestion/reaction.ts';
import type { CompletionQueue } from './device/cq.ts';
import type { AddressHandle, Device } from './device/device.ts';
import { dispatch } from './device/dispatch.ts';
import { flush } from './device/flush.ts';
import type { Fields } from './device/headers.ts';
import { gidOfAddress } from './device/port/addressing.ts';
import { changeGids } from './device/port/gids.ts';
import { changeLink, entersPort, leavesPort } from './device/port/link.ts';
import { Memory, type MemoryPlace } from './device/memory/memory.ts';
import type { Destination } from './device/path.ts';
import { Port } from './device/port/port.ts';
import type { QueuePair } from './device/qp.ts';
import type { ReceiveQueue } from './device/receive-queue.ts';
import { enterCq, leave, tell } from './device/report.ts';
import { frameOf } from './device/port/transmit.ts';
import { faultyMutants } from './faults.ts';
import type { MutantId } from './mutant.ts';
import { pathOfPacket } from './path-migration/migration.ts';
import { outliveError } from './rc-responder/departure.ts';
import { endSending } from './rc-responder/held.ts';
import { variedSound } from './sound/choices.ts';
import { soundSettings } from './sound/settings.ts';
import type { SoundId, VariantId } from './variant.ts';
import { makeVerbs } from './verbs/verbs.ts';

/** What a reference NIC is connected to. */
export interface ReferenceNicOptions {
  clock: Clock;
  /** the device's own addresses */
  endpoint: Endpoint;
  /** takes every frame that leaves the port */
  send: (frame: Uint8Array) => void;
  config?: Partial<ReferenceConfig>;
  /** MAC addresses by IP known beforehand; others are learned from what arrives, unknown ones are sent to broadcast */
  neighbours?: readonly Endpoint[];
  /** Throws RangeError if it has no fault. */
  mutant?: MutantId;
  /** Another way to be sound, where there is no mutant. Throws RangeError if it is none. */
  sound?: SoundId;
  /** number of the first QP; default 0x11 */
  firstQp?: number;
  memory?: MemoryPlace;
}

/** A device in process, both roles of RC, UC and UD, on any clock. Frames go in by receive() and out by `send`. */
export class ReferenceNic {
  readonly verbs: Verbs;
  /** what its verbs have made */
  readonly device: Device;
  readonly #nic: Nic;

  constructor(options: ReferenceNicOptions) {
    const { mutant, sound } = options;
    if (mutant !== undefined && !faultyMutants.has(mutant) && !isSwitchFault(mutant))
      throw new RangeError(`the mutant "${mutant}" has no fault`);
    if (sound !== undefined && !variedSound.has(sound) && soundSettings[sound] === undefined)
      throw new RangeError(`the conformant variant "${sound}" changes nothing`);
    this.device = this.#nic = new Nic(options);
    this.verbs = makeVerbs(this.device);
  }

  /** A frame that arrives at the port; it is processed in a later clock event, never within this call. */
  receive(frame: Uint8Array): void {
    this.#nic.receive(frame);
  }

  /** Called with each change that the reaction point makes to the rate of a QP. */
  onRate(listener: (record: RateRecord, time: number) => void): void {
    const { reaction } = this.device;
    if (reaction !== undefined) reaction.listener = listener;
  }

  /** Takes the link of the port down or up. */
  setLink(up: boolean): void {
    changeLink(this.device, up);
  }

  /** Gives the port one more address, or takes it away; gives its GID. */
  setGid(present: boolean): string {
    return changeGids(this.device, present);
  }
}

/** State and plumbing of a ReferenceNic: what the verbs and all roles share. */
class Nic implements Device {
  readonly clock: Clock;
  readonly config: ReferenceConfig;
  readonly memory: Memory;
  readonly variant: VariantId | undefined;
  readonly pds = new Set<number>();
  readonly cqs = new Map<number, CompletionQueue>();
  readonly srqs = new Map<number, ReceiveQueue>();
  readonly ahs = new Map<number, AddressHandle>();
  readonly qps = new Map<number, QueuePair>();
  readonly qpByNumber = new Map<number, QueuePair>();
  readonly notification: NotificationPoint | undefined;
  readonly reaction: ReactionPoint | undefined;
  portState: PortState = 'IBV_PORT_ACTIVE';
  readonly moreGids = new Set<string>();
  nextHandle = 1;
  nextQp: number;
  cqListener: ((cq: number, time: number) => void) | undefined;
  eventListener: ((event: AsyncEvent, time: number) => void) | undefined;
  secondListener: ((event: AsyncEvent, time: number) => void) | undefined;
  arrival = 0;
  readonly #send: (frame: Uint8Array) => void;
  readonly #port: Port;

  constructor(options: ReferenceNicOptions) {
    const { clock, endpoint, send, config, neighbours = [], mutant, sound, firstQp = 0x11 } = options;
    this.clock = clock;
    this.config = { ...defaultConfig, ...config };
    this.variant = mutant ?? sound;
    this.memory = new Memory(this.variant, options.memory);
    this.nextQp = firstQp;
    // some of what the device has sent waits in front of its port
    this.#send = (frame) => {
      if (leavesPort(this)) send(frame);
    };
    const { rcm, congestion, processingDelay } = this.config;
    this.notification = rcm ? new NotificationPoint(this, congestion) : undefined;
    this.reaction = rcm ? new ReactionPoint(this, congestion) : undefined;
    const process = (frame: Uint8Array, time: number): void => {
      this.arrival = time;
      dispatch(this, frame);
    };
    this.#port = new Port({ clock, endpoint, neighbours, processingDelay, process });
  }

  receive(frame: Uint8Array): void {
    if (entersPort(this, frame)) this.#port.receive(frame);
  }

  catchUp(): void {
    this.#port.catchUp();
  }

  ownGids(): string[] {
    const own = [this.#port.ip(4), this.#port.ip(6)];
    return own.map((ip) => (ip === undefined ? unusedGid : gidOfAddress(ip)));
  }

  isAddressed({ dstIp, ipVersion }: Packet): boolean {
    return dstIp === this.#port.ip(ipVersion);
  }

  learn({ srcIp, srcMac }: Packet): void {
    this.#port.learn(srcIp, srcMac);
  }

  transmit(qp: QueuePair, fields: Fields, to: Destination = qp): void {
    const remote = pathOfPacket(this, qp, to, fields);
    if (remote === undefined || !leavesPort(this)) return;
    const srcIp = this.#port.ip(remote.version);
    if (srcIp === undefined) return;
    const addresses = { srcMac: this.#port.mac, dstMac: this.#port.macOf(remote.ip), srcIp };
    const frame = frameOf(this, qp, fields, to, remote, addresses);
    // What the device sends to itself never comes to the wire.
    if (remote.ip === srcIp) this.receive(frame);
    else leave(this, this.#send, frame, fields);
    const direction = directionOf(fields);
    if (direction !== undefined) qp.limiter?.left(direction, frame.length);
  }

  complete(cq: CompletionQueue, wc: Wc, solicited = false): void {
    enterCq(this, cq, wc, solicited);
  }

  raise(event: AsyncEvent): void {
    tell(this, event);
  }

  fail(qp: QueuePair): void {
    if (qp.state === 'IBV_QPS_RESET') return;
    const outlive = outliveError(this, qp);
    qp.state = 'IBV_QPS_ERR';
    qp.attr.qp_state = 'IBV_QPS_ERR';
    if (!outlive) endSending(qp);
    flush(this, qp);
  }
}
