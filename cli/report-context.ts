import { dirname, relative, sep } from 'node:path';
import type { Statement } from '../oracle/compile/statements.ts';
import type { DocumentCoverage } from '../report/coverage.ts';
import { causesOf } from '../report/causes/causes.ts';
import { causeFile } from '../report/formats/upstream.ts';
import type { Citations } from './explain/sources.ts';
import type { ReportContext, Reporter, StatementText } from '../report/reporter.ts';
import type { Reproducer, RunResult } from '../report/results.ts';
import { specDirectory } from '../spec/load.ts';
import { dissect } from '../wire/index.ts';

/** What reporters may know beside the results, apart from version, width and colour. */
export type ReportExtras = Omit<ReportContext, 'version' | 'width' | 'colour'>;

/** Way from a folder to the package: "" within its root, else such as "node_modules/rdma-conform". */
function packagePathFrom(directory: string): string {
  return relative(directory, dirname(specDirectory)).split(sep).join('/');
}

function textOf(statement: Statement, citations: Citations): StatementText {
  const { id, erratum } = statement;
  const { text: source, also } = citations.of(statement);
  return {
    id,
    text: statement.statement,
    source,
    also,
    ...(erratum !== null && { erratum }),
  };
}

async function coverageOf(result: RunResult): Promise<DocumentCoverage[] | undefined> {
  const { CoverageError, gatherCoverage } = await import('./coverage/gather.ts');
  try {
    const run = {
      adapter: result.adapter.name,
      spec: result.spec,
      rules: new Map(result.rules.map(({ id, exercised, verdict }) => [id, { exercised, verdict }])),
    };
    const { documents, statements } = gatherCoverage({ run });
    return documents.map(({ id, prefix, counts }) => ({
      id: `${id}: ${prefix}`,
      counts,
      statements: statements
        .filter((statement) => statement.document === id && statement.id.startsWith(`${prefix}-`))
        .map(({ excuse, ...statement }) => ({
          ...statement,
          ...(excuse !== undefined && { excuse: excuse.because }),
        })),
    }));
  } catch (thrown) {
    // the command `coverage` says what is wrong there; a run has been made, and must be reported
    if (thrown instanceof CoverageError) return undefined;
    throw thrown;
  }
}

type OfCases = Pick<ReportContext, 'reproducer' | 'caseText'>;

/** The case and the program of each finding that leads a cause, by its token, as far as the results hold the case. */
async function casesOf(result: RunResult, asked: string | undefined): Promise<OfCases> {
  const { reproducerOf } = await import('../suites/reproducer/index.ts');
  const { caseText, decodeToken, TokenError } = await import('../suites/case/index.ts');
  const device = result.adapter.name;
  const cases = new Map<string, string>();
  const programs = new Map<string, Reproducer>();
  for (const [i, { findings }] of causesOf(result).entries()) {
    const [lead] = findings;
    if (lead === undefined) continue;
    const { token, expected, observed } = lead;
    try {
      const found = decodeToken(token);
      cases.set(token, caseText({ ...found, adapter: asked ?? found.adapter }, { expected, observed }));
      programs.set(token, await reproducerOf(lead, device, `${causeFile(i, lead)}.c`));
    } catch (thrown) {
      if (!(thrown instanceof TokenError)) throw thrown;
      programs.set(token, { why: 'the results do not hold the case' });
    }
  }
  return { reproducer: ({ token }) => programs.get(token), caseText: ({ token }) => cases.get(token) };
}

/** Statements that a report of the run may show: of the rules that were tried, and of what was found. */
function citedBy({ rules, failures }: RunResult): Set<string> {
  return new Set([...rules, ...failures].flatMap(({ statements }) => statements));
}

const wantsStatements: readonly string[] = ['html', 'upstream'];

/**
 * What the reporters asked for need to know. Statements and their coverage are read only where a reporter shows them.
 * `adapter` is how the command line named the device, for the commands that a report suggests.
 */
export async function reportExtras(
  targets: readonly { reporter: Reporter }[],
  directory: string,
  about: {
    adapter?: string | undefined;
    run?: RunResult;
    /** the run tried less than all rules, or a single case */
    isPart?: boolean;
    verbose?: boolean;
  } = {},
): Promise<ReportExtras> {
  const { adapter, run, isPart = false, verbose } = about;
  const extras: ReportExtras = {
    now: Date.now(),
    dissect: (frame) => dissect(Buffer.from(frame, 'hex')),
    packagePath: packagePathFrom(directory),
    ...(adapter !== undefined && { adapter }),
    ...(verbose !== undefined && { verbose }),
  };
  if (!targets.some(({ reporter }) => wantsStatements.includes(reporter.name))) return extras;
  const { loadStatements, statementsOf } = await import('../oracle/compile/statements.ts');
  const { loadCitations } = await import('./explain/sources.ts');
  const citations = loadCitations();
  // a run of a few rules says nothing of whole documents, and only pages show them
  const wantsCoverage =
    run !== undefined && !isPart && targets.some(({ reporter }) => reporter.name === 'html');
  const statements = run === undefined || wantsCoverage ? loadStatements() : statementsOf(citedBy(run));
  const texts = new Map(statements.map((statement) => [statement.id, textOf(statement, citations)] as const));
  const coverage = wantsCoverage ? await coverageOf(run) : undefined;
  const upstream = targets.some(({ reporter }) => reporter.name === 'upstream');
  return {
    ...extras,
    ...(run !== undefined && upstream && (await casesOf(run, adapter))),
    statement: (id) => texts.get(id),
    ...(coverage !== undefined && { coverage: () => coverage }),
  };
}
