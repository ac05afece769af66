import { wrOpcode } from '../../spec/constants.ts';
import type { RecvWr, SendWr, Sge, WrOpcode } from '../../spec/verbs.ts';
import type { Memory } from '../device/memory.ts';
import type { Service } from '../device/qp.ts';
import type { SendFault } from './outstanding.ts';

/** What is known of the device that a work request is posted to. */
export interface FaultView {
  service: Service;
  pd: number;
  maxSge: number;
  maxInline: number;
  /** greatest message in bytes; `undefined`: not known */
  maxMessage: number | undefined;
  /** greatest message that the device declares to take, where nobody asked its port; `undefined`: it declares none */
  declaredMessage: number | undefined;
  /** MTU of the port in bytes; `undefined`: not known */
  mtu: number | undefined;
  capabilities: ReadonlySet<string> | undefined;
  memory: Memory;
}

/** Longest message of the architecture, in bytes. */
export const longestMessage = 2 ** 31;
/** a message of which nobody asked how long it may be */
const surelySent = 2 ** 20;
const [smallestMtu, largestMtu] = [256, 4096];
/** opcodes that extensions of the verbs have may be known to a device */
const extensions = 0x20;

const byService: Readonly<Record<Service, readonly WrOpcode[]>> = {
  RC: [
    'IBV_WR_SEND',
    'IBV_WR_SEND_WITH_IMM',
    'IBV_WR_RDMA_WRITE',
    'IBV_WR_RDMA_WRITE_WITH_IMM',
    'IBV_WR_RDMA_READ',
  ],
  UC: ['IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM', 'IBV_WR_RDMA_WRITE', 'IBV_WR_RDMA_WRITE_WITH_IMM'],
  UD: ['IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM'],
};

/** What is wrong with a send work request when it is posted. */
export function sendFaultOf(wr: SendWr, view: FaultView): SendFault {
  const faults = new Set<SendFault>();
  const add = (fault: SendFault): void => {
    if (fault !== 'none') faults.add(fault);
  };
  add(operationFault(wr, view));
  if (wr.sg_list.length > view.maxSge) faults.add('elements');
  const inline = wr.send_flags?.includes('IBV_SEND_INLINE') === true;
  const length = bytesOf(wr.sg_list);
  if (inline && length > view.maxInline) faults.add('inline');
  if (!inline) for (const sge of wr.sg_list) add(elementFault(sge, places(wr), view));
  add(lengthFault(length, wr, view));
  if (inline && places(wr)) faults.add('several');
  if (wr.opcode.includes('ATOMIC') && length !== 8) faults.add('several');
  if (view.service === 'UD' && wr.ah === undefined) faults.add('several');
  const [only] = faults;
  return faults.size > 1 ? 'several' : (only ?? 'none');
}

/** Whether the call itself could see that the work request is malformed. */
export function isMalformed(fault: SendFault): boolean {
  return ['elements', 'operation', 'inline', 'length', 'datagram-length', 'several'].includes(fault);
}

/** An ATOMIC on an address that is no multiple of 8, as the call can see; whether it does is up to the library. */
export function isMisaligned({ opcode, remote_addr }: SendWr): boolean {
  return opcode.includes('ATOMIC') && (remote_addr ?? 0n) % 8n !== 0n;
}

export function isMalformedReceive(wr: RecvWr, maxSge: number): boolean {
  return wr.sg_list.length > maxSge;
}

/** READ and ATOMIC, whose list says where data go. */
export function places({ opcode }: SendWr): boolean {
  return opcode === 'IBV_WR_RDMA_READ' || opcode.includes('ATOMIC');
}

export function regionsOf(list: readonly Sge[], memory: Memory): number[] {
  return list.flatMap(({ lkey }) => memory.byLkey(lkey)?.mr ?? []);
}

function bytesOf(list: readonly Sge[]): number {
  return list.reduce((sum, { length }) => sum + length, 0);
}

function operationFault(wr: SendWr, { service, capabilities }: FaultView): SendFault {
  const named = wr.raw_opcode === undefined ? wr.opcode : wrOpcode.name(wr.raw_opcode);
  if (named === undefined) return (wr.raw_opcode ?? 0) < extensions ? 'several' : 'operation';
  if (named !== wr.opcode) return 'several';
  if (byService[service].some((name) => name === named)) return 'none';
  if (service !== 'RC') return named === 'IBV_WR_SEND_WITH_INV' ? 'several' : 'operation';
  const word = named === 'IBV_WR_SEND_WITH_INV' ? 'send-with-invalidate' : 'atomic';
  return capabilities?.has(word) === true ? 'none' : 'several';
}

function elementFault({ addr, length, lkey }: Sge, placed: boolean, view: FaultView): SendFault {
  if (length === 0) return 'none';
  const region = view.memory.byLkey(lkey);
  if (region === undefined) return 'key';
  if (!region.registered) return 'deregistered';
  const faults: SendFault[] = [];
  if (region.pd !== view.pd) faults.push('foreign-pd');
  if (addr < region.addr || addr + BigInt(length) > region.addr + BigInt(region.length))
    faults.push('bounds');
  if (placed && !region.access.includes('IBV_ACCESS_LOCAL_WRITE')) faults.push('rights');
  return faults.length > 1 ? 'several' : (faults[0] ?? 'none');
}

function lengthFault(length: number, wr: SendWr, view: FaultView): SendFault {
  const { service, mtu, maxMessage, declaredMessage = surelySent } = view;
  if (service === 'UD') {
    if (length > (mtu ?? largestMtu)) return 'datagram-length';
    return length > (mtu ?? smallestMtu) ? 'several' : 'none';
  }
  if (wr.opcode.includes('ATOMIC')) return 'none';
  if (length > (maxMessage ?? longestMessage)) return 'length';
  return maxMessage === undefined && length > Math.min(surelySent, declaredMessage) ? 'several' : 'none';
}
