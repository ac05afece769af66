import { AdapterBroken, AdapterUnavailable } from '../adapter.ts';
import { agentClient } from '../agent/client.ts';
import type { AgentClient } from '../agent/client.ts';
import { protocolVersion } from '../agent/protocol.ts';
import type { CallName, CallResult } from '../agent/protocol.ts';
import { startPiped } from './process.ts';
import type { Ending } from './process.ts';

export interface StdioOptions {
  /** command line for the shell */
  command: string;
  /** where it runs; default: here */
  directory?: string;
  /** how long the greeting may take, milliseconds; default 20,000 */
  greetingMs?: number;
  /** how long another call may take; default: what the device asks for, else 5,000 */
  callMs?: number;
}

export const defaultLimits = { greetingMs: 20_000, callMs: 5000, mostMs: 600_000 };

/** Bytes of a line at most: room for a memory of some 10 MB. */
const maxLine = 16 << 20;
/** Characters that a device may write to stderr: so many, and so many more for each call. */
const mostSaid = { once: 64 << 20, perCall: 64 << 10 };

export interface Watcher {
  beforeCall(name: CallName): void;
  came(act: () => void): void;
}

/** A device's process, greeted. */
export interface Link {
  readonly client: AgentClient;
  readonly hello: CallResult<'hello'>;
  /** Who looks at calls before they are sent, and at what comes unasked before it is handed on; undefined: nobody. */
  watch(watcher: Watcher | undefined): void;
  readonly pid: number | undefined;
  readonly broken: () => boolean;
  close(): Promise<void>;
}

/** Exit codes by which a command says that it cannot be had: not found, not executable, `rdma-conform agent` without device. */
const unavailableCodes = new Set([126, 127, 69]);

const endingText = (ending: Ending): string =>
  'code' in ending ? `ended with code ${ending.code}` : `was ended by ${ending.signal}`;

/**
 * Starts the command and greets the device. Throws AdapterUnavailable or AdapterBroken, also when `signal` stops it before the device has
 * answered; nothing is left running then.
 */
export async function openLink(options: StdioOptions, signal: AbortSignal): Promise<Link> {
  const { command, directory, greetingMs = defaultLimits.greetingMs } = options;
  const child = startPiped(command, directory);
  let broken = false;
  let ending: Ending | undefined;
  // a Python traceback underlines its lines
  const said = (): string =>
    child
      .tail()
      .replaceAll(/^[\s^~]+$\n?/gm, '')
      .replaceAll(/\s*\n\s*/g, ' | ');
  const explain = (): string => (said() === '' ? '' : `its stderr ends with: ${said()}`);
  let watcher: Watcher | undefined;
  let virtual = false;
  let calls = 0;
  const client = agentClient(child.channel, {
    limitMs: greetingMs,
    side: 'device',
    advice: ' (stdout is for the protocol alone; logs go to stderr)',
    maxLine,
    explain,
    reasonMs: 1000,
    onBroken: () => {
      broken = true;
      void child.end('now');
    },
    onCall: (name) => {
      calls++;
      watcher?.beforeCall(name);
    },
    came: (act) => (watcher === undefined ? act() : watcher.came(act)),
    silent: () => virtual,
  });
  child.onSaid = () => {
    const said = child.said();
    if (said > mostSaid.once + calls * mostSaid.perCall)
      client.fail(`the device writes to stderr without end (${said >> 20} MiB in ${calls} calls)`);
  };
  void child.ended.then((how) => {
    ending = how;
    // what it said last is still being read
    setTimeout(() => client.cease(`the device's process "${command}" ${endingText(how)}`), 100);
  });
  const close = async (): Promise<void> => {
    const how = broken ? 'now' : 'politely';
    const gone = child.end(how);
    broken = true;
    await gone;
    client.fail('the device is closed');
  };
  const stop = (): void => void child.end('now');
  signal.addEventListener('abort', stop);
  try {
    const hello = await client.call('hello', { protocol: protocolVersion }, greetingMs);
    virtual = hello.profile.clock === 'virtual';
    client.limitMs = Math.min(
      options.callMs ?? hello.call_limit_ms ?? defaultLimits.callMs,
      defaultLimits.mostMs,
    );
    return {
      client,
      hello,
      pid: child.pid,
      broken: () => broken,
      close,
      watch: (next) => {
        watcher = next;
      },
    };
  } catch (error) {
    await child.end('now');
    if (ending !== undefined && 'code' in ending && unavailableCodes.has(ending.code)) {
      throw new AdapterUnavailable(
        `stdio: "${command}" ${endingText(ending)}${said() === '' ? '' : `: ${said()}`}`,
      );
    }
    if (error instanceof AdapterBroken) throw error;
    throw new AdapterBroken(`the device refused the greeting: ${String(error)}`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
