import type { Adapter, Bench, OpenOptions } from '../adapter.ts';
import { benchOf } from './bench.ts';
import { openLink } from './link.ts';
import type { Link, StdioOptions } from './link.ts';

export type { StdioOptions } from './link.ts';

/**
 * A device in another process, in whatever language: `command` speaks the protocol of docs/adapters.md on its stdin and stdout.
 * One on virtual time is begun anew for each bench; one on real time is started for each.
 */
export function stdioAdapter(options: StdioOptions): Adapter {
  /** greeted, and used by no bench */
  const idle: Link[] = [];
  const open = new Set<Link>();
  /** being started, with what stops them */
  const starting = new Map<Promise<Link>, AbortController>();

  const take = async (): Promise<Link> => {
    for (let link = idle.pop(); link !== undefined; link = idle.pop()) {
      if (!link.broken()) return link;
      await link.close();
    }
    const stop = new AbortController();
    const link = openLink(options, stop.signal);
    starting.set(link, stop);
    try {
      return await link;
    } finally {
      starting.delete(link);
    }
  };

  return {
    name: `stdio:${options.command}`,
    describe: async () => {
      const link = await take();
      idle.push(link);
      return link.hello.profile;
    },
    open: async ({ signal }: OpenOptions): Promise<Bench> => {
      signal?.throwIfAborted();
      const link = await take();
      open.add(link);
      const close = async (): Promise<void> => {
        open.delete(link);
        link.watch(undefined);
        if (link.hello.profile.clock === 'virtual' && !link.broken()) idle.push(link);
        else await link.close();
      };
      try {
        return await benchOf(link, close);
      } catch (error) {
        open.delete(link);
        await link.close();
        throw error;
      }
    },
    close: async () => {
      for (const stop of starting.values()) stop.abort();
      await Promise.allSettled(starting.keys());
      await Promise.all([...idle.splice(0), ...open].map((link) => link.close()));
    },
  };
}
