import type { WireFate } from '../../adapters/fault-wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import { VerbsError, type DeviceDied } from '../../adapters/adapter.ts';
import type { TraceEvent, TraceHeader } from '../../oracle/trace.ts';
import type { Wc } from '../../spec/verbs.ts';

/** A packet that met a fault of the plan on its way; no part of the trace, since the device sees only what comes out. */
export interface WireMark {
  /** nanoseconds since the start of the trace */
  t: number;
  direction: 'to-dut' | 'from-dut';
  packet: Packet;
  fate: WireFate;
}

/** A line that the machine of the device logged meanwhile; no part of the trace, since nothing is judged by it. */
export interface LogLine {
  /** nanoseconds since the start of the trace, when it was read */
  t: number;
  text: string;
  /** on virtual time, where many things have one time: the event that it came behind */
  behind?: TraceEvent;
}

/** What running a scenario yields. */
export interface DriveResult {
  header: TraceHeader;
  events: TraceEvent[];
  /** completions at the live peer; empty where the peer was made of crafted packets */
  peerCompletions: Wc[];
  /** what the wire did to packets, in the order of time */
  wire: WireMark[];
  /** what the machine of the device logged, in the order of time */
  log: LogLine[];
  /** when each step began, nanoseconds since the start of the trace; absent where several scenarios took turns */
  steps?: readonly number[];
}

/** What refused calls of a set-up asked for. */
const askedOf = new WeakMap<VerbsError, string>();

/** Makes a call that asks the device for room. Throws what the call throws; SetupError then says what was asked for. */
export async function asking<T>(room: Readonly<Record<string, number>>, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    const listed = Object.entries(room).map(([name, value]) => `${name} ${value}`);
    if (error instanceof VerbsError) askedOf.set(error, `, asked for ${listed.join(', ')}`);
    throw error;
  }
}

/** EOPNOTSUPP */
const notSupported = 95;
const remedy = ' (not supported): the profile must leave out what the device does not have';

/** The device refused a call that a scenario needs before its steps can begin. `drive`: what was seen until then. */
export class SetupError extends Error {
  readonly drive: DriveResult;
  constructor(cause: VerbsError, drive: DriveResult) {
    const said = cause.said === undefined ? '' : `; the device says: ${cause.said}`;
    const why = cause.errno === notSupported ? remedy : (askedOf.get(cause) ?? '');
    super(`set-up of the scenario: ${cause.message}${why}${said}`, { cause });
    this.name = 'SetupError';
    this.drive = drive;
  }
}

/** The device died while the scenario ran. `drive`: what was seen until then, and that it is gone. */
export class DeathError extends Error {
  readonly drive: DriveResult;
  constructor(cause: DeviceDied, drive: DriveResult) {
    super(cause.message, { cause });
    this.name = 'DeathError';
    this.drive = drive;
  }
}
