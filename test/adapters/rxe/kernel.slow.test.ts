import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { realClock } from '../../../adapters/real-clock.ts';
import { cacheDirectory } from '../../../adapters/rxe/cache.ts';
import { aptOf } from '../../../adapters/rxe/apt.ts';
import { kernelChoice, openGuest } from '../../../adapters/rxe/index.ts';
import { currentName } from '../../../adapters/rxe/kernel/current.ts';
import { packageOfSuite, partsOf } from '../../../adapters/rxe/kernel/debian.ts';
import { bootable, imagesIn, releaseOf } from '../../../adapters/rxe/kernel/image.ts';
import { ownKernel } from '../../../adapters/rxe/kernel/own.ts';
import { lookIn } from '../../../adapters/rxe/packages.ts';
import { hindranceHere } from './here.ts';

const roots = lookIn(['/']);
const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'kernel-'));
  made.push(folder);
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  return folder;
}

/** A head as a bzImage has it, with a release, and `rest` behind. */
function bzImage(release: string, rest: Buffer): Buffer {
  const head = Buffer.alloc(0x800);
  head.write('HdrS', 0x202, 'latin1');
  head.writeUInt16LE(0x400, 0x20e);
  head.write(`${release} (builder) #1\0`, 0x600, 'latin1');
  return Buffer.concat([head, rest]);
}

const elf = Buffer.concat([Buffer.from('7f454c46', 'hex'), Buffer.alloc(200)]);
const note = Buffer.from('040000000400000012000000', 'hex');
const enterable = Buffer.concat([elf, note, Buffer.from('Xen\0'), Buffer.alloc(64)]);

const module = (depends: string): Buffer => Buffer.from(`\x7fELF\0license=GPL\0depends=${depends}\0`);

describe('rxe:kernel=', () => {
  it.each([
    ['6.12', { kind: 'series', series: '6.12' }],
    ['stable-backports', { kind: 'suite', suite: 'stable-backports' }],
    ['sid', { kind: 'suite', suite: 'sid' }],
    ['trixie-backports:6.18', { kind: 'suite', suite: 'trixie-backports', series: '6.18' }],
    ['trixie-backports:6.18.15', undefined],
    ['linux-image-6.1.0-47-amd64', { kind: 'package', name: 'linux-image-6.1.0-47-amd64' }],
    ['.', { kind: 'path', path: '/w/d' }],
    ['../linux', { kind: 'path', path: '/w/linux' }],
    ['/boot/vmlinuz-6.8', { kind: 'path', path: '/boot/vmlinuz-6.8' }],
    ['6.13', undefined],
    ['bzImage', undefined],
  ])('%s', (text, choice) => {
    expect(kernelChoice(text, '/w/d')).toEqual(choice);
  });

  it('says where modules are', () => {
    expect(kernelChoice('./bzImage', '/w', 'mods')).toEqual({
      kind: 'path',
      path: '/w/bzImage',
      modules: '/w/mods',
    });
  });
});

describe('the image of a kernel', () => {
  it('is the ELF within a bzImage where QEMU can enter that, else the bzImage', async () => {
    const packed = bzImage('6.9.1-mine', Buffer.concat([gzipSync(enterable), Buffer.alloc(40, 7)]));
    expect((await bootable(roots, packed, 'x')).equals(enterable)).toBe(true);
    const plain = bzImage('6.9.1-mine', gzipSync(elf));
    expect(await bootable(roots, plain, 'x')).toBe(plain);
    expect(releaseOf(plain)).toBe('6.9.1-mine');
    expect(releaseOf(elf)).toBeUndefined();
  });

  it('lies in a folder, in boot/, or beside the modules of a release', () => {
    for (const place of ['bzImage', 'boot/vmlinuz-6.8', 'usr/lib/modules/7.3.4/vmlinuz']) {
      const folder = folderOf({ [place]: elf, 'boot/config-6.8': 'CONFIG_X=y' });
      expect(imagesIn(folder)).toEqual([join(folder, place)]);
    }
  });

  it.each([
    ['an ELF without PVH', elf, /CONFIG_PVH; give the bzImage/],
    ['a text', Buffer.from('hello'.repeat(400)), /no kernel for x86/],
  ])('is refused: %s', async (_, bytes, message) => {
    await expect(bootable(roots, bytes, 'x')).rejects.toThrow(message);
  });
});

describe('a kernel of this machine', () => {
  const log = (): void => undefined;
  const taken = (path: string, modules?: string): Promise<unknown> =>
    ownKernel({ path, ...(modules !== undefined && { modules }) }, [], roots, log);

  it.each<[string, Readonly<Record<string, string | Buffer>>, RegExp]>([
    ['no image', { 'a/rdma_rxe.ko': module('') }, /no kernel in .*arch\/x86\/boot\/bzImage/],
    [
      'two images',
      { 'vmlinuz-1': elf, 'boot/vmlinuz-2': elf },
      /several kernels in .*vmlinuz-1, .*vmlinuz-2/,
    ],
    ['no rdma_rxe', { bzImage: elf, 'k/ib_uverbs.ko': module('') }, /has no .*rdma_rxe/],
    [
      'no virtio, where the build says what is built in',
      { bzImage: elf, 'rdma_rxe.ko': module(''), 'modules.builtin': 'kernel/drivers/ib_uverbs.ko\n' },
      /has no virtio_pci, virtio_net, virtio_console,/,
    ],
  ])('is refused in words: %s', async (_, files, message) => {
    await expect(taken(folderOf(files))).rejects.toThrow(message);
  });

  it('is refused without a place for its modules', async () => {
    const folder = folderOf({ image: bzImage('9.9.9-nowhere', Buffer.alloc(9)) });
    await expect(taken(join(folder, 'image'))).rejects.toThrow(
      /\/lib\/modules\/9\.9\.9-nowhere is not here; add modules=/,
    );
    await expect(taken(join(folder, 'none'))).rejects.toThrow(/there is no .*none/);
  });
});

describe('the current kernel of a suite of Debian', () => {
  const name = `test-${process.pid}`;
  const note = join(cacheDirectory(), `kernel-${name}`);
  afterAll(() => rmSync(note, { force: true }));

  it('is asked for again once a day, and stays where nobody answers', async () => {
    const current = (answer: string | undefined, usable = true): Promise<string> =>
      currentName(name, {
        ask: () => (answer === undefined ? Promise.reject(new Error('no network')) : Promise.resolve(answer)),
        changed: 'daily',
        usable: () => usable,
      });
    await expect(current(undefined)).rejects.toThrow('no network');
    expect(await current('first')).toBe('first');
    expect(await current('second')).toBe('first');
    // what is no longer in the cache
    expect(await current('second', false)).toBe('second');
    utimesSync(note, new Date(), new Date(Date.now() - 25 * 3600 * 1000));
    expect(await current(undefined)).toBe('second');
    expect(await current('third')).toBe('third');
  });

  it(
    'is found in lists of its own, with the packages that it is split into',
    { timeout: 60_000 },
    async () => {
      const archive = folderOf({});
      const packages: Readonly<Record<string, string>> = {
        'linux-image-amd64': 'linux-base-amd64, linux-image-7.10.2+deb13-amd64',
        'linux-image-7.9.12+deb13-amd64': '',
        'linux-image-7.10.2+deb13-amd64':
          'kmod, linux-binary-7.10.2+deb13-amd64, linux-modules-7.10.2+deb13-amd64',
        'linux-image-7.10.1+deb13-amd64': 'linux-modules-7.10.1+deb13-amd64',
        'linux-image-7.10.2+deb13-rt-amd64': '',
        'linux-image-7.10.9+deb13-amd64-dbg': '',
        'linux-binary-7.10.2+deb13-amd64': '',
        'linux-modules-7.10.2+deb13-amd64': '',
      };
      const index: string[] = [];
      for (const [name, depends] of Object.entries(packages)) {
        const control = `Package: ${name}\nVersion: 1\nArchitecture: amd64\nMaintainer: nobody\nDescription: none\n${depends === '' ? '' : `Depends: ${depends}\n`}`;
        const root = folderOf({ 'DEBIAN/control': control, [`usr/lib/${name}`]: name });
        const deb = join(archive, `${name}.deb`);
        execFileSync('dpkg-deb', ['-b', root, deb], { stdio: 'ignore' });
        const bytes = readFileSync(deb);
        const sum = createHash('sha256').update(bytes).digest('hex');
        index.push(`${control}Filename: ./${name}.deb\nSize: ${bytes.length}\nSHA256: ${sum}\n`);
      }
      writeFileSync(join(archive, 'Packages'), index.join('\n'));
      const place = folderOf({});
      const apt = aptOf(`deb [trusted=yes] file:${archive} ./`, place, () => undefined);
      await apt.update();

      const current = 'linux-image-7.10.2+deb13-amd64';
      expect(await packageOfSuite(apt, 'x', undefined)).toBe(current);
      expect(await packageOfSuite(apt, 'x', '7.10')).toBe(current);
      expect(await packageOfSuite(apt, 'x', '7.9')).toBe('linux-image-7.9.12+deb13-amd64');
      await expect(packageOfSuite(apt, 'x', '2.4')).rejects.toThrow(
        'Debian x has no kernel 2.4, but 7.9, 7.10',
      );
      const parts = await partsOf(apt, current);
      expect(parts).toEqual([current, 'linux-binary-7.10.2+deb13-amd64', 'linux-modules-7.10.2+deb13-amd64']);
      await apt.unpack(parts, place);
      expect(parts.filter((name) => !existsSync(join(place, 'usr/lib', name)))).toEqual([]);
      // of an old kernel, an archive may have a part alone
      const old = await partsOf(apt, 'linux-image-7.10.1+deb13-amd64');
      await expect(apt.unpack(old, place)).rejects.toThrow(/could not download .*linux-modules-7\.10\.1/);
      const nowhere = aptOf(`deb [trusted=yes] file:${place} ./none`, folderOf({}), () => undefined);
      await expect(nowhere.update()).rejects.toThrow(/apt-get could not update its package lists: /);
    },
  );
});

const hindrance = await hindranceHere();

describe.skipIf(hindrance !== undefined)(`a tree in which a kernel was built${hindrance ?? ''}`, () => {
  it('boots', { timeout: 120_000 }, async () => {
    const cache = join(cacheDirectory(), 'kernel');
    const found = readdirSync(cache).find((name) => name.startsWith('linux-image-6.1.'));
    const stock = join(cache, found ?? '');
    expect(existsSync(join(stock, 'vmlinux'))).toBe(true);
    const names = readdirSync(join(stock, 'modules')).map((name) => name.replace(/\.ko$/, ''));
    const tree = folderOf({
      'arch/x86/boot/bzImage': bzImage('6.1', gzipSync(readFileSync(join(stock, 'vmlinux')), { level: 1 })),
      // as builds since 6.2 list them
      'modules.order': names.map((name) => `drivers/${name}.o\n`).join(''),
    });
    cpSync(join(stock, 'modules'), join(tree, 'drivers'), { recursive: true });
    const lines: string[] = [];
    const guest = await openGuest(realClock(), {
      kernel: { kind: 'path', path: tree },
      fresh: true,
      log: (line) => void lines.push(line),
    });
    try {
      expect(guest.hello.kernel).toMatch(/^6\.1\./);
      expect(guest.hello.info.gids.length).toBeGreaterThan(0);
      // the log of the guest's kernel is heard from a warning on
      const logged: string[] = [];
      guest.onLog((text) => void logged.push(text));
      const say = 'echo "<5>a notice" >/dev/kmsg; echo "<4>a warning" >/dev/kmsg; sleep 1';
      await guest.exec(['sh', '-c', say], 10_000);
      expect(logged).toEqual(['a warning']);
      // the same contents are not taken twice
      expect(lines.filter((line) => line.startsWith('taking 6.1 from')).length).toBeLessThan(2);
    } finally {
      await guest.close();
    }
  });
});
