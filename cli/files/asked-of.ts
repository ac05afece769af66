import type { RunResult } from '../../report/results.ts';

/** The device as `--adapter` named it, where the results hold the command line of their run: their own name says less, such as "rxe". */
export function askedOf({ command }: Pick<RunResult, 'command'>): string | undefined {
  const forms = /(?:^|\s)(?:'--adapter=([^']+)'|--adapter[= ](?:'([^']+)'|([^\s']+)))/;
  const [, whole, quoted, plain] = forms.exec(command ?? '') ?? [];
  return whole ?? quoted ?? plain;
}
