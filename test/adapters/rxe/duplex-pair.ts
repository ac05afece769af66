import { Duplex } from 'node:stream';

/** Two ends of a channel in memory; what one end writes the other reads. */
export function duplexPair(): [Duplex, Duplex] {
  const ends: Duplex[] = [];
  const make = (other: number): Duplex =>
    new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        ends[other]?.push(Buffer.from(chunk));
        done();
      },
      destroy: (error, done) => {
        const far = ends[other];
        if (far !== undefined && !far.destroyed) setImmediate(() => far.destroy());
        done(error);
      },
    });
  const [a, b] = [make(1), make(0)];
  ends.push(a, b);
  return [a, b];
}
