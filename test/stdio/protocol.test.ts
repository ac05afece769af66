import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ShapeError } from '../../adapters/agent/check.ts';
import {
  calls,
  deviceCalls,
  formatLine,
  messages,
  parseFromAgent,
  parseRequest,
} from '../../adapters/agent/protocol.ts';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { serveAdapter } from '../../adapters/stdio/serve.ts';
import { protocolPage } from '../../cli/protocol/page.ts';
import { protocolSchemas, schemaFiles } from '../../cli/protocol/schemas.ts';
import { readProjectFile, root } from '../project/files.ts';

const read = (name: string): object =>
  JSON.parse(readFileSync(join(root, 'spec', 'schema', name), 'utf8')) as object;

function validator(name: string, pointer = ''): ValidateFunction {
  const ajv = new Ajv({ strict: false });
  ajv.addSchema(read(name), 'lines');
  const found = ajv.getSchema(`lines${pointer}`);
  if (found === undefined) throw new Error(`${name} has no ${pointer}`);
  return found;
}

const toDevice = validator(schemaFiles.toDevice);
const fromDevice = validator(schemaFiles.fromDevice);

/** A value changed in one place, or as it is. */
function disturbed(value: unknown, path: number, junk: unknown): unknown {
  if (path % 5 === 0 || typeof value !== 'object' || value === null) return junk;
  const entries = Object.entries(value);
  if (entries.length === 0) return Array.isArray(value) ? [junk] : { junk };
  const at = path % entries.length;
  const changed = entries.flatMap(([key, part], i): [string, unknown][] => {
    if (i !== at) return [[key, part]];
    if (path % 7 === 0) return [];
    return [[key, disturbed(part, Math.floor(path / 5), junk)]];
  });
  return Array.isArray(value) ? changed.map(([, part]) => part) : Object.fromEntries(changed);
}

/** Lines of a device that is asked for this and that. */
async function conversation(): Promise<{ asked: unknown[]; said: string[] }> {
  const said: string[] = [];
  const server = serveAdapter(
    referenceAdapter(),
    (line) => said.push(line),
    () => undefined,
  );
  const asked: unknown[] = [];
  const ask = async (call: string, args: object): Promise<void> => {
    const message = { id: asked.length + 1, call, args };
    asked.push(message);
    server.take(formatLine(message).trim());
    await new Promise((next) => setTimeout(next, 1));
  };
  await ask('hello', { protocol: 3 });
  await ask('reset', {});
  await ask('alloc_pd', {});
  await ask('reg_mr', { pd: 1, length: 64, access: ['IBV_ACCESS_LOCAL_WRITE'] });
  await ask('read_memory', { mr: 2, offset: -8, length: 8 });
  await ask('create_cq', { cqe: 4 });
  const cap = { max_send_wr: 1, max_recv_wr: 1, max_send_sge: 1, max_recv_sge: 1 };
  await ask('create_qp', { pd: 1, qp_type: 'IBV_QPT_RC', send_cq: 3, recv_cq: 3, cap });
  await ask('query_qp', { qp: 4 });
  await ask('query_qp', { qp: 99 });
  await ask('set_link', { up: false });
  await ask('poll_cq', { cq: 3, max: 4 });
  await ask('advance', { to: 1000 });
  await ask('deliver', { frame: Buffer.alloc(60) });
  await server.close();
  return { asked: asked.map((message) => JSON.parse(formatLine(message as object)) as unknown), said };
}

describe('schemas of the lines between rdma-conform and a device', () => {
  it('are what the protocol says', () => {
    for (const [name, text] of Object.entries(protocolSchemas()))
      expect(read(name)).toEqual(JSON.parse(text));
  });

  it('are told by a page that is up to date', () => {
    const words = (text: string): string[] =>
      text
        .replaceAll(/[|\s\\]+|-{3,}/g, ' ')
        .split(' ')
        .filter(Boolean);
    expect(words(readProjectFile('docs/reference/stdio-protocol.md'))).toEqual(words(protocolPage()));
  });

  it('fit a conversation, and the results of its calls', async () => {
    const { asked, said } = await conversation();
    // what comes unasked is no answer
    const unasked = said.filter((line) => !('id' in (JSON.parse(line) as object)));
    const event = { event_type: 'IBV_EVENT_PORT_ERR', port_num: 1 };
    expect(unasked.map((line) => JSON.parse(line) as unknown)).toEqual([
      { async: event },
      { async: event, context: 'second' },
    ]);
    for (const line of unasked) expect(fromDevice(JSON.parse(line))).toBe(true);
    const answers = said.filter((line) => !unasked.includes(line));
    expect(answers).toHaveLength(asked.length);
    for (const message of asked) expect([message, toDevice(message)]).toEqual([message, true]);
    for (const [i, line] of answers.entries()) {
      const message = JSON.parse(line) as Record<string, unknown>;
      expect([message, fromDevice(message)]).toEqual([message, true]);
      const { call } = asked[i] as { call: string };
      if (!('ok' in message)) continue;
      const fits = validator(schemaFiles.fromDevice, `#/$defs/result_${call}`);
      expect([call, fits(message['ok'])]).toEqual([call, true]);
    }
  });

  it('refuse what the checks refuse, and nothing else', async () => {
    const { asked, said } = await conversation();
    const sound = [...asked, ...said.map((line) => JSON.parse(line) as unknown)];
    const junk = fc.constantFrom<unknown>(null, -1, 1.5, 'x', '7', true, [], {}, [3], { id: 1 }, 2 ** 60);
    const accepts = (run: () => unknown): boolean => {
      try {
        run();
        return true;
      } catch (error) {
        if (!(error instanceof ShapeError)) throw error;
        return false;
      }
    };
    let [good, bad] = [0, 0];
    fc.assert(
      fc.property(fc.constantFrom(...sound), fc.nat(), junk, fc.boolean(), (message, path, part, whole) => {
        const value = whole ? message : disturbed(message, path, part);
        const line = JSON.stringify(value);
        const asCall = accepts(() => {
          const { call, args, id } = parseRequest(line);
          calls[call].args(args, 'args');
          if (id === 0 || !deviceCalls.includes(call)) throw new ShapeError('id', 'of a device', id);
        });
        const said_ = accepts(() => parseFromAgent(line));
        expect([value, toDevice(value)]).toEqual([value, asCall]);
        expect([value, fromDevice(value)]).toEqual([value, said_]);
        if (asCall || said_) good++;
        else bad++;
      }),
      { numRuns: 1500 },
    );
    expect(Math.min(good, bad)).toBeGreaterThan(100);
  });

  it('are those of a program that answers each call which it announces', async () => {
    const said: string[] = [];
    const server = serveAdapter(
      referenceAdapter(),
      (line) => said.push(line),
      () => undefined,
    );
    const ask = async (call: string, args: object): Promise<Record<string, unknown>> => {
      const from = said.length;
      server.take(formatLine({ id: 1, call, args }).trim());
      await new Promise((next) => setTimeout(next, 1));
      return JSON.parse(said[from] ?? '{}') as Record<string, unknown>;
    };
    const { calls: announced } = (await ask('hello', { protocol: 3 }))['ok'] as { calls: string[] };
    expect(announced).toContain('query_pkey');
    const args = {
      index: 0,
      mr: 99,
      pd: 99,
      mw: 99,
      cq: 99,
      cqe: 1,
      srq: 99,
      ah: 99,
      up: true,
      present: true,
    };
    for (const call of announced) {
      const { error, ok } = await ask(call, args);
      expect([call, (error as { errno?: number } | undefined)?.errno]).not.toEqual([call, 95]);
      expect([call, error ?? ok]).not.toEqual([call, undefined]);
    }
    await server.close();
  });

  it('know every message by one schema alone', () => {
    expect(Object.keys(messages)).toHaveLength(
      (read(schemaFiles.fromDevice) as { oneOf: unknown[] }).oneOf.length,
    );
  });
});
