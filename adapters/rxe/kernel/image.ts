import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AdapterUnavailable } from '../../adapter.ts';
import type { Roots } from '../packages.ts';
import { inflate } from './inflate.ts';

const elf = 0x7f454c46;

/** Images in a folder, or where a package has them: in `boot/`, or, in newer ones, beside the modules. */
export function imagesIn(folder: string): string[] {
  const installed = ['lib/modules', 'usr/lib/modules'].flatMap((place) => namesIn(join(folder, place)));
  return [folder, join(folder, 'boot'), ...installed]
    .flatMap(namesIn)
    .filter((path) => /\/(vmlinuz\b[^/]*|bzImage)$/.test(path));
}

function namesIn(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  return readdirSync(folder).map((name) => join(folder, name));
}

const isElf = (bytes: Buffer): boolean => bytes.length > 64 && bytes.readUInt32BE(0) === elf;

/** `HdrS` of a bzImage, at 0x202 (Linux, Documentation/arch/x86/boot.rst) */
const isBzImage = (bytes: Buffer): boolean =>
  bytes.length > 0x264 && bytes.toString('latin1', 0x202, 0x206) === 'HdrS';

/** Whether QEMU can enter an ELF kernel at once: it needs the note of the PVH entry (owner Xen, type 18). */
function entersDirectly(vmlinux: Buffer): boolean {
  return [4, 8].some((size) => {
    const note = Buffer.alloc(16);
    note.writeUInt32LE(4, 0);
    note.writeUInt32LE(size, 4);
    note.writeUInt32LE(18, 8);
    note.write('Xen\0', 12, 'latin1');
    return vmlinux.includes(note);
  });
}

async function unpacked(roots: Roots, bzImage: Buffer): Promise<Buffer | undefined> {
  const kinds = [
    ['gzip', Buffer.from('1f8b08', 'hex')],
    ['xz', Buffer.from('fd377a585a00', 'hex')],
    ['zstd', Buffer.from('28b52ffd', 'hex')],
  ] as const;
  for (const [kind, magic] of kinds)
    for (let at = bzImage.indexOf(magic); at >= 0; at = bzImage.indexOf(magic, at + 1)) {
      const out = await inflate(roots, bzImage.subarray(at), kind);
      if (isElf(out)) return out;
    }
  return undefined;
}

/**
 * The kernel in the form that QEMU starts soonest: the ELF inside a bzImage, which saves the seconds that a guest needs to unpack it,
 * where that can be entered; else the bzImage. AdapterUnavailable for a file that is neither.
 */
export async function bootable(roots: Roots, image: Buffer, what: string): Promise<Buffer> {
  if (isElf(image)) {
    if (entersDirectly(image)) return image;
    throw new AdapterUnavailable(
      `rxe: QEMU cannot start the ELF kernel ${what}: it is built without CONFIG_PVH; give the bzImage instead`,
    );
  }
  if (!isBzImage(image))
    throw new AdapterUnavailable(`rxe: ${what} is no kernel for x86: neither bzImage nor ELF`);
  const vmlinux = await unpacked(roots, image);
  return vmlinux !== undefined && entersDirectly(vmlinux) ? vmlinux : image;
}

/** The release that a bzImage names, such as `6.8.0-custom`; undefined where it names none. */
export function releaseOf(image: Buffer): string | undefined {
  if (!isBzImage(image)) return undefined;
  const at = image.readUInt16LE(0x20e);
  if (at === 0) return undefined;
  return /^[^\s\0]+/.exec(image.toString('latin1', at + 0x200, at + 0x300))?.[0];
}
