import { existsSync, statSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import { AdapterBroken, AdapterUnavailable, type Adapter } from '../../adapters/adapter.ts';
import { CliError, exitCode, messageOf, usageError } from '../exit-codes.ts';
import { loadAdapterModule } from './module.ts';
import { unknownWord } from '../flags/nearest.ts';

/** `NAME:VALUE,key=value,key=value`, taken apart; of what stands behind the colon nothing need be there. */
interface AdapterSpec {
  name: string;
  /** the word that comes first, without a key */
  value: string | undefined;
  parameters: ReadonlyMap<string, string>;
}

interface AdapterKind {
  name: string;
  says: string;
  /** what the word behind the colon is called, for an adapter that cannot do without */
  value?: string;
  /** what may stand behind the colon as KEY=VALUE */
  parameters: readonly string[];
  /** Imported when asked for: start-up must not pay for adapters that are not used. */
  create(parameters: ReadonlyMap<string, string>, value: string, directory: string): Promise<Adapter>;
}

async function createReference(parameters: ReadonlyMap<string, string>): Promise<Adapter> {
  const { isMutantId, isSoundId, mutantIds, referenceAdapter, soundIds } =
    await import('../../adapters/reference/index.ts');
  const id = parameters.get('mutant');
  const sound = parameters.get('sound');
  const wire = parameters.get('wire');
  if (wire !== undefined && wire !== 'none') throw usageError(unknownWord('wire', wire, ['none']));
  const wired = { wire: wire === undefined };
  if (sound !== undefined) {
    if (!isSoundId(sound)) throw usageError(unknownWord('conformant variant', sound, soundIds));
    if (id !== undefined) throw usageError('adapter reference: mutant= and sound= exclude each other');
    return referenceAdapter({ ...wired, sound });
  }
  if (id === undefined) return referenceAdapter(wired);
  if (!isMutantId(id)) throw usageError(unknownWord('mutant', id, mutantIds));
  return referenceAdapter({ ...wired, mutant: id });
}

async function createRxe(
  parameters: ReadonlyMap<string, string>,
  _value: string,
  directory: string,
): Promise<Adapter> {
  const { rxeAdapter, kernelChoice, kernels } = await import('../../adapters/rxe/index.ts');
  const oneOf = <T extends string>(what: string, among: readonly T[]): T | undefined => {
    const wanted = parameters.get(what);
    const found = among.find((candidate) => candidate === wanted);
    if (wanted !== undefined && found === undefined) throw usageError(unknownWord(what, wanted, among));
    return found;
  };
  const wanted = parameters.get('kernel');
  const modules = parameters.get('modules');
  const kernel = wanted === undefined ? undefined : kernelChoice(wanted, directory, modules);
  if (wanted !== undefined && kernel === undefined)
    throw usageError(
      unknownWord('kernel', wanted, [
        ...kernels,
        'stable-backports',
        'SUITE:SERIES',
        'linux-image-PACKAGE',
        './PATH',
      ]),
    );
  if (modules !== undefined && kernel?.kind !== 'path')
    throw usageError('adapter rxe: modules is of use only with kernel=PATH');
  const wire = oneOf('wire', ['seen', 'none']);
  return rxeAdapter({ ...(kernel !== undefined && { kernel }), ...(wire !== undefined && { wire }) });
}

async function createVerbs(parameters: ReadonlyMap<string, string>, device: string): Promise<Adapter> {
  const { verbsAdapter } = await import('../../adapters/verbs/adapter.ts');
  const netdev = parameters.get('netdev');
  const peer = parameters.get('peer');
  const code = parameters.get('min-timeout');
  if (netdev === undefined && (peer !== undefined || code !== undefined))
    throw usageError(`adapter verbs: peer and min-timeout are of use only with netdev`);
  if (peer !== undefined && !isIPv4(peer)) throw usageError(`adapter verbs: peer takes an IPv4 address`);
  const minTimeout = code === undefined ? undefined : Number(code);
  if (minTimeout !== undefined && !(Number.isInteger(minTimeout) && minTimeout >= 1 && minTimeout <= 31))
    throw usageError(`adapter verbs: min-timeout takes a whole number from 1 to 31, not "${code}"`);
  return verbsAdapter({
    device,
    ...(netdev !== undefined && { netdev }),
    ...(peer !== undefined && { peer }),
    ...(minTimeout !== undefined && { minTimeout }),
  });
}

/** Adapters by name. Anything that looks like a path is a module instead. */
const adapterKinds: readonly AdapterKind[] = [
  {
    name: 'reference',
    says: 'the reference NIC, in this process, on virtual time',
    parameters: ['mutant', 'sound', 'wire'],
    create: createReference,
  },
  {
    name: 'rxe',
    says: "Linux' software RoCE: the host's, or a stock kernel's in a guest that this adapter boots",
    parameters: ['kernel', 'modules', 'wire'],
    create: createRxe,
  },
  {
    name: 'verbs',
    says: 'any RDMA device of this machine by libibverbs; its packets are seen on the interface netdev that faces it, if any',
    value: 'DEVICE',
    parameters: ['netdev', 'peer', 'min-timeout'],
    create: createVerbs,
  },
];

/** `stdio:COMMAND`: all that stands behind the colon is a command line of the shell. */
const stdioPrefix = 'stdio:';

async function createStdio(command: string, directory: string): Promise<Adapter> {
  if (command.trim() === '') throw usageError('adapter stdio: write stdio:COMMAND');
  const { stdioAdapter } = await import('../../adapters/stdio/adapter.ts');
  return stdioAdapter({ command, directory });
}

/** Whether `--adapter TEXT` names a module; a parameter of another kind, such as `rxe:kernel=../linux`, may hold a path. */
export function looksLikePath(text: string): boolean {
  const [, kind] = /^(\w+):/.exec(text) ?? [];
  if (adapterKinds.some(({ name }) => name === kind)) return false;
  return /^[./]|[/\\]|\.[cm]?[jt]s$/.test(text);
}

/** Takes `reference:mutant=ID` or `verbs:DEVICE` apart; usage error for a form that is none. */
function parseAdapterSpec(text: string): AdapterSpec {
  const colon = text.indexOf(':');
  const name = colon < 0 ? text : text.slice(0, colon);
  const parameters = new Map<string, string>();
  const parts = colon < 0 ? [] : text.slice(colon + 1).split(',');
  const [first] = parts;
  const value = first === undefined || first === '' || first.includes('=') ? undefined : first;
  // nothing behind the colon is as good as none: which word is missing is for the adapter to say
  const rest = value === undefined && text !== `${name}:` ? parts : parts.slice(1);
  for (const part of rest) {
    const [key, setting, ...more] = part.split('=');
    if (key === undefined || key === '' || setting === undefined || setting === '' || more.length > 0) {
      throw usageError(`adapter "${text}": write ${name}:NAME=VALUE, not "${part}"`);
    }
    if (parameters.has(key)) throw usageError(`adapter "${text}": ${key}= is given twice`);
    parameters.set(key, setting);
  }
  return { name, value, parameters };
}

/** The adapter that `--adapter TEXT` names. Throws CliError: 64 for what does not exist, 70 for a module that throws. */
export async function resolveAdapter(text: string, directory: string): Promise<Adapter> {
  if (text.startsWith(stdioPrefix)) return createStdio(text.slice(stdioPrefix.length), directory);
  if (looksLikePath(text)) {
    const path = resolve(directory, text);
    if (!existsSync(path)) throw usageError(`adapter module ${text}: there is no such file`);
    if (!statSync(path).isFile()) throw usageError(`adapter module ${text}: it is no file`);
    if (!/\.[cm]?[jt]s$/.test(text)) {
      throw usageError(
        `adapter module ${text} is none: its name must end in .ts or .js; a program is stdio:${text}`,
      );
    }
    return loadAdapterModule(path, text);
  }
  const { name, value, parameters } = parseAdapterSpec(text);
  const kind = adapterKinds.find((candidate) => candidate.name === name);
  if (kind === undefined) {
    const names = adapterKinds.map((candidate) => candidate.name);
    throw usageError(unknownWord('adapter', name, [...names, 'stdio:COMMAND', './FILE.ts']));
  }
  if (value !== undefined && kind.value === undefined) {
    throw usageError(`adapter "${text}": write ${name}:NAME=VALUE, not "${value}"`);
  }
  if (value === undefined && kind.value !== undefined) {
    throw usageError(`adapter "${text}": write ${name}:${kind.value}`);
  }
  for (const key of parameters.keys()) {
    if (!kind.parameters.includes(key)) {
      throw usageError(unknownWord(`parameter of adapter ${name}`, key, kind.parameters));
    }
  }
  return kind.create(parameters, value ?? '', directory);
}

/** What an adapter's failure is to the caller: unavailable, or broken. Anything else stays as it is. */
export function adapterFailure(thrown: unknown): unknown {
  if (thrown instanceof AdapterUnavailable) {
    return new CliError(exitCode.unavailable, messageOf(thrown), { cause: thrown });
  }
  if (thrown instanceof AdapterBroken) {
    return new CliError(exitCode.error, messageOf(thrown), { cause: thrown });
  }
  return thrown;
}
