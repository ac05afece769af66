import { StringDecoder } from 'node:string_decoder';

/** Cuts a stream of bytes into lines; every byte is looked at once, however long a line is. */
export class LineReader {
  readonly #decoder = new StringDecoder('utf8');
  #held: string[] = [];
  #length = 0;

  /** characters of the line that has not ended yet */
  get unfinished(): number {
    return this.#length;
  }

  /** Beginning of the line that has not ended yet. */
  get beginning(): string {
    return this.#held.join('').slice(0, 200);
  }

  take(chunk: Buffer): string[] {
    const parts = this.#decoder.write(chunk).split('\n');
    const rest = parts.pop() ?? '';
    const [first] = parts;
    if (first !== undefined) {
      parts[0] = this.#held.join('') + first;
      this.#held = [];
      this.#length = 0;
    }
    if (rest !== '') this.#held.push(rest);
    this.#length += rest.length;
    return parts;
  }
}
