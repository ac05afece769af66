import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { specDirectory } from '../spec/load.ts';

/** Root of the package: the folder that holds package.json and spec/. */
export const packageRoot = dirname(specDirectory);

/** Version of the package. */
export function packageVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  if (
    typeof parsed === 'object' &&
    parsed !== null &&
    'version' in parsed &&
    typeof parsed.version === 'string'
  ) {
    return parsed.version;
  }
  throw new Error('package.json has no version');
}
