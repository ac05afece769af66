import { clean, faults } from './catalogue.ts';
import type { How } from './checked.ts';
import { unfound } from './unfound.ts';

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function flags({ complete, profile }: How): string {
  const said: string[] = [];
  if (complete !== undefined) {
    const { addresses, timeout } = complete;
    said.push('--complete', ...addresses.map((address) => (address === '10.0.0.1' ? '--at A' : '--at B')));
    if (timeout !== undefined) said.push(`--timeout ${timeout}`);
  }
  if (profile !== undefined) said.push(`--profile ${typeof profile === 'string' ? profile : 'FILE'}`);
  return said.length === 0 ? '' : `\`${said.join(' ')}\``;
}

/** The catalogue as a page of the documentation. A asks, and B answers. */
export function page(): string {
  const rows = [...faults].flatMap(([role, list]) =>
    list.map(({ says, rules, ...how }) => [
      role,
      says,
      rules.map((rule) => `\`${rule}\``).join(' or '),
      flags(how),
    ]),
  );
  const certain = rows.filter(([, , , needs]) => needs === '').length;
  return `# Captures with a fault, and without

\`check\` judges each of these captures in the tests of this project, as the tables say. They are made [byte by byte](../../test/captures/),
by code that shares nothing with the rest. A asks, and B answers. [For operators](../fabric-operator.md) explains the flags, and the
[glossary](../glossary.md) the terms.

Some hundred and thirty more, of tunnels, IPv6, several services, connection managers, and numbers that many QPs share, are [made by scapy](../../test/fixtures/captures/scapy/).

## Faults that are found

${certain} of these ${rows.length} are found in any capture. The others are certain only of a capture that has lost nothing, or
with the parameters of congestion control, and are not reported without the flags.

${table(['who', 'what it does', 'broken rule', 'needs'], rows)}

## Faults that are not found

${table(
  ['what it does', 'why it is not reported'],
  unfound.map(({ says, why }) => [says, why]),
)}

## Captures without a fault

None of these ${clean.length} is called broken, and the result is clean or says why it cannot be.

${table(
  ['what it shows', 'result', 'clean as well with'],
  clean.map(({ says, inconclusive, ...how }) => [
    says,
    inconclusive === undefined ? 'clean' : 'inconclusive',
    flags(how),
  ]),
)}
`;
}
