import { LineReader } from '../../adapters/agent/lines.ts';
import { serveAdapter } from '../../adapters/stdio/serve.ts';
import { resolveAdapter } from '../adapter/registry.ts';
import type { RunCommand } from './command.ts';
import { exitCode, usageError, type ExitCode } from '../exit-codes.ts';

/** `agent`: answers calls on stdin until it ends. What people should read goes to stderr, which the other side passes on. */
export const agentCommand: RunCommand = async (args, context) => {
  const { streams, directory } = context;
  const [device] = args.operands;
  const named = args.text('adapter');
  if (device !== undefined && named !== undefined)
    throw usageError('agent takes a DEVICE or --adapter, not both');
  const name = device === undefined ? named : `verbs:${device}`;
  if (name === undefined) throw usageError('agent needs the DEVICE that it serves, or --adapter');
  const adapter = await resolveAdapter(name, directory);
  // now, and not as the answer to a greeting: what is missing is for the exit code to say
  await adapter.describe();
  const server = serveAdapter(adapter, streams.out, (line) => streams.err(`${line}\n`));
  const lines = new LineReader();
  const code = await new Promise<ExitCode>((resolve) => {
    process.stdin.on('data', (chunk: Buffer) => {
      for (const line of lines.take(chunk)) if (line !== '') server.take(line);
    });
    process.stdin.on('end', () => resolve(exitCode.ok));
    process.stdin.on('error', () => resolve(exitCode.ok));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.once(signal, () => resolve(exitCode.interrupted));
  });
  await server.close();
  return code;
};
