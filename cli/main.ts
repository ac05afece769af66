#!/usr/bin/env node
import { printable } from '../report/printable.ts';
import { runProgram } from './program.ts';
import { processStreams } from './streams.ts';

// Anything that escapes a command is a mistake of ours or of an adapter: one line and the code for it, like any other.
function fatal(thrown: unknown): never {
  const debug = process.env['RDMA_CONFORM_DEBUG'] === '1';
  const line =
    thrown instanceof Error ? (debug ? (thrown.stack ?? thrown.message) : thrown.message) : String(thrown);
  process.stderr.write(`rdma-conform: internal error: ${printable(line)}\n`);
  process.exit(70);
}
process.on('uncaughtException', fatal);
process.on('unhandledRejection', fatal);

const code = await runProgram(process.argv.slice(2), {
  streams: processStreams(),
  directory: process.cwd(),
});
// Not left to the event loop: a device that forgot a timer must not keep a finished run alive.
process.exit(code);
