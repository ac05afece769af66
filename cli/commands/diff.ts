import { styleFor } from '../../report/style.ts';
import type { RunCommand } from './command.ts';
import { compareRuns, devicesDiffer } from '../diff/compare.ts';
import { diffText } from '../diff/text.ts';
import { exitCode } from '../exit-codes.ts';
import { selectedFormat } from '../flags/output-format.ts';
import { readResults } from '../files/read-checked.ts';

/** `diff A B`: how two devices differ, by the json reports of a run on each. */
// oxlint-disable-next-line require-await -- commands are asynchronous, this one has nothing to wait for
export const diffCommand: RunCommand = async (args, { streams, directory }) => {
  const format = selectedFormat(args);
  const [a = '', b = ''] = args.operands;
  const diff = compareRuns(readResults(a, directory, 'diff'), readResults(b, directory, 'diff'));
  streams.out(
    format === 'json'
      ? `${JSON.stringify(diff, undefined, 2)}\n`
      : diffText(diff, { width: streams.width, style: styleFor(streams.colour) }),
  );
  return devicesDiffer(diff) ? exitCode.fail : exitCode.ok;
};
