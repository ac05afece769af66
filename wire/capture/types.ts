/** One packet of a capture file. */
export interface CaptureFrame {
  kind: 'frame';
  /** from 1, as Wireshark counts */
  number: number;
  /** nanoseconds since 1970; of a packet without a stamp (pcapng simple packet), that of the packet before it */
  time: bigint;
  /** number of the interface within its section; 0 in a pcap file */
  interface: number;
  interfaceName?: string;
  /** LINKTYPE_ value: what `data` begins with */
  linktype: number;
  /** a view into the reader's chunk, valid for as long as it is kept */
  data: Uint8Array;
  /** bytes that the packet had; more than `data` holds where the capture cut it */
  originalLength: number;
  comments: string[];
}

/** The file cannot be read from here on. What came before it stands. */
export interface CaptureDamage {
  kind: 'damage';
  /** offset in the file of the structure that is damaged, in bytes */
  offset: number;
  /** one line, with the offset in it */
  message: string;
}

/** What reading a capture gives, one after the other: a frame, or damage that ends it. */
export type CaptureRecord = CaptureFrame | CaptureDamage;

/** Reads one file record by record. */
export interface CaptureReader {
  /** the next packet or the damage that ends the file; undefined at the end of a sound file */
  next(): CaptureRecord | undefined;
}

/** One packet to write. */
export interface CapturedPacket {
  /** nanoseconds since 1970 */
  time: bigint;
  data: Uint8Array;
  /** default: the length of `data` */
  originalLength?: number;
  /** index into the writer's interfaces, default 0 (pcapng) */
  interface?: number;
  /** pcapng only */
  comments?: readonly string[];
}

export function damage(offset: number, what: string): CaptureDamage {
  return { kind: 'damage', offset, message: `damaged capture file at byte ${offset}: ${what}` };
}
