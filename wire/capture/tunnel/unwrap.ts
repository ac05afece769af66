import { putU16 } from '../../bytes.ts';
import { decode } from '../../decode.ts';
import type { Decoded } from '../../packet.ts';
import { congested, ecnAt } from './congested.ts';
import { erspan1, erspan2, erspan3 } from './erspan.ts';
import { ethernet } from './ethernet.ts';
import { gre } from './gre.ts';
import { ipv4, ipv6 } from './ip.ts';
import type { Layer, Place, Protocol, Step } from './layer.ts';
import { mpls } from './mpls.ts';
import { geneve, vxlan } from './overlay.ts';

/** What a packet was found in. */
export interface Within {
  /** from the outside, e.g. `['ERSPAN II', 'VXLAN']` */
  tunnels: string[];
  /** the network that its addresses belong to, e.g. `VXLAN 5`, where a tunnel names one */
  network?: string;
  /** bytes of the frame within, as it was on the wire; as far as the lengths around it tell */
  length: number;
}

/** Headers that one frame may have in front of its packet; more are no traffic that anybody sends. */
const deepest = 24;

const layers: Readonly<Record<Protocol, Layer>> = {
  ethernet,
  ipv4,
  ipv6,
  mpls,
  vxlan,
  geneve,
  gre,
  erspan1,
  erspan2,
  erspan3,
};

/** What is known of the way in. */
interface Way {
  tunnels: string[];
  network?: string;
  partial: boolean;
  /** a switch has set CE in a header around the packet that it travels with */
  marked: boolean;
}

/**
 * Looks for a RoCEv2 packet in the tunnels of an Ethernet frame that is none itself: VLAN stacks, MPLS, GRE, IP in IP, VXLAN, GENEVE, ERSPAN,
 * in any order. `wire` is the length that the frame had. Undefined if there is no tunnel. Never throws.
 */
export function unwrap(frame: Uint8Array, wire: number): (Decoded & { within: Within }) | undefined {
  const way: Way = { tunnels: [], partial: false, marked: false };
  let place: Place = { protocol: 'ethernet', at: 0, end: Math.max(wire, frame.length) };
  for (let depth = 0; depth < deepest; depth++) {
    const step = layers[place.protocol](frame, place);
    if ('none' in step) return way.tunnels.length === 0 ? undefined : stopped(way, place, step, frame);
    if ('cut' in step) return stopped(way, place, step, frame);
    take(way, place, step, frame);
    place = step;
    if (step.tunnel === undefined || !isPacket(step.protocol)) continue;
    const decoded = inner(frame, place, way);
    if (decoded.kind !== 'not-roce') return decoded;
  }
  return undefined;
}

const isPacket = (protocol: Protocol): boolean =>
  protocol === 'ethernet' || protocol === 'ipv4' || protocol === 'ipv6';

function take(
  way: Way,
  place: Place,
  step: Exclude<Step, { none: string } | { cut: string }>,
  frame: Uint8Array,
): void {
  if (place.protocol === 'ipv4' || place.protocol === 'ipv6')
    way.marked ||= ecnAt(frame, place.at, place.protocol === 'ipv4' ? 4 : 6) === 3;
  if (step.tunnel !== undefined) way.tunnels.push(step.tunnel);
  if (step.network !== undefined) way.network = step.network;
  way.partial ||= step.partial === true;
  // the path of a copy says nothing about that of the packet
  if (step.tunnel?.startsWith('ERSPAN') === true) {
    way.marked = false;
    delete way.network;
  }
}

function stopped(
  way: Way,
  { at, end }: Place,
  step: { none: string } | { cut: string; need: number },
  frame: Uint8Array,
): Decoded & { within: Within } {
  const where = way.tunnels.length === 0 ? '' : `in ${way.tunnels.join(', ')}: `;
  const within = withinOf(way, Math.max(0, end - at));
  if ('none' in step) return { kind: 'not-roce', reason: where + step.none, within };
  return {
    kind: 'truncated',
    reason: `${where}cut short within ${step.cut}`,
    need: step.need,
    have: frame.length,
    within,
  };
}

const withinOf = ({ tunnels, network }: Way, length: number): Within => ({
  tunnels,
  ...(network !== undefined && { network }),
  length,
});

function inner(frame: Uint8Array, place: Place, way: Way): Decoded & { within: Within } {
  const { at, end, protocol } = place;
  const bytes = frame.subarray(at, Math.max(at, Math.min(end, frame.length)));
  const lead = protocol === 'ethernet' ? nothing : leadOf(frame, place);
  const whole = lead.length === 0 && !way.marked ? bytes : joined(lead, bytes);
  if (way.marked) mark(whole);
  // a header may announce more than there is
  const length = lead.length + Math.max(0, end - at);
  const decoded = decode(whole, way.partial ? undefined : length);
  return { ...decoded, within: withinOf(way, length) };
}

const nothing = new Uint8Array(0);

/** The Ethernet header that stands for those that were taken away, with the tag next to the packet. */
function leadOf(frame: Uint8Array, { protocol, ethernet: macs, tci }: Place): Uint8Array {
  const lead = new Uint8Array(tci === undefined ? 14 : 18);
  if (macs !== undefined) lead.set(frame.subarray(macs, macs + 12));
  if (tci !== undefined) {
    putU16(lead, 12, 0x8100);
    putU16(lead, 14, tci);
  }
  putU16(lead, lead.length - 2, protocol === 'ipv6' ? 0x86dd : 0x0800);
  return lead;
}

function joined(lead: Uint8Array, bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(lead.length + bytes.length);
  whole.set(lead);
  whole.set(bytes, lead.length);
  return whole;
}

/** Marks the IP packet of a frame, whose bytes nobody else holds. */
function mark(frame: Uint8Array): void {
  const step = ethernet(frame, { protocol: 'ethernet', at: 0, end: frame.length });
  if (!('protocol' in step)) return;
  const { protocol, at } = step;
  if (protocol === 'ipv4' && frame.length >= at + 20) congested(frame, at, 4);
  if (protocol === 'ipv6' && frame.length >= at + 40) congested(frame, at, 6);
}
