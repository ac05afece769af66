/** Lines that count what a run did: their numbers differ from one set of rules to the next, and from one machine to the next. */
const counting =
  /^(?:Rules |they differ|rdma-conform \d|[\d,]+ (?:cases?|frames)\b|\s+[AB] +(?:pass|fail), |\s+(?:known|FAIL|pass)\s+\S+ +(?:must|should|may) )/;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** A line of a page as a regular expression; of a line that counts, without its numbers. */
function pattern(line: string): string {
  if (!counting.test(line)) return escaped(line.trimEnd());
  const words = line.trimEnd().replace(/rules [0-9a-f]{12}/, 'rules 0');
  return words
    .split(/\d[\d,.]*/)
    .map(escaped)
    .join(String.raw`[\da-f,.]+`)
    .replaceAll(/ {2,}/g, ' +');
}

/** Whether `printed` is what a page shows; a line `...` of the page stands for any number of lines, also none. */
export function shows(page: string, printed: string): boolean {
  const lines = page.split('\n').map((line) => (line === '...' ? '(?:.*\\n)*?' : `${pattern(line)} *\\n`));
  return new RegExp(`^${lines.join('')}$`).test(`${printed.trimEnd()}\n`);
}
