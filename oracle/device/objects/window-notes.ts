import type { TraceEvent } from '../../trace.ts';
import { isResponse } from '../packet/opcode-shape.ts';
import type { Objects } from '../objects.ts';

/** What a packet or a completion shows of the memory windows of a device. */
export function noteWindows(objects: Objects, event: TraceEvent): void {
  const { windows } = objects.memory;
  if (event.kind === 'completion') {
    const { qp_num: number, wr_id: id, status, invalidated_rkey: rkey } = event.wc;
    windows.completed(number, id, status === 'IBV_WC_SUCCESS');
    if (rkey !== undefined && status === 'IBV_WC_SUCCESS')
      windows.invalidated(rkey, objects.byNumber(number)?.handle, 'yes');
  } else if (event.kind === 'packet' && event.direction === 'to-dut') {
    const { invalidateRkey: rkey, destQp, opcode } = event.packet;
    const qp = isResponse(opcode) ? objects.byNumber(destQp) : undefined;
    if (qp !== undefined) {
      objects.fences.answered(qp);
      windows.released(destQp);
    }
    if (rkey !== undefined) windows.invalidated(rkey, objects.byNumber(destQp)?.handle, 'maybe');
  }
}
