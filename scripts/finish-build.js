// Last step of `npm run build`: what tsc leaves undone. Makes the command executable, and in the package's own checkout
// puts it where npx looks, as npm does for the packages that it installs.
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
chmodSync(join(root, 'dist', 'cli', 'main.js'), 0o755);
