const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Characters that XML 1.0 cannot hold even escaped: most controls, lone surrogates, U+FFFE and U+FFFF. */
function allowed(codePoint: number): boolean {
  return (
    codePoint === 0x9 ||
    codePoint === 0xa ||
    (codePoint >= 0x20 && codePoint <= 0xd7ff) ||
    (codePoint >= 0xe000 && codePoint <= 0xfffd) ||
    (codePoint >= 0x10000 && codePoint <= 0x10ffff)
  );
}

/** Text for an attribute or an element; what XML cannot hold becomes U+FFFD. */
export function escapeXml(text: string): string {
  let out = '';
  for (const character of text) {
    out += allowed(character.codePointAt(0) ?? 0) ? (entities[character] ?? character) : '\ufffd';
  }
  return out;
}

export interface XmlElement {
  name: string;
  attributes?: Readonly<Record<string, string | number>>;
  children?: readonly XmlElement[];
  text?: string;
}

/** An element as indented lines. */
export function writeXml(element: XmlElement, indent = ''): string {
  const attributes = Object.entries(element.attributes ?? {})
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
  const open = `${indent}<${element.name}${attributes}`;
  const children = element.children ?? [];
  if (element.text !== undefined) {
    // Line ends stay as they are inside an element: this is read by people too.
    const text = element.text.split('\n').map(escapeXml).join('\n');
    return `${open}>${text}</${element.name}>\n`;
  }
  if (children.length === 0) return `${open}/>\n`;
  const inner = children.map((child) => writeXml(child, `${indent}  `)).join('');
  return `${open}>\n${inner}${indent}</${element.name}>\n`;
}
