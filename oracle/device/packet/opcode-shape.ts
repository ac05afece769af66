import { opcodes } from '../../../spec/constants.ts';
import type { OpcodeInfo } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/packet.ts';

export type Family = 'send' | 'write' | 'read' | 'atomic' | 'other';
export type Position = 'first' | 'middle' | 'last' | 'only';
/** What the last packet of a message carries besides its payload. */
export type Carried = 'nothing' | 'immediate' | 'invalidate';

/** What an RC opcode means to a responder; computed once per opcode byte. */
export interface RequestShape {
  family: Family;
  position: Position;
  immediate: boolean;
  carries: Carried;
  /** CompareSwap */
  swaps: boolean;
  /** capability a device must have declared for this operation; `undefined`: every RC device has it */
  capability: string | undefined;
  info: OpcodeInfo | undefined;
}

const positions: readonly [string, Position][] = [
  ['_FIRST', 'first'],
  ['_MIDDLE', 'middle'],
  ['_LAST', 'last'],
];

/** Place in its message that the operation of an opcode names. */
export function positionOf(operation: string): Position {
  return positions.find(([mark]) => operation.includes(mark))?.[1] ?? 'only';
}

function carriedBy(operation: string): Carried {
  if (operation.endsWith('WITH_IMMEDIATE')) return 'immediate';
  return operation.endsWith('WITH_INVALIDATE') ? 'invalidate' : 'nothing';
}

function shapeOf(info: OpcodeInfo | undefined): RequestShape {
  const other: RequestShape = {
    family: 'other',
    position: 'only',
    immediate: false,
    carries: 'nothing',
    swaps: false,
    capability: undefined,
    info,
  };
  if (info === undefined || info.kind !== 'request') return other;
  const name = info.operation;
  const position = positionOf(name);
  const carries = carriedBy(name);
  const message = { ...other, position, carries, immediate: carries === 'immediate' };
  if (name.startsWith('SEND')) {
    const capability = carries === 'invalidate' ? 'send-with-invalidate' : undefined;
    return { ...message, family: 'send', capability };
  }
  if (name.startsWith('RDMA_WRITE')) return { ...message, family: 'write' };
  if (name === 'RDMA_READ_REQUEST') return { ...other, family: 'read' };
  if (name === 'COMPARE_SWAP' || name === 'FETCH_ADD')
    return { ...other, family: 'atomic', swaps: name === 'COMPARE_SWAP', capability: 'atomic' };
  return other;
}

const shapes: readonly RequestShape[] = Array.from({ length: 256 }, (_, opcode) => shapeOf(opcodes[opcode]));

/** Shape of a request by its opcode byte; reserved opcodes and responses are `other`. */
export function requestShape(opcode: number): RequestShape {
  return shapes[opcode & 0xff] ?? shapeOf(undefined);
}

/** Whether the opcode byte is that of a response. */
export function isResponse(opcode: number): boolean {
  return opcodes[opcode]?.kind === 'response';
}

/** What an ATOMIC leaves of the value that it finds. */
export function afterAtomic({ opcode, atomicEth }: Packet, before: bigint): bigint {
  if (atomicEth === undefined) return before;
  const { compare, swapOrAdd } = atomicEth;
  if (opcodes[opcode]?.operation === 'FETCH_ADD') return BigInt.asUintN(64, before + swapOrAdd);
  return before === compare ? swapOrAdd : before;
}
