/** Text within a line of markdown: nothing in it means anything, also not as HTML or within a table. */
export function inline(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]<>#|~]/g, (found) => `\\${found}`)
    .replaceAll('&', '&amp;');
}

/** A block of text as it is; the fence is longer than any within. */
export function fenced(text: string, language: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, text, fence];
}

/** A span of text as it is. */
export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text.replaceAll(/\s+/g, ' ')}${pad}${fence}`;
}

/** Cells are markdown; nothing where there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}

/** A part that opens on a click; nothing where it is empty. */
export function folded(title: string, body: readonly string[]): string[] {
  return body.length === 0 ? [] : ['<details>', `<summary>${title}</summary>`, '', ...body, '</details>', ''];
}

/** A file of these lines. */
export function document(lines: readonly string[]): string {
  return `${lines.join('\n').trimEnd()}\n`;
}
