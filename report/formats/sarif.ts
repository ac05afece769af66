import type { CheckResult } from '../check-results.ts';
import { placeOf } from '../check-words.ts';
import { replayCommand } from '../failure.ts';
import { influenceText, sortInfluences } from '../influences.ts';
import type { ReportContext } from '../reporter.ts';
import {
  findingName,
  type Failure,
  type LadderLine,
  type Level,
  type RuleResult,
  type RunResult,
} from '../results.ts';
import { duration } from '../text.ts';

type SarifLevel = 'error' | 'warning' | 'note' | 'none';

function levelOf(level: Level): SarifLevel {
  switch (level) {
    case 'must':
      return 'error';
    case 'should':
      return 'warning';
    case 'may':
      return 'note';
  }
}

/** Whether the package is in the folder of the reader; otherwise the way to it says something of this machine alone. */
export function isWithin(packagePath: string): boolean {
  return !/^(?:\.\.(?:\/|$)|\/|[A-Za-z]:)/.test(packagePath);
}

/** Path of a rule's file as the reader's folder sees it, or within the package where that is elsewhere. */
export function ruleFile(file: string, packagePath = ''): string {
  return packagePath === '' || !isWithin(packagePath) ? file : `${packagePath}/${file}`;
}

function locationsOf({ location }: RuleResult, packagePath: string | undefined): object[] {
  if (location === undefined) return [];
  const uri = encodeURI(ruleFile(location.file, packagePath));
  return [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: location.line } } }];
}

/** The exchange as steps that a viewer can walk through. */
function flowOf(ladder: readonly LadderLine[]): object {
  const locations = ladder.map((line) => ({
    location: { message: { text: `${duration(line.t)} ${line.kind}: ${line.text}` } },
    importance: line.guilty === true ? 'essential' : 'important',
  }));
  return { threadFlows: [{ locations }] };
}

function messageOf(
  { says }: RuleResult,
  expected: string,
  observed: string,
  more: readonly string[],
): object {
  return { text: [says, `Expected: ${expected}`, `Observed: ${observed}`, ...more].join('\n') };
}

function descriptor(rule: RuleResult): object {
  const notes = [rule.erratum, rule.latitude].filter((note) => note !== undefined);
  return {
    id: rule.id,
    shortDescription: { text: rule.says },
    ...(notes.length > 0 && { fullDescription: { text: [rule.says, ...notes].join('\n') } }),
    defaultConfiguration: { level: levelOf(rule.level) },
    properties: { table: rule.table, tags: [rule.level, ...rule.statements] },
  };
}

interface Log {
  rules: readonly RuleResult[];
  results: readonly object[];
  errors: readonly string[];
  properties: object;
}

function document({ rules, results, errors, properties }: Log, { version }: ReportContext): string {
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'rdma-conform', version, rules: rules.map(descriptor) } },
        invocations: [
          {
            executionSuccessful: errors.length === 0,
            toolExecutionNotifications: errors.map((text) => ({ level: 'error', message: { text } })),
          },
        ],
        results,
        columnKind: 'utf16CodeUnits',
        properties,
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

/** Evidence of a rule that a run found broken; undefined where only the verdict was kept. */
function evidence(rule: RuleResult, failure: Failure | undefined, context: ReportContext): object {
  if (failure === undefined) return { message: { text: rule.says } };
  const { matter } = sortInfluences(failure.influences ?? []);
  const more = [
    ...matter.map((entry) => `Matters: ${influenceText(entry)}`),
    `Replay: ${replayCommand(failure, context.adapter)}`,
  ];
  return {
    message: messageOf(rule, failure.expected, failure.observed, more),
    codeFlows: [flowOf(failure.ladder)],
  };
}

interface Broken {
  rule: RuleResult;
  failure: Failure | undefined;
  /** the rule has no other finding */
  alone: boolean;
}

function resultOf({ rule, failure, alone }: Broken, result: RunResult, context: ReportContext): object {
  const known =
    failure === undefined ? rule.known : (failure.divergence ?? (failure.known ? rule.known : undefined));
  return {
    ruleId: rule.id,
    ruleIndex: result.rules.indexOf(rule),
    kind: 'fail',
    level: levelOf(rule.level),
    ...evidence(rule, failure, context),
    locations: locationsOf(rule, context.packagePath),
    partialFingerprints: {
      'findingAndDevice/v1': `${findingName(failure ?? { rule: rule.id })} on ${result.adapter.name}`,
    },
    ...(alone && { occurrenceCount: Math.max(1, rule.violations) }),
    ...(known !== undefined && { suppressions: [{ kind: 'external', justification: known.reason }] }),
  };
}

/** SARIF 2.1.0: a result per finding, located at the line of its rule; known divergences are suppressed. */
export function sarifRun(result: RunResult, context: ReportContext): string {
  const { adapter, seed, spec, cases, packets, shards, partial } = result;
  const broken = result.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'deviation');
  const results = broken.flatMap((rule) => {
    const found = result.failures.filter((failure) => failure.rule === rule.id);
    return (found.length === 0 ? [undefined] : found).map((failure) =>
      resultOf({ rule, failure, alone: found.length < 2 }, result, context),
    );
  });
  const properties = { adapter: adapter.name, seed, spec, cases, packets, shards, partial };
  return document({ rules: result.rules, results, errors: result.errors, properties }, context);
}

/** Of a capture: a result per violation, with the number of the guilty frame. */
export function sarifCheck(result: CheckResult, context: ReportContext): string {
  const { file, spec, frames, packets } = result;
  const uri = encodeURI(file.replaceAll('\\', '/'));
  const results = result.violations.flatMap((violation) => {
    const index = result.rules.findIndex(({ id }) => id === violation.rule);
    const rule = result.rules[index];
    if (rule === undefined) return [];
    const where = `${placeOf(violation)}, ${violation.qp}`;
    const { ladder, expected, observed } = violation;
    return [
      {
        ruleId: rule.id,
        ruleIndex: index,
        kind: 'fail',
        level: levelOf(rule.level),
        message: messageOf(rule, expected, observed, [`At ${where}, ${duration(violation.t)}`]),
        locations: locationsOf(rule, context.packagePath),
        relatedLocations: [
          { id: 0, physicalLocation: { artifactLocation: { uri } }, message: { text: where } },
        ],
        ...(ladder !== undefined && { codeFlows: [flowOf(ladder)] }),
        partialFingerprints: { 'ruleAndFrame/v1': `${rule.id} at ${where}` },
      },
    ];
  });
  return document(
    { rules: result.rules, results, errors: result.errors, properties: { file, spec, frames, packets } },
    context,
  );
}
