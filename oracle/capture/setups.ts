import { forgetOldest } from '../forget-oldest.ts';
import type { Note } from '../device/notes.ts';
import { reversedKey } from '../../wire/address-key.ts';
import { connectionSetup } from '../../wire/mad/connection-setup.ts';
import type { ConnectionSetup } from '../../wire/mad/connection-setup.ts';
import type { Packet } from '../../wire/packet.ts';

/** What both ends of a connection have agreed on of one direction. */
export type Agreement = Extract<Note, { kind: 'agreed' }>;

const none: readonly Agreement[] = [];
/** REQ messages that may still be answered; of more of them, the oldest are forgotten. */
const most = 4096;

/** Follows connection managers, whose messages say which two QPs are connected. */
export class ConnectionSetups {
  readonly #asked = new Map<string, ConnectionSetup>();

  /** Gives what the packet brings about: both directions of a connection, where it answers a REQ that was seen. */
  saw(packet: Packet): readonly Agreement[] {
    const setup = connectionSetup(packet);
    if (setup === undefined) return none;
    const { addressKey } = packet;
    const { id, answers, qp, psn } = setup;
    if (answers === undefined) {
      this.#asked.set(keyOf(addressKey, id), setup);
      forgetOldest(this.#asked, most);
      return none;
    }
    const reversed = reversedKey(addressKey);
    const asked = this.#asked.get(keyOf(reversed, answers));
    if (asked === undefined) return none;
    return [
      { kind: 'agreed', addressKey: reversed, destQp: qp, peer: asked.qp, psn },
      { kind: 'agreed', addressKey, destQp: asked.qp, peer: qp, psn: asked.psn },
    ];
  }
}

function keyOf(addressKey: string, id: number): string {
  return `${addressKey}/${id}`;
}
