import { StringDecoder } from 'node:string_decoder';
import type { Duplex } from 'node:stream';
import { AdapterBroken, VerbsError } from '../adapter.ts';
import type { AsyncEvent } from '../../spec/verbs.ts';
import { calls, formatLine, parseFromAgent, protocolVersion } from './protocol.ts';
import type { CallArgs, CallName, CallResult } from './protocol.ts';

interface Pending {
  name: CallName;
  asked: number;
  limitMs: number;
  take: (value: unknown) => void;
  fail: (error: Error) => void;
}

/** Calls to an agent. */
export interface AgentClient {
  /** Sends a call without waiting for those before it. Rejects with VerbsError, or AdapterBroken. */
  call<N extends CallName>(name: N, args: CallArgs<N>, limitMs?: number): Promise<CallResult<N>>;
  onCq: (cq: number) => void;
  onAsync: (event: AsyncEvent) => void;
  /** Ends everything pending and to come with AdapterBroken. The first reason counts. */
  fail(reason: string): void;
}

/**
 * The client's side of the agent protocol on any byte stream. `limitMs` bounds the time in which the agent says nothing while
 * a call waits for its answer; `explain` adds what is known about the other side (a console's last lines) to the
 * AdapterBroken; `onBroken` runs once.
 */
export function agentClient(
  stream: Duplex,
  options: { limitMs: number; explain?: () => string; onBroken?: () => void },
): AgentClient {
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let broken: AdapterBroken | undefined;
  let watch: NodeJS.Timeout | undefined;
  let watchDue = Infinity;
  // when the agent last answered anything, or this process may have been kept from hearing it
  let heard = -Infinity;
  const decoder = new StringDecoder('utf8');
  let input = '';

  const fail = (reason: string): void => {
    if (broken !== undefined) return;
    const context = options.explain?.() ?? '';
    broken = new AdapterBroken(context === '' ? reason : `${reason}\n${context}`);
    clearTimeout(watch);
    for (const entry of pending.values()) entry.fail(broken);
    pending.clear();
    options.onBroken?.();
  };

  // one timer for all calls, set for the earliest limit
  const arm = (due: number): void => {
    if (due >= watchDue) return;
    clearTimeout(watch);
    watchDue = due;
    watch = setTimeout(check, Math.max(1, due - performance.now()));
  };

  /** A call may wait behind others, as long as these are answered. */
  const dueOf = ({ asked, limitMs }: Pending): number =>
    Math.min(Math.max(asked, heard) + limitMs, asked + mostLimits * limitMs);

  const check = (): void => {
    // what has arrived already is read first
    setImmediate(look);
  };

  const look = (): void => {
    if (broken !== undefined) return;
    const now = performance.now();
    if (now - watchDue > lateMs) heard = now;
    watchDue = Infinity;
    let earliest = Infinity;
    for (const entry of pending.values()) {
      const due = dueOf(entry);
      if (due <= now) return fail(`the agent did not answer ${entry.name} in time`);
      earliest = Math.min(earliest, due);
    }
    arm(earliest);
  };

  const client: AgentClient = {
    onCq: () => undefined,
    onAsync: () => undefined,
    fail,
    call: (name, args, limitMs = options.limitMs) =>
      new Promise((resolve, reject) => {
        if (broken !== undefined) return reject(broken);
        const id = nextId++;
        const asked = performance.now();
        const result = calls[name].result as (value: unknown, path: string) => CallResult<typeof name>;
        pending.set(id, {
          name,
          asked,
          limitMs,
          take: (value) => resolve(result(value, name)),
          fail: reject,
        });
        arm(asked + limitMs);
        stream.write(formatLine({ id, call: name, args }));
      }),
  };

  const take = (line: string): void => {
    const message = parseFromAgent(line);
    heard = performance.now();
    switch (message.kind) {
      case 'cq':
        return client.onCq(message.cq);
      case 'async':
        return client.onAsync(message.event);
      case 'answer': {
        const entry = pending.get(message.id);
        if (entry === undefined) throw new Error(`answer to ${message.id}, which was not asked`);
        entry.take(message.ok);
        pending.delete(message.id);
        return;
      }
      case 'refusal': {
        const { id, error } = message;
        const entry = pending.get(id);
        if (entry === undefined) throw new Error(`refusal of ${id}, which was not asked: ${error.message}`);
        pending.delete(id);
        if (error.errno === undefined)
          return entry.fail(new AdapterBroken(`${error.call}: ${error.message}`));
        return entry.fail(new VerbsError(error.call, error.errno));
      }
      default:
        return message satisfies never;
    }
  };

  stream.on('data', (chunk: Buffer) => {
    input += decoder.write(chunk);
    const lines = input.split('\n');
    input = lines.pop() ?? '';
    for (const line of lines) {
      if (broken !== undefined) return;
      try {
        take(line);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        fail(`the agent talks nonsense (${why}): ${line.slice(0, 200)}`);
      }
    }
    if (input.length > maxLine) fail(`the agent sent ${input.length} bytes without a line end`);
  });
  stream.on('error', (error) => fail(`the agent's channel broke: ${error.message}`));
  stream.on('close', () => fail("the agent's channel closed"));
  return client;
}

const maxLine = 64 << 20;
/** Limits that a call may wait at most, however much else is answered. */
const mostLimits = 10;
/** This process was kept from running where its watch comes later than this. */
const lateMs = 500;

/** Greets the agent and checks that it speaks this protocol. */
export async function greet(client: AgentClient, limitMs: number): Promise<CallResult<'hello'>> {
  const hello = await client.call('hello', { protocol: protocolVersion }, limitMs);
  if (hello.protocol !== protocolVersion)
    throw new AdapterBroken(`the agent speaks protocol ${hello.protocol}, not ${protocolVersion}`);
  return hello;
}
