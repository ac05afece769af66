import {
  amount,
  integer,
  numberOf,
  object,
  oneOf,
  signed,
  text,
  bytes,
  type Schema,
} from '../../adapters/agent/check.ts';
import { endpoint, profile } from '../../adapters/agent/profile.ts';
import { callSchemas } from '../../suites/trace-file/calls.ts';
import { callSchema, schemasOf } from '../../suites/trace-file/events.ts';
import { beginning } from '../../suites/trace-file/read.ts';
import { vectorVersion } from './lines.ts';

/** The first line of a vector. */
const description = object({
  vector: numberOf(vectorVersion),
  name: text,
  profile,
  dut: endpoint,
  peer: endpoint,
});

const frame = object({ kind: oneOf('frame'), t: amount, direction: oneOf('to-dut'), frame: bytes });

/** Memory that the bench reads; `length` bytes. */
const memory = object({ kind: oneOf('memory'), t: amount, mr: integer, offset: signed, length: integer });

/** A call without what a query returned: the bench adds it. */
function asked(call: Schema): Schema {
  const properties: Record<string, Schema> = { ...Object(call['properties']) };
  const query = JSON.stringify(properties['call']).includes('"query_');
  if (!query) return call;
  delete properties['attr'];
  const required = Array.isArray(call['required']) ? call['required'].filter((key) => key !== 'attr') : [];
  return { ...call, required, properties };
}

/** Schemas of the lines of a vector: what it is, the header of the trace, and what the bench does. */
export function vectorSchemas(): Schema[] {
  return [
    description.schema,
    beginning.schema,
    frame.schema,
    memory.schema,
    ...schemasOf('link', 'gid', 'settled'),
    ...callSchemas.map(asked).map(callSchema),
  ];
}
