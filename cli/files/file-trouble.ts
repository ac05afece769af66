import { messageOf } from '../exit-codes.ts';

const sayings: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'this user has no right to',
  EPERM: 'this user has no right to',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
};

const writing: Readonly<Record<string, string>> = {
  ...sayings,
  ENOENT: 'the folder for it is not there, or takes no files',
};

function sayingOf(thrown: unknown, words: Readonly<Record<string, string>>): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return (typeof code === 'string' ? words[code] : undefined) ?? messageOf(thrown);
}

/** "x.pcap cannot be read: there is no such file", for what `fs` has thrown. */
export function cannotRead(file: string, thrown: unknown): string {
  return `${file} cannot be read: ${sayingOf(thrown, sayings)}`;
}

/** "out.json cannot be written: it is a folder", for what `fs` has thrown. */
export function cannotWrite(file: string, thrown: unknown): string {
  return `${file} cannot be written: ${sayingOf(thrown, writing)}`;
}
