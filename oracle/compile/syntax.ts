import type { YAMLParseError } from 'yaml';

/** How far a line is indented, and whether it begins an item of a list. */
function indentOf(line: string): { spaces: number; item: boolean; blank: boolean } {
  const spaces = /^ */.exec(line)?.[0].length ?? 0;
  return { spaces, item: line.startsWith('- ', spaces), blank: line.trim() === '' };
}

/** Indentation of the list that a line would go on with: of the nearest item above it. */
function listAbove(lines: readonly string[], at: number): number | undefined {
  // items within items stand deeper: the list that the file is about is the outermost one
  const items = lines
    .slice(0, at)
    .map(indentOf)
    .filter(({ item }) => item);
  return items.length === 0 ? undefined : Math.min(...items.map(({ spaces }) => spaces));
}

const byIndentation: readonly string[] = ['BLOCK_AS_IMPLICIT_KEY', 'BAD_INDENT', 'MISSING_CHAR'];

function spacesText(n: number): string {
  return n === 1 ? '1 space' : `${n} spaces`;
}

/** What is likely wrong where the parser stumbled; `line` from 1. */
function hintFor(
  { code, message }: YAMLParseError,
  lines: readonly string[],
  line: number,
): string | undefined {
  const text = lines[line - 1] ?? '';
  if (code === 'TAB_AS_INDENT' || /^ *\t/.test(text))
    return 'there is a tab in the indentation; YAML allows only spaces';
  if (!byIndentation.includes(code)) return undefined;
  const { spaces, item } = indentOf(text);
  const above = listAbove(lines, line - 1);
  if (item && above !== undefined && above !== spaces)
    return `this item of the list is indented by ${spacesText(spaces)}, those above it by ${above}`;
  if (/:\s.*:\s/.test(text)) return 'text that holds a colon and a space needs quotes around it';
  if (message.startsWith('Flow ')) return 'a bracket is not closed';
  return 'is the indentation of this line and the next one right?';
}

/** The parser's first mistake in a text, in a sentence, with what is likely wrong there. */
export function syntaxMessage(error: YAMLParseError, text: string, line: number): string {
  const said = error.message.split('\n')[0] ?? error.message;
  const hint = hintFor(error, text.split('\n'), line);
  return hint === undefined ? `not valid YAML: ${said}` : `not valid YAML: ${hint} (${said})`;
}
