import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AdapterUnavailable } from '../adapter.ts';
import { cacheDirectory } from './cache.ts';
import { run, type RunResult } from './run.ts';

type Log = (line: string) => void;

const systemLists = '/var/lib/apt/lists';
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

async function tool(name: string, argv: readonly string[], cwd?: string): Promise<RunResult> {
  const result = await run([name, ...argv], cwd === undefined ? {} : { cwd });
  if (result.code === 127)
    throw new AdapterUnavailable(
      'rxe: no apt-get here; the guest is made of Debian packages (qemu-system-x86, a kernel), so this needs Debian',
    );
  return result;
}

/** Packages of Debian, from the sources of this machine or from others. Nothing is installed. */
export class Apt {
  readonly #options: readonly string[];
  readonly #log: Log;

  /** `options`: of apt, where it takes packages from others than the sources of this machine */
  constructor(log: Log, options: readonly string[] = []) {
    this.#log = log;
    this.#options = options;
  }

  /** Fetches the package lists. */
  async update(): Promise<void> {
    this.#log('updating the package lists');
    await this.#get(['update'], 'update its package lists');
  }

  /**
   * Packages that one depends on, in order, also those that the archive lacks; of a meta package such as `linux-image-amd64`, what it stands for.
   * None if apt does not know it.
   */
  async dependenciesOf(name: string): Promise<string[]> {
    const result = await tool('apt-cache', [...this.#options, 'depends', name]);
    return [...result.stdout.toString().matchAll(/^ +Depends: <?([^\s>]+)/gm)].map(([, found = '']) => found);
  }

  /** Names of packages that begin so. */
  async namesOf(start: string): Promise<string[]> {
    const result = await tool('apt-cache', [...this.#options, 'pkgnames', start]);
    return result.stdout.toString().split('\n').filter(Boolean);
  }

  /** What apt would install for these packages. */
  async missingFor(names: readonly string[]): Promise<string[]> {
    const plan = await this.#get(
      ['-s', '--no-install-recommends', '-o', 'Debug::NoLocking=1', 'install', ...names],
      `find ${names.join(', ')}`,
    );
    return [...plan.matchAll(/^Inst (\S+)/gm)].map(([, found = '']) => found);
  }

  /** Downloads packages and unpacks them below `directory`. AdapterUnavailable where that is impossible. */
  async unpack(names: readonly string[], directory: string): Promise<void> {
    const debs = join(directory, '.debs');
    mkdirSync(debs, { recursive: true });
    const what =
      names.length <= 3
        ? names.join(', ')
        : `${names.length} Debian packages (${names.slice(0, 3).join(', ')}...)`;
    this.#log(`downloading ${what}`);
    await this.#get(['download', ...names], `download ${what}`, debs);
    for (const deb of readdirSync(debs)) {
      const result = await run(['dpkg', '-x', join(debs, deb), directory]);
      if (result.code !== 0)
        throw new AdapterUnavailable(`rxe: dpkg -x ${deb} failed: ${result.stderr.trim()}`);
    }
    rmSync(debs, { recursive: true });
  }

  /** Runs apt-get; `what` says in a message what was wanted of it. */
  async #get(argv: readonly string[], what: string, cwd?: string): Promise<string> {
    // root's downloads drop to user _apt, which may not write everywhere; the warning is not worth a failure
    const options = ['-q', '-o', 'APT::Sandbox::User=root', ...this.#options];
    const result = await tool('apt-get', [...options, ...argv], cwd);
    if (result.code !== 0) {
      const reason = result.stderr.split('\n').find((line) => line.startsWith('E:')) ?? result.stderr.trim();
      throw new AdapterUnavailable(`rxe: apt-get could not ${what}: ${reason.replace(/^E: /, '')}`);
    }
    return result.stdout.toString();
  }
}

function listsAreEmpty(): boolean {
  try {
    return !readdirSync(systemLists).some((name) => /Packages/.test(name));
  } catch {
    return true;
  }
}

/** The packages that the sources of this machine offer. Fills empty lists, which only root can. */
export async function ownApt(log: Log): Promise<Apt> {
  const apt = new Apt(log);
  if (!listsAreEmpty()) return apt;
  await tool('apt-get', ['--version']);
  if (process.getuid?.() !== 0)
    throw new AdapterUnavailable(
      'rxe: apt knows no packages yet; run `apt-get update` as root once, then this works without root',
    );
  await apt.update();
  return apt;
}

/** Where this machine's sources take Debian from. */
async function debianArchive(): Promise<string> {
  const { stdout } = await tool('apt-get', ['indextargets', '--format', '$(LABEL) $(SITE)']);
  const site = /^Debian (\S+)$/m.exec(stdout.toString())?.[1];
  if (site !== undefined && existsSync(keyring)) return site;
  throw new AdapterUnavailable(
    `rxe: other suites of Debian come from where this machine takes its own packages, and it takes none from Debian${site === undefined ? '' : ` (${keyring} is lacking)`}; rxe:kernel=PATH takes any kernel`,
  );
}

/** Packages of one line of a sources.list, with lists below `place`: this machine's sources stay as they are. */
export function aptOf(source: string, place: string, log: Log): Apt {
  for (const folder of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(place, folder), { recursive: true });
  const sources = join(place, 'sources.list');
  writeFileSync(sources, `${source}\n`);
  const settings = {
    'Dir::Etc::SourceList': sources,
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': join(place, 'lists'),
    'Dir::Cache': join(place, 'cache'),
    // what this machine pins is of its own release
    'Dir::Etc::Preferences': '/dev/null',
    'Dir::Etc::PreferencesParts': '/dev/null',
  };
  return new Apt(
    log,
    Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
  );
}

/** The packages of another suite of Debian, such as `stable-backports`, from the archive that this machine takes Debian from. */
export async function suiteApt(suite: string, log: Log): Promise<Apt> {
  const source = `deb [signed-by=${keyring}] ${await debianArchive()} ${suite} main`;
  return aptOf(source, join(cacheDirectory(), 'apt', suite), log);
}
