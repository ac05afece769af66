import { isPcap, PcapReader } from './read-pcap.ts';
import { isPcapng, PcapngReader } from './read-pcapng.ts';
import { ByteSource, fileChunks } from './source.ts';
import { damage } from './types.ts';
import type { CaptureReader, CaptureRecord } from './types.ts';

/**
 * Packets of a pcap or pcapng file, in order, from a path or from its bytes in chunks of any size. Streams: memory does
 * not grow with the file. A file that is damaged, or neither of the two, ends with one `damage` record. Throws only what
 * `fs` throws for a path that cannot be opened or read.
 */
export function* readCapture(from: string | Iterable<Uint8Array>): Generator<CaptureRecord> {
  const source = new ByteSource(typeof from === 'string' ? fileChunks(from) : from);
  try {
    source.has(4);
    const magic = source.bytes.subarray(source.at, source.at + 4);
    const reader = readerFor(magic, source);
    for (let record = reader.next(); record !== undefined; record = reader.next()) {
      yield record;
      if (record.kind === 'damage') return;
    }
  } finally {
    source.close();
  }
}

function readerFor(magic: Uint8Array, source: ByteSource): CaptureReader {
  if (isPcap(magic)) return new PcapReader(source);
  if (isPcapng(magic)) return new PcapngReader(source);
  return { next: () => damage(0, notACapture(magic)) };
}

/** How compressed files begin. */
const packers = { '1f 8b': 'gzip', 'fd 37 7a 58': 'xz', '28 b5 2f fd': 'zstd', '42 5a 68': 'bzip2' };

function notACapture(magic: Uint8Array): string {
  if (magic.length === 0) return 'the file is empty';
  const hex = Array.from(magic, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const packer = Object.entries(packers).find(([begin]) => hex.startsWith(begin));
  if (packer !== undefined) return `the file is compressed by ${packer[1]}; unpack it first`;
  return `neither pcap nor pcapng (it begins with ${hex})`;
}
