// Writes the schemas of the protocol and its reference page; part of `npm run generate`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { specDirectory } from '../../spec/load.ts';
import { protocolPage } from './page.ts';
import { protocolSchemas } from './schemas.ts';

for (const [name, text] of Object.entries(protocolSchemas()))
  writeFileSync(join(specDirectory, 'schema', name), text);
writeFileSync(join(specDirectory, '..', 'docs', 'reference', 'stdio-protocol.md'), protocolPage());
