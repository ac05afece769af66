import { matrixHtml } from '../../report/matrix/html.ts';
import { matrixOf } from '../../report/matrix/matrix.ts';
import { findingsPage } from './page.ts';
import { asListed, described, notes, recordedRuns } from './runs.ts';

/** The pages that are made of the runs that are checked in, by their places below the root. */
export function madePages(): Record<string, string> {
  const listed = described();
  const runs = recordedRuns().map((run) => asListed(run, listed));
  const kernels = runs.filter(({ name }) => /^\d/.test(name));
  const matrix = matrixOf(
    runs.map(({ result }) => result),
    runs.map(({ name }) => name),
  );
  return {
    'docs/findings/soft-roce.md': findingsPage(kernels, notes(), listed),
    'docs/findings/matrix.html': matrixHtml(matrix, 'npm run findings'),
  };
}
