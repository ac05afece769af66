import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { crc32 } from '../../wire/index.ts';
import type { Scenario } from '../scenario.ts';
import { CaseError, parseScenario } from './validate.ts';

/** What a replay token or case file holds: values, not seeds. */
export interface ReplayCase {
  /** absent: the case ended in an error */
  rule?: string;
  /** which finding of the rule; absent: any */
  signature?: string;
  property: string;
  /** as given to --adapter when it was found */
  adapter: string;
  scenario: Scenario;
}

/** Not a token, or a damaged one. */
export class TokenError extends Error {
  readonly kind: 'not-a-token' | 'version' | 'damaged';
  constructor(kind: TokenError['kind'], message: string) {
    super(message);
    this.name = 'TokenError';
    this.kind = kind;
  }
}

const version = 1;
const prefix = 'rdc';

/** One line that `replay` takes: prefix, version, checksum and the deflated case, safe in a shell and a URL. */
export function encodeToken({ rule, signature, property, adapter, scenario }: ReplayCase): string {
  const body = deflateRawSync(JSON.stringify({ rule, signature, property, adapter, scenario }), { level: 9 });
  return `${prefix}${version}.${checksum(body)}.${body.toString('base64url')}`;
}

/** The case that a token holds. Throws TokenError. */
export function decodeToken(token: string): ReplayCase {
  const parts = /^rdc(\d+)\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/.exec(token.trim());
  const [, found, sum, data] = parts ?? [];
  if (found === undefined || sum === undefined || data === undefined) {
    throw new TokenError('not-a-token', 'this is no replay token');
  }
  if (Number(found) !== version) {
    throw new TokenError(
      'version',
      `the token is of version ${found}, this program reads version ${version}`,
    );
  }
  const body = Buffer.from(data, 'base64url');
  if (checksum(body) !== sum) throw new TokenError('damaged', 'the token is damaged: its checksum is wrong');
  try {
    return parseCase(
      JSON.parse(inflateRawSync(body, { maxOutputLength: 1 << 24 }).toString('utf8')),
      'token',
    );
  } catch (error) {
    throw new TokenError(
      'damaged',
      `the token is damaged: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** The case that a JSON value is. Throws CaseError. */
export function parseCase(value: unknown, path: string): ReplayCase {
  if (typeof value !== 'object' || value === null) throw new CaseError(`${path}: is no JSON object`);
  const { rule, error, signature, property, adapter, scenario } = value as Record<string, unknown>;
  const text = (name: string, found: unknown): string => {
    if (typeof found !== 'string' || found === '') throw new CaseError(`${path}: "${name}" must be a text`);
    return found;
  };
  if (rule === undefined) text(error === undefined ? 'rule' : 'error', error);
  return {
    ...(rule !== undefined && { rule: text('rule', rule) }),
    ...(signature !== undefined && { signature: text('signature', signature) }),
    property: text('property', property),
    adapter: text('adapter', adapter),
    scenario: parseScenario(scenario, `${path}.scenario`),
  };
}

function checksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
