import type { Readable, Writable } from 'node:stream';
import { AdapterBroken, DeviceDied, VerbsError } from '../adapter.ts';
import type { RateRecord } from '../../spec/congestion.ts';
import type { AsyncEvent } from '../../spec/verbs.ts';
import { LineReader } from './lines.ts';
import { PendingCalls } from './pending-calls.ts';
import type { Pending } from './pending-calls.ts';
import { calls, formatLine, NoJson, parseFromAgent, protocolVersion } from './protocol.ts';
import type { CallArgs, CallName, CallResult, FromAgent } from './protocol.ts';

type Unasked = Exclude<FromAgent, { kind: 'answer' | 'refusal' | 'died' }>;

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
  const lines = new LineReader();
  const pending = new PendingCalls(({ name, limitMs }) => {
    cease(`the ${side} did not answer ${name} in time (${limitMs / 1000} s)`);
  });
  let broken: AdapterBroken | undefined;
  // what the device says that it died of
  let died: string | undefined;
  let losing: NodeJS.Timeout | undefined;
  // messages since the last answer
  let unasked = 0;

  const fail = (reason: string): void => {
    if (broken !== undefined) return;
    broken = breakOf(reason, options, died);
    clearTimeout(losing);
    pending.end(broken);
    options.onBroken?.();
  };

  const cease = (reason: string): void =>
    fail(lines.unfinished === 0 ? reason : `${reason}; its last line has no end: ${lines.beginning}`);

  const client: AgentClient = {
    ...deaf,
    limitMs: options.limitMs,
    failure: () => broken,
    idle: () => (broken === undefined ? pending.idle() : Promise.reject(broken)),
    fail,
    cease,
    call: (name, args, limitMs = client.limitMs) =>
      new Promise((resolve, reject) => {
        if (broken !== undefined) return reject(broken);
        options.onCall?.(name);
        const result: (value: unknown, path: string) => unknown = calls[name].result;
        const take = (value: unknown): void => resolve(result(value, name) as CallResult<typeof name>);
        const id = pending.add({ name, asked: performance.now(), limitMs, take, fail: reject });
        output.write(formatLine({ id, call: name, args }));
      }),
  };

  const take = (line: string): void => {
    const message = parseFromAgent(line);
    pending.hear();
    switch (message.kind) {
      case 'answer':
      case 'refusal':
        settle(pending, message);
        unasked = 0;
        return;
      case 'died':
        died = message.reason;
        return came(() => fail(message.reason));
      case 'frame':
      case 'cq':
      case 'async':
      case 'rate':
      case 'log':
        if (pending.size === 0 && options.silent?.() === true)
          throw new Error(`${message.kind} while no call waits for its answer`);
        if (++unasked > mostUnasked) throw new Error(`${unasked} messages without an answer`);
        return came(() => handOn(client, message));
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

  /** The channel is no more. */
  const lose = (reason: string): void => {
    if (options.reasonMs === undefined) fail(reason);
    else losing ??= setTimeout(() => fail(reason), options.reasonMs);
  };
  const broke = (error: Error): void => lose(`the ${side}'s channel broke: ${error.message}`);
  input.on('error', broke);
  output.on('error', broke);
  input.on('close', () => {
    const cut = lines.unfinished > 0 ? ` in the middle of a line: ${lines.beginning}` : '';
    lose(`the ${side}'s channel closed${cut}`);
  });
  return client;
}

/** Nothing is done with what comes unasked. */
const deaf = {
  onCq: () => undefined,
  onAsync: () => undefined,
  onSecondContext: () => undefined,
  onFrame: () => undefined,
  onRate: () => undefined,
  onLog: () => undefined,
};

/** What ends a client for that reason. `died`: what the device says that it died of. */
function breakOf(reason: string, options: ClientOptions, died: string | undefined): AdapterBroken {
  const context = options.explain?.() ?? '';
  const death = died ?? options.died?.();
  if (death !== undefined) return new DeviceDied(death, context);
  return new AdapterBroken(context === '' ? reason : `${reason}; ${context}`);
}

/** Ends the call that was answered. Throws where the answer is none. */
function settle(pending: PendingCalls, message: FromAgent & { kind: 'answer' | 'refusal' }): void {
  const { id } = message;
  if (message.kind === 'answer') {
    const call = pending.answered(id, 'answer to');
    try {
      call.take(message.ok);
    } catch (error) {
      pending.putBack(id, call);
      throw error;
    }
  } else refuse(pending.answered(id, `"${message.error.message}", the refusal of`), message.error);
  pending.rest();
}

function refuse(call: Pending, error: (FromAgent & { kind: 'refusal' })['error']): void {
  call.fail(
    error.errno === undefined
      ? new AdapterBroken(`${error.call}: ${error.message}`)
      : new VerbsError(error.call, error.errno, error.bad_wr, error.kept, error.message),
  );
}

function handOn(client: AgentClient, message: Unasked): void {
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
}

/** What is wrong with a line that came. `advice`: what helps where it is no message at all. */
function told(error: unknown, advice = ''): string {
  const why = error instanceof Error ? error.message : String(error);
  return error instanceof NoJson ? `wrote ${why}${advice}` : `breaks the protocol (${why})`;
}

/** Messages that no call can bring about. */
const mostUnasked = 1 << 18;

/** Greets a guest and checks that it speaks this protocol. */
export async function greet(client: AgentClient, limitMs: number): Promise<CallResult<'machine'>> {
  return client.call('machine', { protocol: protocolVersion }, limitMs);
}
