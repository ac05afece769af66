import type { Readable, Writable } from 'node:stream';
import { AdapterBroken, DeviceDied, VerbsError } from '../adapter.ts';
import type { RateRecord } from '../../spec/congestion.ts';
import type { AsyncEvent } from '../../spec/verbs.ts';
import { LineReader } from './lines.ts';
import { calls, formatLine, NoJson, parseFromAgent, protocolVersion } from './protocol.ts';
import type { CallArgs, CallName, CallResult, FromAgent } from './protocol.ts';

type Unasked = Exclude<FromAgent, { kind: 'answer' | 'refusal' | 'died' }>;

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
  /** a second user context received an event */
  onSecondContext: (event: AsyncEvent) => void;
  onFrame: (frame: Uint8Array) => void;
  onRate: (record: RateRecord) => void;
  /** a line of the device's log */
  onLog: (text: string) => void;
  /** how long a call may go unanswered while nothing else is heard, milliseconds */
  limitMs: number;
  /** why nothing can be called any more; `undefined` while it can */
  failure(): AdapterBroken | undefined;
  /** Resolves when no call waits for its answer; rejects with what ends that. */
  idle(): Promise<void>;
  /** Ends everything pending and to come with AdapterBroken. The first reason counts. */
  fail(reason: string): void;
  /** The same, where the other side has fallen silent: a line that it has begun is part of the reason. */
  cease(reason: string): void;
}

export interface ClientOptions {
  /** bounds the time in which the other side says nothing while a call waits for its answer, milliseconds */
  limitMs: number;
  /** what messages call the other side; default `agent` */
  side?: string;
  /** characters that a line may have at most; default 64 Mi */
  maxLine?: number;
  /** adds what is known about the other side, such as a console's last lines, to the AdapterBroken */
  explain?: () => string;
  /** gives, in one line, whether the device itself has died: it is then a DeviceDied */
  died?: () => string | undefined;
  /** what helps where the other side writes what is no message; stands behind that in the AdapterBroken */
  advice?: string;
  /** how long after the channel's end a better reason may still come by fail(), milliseconds; default: no time */
  reasonMs?: number;
  /** runs once */
  onBroken?: () => void;
  /** runs before a call is sent */
  onCall?: (name: CallName) => void;
  /** hands on what came unasked, now or later */
  came?: (act: () => void) => void;
  /** true: nothing may come but answers, and before its answer what a call brings about */
  silent?: () => boolean;
}

/** The two directions of a channel, which may be one stream. */
export interface Channel {
  input: Readable;
  output: Writable;
}

/** The client's side of the agent protocol on any byte streams. */
export function agentClient({ input, output }: Channel, options: ClientOptions): AgentClient {
  const { side = 'agent', maxLine = 64 << 20, came = (act) => act() } = options;
  const pending = new Map<number, Pending>();
  /** those who wait until nothing is pending */
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  let nextId = 1;
  let broken: AdapterBroken | undefined;
  // what the device says that it died of
  let died: string | undefined;
  let watch: NodeJS.Timeout | undefined;
  let watchDue = Infinity;
  let losing: NodeJS.Timeout | undefined;
  // when the agent last answered anything, or this process may have been kept from hearing it
  let heard = -Infinity;
  const lines = new LineReader();
  // what came unasked since the last answer
  let unasked = 0;

  const fail = (reason: string): void => {
    if (broken !== undefined) return;
    const context = options.explain?.() ?? '';
    const death = died ?? options.died?.();
    broken =
      death === undefined
        ? new AdapterBroken(context === '' ? reason : `${reason}; ${context}`)
        : new DeviceDied(death, context);
    clearTimeout(watch);
    clearTimeout(losing);
    for (const entry of pending.values()) entry.fail(broken);
    pending.clear();
    for (const { reject } of waiting.splice(0)) reject(broken);
    options.onBroken?.();
  };

  /** Nothing more is said; a line that was begun says where that was. */
  const cease = (reason: string): void =>
    fail(lines.unfinished === 0 ? reason : `${reason}; its last line has no end: ${lines.beginning}`);

  /** The channel is no more. */
  const lose = (reason: string): void => {
    if (options.reasonMs === undefined) fail(reason);
    else losing ??= setTimeout(() => fail(reason), options.reasonMs);
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
      if (due <= now) {
        return cease(`the ${side} did not answer ${entry.name} in time (${entry.limitMs / 1000} s)`);
      }
      earliest = Math.min(earliest, due);
    }
    arm(earliest);
  };

  const client: AgentClient = {
    onCq: () => undefined,
    onAsync: () => undefined,
    onSecondContext: () => undefined,
    onFrame: () => undefined,
    onRate: () => undefined,
    onLog: () => undefined,
    limitMs: options.limitMs,
    failure: () => broken,
    idle: () =>
      new Promise((resolve, reject) => {
        if (broken !== undefined) reject(broken);
        else if (pending.size === 0) resolve();
        else waiting.push({ resolve, reject });
      }),
    fail,
    cease,
    call: (name, args, limitMs = client.limitMs) =>
      new Promise((resolve, reject) => {
        if (broken !== undefined) return reject(broken);
        options.onCall?.(name);
        const id = nextId++;
        const asked = performance.now();
        const result: (value: unknown, path: string) => unknown = calls[name].result;
        pending.set(id, {
          name,
          asked,
          limitMs,
          take: (value) => resolve(result(value, name) as CallResult<typeof name>),
          fail: reject,
        });
        arm(asked + limitMs);
        output.write(formatLine({ id, call: name, args }));
      }),
  };

  const rest = (): void => {
    if (pending.size === 0) for (const { resolve } of waiting.splice(0)) resolve();
  };

  const answered = (id: number, what: string): Pending => {
    const entry = pending.get(id);
    if (entry === undefined)
      throw new Error(
        `${what} ${id}, ${id < nextId ? 'which has its answer already' : 'which was not asked'}`,
      );
    pending.delete(id);
    unasked = 0;
    return entry;
  };

  const take = (line: string): void => {
    const message = parseFromAgent(line);
    heard = performance.now();
    switch (message.kind) {
      case 'answer': {
        const entry = answered(message.id, 'answer to');
        try {
          entry.take(message.ok);
          return rest();
        } catch (error) {
          pending.set(message.id, entry); // learns of the failure with all others
          throw error;
        }
      }
      case 'refusal': {
        const { id, error } = message;
        const entry = answered(id, `"${error.message}", the refusal of`);
        entry.fail(
          error.errno === undefined
            ? new AdapterBroken(`${error.call}: ${error.message}`)
            : new VerbsError(error.call, error.errno, error.bad_wr, error.kept, error.message),
        );
        return rest();
      }
      case 'died':
        died = message.reason;
        return came(() => fail(message.reason));
      case 'frame':
      case 'cq':
      case 'async':
      case 'rate':
      case 'log':
        return event(message);
      default:
        return message satisfies never;
    }
  };

  const event = (message: Unasked): void => {
    if (pending.size === 0 && options.silent?.() === true)
      throw new Error(`${message.kind} while no call waits for its answer`);
    if (++unasked > mostUnasked) throw new Error(`${unasked} messages without an answer`);
    came(() => tell(message));
  };

  const tell = (message: Unasked): void => {
    switch (message.kind) {
      case 'frame':
        return client.onFrame(message.frame);
      case 'cq':
        return client.onCq(message.cq);
      case 'async':
        return message.context === 'second'
          ? client.onSecondContext(message.event)
          : client.onAsync(message.event);
      case 'rate':
        return client.onRate(message.record);
      case 'log':
        return client.onLog(message.text);
      default:
        return message satisfies never;
    }
  };

  input.on('data', (chunk: Buffer) => {
    for (const line of lines.take(chunk)) {
      if (broken !== undefined) return;
      try {
        take(line);
      } catch (error) {
        fail(`the ${side} ${told(error, options.advice)}: ${line.slice(0, 200)}`);
      }
    }
    if (lines.unfinished > maxLine) fail(`the ${side} sent ${lines.unfinished} bytes without a line end`);
  });
  const broke = (error: Error): void => lose(`the ${side}'s channel broke: ${error.message}`);
  input.on('error', broke);
  output.on('error', broke);
  input.on('close', () => {
    const cut = lines.unfinished > 0 ? ` in the middle of a line: ${lines.beginning}` : '';
    lose(`the ${side}'s channel closed${cut}`);
  });
  return client;
}

/** What is wrong with a line that came. `advice`: what helps where it is no message at all. */
function told(error: unknown, advice = ''): string {
  const why = error instanceof Error ? error.message : String(error);
  return error instanceof NoJson ? `wrote ${why}${advice}` : `breaks the protocol (${why})`;
}

/** Limits that a call may wait at most, however much else is answered. */
const mostLimits = 10;
/** This process was kept from running where its watch comes later than this. */
const lateMs = 500;
/** Messages that no call can bring about. */
const mostUnasked = 1 << 18;

/** Greets a guest and checks that it speaks this protocol. */
export async function greet(client: AgentClient, limitMs: number): Promise<CallResult<'machine'>> {
  return client.call('machine', { protocol: protocolVersion }, limitMs);
}
