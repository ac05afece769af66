import { loadSpecYaml } from './load.ts';
import type { QpState, WcOpcode, WcStatus, EventType } from './verbs.ts';

export type Service = 'RC' | 'UC' | 'RD' | 'UD' | 'CNP' | 'XRC' | 'ORC';
export type HeaderName =
  | 'RDETH'
  | 'DETH'
  | 'XRCETH'
  | 'RETH'
  | 'AtomicETH'
  | 'AETH'
  | 'AtomicAckETH'
  | 'ImmDt'
  | 'IETH'
  | 'FETH'
  | 'OOETH'
  | 'SAETH';

export type OpcodeFamily = 'send' | 'write' | 'read' | 'atomic';
/** Place of a packet in its message. */
export type Position = 'first' | 'middle' | 'last' | 'only';

/** One BTH opcode, service bits included. `headers` are the extension headers after the BTH, in wire order. */
export interface OpcodeInfo {
  opcode: number;
  /** e.g. `RC_SEND_ONLY`; `CNP` alone stands for 0x81 */
  name: string;
  /** e.g. `SEND_ONLY`, the same over all services */
  operation: string;
  service: Service;
  kind: 'request' | 'response' | 'cnp';
  /** what it asks for, or brings; `undefined`: neither of these */
  family: OpcodeFamily | undefined;
  position: Position;
  /** capability that a device must have declared for it; `undefined`: every device of the service has it */
  capability: string | undefined;
  headers: readonly HeaderName[];
  payload: boolean;
  /** bytes of all extension headers together */
  headerBytes: number;
}

interface OpcodeFile {
  services: Record<Service, number>;
  headers: Record<HeaderName, number>;
  prefix: Partial<Record<Service, HeaderName[]>>;
  responsePrefix: Partial<Record<Service, HeaderName[]>>;
  operations: {
    op: number;
    name: string;
    kind: 'request' | 'response';
    family?: OpcodeFamily;
    position?: Position;
    capability?: string;
    headers: HeaderName[];
    payload: boolean;
    services: Service[];
    instead?: Partial<Record<Service, HeaderName[]>>;
  }[];
  longestMessage: number;
  atomicBytes: number;
  cnp: { opcode: number; name: string; reservedBytes: number };
}

// The files are the package's own and test/spec checks them against their JSON Schemas.
const opcodeFile = loadSpecYaml('constants/opcodes.yaml') as OpcodeFile;
const aethFile = loadSpecYaml('constants/aeth.yaml') as {
  kinds: Record<'ack' | 'rnr-nak' | 'reserved' | 'nak', number>;
  nakCodes: { code: number; name: string; title: string }[];
  creditInvalid: number;
  credits: number[];
};
const timerFile = loadSpecYaml('constants/timers.yaml') as {
  rnrMicroseconds: number[];
  ackTimeout: { baseNanoseconds: number; windowFactor: number; off: number };
};
const verbsFile = loadSpecYaml('constants/verbs.yaml') as Record<string, Record<string, number>>;
const transitionFile = loadSpecYaml('constants/qp-transitions.yaml') as Record<string, QpTransition[]>;

export interface QpTransition {
  from: string;
  to: string;
  required: string[];
  optional: string[];
}

/** Bits 7:5 of the opcodes of each service, the lower ones 0. */
export const serviceBits: Readonly<Record<Service, number>> = opcodeFile.services;

/** Bytes of each extension header. */
export const headerBytes: Readonly<Record<HeaderName, number>> = opcodeFile.headers;

function buildOpcodes(): (OpcodeInfo | undefined)[] {
  const all: (OpcodeInfo | undefined)[] = Array.from({ length: 256 });
  const add = (info: Omit<OpcodeInfo, 'headerBytes'>): void => {
    all[info.opcode] = { ...info, headerBytes: info.headers.reduce((n, h) => n + opcodeFile.headers[h], 0) };
  };
  for (const operation of opcodeFile.operations) {
    for (const service of operation.services) {
      const prefix =
        (operation.kind === 'request' ? opcodeFile.prefix : opcodeFile.responsePrefix)[service] ?? [];
      add({
        opcode: opcodeFile.services[service] | operation.op,
        name: `${service}_${operation.name}`,
        operation: operation.name,
        service,
        kind: operation.kind,
        family: operation.family,
        position: operation.position ?? 'only',
        capability: operation.capability,
        headers: operation.instead?.[service] ?? [...prefix, ...operation.headers],
        payload: operation.payload,
      });
    }
  }
  const { cnp } = opcodeFile;
  add({
    opcode: cnp.opcode,
    name: cnp.name,
    operation: cnp.name,
    service: 'CNP',
    kind: 'cnp',
    family: undefined,
    position: 'only',
    capability: undefined,
    headers: [],
    payload: true,
  });
  return all;
}

/** Indexed by the BTH opcode byte; `undefined` where the opcode is reserved. Source: `constants/opcodes.yaml`. */
export const opcodes: readonly (OpcodeInfo | undefined)[] = buildOpcodes();

/** Opcode byte by full name (`RC_SEND_ONLY`); throws RangeError for a name that does not exist. */
export function opcodeByName(name: string): number {
  const info = opcodes.find((o) => o?.name === name);
  if (info === undefined) throw new RangeError(`unknown opcode ${name}`);
  return info.opcode;
}

/** Bytes of the longest message. */
export const longestMessage = opcodeFile.longestMessage;

/** Bytes that an ATOMIC reads and writes; its address is a multiple of it. */
export const atomicBytes = opcodeFile.atomicBytes;

export const cnpReservedBytes = opcodeFile.cnp.reservedBytes;

export type SyndromeKind = 'ack' | 'rnr-nak' | 'reserved' | 'nak';
export type NakCode =
  | 'psn-sequence-error'
  | 'invalid-request'
  | 'remote-access-error'
  | 'remote-operational-error'
  | 'invalid-rd-request';

const syndromeKinds: readonly SyndromeKind[] = ['ack', 'rnr-nak', 'reserved', 'nak'];

/** Kind (bits 6:5) and value (bits 4:0) of an AETH syndrome byte; bit 7 set counts as reserved. */
export function decodeSyndrome(syndrome: number): { kind: SyndromeKind; value: number } {
  const kind = syndrome & 0x80 ? 'reserved' : (syndromeKinds[(syndrome >> 5) & 3] ?? 'reserved');
  return { kind, value: syndrome & 0x1f };
}

/** Syndrome byte of a kind and a five-bit value. */
export function encodeSyndrome(kind: SyndromeKind, value: number): number {
  return (aethFile.kinds[kind] << 5) | (value & 0x1f);
}

export const nakCodes: readonly { code: number; name: NakCode; title: string }[] =
  aethFile.nakCodes as readonly { code: number; name: NakCode; title: string }[];

/** Five-bit NAK code of a name; RangeError where it is none. */
export function nakCodeByName(name: string | undefined): number {
  const found = nakCodes.find((c) => c.name === name);
  if (found === undefined) throw new RangeError(`unknown NAK code ${name}`);
  return found.code;
}

export const creditInvalid = aethFile.creditInvalid;
/** Credits by ACK code 0x00..0x1e. */
export const credits: readonly number[] = aethFile.credits;

/** RNR wait in microseconds by timer code 0..31. */
export const rnrMicroseconds: readonly number[] = timerFile.rnrMicroseconds;
/** The wait that a timer code asks for, in nanoseconds; 0 of a number that is no code. */
export function rnrNanoseconds(code: number): number {
  return 1000 * (rnrMicroseconds[code] ?? 0);
}
export const ackTimeout: Readonly<{ baseNanoseconds: number; windowFactor: number; off: number }> =
  timerFile.ackTimeout;

/** One named set of numbers of <infiniband/verbs.h>, both ways. */
export interface EnumTable<Name extends string = string> {
  readonly numbers: Readonly<Record<string, number>>;
  /** number of a name; RangeError if unknown */
  number(name: Name): number;
  /** name of a number; `undefined` if unknown */
  name(value: number): Name | undefined;
}

function enumTable<Name extends string>(key: string): EnumTable<Name> {
  const numbers = verbsFile[key];
  if (numbers === undefined) throw new RangeError(`constants/verbs.yaml has no ${key}`);
  const names = new Map(Object.entries(numbers).map(([name, value]) => [value, name as Name]));
  return {
    numbers,
    number: (name) => {
      const value = numbers[name];
      if (value === undefined) throw new RangeError(`unknown ${key} ${name}`);
      return value;
    },
    name: (value) => names.get(value),
  };
}

export const wcStatus = enumTable<WcStatus>('wcStatus');
export const wcOpcode = enumTable<WcOpcode>('wcOpcode');
export const wcFlags = enumTable('wcFlags');
export const eventType = enumTable<EventType>('eventType');
export const qpState = enumTable<QpState>('qpState');
export const qpType = enumTable('qpType');
export const migState = enumTable('migState');
export const pathMtu = enumTable('mtu');
/** Path MTUs in bytes: of the codes, each stands for twice the one before. */
export const pathMtus: readonly number[] = Object.values(pathMtu.numbers).map((code) => 128 << code);
export const leastPathMtu = Math.min(...pathMtus);
export const greatestPathMtu = Math.max(...pathMtus);
export const wrOpcode = enumTable('wrOpcode');
export const sendFlags = enumTable('sendFlags');
export const accessFlags = enumTable('accessFlags');
/** Shift counts of the ibv_modify_qp mask bits. */
export const qpAttrMask = enumTable('qpAttrMask');
/** Required and optional attributes of each transition by service (`RC`, `UC`, `UD`). */
export const qpTransitions: Readonly<Record<string, readonly QpTransition[]>> = transitionFile;
