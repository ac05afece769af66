import { psnAdd, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { seam } from '../seam.ts';
import type { OooQp } from './qp.ts';

/** The message whose last packet this is has been carried out. */
export const countMessage = seam((_core: Core, { responder: r }: OooQp, _packet: Packet): void => {
  r.msn = psnAdd(r.msn, 1);
});
