import { spawn } from 'node:child_process';
import { Duplex } from 'node:stream';

/**
 * Runs QEMU and takes it down when the standard input closes, however this process ends: a shell that was never
 * told anything still sees that. The guest's sockets are inherited (3 net, 4 agent, 5 monitor, 6 snapshot), so there is
 * nothing in the file system to leave behind.
 */
const supervisor = `exec 9<&0
"$@" </dev/null 9<&- &
q=$!
exec 3>&- 4>&- 5>&- 6>&-
(read -r _ <&9; kill -9 $q) >/dev/null 2>&1 &
w=$!
exec 9<&-
wait $q
c=$?
kill -9 $w 2>/dev/null
exit $c`;

/** A running QEMU, with its standing channels. */
export interface Machine {
  readonly net: Duplex;
  readonly agent: Duplex;
  readonly monitor: Duplex;
  /** the console's last lines */
  console(): string;
  /** whether the console has shown a text */
  shown(text: string): boolean;
  /** first group of the first match in what the console has shown */
  found(pattern: RegExp): string | undefined;
  /** process id of QEMU's supervisor, or `undefined` if it did not start */
  readonly pid: number | undefined;
  /** resolves with the exit code when QEMU has gone */
  readonly exited: Promise<number>;
  /** ends QEMU at once; safe to call again */
  kill(): void;
}

const consoleLines = 30;

/** What rxe of 6.12 logs whenever a work request fails or a call is refused: of these lines the newest is enough. */
const everyday = /\brxe\d+: qp#\d+ \w+: (?:non-flush error status|returned err)\b/;

/** The console's last lines with more behind them, without what says nothing. */
export function lastLines(lines: readonly string[], more: readonly string[]): string[] {
  const all = [...lines, ...more];
  return all.filter((line, i) => i === all.length - 1 || !everyday.test(line)).slice(-consoleLines);
}
const wholeBytes = 1 << 20;

/** Starts QEMU. `snapshot` is an open file to load the machine's state from. */
export function startMachine(options: {
  qemu: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  snapshot?: number;
  /** called with the lines that the console shows, as they come, but not with a line that is not over yet */
  onConsole?: (lines: readonly string[]) => void;
}): Machine {
  const child = spawn('/bin/sh', ['-c', supervisor, 'rdma-conform-qemu', options.qemu, ...options.args], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', options.snapshot ?? 'ignore'],
    env: { ...process.env, ...options.env },
    detached: true, // Ctrl-C is for us: the run ends the guest in its own time
  });
  const channels: readonly unknown[] = child.stdio;
  const [, , , net, agent, monitor] = channels;
  const input = child.stdin;
  if (!(net instanceof Duplex) || !(agent instanceof Duplex) || !(monitor instanceof Duplex))
    throw new Error('the channels of QEMU are not sockets');
  let lines: string[] = [];
  let partial = '';
  let whole = '';
  const listen = (chunk: Buffer): void => {
    whole = (whole + chunk.toString()).slice(-wholeBytes);
    const parts = (partial + chunk.toString().replaceAll('\r', '')).split('\n');
    partial = parts.pop() ?? '';
    lines = lastLines(lines, parts);
    options.onConsole?.(parts);
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  const ignore = (): void => undefined;
  input?.on('error', ignore);
  for (const stream of [net, monitor]) stream.on('error', ignore); // the exit tells more
  const exited = new Promise<number>((resolve) => {
    child.on('exit', (code) => resolve(code ?? -1));
    child.on('error', (error) => {
      lines.push(error.message);
      resolve(-1);
    });
  });
  return {
    net,
    agent,
    monitor,
    pid: child.pid,
    exited,
    console: () => [...lines, partial].filter((line) => line !== '').join('\n'),
    shown: (text) => whole.includes(text),
    found: (pattern) => pattern.exec(whole.replaceAll('\r', ''))?.[1],
    kill: () => {
      for (const stream of [net, agent, monitor]) stream.destroy();
      input?.destroy();
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
}
