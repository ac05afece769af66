import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asScript } from './as-script.ts';
import { specDirectory } from './load.ts';

/** Writes the files that `make` gives, texts by their path in the repository, if the module at `url` is the script that was started. */
export async function asGenerator(
  url: string,
  make: () => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>,
): Promise<void> {
  await asScript(url, async () => {
    for (const [name, text] of Object.entries(await make())) {
      const path = join(dirname(specDirectory), name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      process.stdout.write(`wrote ${name}\n`);
    }
  });
}
