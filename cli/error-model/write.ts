// Writes the page of the model of errors; part of `npm run generate`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadStatements } from '../../oracle/compile/statements.ts';
import { loadRules } from '../../oracle/index.ts';
import { specDirectory } from '../../spec/load.ts';
import { buildTables } from './build.ts';
import { loadErrorModel } from './load.ts';
import { errorModelPage } from './page.ts';

const text = errorModelPage(buildTables(loadErrorModel(), loadRules(), loadStatements()));
writeFileSync(join(specDirectory, '..', 'docs', 'reference', 'error-model.md'), text);
