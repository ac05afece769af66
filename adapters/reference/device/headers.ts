import type { Packet, PacketFields } from '../../../wire/index.ts';

export type Reth = NonNullable<Packet['reth']>;
export type AtomicEth = NonNullable<Packet['atomicEth']>;
export type Aeth = NonNullable<Packet['aeth']>;
export type Saeth = NonNullable<Packet['saeth']>;
export type Deth = NonNullable<Packet['deth']>;

/** A packet to be sent: the device fills in the rest of its headers. */
export type Fields = Omit<PacketFields, 'destQp'>;
