import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validator } from '../../oracle/compile/shape.ts';
import type { Statement } from '../../oracle/compile/statements.ts';
import { loadSpecYaml, specDirectory } from '../../spec/load.ts';

/** A source document (`spec/sources.yaml`). */
export interface SourceText {
  /** in its own language; absent: not known */
  title?: string;
  english: string;
  language: string;
  author?: string;
  address?: string;
  /** headings in English, by section */
  sections: Readonly<Record<string, string>>;
}

interface Work {
  title: string;
  publisher?: string;
  address?: string;
}

interface Elsewhere {
  work: string;
  where: string;
  statements?: string[];
  sections?: string[];
}

interface SourcesFile {
  documents: Record<string, SourceText>;
  works: Record<string, Work>;
  also: Elsewhere[];
}

/** Where a statement is to be found. */
export interface Citation {
  /** the document in English, with the section and its heading */
  text: string;
  document: SourceText;
  /** works that say the same, with the place in each; empty: none is known */
  also: string[];
}

/** Whether a section is the one that the prefix names, or below it. */
function isBelow(section: string, prefix: string): boolean {
  return section.startsWith(prefix) && /^(?:$|[ .(])/.test(section.slice(prefix.length));
}

/** Heading of a section such as "2.2.3 (2)": of the longest number that it begins with. */
function headingOf(document: SourceText, section: string): string | undefined {
  const key = Object.keys(document.sections)
    .filter((prefix) => isBelow(section, prefix))
    .reduce((best, prefix) => (prefix.length > best.length ? prefix : best), '');
  return document.sections[key];
}

const parts = (section: string): string[] => section.split(';').map((part) => part.trim());

/** Whether a statement is among those that an entry names. */
function saidIn({ statements = [], sections = [] }: Elsewhere): (statement: Statement) => boolean {
  const patterns = statements.map((pattern) => new RegExp(`^${pattern.replaceAll('*', '[a-z0-9-]*')}$`));
  return ({ id, source }) =>
    patterns.some((pattern) => pattern.test(id)) ||
    sections.some((entry) => {
      const [prefix = '', number = ''] = entry.split(' ');
      return id.startsWith(`${prefix}-`) && parts(source.section).some((part) => isBelow(part, number));
    });
}

/** Where statements are to be found. */
export class Citations {
  readonly #also: readonly { says: (statement: Statement) => boolean; text: string }[];

  constructor(readonly file: SourcesFile) {
    this.#also = file.also.map((entry) => ({
      says: saidIn(entry),
      text: `${file.works[entry.work]?.title ?? entry.work}; ${entry.where}`,
    }));
  }

  /** Of a statement; throws an Error if its document is unknown. */
  of(statement: Statement): Citation {
    const { doc, section } = statement.source;
    const document = this.file.documents[doc];
    if (document === undefined) throw new Error(`spec/sources.yaml has no document ${doc} (${statement.id})`);
    const [first = ''] = parts(section);
    const heading = headingOf(document, first);
    return {
      text: `${document.english}; section ${section}${heading === undefined ? '' : `: ${heading}`}`,
      document,
      also: this.#also.filter(({ says }) => says(statement)).map(({ text }) => text),
    };
  }
}

/** `spec/sources.yaml`; throws an Error with its place where it is not sound. */
export function loadCitations(): Citations {
  const schema = JSON.parse(
    readFileSync(join(specDirectory, 'schema', 'sources.schema.json'), 'utf8'),
  ) as Record<string, unknown>;
  const validate = validator(schema);
  const file = loadSpecYaml('sources.yaml');
  if (!validate(file)) {
    const [error] = validate.errors ?? [];
    throw new Error(`spec/sources.yaml: ${error?.instancePath ?? ''} ${error?.message ?? ''}`);
  }
  return new Citations(file as SourcesFile);
}

/** A document as people find it: title, language, author, address. */
export function documentText({ title, language, author, address }: SourceText): string {
  return [
    `${language}${title === undefined ? '' : `, "${title}"`}`,
    ...(author === undefined ? [] : [author]),
    address ?? 'address not known',
  ].join(', ');
}
