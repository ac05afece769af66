import { atomicBytes } from '../../spec/constants.ts';
import type { Sge } from '../../spec/verbs.ts';
import type { Asked } from './reason.ts';
import type { End, OpenSend } from './end.ts';
import type { ByteClass } from '../device/objects/byte-classes.ts';
import {
  changed,
  clipped,
  commitMemory,
  offsetIn,
  scatter,
  totalLength,
  type Memory,
} from '../device/memory.ts';

function put(
  memory: Memory,
  list: readonly Sge[],
  from: number,
  length: number,
  bytes: Uint8Array | undefined,
): void {
  let at = 0;
  for (const range of scatter(memory, list, from, length)) {
    const part = bytes?.subarray(at, at + range.length);
    at += range.length;
    if (range.region === undefined || !range.region.alive) continue;
    const byteClass: ByteClass = bytes === undefined ? 'undefined' : 'written';
    const { region, offset } = range;
    const inside = clipped(region, offset, range.length);
    if (inside === undefined) continue;
    const { begin, end } = inside;
    const bytesOf = part?.subarray(begin - offset, end - offset);
    commitMemory(
      changed(undefined, { region, offset: begin, length: end - begin, bytes: bytesOf, byteClass }),
    );
  }
}

/** Bytes that a list names; `undefined` where a part of it is in no region. */
export function gathered(memory: Memory, list: readonly Sge[]): Uint8Array | undefined {
  const total = totalLength(list);
  const parts: Uint8Array[] = [];
  for (const { region, offset, length } of scatter(memory, list, 0, total)) {
    if (region === undefined || offset < 0 || offset + length > region.length) return undefined;
    parts.push(region.content.subarray(offset, offset + length));
  }
  // only now: a list that names no memory may be of any length
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The range that an RDMA operation names, as a list of one element by its R_Key. */
function target(memory: Memory, { wr }: OpenSend, length: number): Sge[] {
  const region = memory.byRkey(wr.rkey ?? 0);
  return region === undefined ? [] : [{ addr: wr.remote_addr ?? region.addr, length, lkey: region.lkey }];
}

/** What a message leaves in the responder's memory: `undecided` where any part of it may have arrived. */
export function changeResponder(
  memory: Memory,
  to: End,
  send: OpenSend,
  asked: Asked,
  effect: 'whole' | 'undecided',
): void {
  const { wr } = send;
  const length = totalLength(wr.sg_list);
  const bytes = effect === 'whole' ? send.data : undefined;
  if (asked === 'send' || asked === 'send-immediate') {
    const list = to.receives.waiting[0]?.sg_list ?? [];
    const { front } = to;
    put(memory, list, 0, front, undefined);
    put(memory, list, front, Math.min(length, totalLength(list) - front), bytes);
    // a buffer that is too short may be filled to its end
    if (effect === 'undecided') put(memory, list, 0, totalLength(list), undefined);
    return;
  }
  const range = target(memory, send, length);
  if (asked === 'write' || asked === 'write-immediate') put(memory, range, 0, length, bytes);
  else if (asked === 'atomic')
    put(memory, range, 0, atomicBytes, bytes === undefined ? undefined : exchanged(memory, send));
}

/** What a READ or ATOMIC brings back to the requester. Call it before the responder's memory changes. */
export function changeRequester(
  memory: Memory,
  send: OpenSend,
  asked: Asked,
  effect: 'whole' | 'undecided',
): void {
  if (asked !== 'read' && asked !== 'atomic') return;
  const length = totalLength(send.wr.sg_list);
  const fetched = effect === 'whole' ? gathered(memory, target(memory, send, length)) : undefined;
  put(memory, send.wr.sg_list, 0, length, fetched);
}

/** Content of an ATOMIC's 8 bytes after it was carried out, as a little-endian host sees them. */
function exchanged(memory: Memory, { wr }: OpenSend): Uint8Array | undefined {
  const region = memory.byRkey(wr.rkey ?? 0);
  if (region === undefined) return undefined;
  const at = offsetIn(region, wr.remote_addr ?? region.addr);
  const old = new DataView(region.content.buffer, region.content.byteOffset + at, atomicBytes).getBigUint64(
    0,
    true,
  );
  const operand = wr.compare_add ?? 0n;
  const add = wr.opcode === 'IBV_WR_ATOMIC_FETCH_AND_ADD';
  const value = add ? old + operand : old === operand ? (wr.swap ?? 0n) : old;
  const bytes = new Uint8Array(atomicBytes);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, value), true);
  return bytes;
}
