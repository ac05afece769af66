import { wrap } from '../report/text.ts';
import type { Command } from './commands/command.ts';
import { commands } from './commands/index.ts';
import { exitMeanings } from './exit-codes.ts';
import { flags, type Flag, type FlagKey } from './flags/flags.ts';

const flagByKey: Readonly<Record<FlagKey, Flag>> = flags;

function table(rows: readonly (readonly [string, string])[], width: number): string[] {
  const left = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.flatMap(([name, says]) =>
    wrap(says, width - left - 2).map((line, i) => `  ${(i === 0 ? name : '').padEnd(left)}${line}`),
  );
}

function flagRow(key: FlagKey): readonly [string, string] {
  const flag = flagByKey[key];
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  return [`${short}--${flag.name}${flag.value === undefined ? '' : ` ${flag.value}`}`, flag.says];
}

function usageLine(command: Command): string {
  return ['rdma-conform', command.name, command.operands, '[flags]'].filter((part) => part !== '').join(' ');
}

/** Help for the whole program: commands, the flags of the default command, exit codes. */
export function generalHelp(version: string, width: number): string {
  const [first] = commands;
  return [
    `rdma-conform ${version}: does this RDMA NIC do what the spec says?`,
    '',
    'Usage: rdma-conform [COMMAND] [flags]',
    '',
    'Commands',
    ...table(
      commands.map((c): [string, string] => [`${c.name} ${c.operands}`.trim(), c.says]),
      width,
    ),
    '',
    `Flags of ${first?.name ?? ''} ("rdma-conform help COMMAND" for those of the others)`,
    ...table((first?.flags ?? []).map(flagRow), width),
    '',
    'Exit codes',
    ...table(
      exitMeanings.map(({ code, means }): [string, string] => [String(code), means]),
      width,
    ),
    '',
    ...wrap(
      'The report goes to stdout, the log to stderr. RDMA_CONFORM_DEBUG=1 adds stack traces to errors. --no-color: without colours.',
      width,
    ),
    '',
  ].join('\n');
}

export function commandHelp(command: Command, width: number): string {
  return [
    `Usage: ${usageLine(command)}`,
    '',
    ...wrap(command.says, width),
    '',
    'Flags',
    ...table(command.flags.map(flagRow), width),
    '',
  ].join('\n');
}
