import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { Diagnostic } from './diagnostic.ts';
import type { Path, SourceDocument } from './document.ts';
import type { JsonSchema } from './schema.ts';
import { didYouMean } from './suggest.ts';

const validators = new WeakMap<JsonSchema, ValidateFunction>();

/** Compiles once per schema object. ajv is loaded when first needed: rules known to be sound don't pay for it. */
export function validator(schema: JsonSchema): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const require = createRequire(import.meta.url);
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, verbose: true, validateFormats: false });
  const made = ajv.compile(schema);
  validators.set(schema, made);
  return made;
}

/** RFC 6901 pointer to path steps. */
function pathOf(pointer: string): Path {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : JSON.stringify(value);
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'a map',
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'nothing',
};

/** What an ajv error says to a person, or `undefined` for errors that only repeat another one. */
function words(error: ErrorObject, where: string): string | undefined {
  const parameters = error.params as Record<string, unknown>;
  const text = (key: string): string => String(parameters[key]);
  switch (error.keyword) {
    case 'additionalProperties': {
      const schema = error.parentSchema as { properties?: object } | undefined;
      const name = text('additionalProperty');
      return `unknown key "${name}"${where}${didYouMean(name, Object.keys(schema?.properties ?? {}))}`;
    }
    case 'required':
      return `"${text('missingProperty')}" is missing${where}`;
    case 'enum': {
      const allowed = (parameters['allowedValues'] as unknown[]).map(String);
      return `${kindOf(error.data)} is not allowed${where}${didYouMean(String(error.data), allowed)}`;
    }
    case 'type': {
      const wanted = (
        Array.isArray(parameters['type']) ? parameters['type'] : [parameters['type']]
      ) as string[];
      const quotes =
        wanted.includes('string') && (typeof error.data === 'number' || typeof error.data === 'boolean')
          ? `: write '${String(error.data)}'`
          : '';
      return `${kindOf(error.data)}${where}, where ${wanted.map((t) => typeNames[t] ?? t).join(' or ')} is needed${quotes}`;
    }
    case 'pattern':
      return `"${String(error.data)}" is not allowed${where}: it must match ${text('pattern')}`;
    case 'minItems':
    case 'minProperties':
      return `needs at least ${text('limit')} ${text('limit') === '1' ? 'entry' : 'entries'}${where}`;
    case 'minLength':
      return `empty text${where}`;
    case 'uniqueItems':
      return `entries ${Number(text('j')) + 1} and ${Number(text('i')) + 1} are equal${where}`;
    case 'const':
      return `${kindOf(error.data)}${where}, where ${text('allowedValue')} is needed`;
    case 'if':
    case 'propertyNames':
      return undefined;
    case 'false schema':
      return `has no place${where}`;
    default:
      return `${error.message ?? error.keyword}${where}`;
  }
}

interface Problem {
  path: Path;
  message: string;
  error: ErrorObject;
}

function problemsOf(schema: JsonSchema, value: unknown): Problem[] {
  const validate = validator(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).flatMap((error) => {
    const path = pathOf(error.instancePath);
    const message = words(error, path.length === 0 ? '' : ` in ${path.join('.')}`);
    return message === undefined ? [] : [{ path, message, error }];
  });
}

/**
 * What keeps a value from fitting a schema, in words for a person; empty if it fits. The deepest places come first: of
 * the shapes that a value may have, the one that fits furthest is the one that was meant.
 */
export function shapeProblems(schema: JsonSchema, value: unknown): string[] {
  return problemsOf(schema, value)
    .toSorted((a, b) => b.path.length - a.path.length)
    .map(({ message }) => message);
}

/** Checks a document against a schema; every error becomes a diagnostic at the node, or key, that it speaks of. */
export function checkShape(schema: JsonSchema, source: SourceDocument): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const { path, message, error } of problemsOf(schema, source.value)) {
    const unknown = error.keyword === 'additionalProperties';
    const place = unknown
      ? source.placeOfKey(path, (error.params as { additionalProperty: string }).additionalProperty)
      : error.propertyName === undefined
        ? source.placeOf(path)
        : source.placeOfKey(path, error.propertyName);
    found.set(`${place.line}:${place.column}:${message}`, {
      ...place,
      code: unknown ? 'unknown-key' : 'schema',
      message,
    });
  }
  return [...found.values()];
}
