import { opcodes, serviceBits } from '../../../spec/constants.ts';
import type { HeaderName, OpcodeFamily, OpcodeInfo, Position, Service } from '../../../spec/constants.ts';
import type { Carried } from '../../../spec/work-requests.ts';
import type { Packet } from '../../../wire/packet.ts';

export type Family = OpcodeFamily | 'other';

/** What an RC opcode means to a responder; computed once per opcode byte. */
export interface RequestShape {
  family: Family;
  position: Position;
  /** it is the first of its message, and the last */
  starts: boolean;
  ends: boolean;
  immediate: boolean;
  carries: Carried;
  /** CompareSwap */
  swaps: boolean;
  /** capability a device must have declared for this operation; `undefined`: every RC device has it */
  capability: string | undefined;
  info: OpcodeInfo | undefined;
}

/** Whether the place is that of the first packet, and that of the last. */
export function endsOf(position: Position): { starts: boolean; ends: boolean } {
  const only = position === 'only';
  return { starts: only || position === 'first', ends: only || position === 'last' };
}

function shapeOf(info: OpcodeInfo | undefined): RequestShape {
  const request = info?.kind === 'request' ? info : undefined;
  const carries = carriedBy(request?.headers ?? []);
  return {
    family: request?.family ?? 'other',
    position: request?.position ?? 'only',
    ...endsOf(request?.position ?? 'only'),
    immediate: carries === 'immediate',
    carries,
    swaps: request?.operation === 'COMPARE_SWAP',
    capability: request?.capability,
    info,
  };
}

function carriedBy(headers: readonly HeaderName[]): Carried {
  if (headers.includes('ImmDt')) return 'immediate';
  return headers.includes('IETH') ? 'invalidate' : 'nothing';
}

const shapes: readonly RequestShape[] = Array.from({ length: 256 }, (_, opcode) => shapeOf(opcodes[opcode]));

/** Shape of a request by its opcode byte; reserved opcodes and responses are `other`. */
export function requestShape(opcode: number): RequestShape {
  return shapes[opcode & 0xff] ?? shapeOf(undefined);
}

const services = ['RC', 'UC', 'RD', 'UD', 'CNP', 'XRC', 'ORC'] as const satisfies readonly Service[];
const servicesOfOpcodes = Array.from({ length: 256 }, (_, opcode) =>
  services.find((service) => serviceBits[service] === (opcode & 0xe0)),
);

/** The service of an opcode byte, defined or not, by its upper three bits; `undefined`: of none. */
export function serviceOfOpcode(opcode: number): Service | undefined {
  return servicesOfOpcodes[opcode];
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
