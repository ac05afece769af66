import { schemaDefinitions, type Schema } from '../../adapters/agent/check.ts';
import { callSchemas } from '../../suites/trace-file/calls.ts';
import { eventSchemas } from '../../suites/trace-file/events.ts';
import { traceVersion } from '../../suites/trace-file/header.ts';
import { beginning } from '../../suites/trace-file/read.ts';
import { vectorVersion } from '../vectors/lines.ts';
import { vectorSchemas } from '../vectors/schema.ts';
import { calls, deviceCalls, messages, protocolVersion } from '../../adapters/agent/protocol.ts';

/** Where the schemas are kept, below `spec/schema/`. */
export const schemaFiles = {
  toDevice: 'stdio-to-device.schema.json',
  fromDevice: 'stdio-from-device.schema.json',
  trace: 'trace.schema.json',
  vector: 'vector.schema.json',
} as const;

const heading = (title: string, description: string): Schema => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title,
  description,
});

/** Definitions that a schema refers to, directly or by others, so that neither file carries what it does not need. */
function used(schema: Schema): Record<string, Schema> {
  const all = schemaDefinitions();
  const found: Record<string, Schema> = {};
  const visit = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/\$defs\/([a-z_]+)"/g)) {
      const definition = all[name];
      if (definition === undefined || name in found) continue;
      found[name] = definition;
      visit(definition);
    }
  };
  visit(schema);
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A line to the device: one of the calls. */
function toDevice(): Schema {
  const lines = deviceCalls.map((name) => ({
    type: 'object',
    description: calls[name].says,
    required: ['id', 'call', 'args'],
    properties: {
      id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      call: { const: name },
      args: calls[name].args.schema,
    },
    additionalProperties: false,
  }));
  const body = { oneOf: lines };
  return {
    ...heading(
      `A line to a device on stdin, protocol ${protocolVersion}`,
      'One JSON object a line. Each is a call, and is answered once.',
    ),
    ...body,
    $defs: used(body),
  };
}

/** A line from the device. What `ok` holds depends on the call: `result_CALL` among the definitions. */
function fromDevice(): Schema {
  const results = Object.fromEntries(
    deviceCalls.map((name): [string, Schema] => [`result_${name}`, calls[name].result.schema]),
  );
  const body = { oneOf: Object.values(messages).map(({ schema }) => schema) };
  return {
    ...heading(
      `A line from a device on stdout, protocol ${protocolVersion}`,
      'One JSON object a line: the answer to a call, or what the device does of itself. What "ok" holds is defined by result_CALL.',
    ),
    ...body,
    $defs: { ...used({ ...body, results }), ...results },
  };
}

/** A line of a trace file: the beginning of a trace, or one of its events. */
function trace(): Schema {
  const body = { oneOf: [beginning.schema, ...eventSchemas(callSchemas)] };
  return {
    ...heading(
      `A line of a file of traces, version ${traceVersion}`,
      'One JSON object a line. A trace is its first line, with its header, and all lines up to the next such line. Times in nanoseconds.',
    ),
    ...body,
    $defs: used(body),
  };
}

/** A line of a vector: what a bench does, without what the device does. */
function vector(): Schema {
  const body = { oneOf: vectorSchemas() };
  return {
    ...heading(
      `A line of a vector, version ${vectorVersion}`,
      'One JSON object a line. The first line describes the vector, the second one begins the trace, and each further line is a step of the bench. Times in nanoseconds.',
    ),
    ...body,
    $defs: used(body),
  };
}

/** The schemas as they are kept, by file name. */
export function protocolSchemas(): Record<string, string> {
  const text = (schema: Schema): string => `${JSON.stringify(schema, undefined, 2)}\n`;
  return {
    [schemaFiles.toDevice]: text(toDevice()),
    [schemaFiles.fromDevice]: text(fromDevice()),
    [schemaFiles.trace]: text(trace()),
    [schemaFiles.vector]: text(vector()),
  };
}
