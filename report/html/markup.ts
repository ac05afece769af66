/** HTML that is sound: made by `html` from literals and escaped values, or by `trusted` from a writer of ours. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | boolean | undefined | Markup | readonly Value[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function text(value: Value): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string') return value.replaceAll(/[&<>"']/g, (c) => entities[c] ?? c);
  if (typeof value === 'number') return String(value);
  if (value === undefined || typeof value === 'boolean') return '';
  return value.map(text).join('');
}

const compacted = new WeakMap<TemplateStringsArray, readonly string[]>();

const block = '</?(?:article|dd|details|div|dl|dt|h\\d|li|ol|p|section|summary|td|th|tr|ul)\\b';

/** White space that no browser shows: in front of the end of a tag, and on both sides of what begins a line of its own. */
const unseen = new RegExp(`\\n(?=>|${block})|(?<=${block}[^>]*>)[\\n ]`, 'g');

/** End tags that HTML lets out. */
const implied =
  /<\/(?:dd|dt|li)>|<\/p>(?=<\/?(?:article|details|div|dl|figure|h\d|ol|p|section|table|ul)\b)/g;

/** The quotes of an attribute that is a word. */
const unneeded = /(?<=[ \n][a-z-]+=)"([\w-]+)"(?=[\s>])/g;

/** Literals without the indentation, the broken tags, and what HTML does not need, that they have for the reader of the source. */
function compact(literals: TemplateStringsArray): readonly string[] {
  const known = compacted.get(literals);
  if (known !== undefined) return known;
  const made = literals.map((literal) =>
    literal
      .replaceAll(/\s*\n\s*/g, '\n')
      .replaceAll(unseen, '')
      .replaceAll(implied, '')
      .replaceAll(unneeded, '$1'),
  );
  compacted.set(literals, made);
  return made;
}

/** A template whose values are escaped, both in text and in quoted attributes; `undefined` and booleans are nothing. */
export function html(literals: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(compact(literals).reduce((out, literal, i) => out + text(values[i - 1]) + literal));
}

/** Text that is HTML already, such as an SVG of ours. */
export function trusted(markup: string): Markup {
  return new Markup(markup);
}

/** Names of elements of the page with this prefix, which the script makes links: written out they would be a tenth of a report. */
export function linked(tag: 'dd' | 'p', prefix: string, names: readonly string[]): Markup {
  return html`${trusted(`<${tag} data-to=${prefix}>`)}${names.join(', ')}`;
}

/** Id of an element for a name: letters, digits and dashes. */
export function elementId(prefix: string, name: string): string {
  return `${prefix}-${name.replaceAll(/[^A-Za-z0-9-]+/g, '-')}`;
}
