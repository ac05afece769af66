import type { Duplex } from 'node:stream';

/** QEMU's own commands (QMP). Those of several callers wait for each other. */
export class Monitor {
  readonly #stream: Duplex;
  #input = '';
  #take: ((reply: Record<string, unknown>) => void) | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #greeted = false;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => {
      this.#input += chunk.toString();
      const lines = this.#input.split('\n');
      this.#input = lines.pop() ?? '';
      for (const line of lines) {
        const reply: unknown = JSON.parse(line);
        if (typeof reply !== 'object' || reply === null || 'event' in reply || 'QMP' in reply) continue;
        const take = this.#take;
        this.#take = undefined;
        take?.(reply as Record<string, unknown>);
      }
    });
  }

  /** The reply's `return`; throws with QEMU's words for an error, or after `limitMs`. */
  command(execute: string, args?: object, limitMs = 10_000): Promise<unknown> {
    const result = this.#last.then(async () => {
      // QEMU takes nothing else before this
      if (!this.#greeted) await this.#exchange('qmp_capabilities', undefined, limitMs);
      this.#greeted = true;
      return this.#exchange(execute, args, limitMs);
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #exchange(execute: string, args: object | undefined, limitMs: number): Promise<unknown> {
    const reply = await new Promise<Record<string, unknown>>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`QEMU did not answer ${execute}`)), limitMs);
      this.#take = (value) => {
        clearTimeout(timer);
        resolve(value);
      };
      this.#stream.write(`${JSON.stringify({ execute, ...(args && { arguments: args }) })}\n`);
    });
    if ('error' in reply) throw new Error(`QEMU refused ${execute}: ${JSON.stringify(reply['error'])}`);
    return reply['return'];
  }
}
