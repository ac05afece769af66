import { choicesAt } from '../seam.ts';
import { entriesAfter, entriesFor } from '../verbs/completion-queues.ts';
import { roomFor } from '../verbs/queue-pairs.ts';
import { sharedRoomFor } from '../verbs/shared-receive-queues.ts';

/** The next power of two beyond a number. */
function beyond(asked: number): number {
  return 2 ** (Math.floor(Math.log2(Math.max(1, asked))) + 1);
}

/** Devices that make more room than they are asked for. */
export const room = [
  choicesAt(entriesFor, { 'more-room': (_sound, _device, asked) => beyond(asked) }),
  choicesAt(entriesAfter, {
    'more-room': (_sound, _device, { capacity }, asked) => Math.max(capacity, beyond(asked)),
  }),
  choicesAt(roomFor, {
    'more-room': (_sound, _device, asked) => ({
      max_send_wr: beyond(asked.max_send_wr),
      max_recv_wr: beyond(asked.max_recv_wr),
      max_send_sge: beyond(asked.max_send_sge),
      max_recv_sge: beyond(asked.max_recv_sge),
      max_inline_data: beyond(asked.max_inline_data ?? 0),
    }),
  }),
  choicesAt(sharedRoomFor, { 'more-room': (_sound, _device, asked) => beyond(asked) }),
];
