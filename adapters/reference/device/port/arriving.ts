import { decode, longestFrame, type Packet } from '../../../../wire/index.ts';
import { seam } from '../../seam.ts';
import type { Device } from '../device.ts';

/** The packet of a frame that arrives; `undefined` where the port drops it. */
export const arriving = seam((_device: Device, frame: Uint8Array): Packet | undefined => {
  const decoded = decode(frame);
  return decoded.kind === 'packet' && decoded.packet.ipChecksumOk && frame.length <= longestFrame
    ? decoded.packet
    : undefined;
});
