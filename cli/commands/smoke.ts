import { printable } from '../../report/printable.ts';
import { styleFor, type Style } from '../../report/style.ts';
import { hanging } from '../../report/text.ts';
import { resolveAdapter } from '../adapter/registry.ts';
import type { RunCommand } from './command.ts';
import { exitCode } from '../exit-codes.ts';
import { smoke } from '../smoke/run.ts';
import type { Checked } from '../smoke/step.ts';

/** Seconds; a guest that has to boot takes longer. */
const limits = { usual: 10, guest: 180 };

const nameWidth = 28;

function lineOf({ name, verdict, says }: Checked, style: Style, width: number): string {
  const marks: Record<Checked['verdict'], string> = {
    ok: style.good('ok   '),
    note: style.warn('note '),
    skipped: style.dim('skip '),
    fail: style.bad('FAIL '),
    error: style.bad('ERROR'),
  };
  const label = `       ${name.padEnd(nameWidth)}`;
  const [first = label, ...rest] = says === '' ? [label] : hanging(label, says, width);
  return [`${marks[verdict]}  ${first.slice(7)}`, ...rest].map((line) => `${line.trimEnd()}\n`).join('');
}

/** `smoke`: 0 sound, 1 something that it does is wrong, 70 it does not keep to the protocol or to the time. */
export const smokeCommand: RunCommand = async (args, context) => {
  const { streams, directory } = context;
  const name = args.text('adapter') ?? 'reference';
  const limit = args.seconds('smokeLimit') ?? (/^rxe\b/.test(name) ? limits.guest : limits.usual);
  const adapter = await resolveAdapter(name, directory);
  const style = styleFor(streams.colour);
  const { checked, whole } = await smoke({
    adapter,
    limit,
    onChecked: (one) => streams.out(lineOf(one, style, streams.width)),
    log: (line) => streams.err(`${printable(line)}\n`),
  });
  const bad = checked.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
  if (bad.length === 0) {
    streams.out(`\n${name} is fit for a run\n`);
    return exitCode.ok;
  }
  const rest = whole ? 'Everything else is as it should be.' : 'The rest was not tried.';
  streams.out(`\n${rest} What is wrong: ${bad.map((one) => one.name).join(', ')}\n`);
  return bad.some(({ verdict }) => verdict === 'error') ? exitCode.error : exitCode.fail;
};
