import { join } from 'node:path';
import { Node, Project, SyntaxKind, ts, type ExportedDeclarations, type SourceFile } from 'ts-morph';

/** What one name of an entry is, in the order of the page. */
export const kinds = ['functions', 'classes', 'types', 'values'] as const;
export type Kind = (typeof kinds)[number];

/** One exported name. */
export interface Export {
  name: string;
  kind: Kind;
  /** the docstring as prose; '' where the source has none */
  doc: string;
  /** declarations as TypeScript, without the docstring in front and without private members; overloads in the source's order */
  code: string;
}

/** One entry of the package: what `import ... from` a path gives. */
export interface Entry {
  /** as it is imported: `rdma-conform/wire` */
  path: string;
  /** what the entry is for; the docstring in front of its source */
  doc: string;
  /** by kind, then by name */
  exports: Export[];
}

/** Declarations that take more characters than this are cut: a union of hundreds of names says nothing to a reader. */
const longest = 6_000;

function kindOf(declaration: ExportedDeclarations): Kind {
  if (Node.isFunctionDeclaration(declaration)) return 'functions';
  if (Node.isClassDeclaration(declaration)) return 'classes';
  if (Node.isInterfaceDeclaration(declaration) || Node.isTypeAliasDeclaration(declaration)) return 'types';
  return 'values';
}

/** The statement that declares a name: for a variable the whole `declare const`. */
function statementOf(declaration: ExportedDeclarations): Node {
  return Node.isVariableDeclaration(declaration) ? declaration.getVariableStatementOrThrow() : declaration;
}

/** The words of the docstring right in front, each paragraph on one line; another one above it is about the whole file. */
function prose(statement: Node): string {
  if (!Node.isJSDocable(statement)) return '';
  const description = statement.getJsDocs().at(-1)?.getDescription() ?? '';
  return description.trim().replace(/([^\n])\n(?!\n)/g, '$1 ');
}

/** What a reader may use: private members are not shown. */
function withoutPrivate(statement: Node): void {
  if (!Node.isClassDeclaration(statement)) return;
  for (const member of statement.getMembers()) {
    const hidden =
      (Node.isModifierable(member) && member.hasModifier(SyntaxKind.PrivateKeyword)) ||
      ('getName' in member && member.getName().startsWith('#'));
    if (hidden) member.remove();
  }
}

/** `declared` is the name in the source, `name` the one that is exported. */
function codeOf(statement: Node, declared: string, name: string): string {
  withoutPrivate(statement);
  const code = statement
    .getText()
    .replace(/^export (declare )?/, '')
    .replace(new RegExp(`^(\\w+ )${declared}\\b`), `$1${name}`);
  return code.length > longest
    ? `${code.slice(0, longest).replace(/\n?[^\n]*$/, '')}\n// ... and more\n`
    : code;
}

function exported(name: string, declarations: ExportedDeclarations[]): Export {
  const [first] = declarations;
  if (first === undefined) throw new Error(`${name} is exported, and declared nowhere`);
  const declared = 'getName' in first ? (first.getName() ?? name) : name;
  const statements = [...new Set(declarations.map(statementOf))];
  const doc = statements.map(prose).filter((text) => text !== '');
  return {
    name,
    kind: kindOf(first),
    doc: [...new Set(doc)].join('\n\n'),
    code: statements.map((one) => codeOf(one, declared, name)).join('\n'),
  };
}

/** The comment in front of a whole file. */
function headOf(source: SourceFile): string {
  const [comment] = source.getStatementsWithComments()[0]?.getLeadingCommentRanges() ?? [];
  return (comment?.getText() ?? '')
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ');
}

/**
 * The entries of the package with what they export, from declarations below `folder`. `entries` are paths of imports with the file
 * each leads to, relative to `folder`. Throws where an entry exports what no declaration explains.
 */
export function readEntries(folder: string, entries: ReadonlyMap<string, string>): Entry[] {
  const project = new Project({
    compilerOptions: {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      allowImportingTsExtensions: true,
      noEmit: true,
      types: [],
    },
  });
  return [...entries].map(([path, file]) => {
    const source = project.addSourceFileAtPath(join(folder, file));
    project.resolveSourceFileDependencies();
    const exports = [...source.getExportedDeclarations()].map(([name, declarations]) =>
      exported(name, declarations),
    );
    exports.sort(
      (a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.name.localeCompare(b.name, 'en'),
    );
    return { path, doc: headOf(source), exports };
  });
}
