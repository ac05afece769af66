import type { Packet } from '../../../wire/packet.ts';
import type { PostedSend } from './posted-send.ts';

type Posted = Pick<PostedSend, 'kind' | 'wr'>;

/** What a request packet says of remote memory, against its work request. */
export interface RequestTarget {
  /** it has a RETH or an AtomicETH */
  named: boolean;
  /** R_Key and, of an ATOMIC, operands are those of the work request */
  asPosted: boolean;
  /** where the memory begins that it names, in bytes from that of the work request on */
  beyond: number;
  /** bytes that its RETH names; 0 without one */
  length: number;
}

/** Operands of an ATOMIC; of a FetchAdd, the second one stands for nothing. */
export function operandsDue({ wr }: Posted, { atomicEth }: Packet): { swapOrAdd: bigint; compare: bigint } {
  const unsigned = (n = 0n): bigint => BigInt.asUintN(64, n);
  const added = unsigned(wr.compare_add);
  return wr.opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP'
    ? { swapOrAdd: unsigned(wr.swap), compare: added }
    : { swapOrAdd: added, compare: atomicEth?.compare ?? 0n };
}

export function targetOf(packet: Packet, posted: Posted): RequestTarget {
  const { atomicEth: atomic, reth } = packet;
  const { remote_addr: va = 0n, rkey = 0 } = posted.wr;
  if (posted.kind === 'atomic' && atomic !== undefined) {
    const { swapOrAdd, compare } = operandsDue(posted, packet);
    const asPosted = atomic.rkey === rkey && atomic.swapOrAdd === swapOrAdd && atomic.compare === compare;
    return { named: true, asPosted, beyond: Number(atomic.va - va), length: 0 };
  }
  if (posted.kind === 'send' || posted.kind === 'atomic' || reth === undefined) return noTarget;
  return { named: true, asPosted: reth.rkey === rkey, beyond: Number(reth.va - va), length: reth.dmaLen };
}

const noTarget: RequestTarget = { named: false, asPosted: false, beyond: 0, length: 0 };
