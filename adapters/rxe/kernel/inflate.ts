import type { Roots } from '../packages.ts';
import { run } from '../run.ts';

/** What a stream of gzip, xz or zstd unpacks to, by the tool of that name; bytes behind the stream are ignored. */
export async function inflate(roots: Roots, bytes: Buffer, tool: 'gzip' | 'xz' | 'zstd'): Promise<Buffer> {
  // trailing bytes after the stream make the tools complain after they have written all of it
  return (await run([roots.find(`bin/${tool}`) ?? tool, '-dc'], { input: bytes, env: roots.env })).stdout;
}
