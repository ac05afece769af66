import { ipv4HeaderSum } from '../../../../wire/checksum.ts';
import { decode, frameFault, reseal, type FrameFault, type Packet } from '../../../../wire/index.ts';
import type { QueuePair } from '../qp.ts';
import { faultsAt } from '../../seam.ts';
import { addressFits, headerFits, icrcFits, pkeyFits, qpNamed, serviceFits } from '../admit.ts';
import { arriving } from '../port/arriving.ts';
import type { Device } from '../device.ts';
import { leave } from '../report.ts';

const roomForHeaders = 32;
const rocePort = 4791;

/** What a port that does not look at a header makes of the frame. */
function mended(frame: Uint8Array, wrong: FrameFault): Uint8Array {
  const longer = wrong === 'transport' ? roomForHeaders : 0;
  const copy = new Uint8Array(frame.length + longer);
  copy.set(frame);
  const view = new DataView(copy.buffer);
  const ip = 14;
  const v4 = (copy[ip] ?? 0) >>> 4 === 4 || view.getUint16(12) === 0x0800;
  const udp = ip + (v4 ? 20 : 40);
  if (copy.length < udp + 8) return copy;
  view.setUint16(12, v4 ? 0x0800 : 0x86dd);
  view.setUint8(ip, v4 ? 0x45 : 0x60);
  view.setUint16(ip + (v4 ? 2 : 4), copy.length - (v4 ? ip : udp));
  view.setUint16(udp + 2, rocePort);
  view.setUint16(udp + 4, copy.length - udp);
  if (v4) {
    view.setUint16(ip + 10, 0);
    view.setUint16(ip + 10, ipv4HeaderSum(copy, ip));
  }
  return reseal(copy);
}

/** The packet of a frame of which just this part is wrong, for a device that does not look there. */
export function unchecked(frame: Uint8Array, part: FrameFault): Packet | undefined {
  if (frameFault(frame) !== part) return undefined;
  const again = decode(mended(frame, part));
  return again.kind === 'packet' ? again.packet : undefined;
}

const notChecking =
  (part: FrameFault) =>
  (sound: (device: Device, frame: Uint8Array) => Packet | undefined, device: Device, frame: Uint8Array) =>
    sound(device, frame) ?? unchecked(frame, part);

/** The frame with a UDP length that is not that of its IP packet. */
function withWrongUdpLength(frame: Uint8Array): Uint8Array {
  const copy = frame.slice();
  const view = new DataView(copy.buffer);
  const at = 14 + (view.getUint16(12) === 0x0800 ? 20 : 40) + 4;
  view.setUint16(at, view.getUint16(at) + 2);
  return copy;
}

/** One of the QPs of a device. */
export function anyQp({ qpByNumber }: Device): QueuePair | undefined {
  return qpByNumber.values().next().value;
}

export const arrivingFaults = [
  faultsAt(arriving, {
    'udp-checksum-dropped': (sound, device, frame) => {
      const packet = sound(device, frame);
      return packet?.udpChecksum === 0 ? packet : undefined;
    },
    'ethertype-unchecked': notChecking('ethertype'),
    'ip-header-unchecked': notChecking('ip-header'),
    'udp-header-unchecked': notChecking('udp-header'),
    'cut-short-accepted': notChecking('transport'),
  }),

  faultsAt(icrcFits, {
    'icrc-covers-flow-label': (sound, device, packet) =>
      sound(device, packet) && (packet.ipVersion === 4 || packet.flowLabel === 0),
    'icrc-unchecked': () => true,
    'response-icrc-unchecked': (sound, device, packet) =>
      packet.info?.kind === 'response' || sound(device, packet),
    'ooo-icrc-unchecked': (sound, device, packet) => packet.info?.service === 'ORC' || sound(device, packet),
  }),

  faultsAt(addressFits, {
    'destination-address-unchecked': () => true,
    'destination-of-answers-unchecked': (sound, device, packet) =>
      packet.info?.kind === 'response' || sound(device, packet),
  }),

  faultsAt(headerFits, {
    'low-source-port-dropped': (sound, device, packet) => packet.srcPort >= 0xc000 && sound(device, packet),
    'transport-version-unchecked': () => true,
    'reserved-bits-checked': (sound, device, packet) =>
      packet.resv6 === 0 && packet.resv7 === 0 && sound(device, packet),
  }),

  faultsAt(qpNamed, {
    'unknown-qp-accepted': (sound, device, packet) => sound(device, packet) ?? anyQp(device),
  }),

  faultsAt(serviceFits, {
    'service-unchecked': (sound, device, qp, packet) =>
      packet.info?.kind === 'request' || sound(device, qp, packet),
  }),

  faultsAt(pkeyFits, {
    'pkey-unchecked': () => true,
    'limited-member-dropped': (_sound, _device, { pkey }) => pkey === 0xffff,
  }),

  faultsAt(leave, {
    'wrong-udp-length-sent': (sound, device, send, frame, fields) =>
      sound(device, send, fields.aeth === undefined ? frame : withWrongUdpLength(frame), fields),
  }),
];
