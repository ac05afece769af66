/** Why a request packet was sent again, as far as the capture tells. */
export const causes = ['sequence-nak', 'rnr-nak', 'unseen', 'answered', 'silence'] as const;
export type Cause = (typeof causes)[number];

export const isCause = (word: unknown): word is Cause => causes.some((cause) => cause === word);

/** The same in words that follow "sent again". */
export const causeWords: Readonly<Record<Cause, string>> = {
  'sequence-nak': 'after a NAK PSN sequence error',
  'rnr-nak': 'after an RNR NAK',
  unseen: 'after a first sending that the capture does not hold',
  answered: 'although the answer was seen',
  silence: 'after silence',
};

/** One end of a connection, and what it sent. */
export interface ConnectionEnd {
  address: string;
  /** absent where no packet names it */
  qp?: number;
  packets: number;
  /** of the whole frames */
  bytes: number;
  /** packets of each kind */
  requests: number;
  responses: number;
  cnps: number;
  /** payload of requests, without what was sent again, and of responses */
  payload: number;
  /** request packets that were sent again */
  again: Record<Cause, number>;
  /** frames that the capture shows twice */
  copies: number;
  /** request packets that came behind a later one, and nothing called for them */
  reordered: number;
  /** PSNs of requests that the capture skips and never shows */
  missing: number;
  rnrNaks: number;
  /** other NAKs, by name */
  naks: Record<string, number>;
  /** packets marked CE on the way to the other end */
  ce: number;
  wrongIcrc: number;
  /** times that the UDP source port changed */
  portChanges: number;
  /** payload bytes per second, on the average of the time in which it sent, and in its busiest millisecond; absent of too little */
  goodput?: { mean: number; busiest: number };
  paced?: Paced;
}

/** What an end sends where CNPs ask it to slow down: frame bytes of the millisecond in front of each, and of the one behind it. */
export interface Paced {
  /** CNPs, those of two milliseconds counted once */
  cnps: number;
  before: number;
  behind: number;
}

/** Who talks to whom in a capture: two QPs, or one that nothing is seen to come back from. */
export interface Connection {
  service: string;
  ends: [ConnectionEnd, ConnectionEnd];
  /** nanoseconds since the first frame of the capture */
  first: number;
  last: number;
  /** bytes, as FIRST and MIDDLE packets show it; absent if there was none */
  mtu?: number;
  /** of rules, at either end */
  violations: number;
  /** which ends are judged, in words */
  judged: string;
  /** what a person may conclude from the figures */
  hints: string[];
}

/** What is so of one connection or more, and of how many. */
export interface Tally {
  says: string;
  connections: number;
}

/** The connections of a capture, worst first. */
export interface Connections {
  total: number;
  /** the worst of them */
  listed: Connection[];
  /** which ends are judged, of all of them */
  judged: Tally[];
  /** hints of all of them, without addresses and figures; the most frequent first */
  hints: Tally[];
}

/** What a mark in the picture of a connection stands for. */
export const marks = ['request', 'answer', 'nak', 'rnr-nak', 'sent-again', 'ce', 'cnp', 'violation'] as const;
export type Mark = (typeof marks)[number];

/** One direction of a connection, drawn: the requests of one end, and what the other says to them. */
export interface Drawing {
  /** what it shows: "10.0.0.1 qp 0x000011 -> 10.0.0.2 qp 0x000022" */
  title: string;
  /** nanoseconds since the first frame */
  from: number;
  to: number;
  /** PSN that the lowest mark has, and PSNs up to the highest */
  psn: number;
  psns: number;
  /** by kind: nanoseconds since `from` and PSNs above `psn`, in turns */
  points: Partial<Record<Mark, number[]>>;
  /** waits that RNR NAKs asked for: begin, end, PSN */
  waits: number[];
  /** packets that stand for themselves, with what is said of them */
  notes: { t: number; psn: number; text: string }[];
  /** payload bytes, without those of requests that were sent again, in equal parts of the time */
  carried: number[];
}

/** How long something took in a capture. */
export interface Latency {
  what: string;
  count: number;
  /** nanoseconds that half of them, and 99 of 100, stayed within; the longest */
  median: number;
  most: number;
  longest: number;
  /** from the shortest on: least nanoseconds of a step, and how many fell into it */
  steps: [number, number][];
}

/** What the pictures of a capture show. */
export interface Pictures {
  drawings: Drawing[];
  latencies: Latency[];
}
