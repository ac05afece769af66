import { loadSpecYaml } from './load.ts';

/** How far a capture may be from what devices saw and did (spec/constants/latitudes.yaml, which says why). */
export interface CaptureLatitude {
  /** share of a time */
  readonly clock: number;
  /** nanoseconds */
  readonly times: Readonly<
    Record<'stamp' | 'reaction' | 'noticed' | 'answer' | 'window' | 'timer' | 'copy' | 'pause', number>
  >;
  /** packets, or PSNs */
  readonly packets: Readonly<
    Record<'late' | 'stray' | 'swapped' | 'lacking' | 'far' | 'once' | 'twice', number>
  >;
}

/** How far a port that sends without a pause may be from one that leaves no gap. */
export interface PortLatitude {
  /** share of the time of a packet by which the next one may leave later */
  readonly gap: number;
  /** bytes of all headers of a packet at most */
  readonly headers: number;
}

interface Latitudes {
  readonly captures: CaptureLatitude;
  readonly port: PortLatitude;
}

// the file is the package's own, and test/spec checks it against its JSON Schema
let file: Latitudes | undefined;
const read = (): Latitudes => (file ??= loadSpecYaml('constants/latitudes.yaml') as Latitudes);

/** Read from the file when first asked for. */
export function captureLatitude(): CaptureLatitude {
  return read().captures;
}

export function portLatitude(): PortLatitude {
  return read().port;
}
