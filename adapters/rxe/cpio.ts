/** One entry of an initramfs; directories above it are made as needed. */
export type CpioEntry =
  | { kind: 'file'; path: string; mode: number; bytes: Uint8Array }
  | { kind: 'link'; path: string; target: string }
  | { kind: 'directory'; path: string };

const modes = { file: 0o100000, link: 0o120000, directory: 0o040000 } as const;

function record(path: string, mode: number, bytes: Uint8Array, inode: number): Buffer[] {
  const name = Buffer.from(`${path}\0`);
  const fields = [inode, mode, 0, 0, 1, 0, bytes.length, 0, 0, 0, 0, name.length, 0];
  const head = `070701${fields.map((n) => n.toString(16).padStart(8, '0')).join('')}`;
  const pad = (length: number): Buffer => Buffer.alloc((4 - (length % 4)) % 4);
  return [Buffer.from(head), name, pad(head.length + name.length), Buffer.from(bytes), pad(bytes.length)];
}

/** An archive in the "newc" format that the kernel unpacks as its first root. Paths are relative, without `./`. */
export function writeCpio(entries: readonly CpioEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directories = new Set<string>();
  let inode = 1;
  const directory = (path: string): void => {
    if (path === '' || directories.has(path)) return;
    directory(path.split('/').slice(0, -1).join('/'));
    directories.add(path);
    parts.push(...record(path, modes.directory | 0o755, Buffer.alloc(0), inode++));
  };
  for (const entry of entries) {
    if (entry.kind === 'directory') {
      directory(entry.path);
      continue;
    }
    directory(entry.path.split('/').slice(0, -1).join('/'));
    if (entry.kind === 'file')
      parts.push(...record(entry.path, modes.file | entry.mode, entry.bytes, inode++));
    else parts.push(...record(entry.path, modes.link | 0o777, Buffer.from(entry.target), inode++));
  }
  parts.push(...record('TRAILER!!!', 0, Buffer.alloc(0), 0));
  return Buffer.concat(parts);
}
