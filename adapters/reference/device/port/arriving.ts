import { decode, longestFrame, type Packet } from '../../../../wire/index.ts';
import { seam, type Varied } from '../../seam.ts';

/** The packet of a frame that arrives; `undefined` where the port drops it. */
export const arriving = seam((_device: Varied, frame: Uint8Array): Packet | undefined => {
  const decoded = decode(frame);
  return decoded.kind === 'packet' && decoded.packet.ipChecksumOk && frame.length <= longestFrame
    ? decoded.packet
    : undefined;
});
