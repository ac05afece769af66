import type { Clock } from '../adapter.ts';
import { decode } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import { corrupted, withCe, withField } from './alter.ts';
import { damaged } from './damage.ts';
import { FaultMatcher } from './matcher.ts';
import type { Direction, WireAction, WireFate, WireFault } from './plan.ts';

export interface FaultWireOptions {
  clock: Clock;
  faults: readonly WireFault[];
  /** PSN that `psnOffset` of the faults counts from */
  firstPsn: number;
  /** called with every frame that comes out at the far end of a direction */
  deliver: (direction: Direction, frame: Uint8Array) => void;
  /** called with every packet that meets a fault, before what becomes of it */
  told?: (direction: Direction, packet: Packet, fate: WireFate) => void;
}

/** A frame kept back until `after` more frames have passed in its direction. */
interface Held {
  frame: Uint8Array;
  after: number;
}

/**
 * The wire between requester and responder. Frames pass at once and in order, but for those that a fault of the plan
 * meets. The same plan and the same frames give the same outcome: nothing here is random. Alterations (corrupt, damage,
 * set-ce, rewrite) of several faults add up in the order of the plan; drop, duplicate, delay and hold are then decided by the
 * first such fault.
 */
export class FaultWire {
  private readonly options: FaultWireOptions;
  private readonly matcher: FaultMatcher;
  private readonly held: Record<Direction, Held[]> = { 'to-responder': [], 'to-requester': [] };
  private readonly timers = new Set<{ cancel(): void }>();
  /** frames that met a fault so far */
  faultsMet = 0;

  constructor(options: FaultWireOptions) {
    this.options = options;
    this.matcher = new FaultMatcher(options.faults, options.firstPsn);
  }

  /** True while frames are delayed or held. */
  get pending(): boolean {
    return (
      this.timers.size > 0 || this.held['to-responder'].length > 0 || this.held['to-requester'].length > 0
    );
  }

  /** Puts a frame on the wire. Frames that are no RoCEv2 pass untouched. */
  send(direction: Direction, frame: Uint8Array): void {
    const decoded = decode(frame);
    const hits = decoded.kind === 'packet' ? this.matcher.match(direction, decoded.packet) : [];
    if (decoded.kind !== 'packet' || hits.length === 0) {
      this.pass(direction, frame);
      return;
    }
    this.faultsMet++;
    this.options.told?.(direction, decoded.packet, fateOf(hits));
    const altered = hits.reduce((bytes, fault) => alter(bytes, decoded.packet, fault), frame);
    const route = hits.find((fault) => isRouting(fault))?.action;
    switch (route?.kind) {
      case 'drop':
        this.release(direction);
        return;
      case 'duplicate':
        this.pass(direction, altered);
        for (let i = 0; i < route.copies; i++) this.options.deliver(direction, altered);
        return;
      case 'delay': {
        const timer = this.options.clock.setTimer(route.us * 1000, () => {
          this.timers.delete(timer);
          this.options.deliver(direction, altered);
        });
        this.timers.add(timer);
        return;
      }
      case 'hold':
        this.held[direction].push({ frame: altered, after: Math.max(1, route.packets) + 1 });
        this.release(direction);
        return;
      case 'corrupt':
      case 'damage':
      case 'rewrite':
      case 'set-ce':
      case undefined:
        this.pass(direction, altered);
    }
  }

  /** Delivers what is still held, in order; for the end of an exchange, when no more frames will push it out. */
  flush(): void {
    for (const direction of ['to-responder', 'to-requester'] as const) {
      const frames = this.held[direction].splice(0);
      for (const { frame } of frames) this.options.deliver(direction, frame);
    }
  }

  /** Forgets what is delayed or held. */
  close(): void {
    for (const timer of this.timers) timer.cancel();
    this.timers.clear();
    this.held['to-responder'].length = 0;
    this.held['to-requester'].length = 0;
  }

  private pass(direction: Direction, frame: Uint8Array): void {
    this.options.deliver(direction, frame);
    this.release(direction);
  }

  /** One more frame went by in this direction: let out what waited for it. */
  private release(direction: Direction): void {
    const held = this.held[direction];
    if (held.length === 0) return;
    const due: Uint8Array[] = [];
    for (let i = 0; i < held.length;) {
      const entry = held[i];
      if (entry === undefined || --entry.after > 0) {
        i++;
        continue;
      }
      due.push(entry.frame);
      held.splice(i, 1);
    }
    for (const frame of due) this.options.deliver(direction, frame);
  }
}

/** What becomes of a packet, in words that follow its name. */
function fateOf(faults: readonly WireFault[]): WireFate {
  const changes = faults.flatMap(({ action }) => changeText(action) ?? []);
  const route = faults.find((fault) => isRouting(fault))?.action;
  const what = [...changes, ...(route === undefined ? [] : [routeText(route)])].join(', ');
  return { what, lost: route?.kind === 'drop' };
}

function routeText(action: WireAction): string {
  switch (action.kind) {
    case 'drop':
      return 'dropped';
    case 'duplicate':
      return action.copies === 1 ? 'delivered twice' : `delivered ${action.copies + 1} times`;
    case 'delay':
      return `delayed by ${action.us} us`;
    case 'hold':
      return `held back until ${action.packets} more have passed`;
    case 'corrupt':
    case 'damage':
    case 'set-ce':
    case 'rewrite':
      return '';
  }
}

function changeText(action: WireAction): string | undefined {
  switch (action.kind) {
    case 'corrupt':
      return `byte ${action.byte} of its transport headers and payload changed${action.repairIcrc ? ', ICRC made right' : ''}`;
    case 'damage':
      return `${action.part} made wrong`;
    case 'set-ce':
      return 'marked CE';
    case 'rewrite':
      return `${action.field} changed`;
    case 'drop':
    case 'duplicate':
    case 'delay':
    case 'hold':
      return undefined;
  }
}

function isRouting(fault: WireFault): boolean {
  switch (fault.action.kind) {
    case 'drop':
    case 'duplicate':
    case 'delay':
    case 'hold':
      return true;
    case 'corrupt':
    case 'damage':
    case 'set-ce':
    case 'rewrite':
      return false;
  }
}

function alter(bytes: Uint8Array, original: Packet, fault: WireFault): Uint8Array {
  const again = bytes === original.frame ? undefined : decode(bytes);
  const packet = again === undefined ? original : again.kind === 'packet' ? again.packet : undefined;
  if (packet === undefined) return bytes;
  const { action } = fault;
  switch (action.kind) {
    case 'corrupt':
      return corrupted(packet, action);
    case 'damage':
      return damaged(bytes, action.part);
    case 'set-ce':
      return withCe(packet);
    case 'rewrite':
      return withField(packet, action.field, action.xor);
    case 'drop':
    case 'duplicate':
    case 'delay':
    case 'hold':
      return bytes;
  }
}
