import {
  amount,
  bytes,
  flag,
  integer,
  list,
  object,
  oneOf,
  ShapeError,
  signed,
  text,
  type Check,
  type Checked,
  type Schema,
} from '../../adapters/agent/check.ts';
import { rateRecord } from '../../adapters/agent/profile.ts';
import { asyncEvent, gid, wc } from '../../adapters/agent/shapes.ts';
import type { TraceEvent } from '../../oracle/trace.ts';
import { verbsCall } from './calls.ts';

const frame = object({
  kind: oneOf('frame'),
  t: amount,
  direction: oneOf('to-dut', 'from-dut', 'unknown'),
  frame: bytes,
});
/** A frame as it stands on a line, before it is known whether it is a RoCEv2 packet. */
export type FrameLine = Checked<typeof frame>;

/** An event as it stands on a line. */
export type EventLine = FrameLine | Exclude<TraceEvent, { kind: 'packet' | 'frame' }>;

const call = {
  head: object({ kind: oneOf('call'), t: amount, start: amount }),
  says: 'A verbs call that succeeded, with what it returned.',
};

/** Every kind of event but calls, whose keys depend on the call. */
const shapes = {
  frame,
  'call-failed': object(
    { kind: oneOf('call-failed'), t: amount, start: amount, call: text, errno: integer },
    {
      qp: integer,
      attempted: verbsCall,
      list: object({ wr_ids: list(integer) }, { bad_wr: integer }),
      kept: flag,
    },
  ),
  completion: object({ kind: oneOf('completion'), t: amount, cq: integer, wc }),
  async: object({ kind: oneOf('async'), t: amount, event: asyncEvent }, { polled: amount }),
  'second-context': object({ kind: oneOf('second-context'), t: amount, event: asyncEvent }),
  'cq-event': object({ kind: oneOf('cq-event'), t: amount, cq: integer }),
  link: object({ kind: oneOf('link'), t: amount, start: amount, up: flag }),
  gid: object({ kind: oneOf('gid'), t: amount, start: amount, gid, present: flag }),
  rate: object({ kind: oneOf('rate'), t: amount, record: rateRecord }),
  hop: object({
    kind: oneOf('hop'),
    t: amount,
    queued: amount,
    bytes: amount,
    ecnIn: integer,
    ecnOut: integer,
    fate: oneOf('forwarded', 'dropped'),
    paused: flag,
  }),
  memory: object({ kind: oneOf('memory'), t: amount, mr: integer, offset: signed, bytes }),
  settled: object({ kind: oneOf('settled'), t: amount }),
  stall: object({ kind: oneOf('stall'), t: amount, until: amount }),
  gone: object({ kind: oneOf('gone'), t: amount, reason: text }),
  gap: object({ kind: oneOf('gap'), t: amount, reason: text }),
};

const byKind: Readonly<Record<Exclude<EventLine['kind'], 'call'>, Check<EventLine>>> = shapes;
const known = new Map<unknown, Check<EventLine>>(Object.entries(byKind));

/** Schema of a line with a call, whose own keys a schema describes. */
export function callSchema({ properties, required }: Schema): Schema {
  const head = call.head.schema;
  const keys = (schema: unknown): string[] => (Array.isArray(schema) ? schema.map(String) : []);
  return {
    type: 'object',
    description: call.says,
    required: [...keys(head['required']), ...keys(required)],
    properties: { ...Object(head['properties']), ...Object(properties) },
    additionalProperties: false,
  };
}

/** Schemas of the lines with one of these kinds of events. */
export function schemasOf(...kinds: (keyof typeof shapes)[]): Schema[] {
  return kinds.map((kind) => shapes[kind].schema);
}

/** Schemas of the lines with an event. */
export function eventSchemas(callSchemas: readonly Schema[]): Schema[] {
  return [...Object.values(shapes).map(({ schema }) => schema), ...callSchemas.map(callSchema)];
}

/** One event. Throws ShapeError, which names the field. */
export function parseEvent(value: unknown, path: string): EventLine {
  if (typeof value !== 'object' || value === null) throw new ShapeError(path, 'an object', value);
  if (!('kind' in value)) throw ShapeError.missing(`${path}.kind`);
  if (value.kind === 'call') {
    const { kind, t, start, ...rest } = { t: undefined, start: undefined, ...value };
    return { ...call.head({ kind, t, start }, path), ...verbsCall(rest, path) };
  }
  const shape = known.get(value.kind);
  if (shape === undefined)
    throw new ShapeError(`${path}.kind`, ['call', ...known.keys()].join(' or '), value.kind);
  return shape(value, path);
}
