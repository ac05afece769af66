import { styleFor } from '../../report/style.ts';
import { hanging } from '../../report/text.ts';
import type { RunCommand } from './command.ts';
import { examine } from '../doctor/examine.ts';
import type { Finding } from '../doctor/finding.ts';
import { exitCode } from '../exit-codes.ts';
import { selectedFormat } from '../flags/output-format.ts';

const nameWidth = 24;

/** `doctor`: always 0; what is missing is no mistake. */
export const doctorCommand: RunCommand = async (args, { streams }) => {
  const format = selectedFormat(args);
  const findings = await examine();
  if (format === 'json') {
    streams.out(`${JSON.stringify(findings, undefined, 2)}\n`);
    return exitCode.ok;
  }
  const style = styleFor(streams.colour);
  const marks: Record<Finding['state'], string> = {
    ready: style.good('ready  '),
    partly: style.warn('partly '),
    missing: style.bad('missing'),
  };
  for (const { name, state, says, remedies } of findings) {
    const label = `         ${name.padEnd(nameWidth)}`;
    const lines = hanging(label, says, streams.width);
    const more = remedies.flatMap((remedy) =>
      hanging(`${' '.repeat(label.length)}- `, remedy, Math.max(streams.width, 100)),
    );
    const [first = '', ...rest] = lines;
    streams.out(`${[`${marks[state]}  ${first.slice(9)}`, ...rest, ...more].join('\n')}\n`);
  }
  return exitCode.ok;
};
