import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { hasAtomics } from '../arbitraries/base.ts';
import { everyKind, message, packetsOf, psnsOf, send, type Message } from '../arbitraries/message.ts';
import { at, inject, packet, recvs, settle } from '../arbitraries/packets.ts';
import { onGrid, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan } from '../scenario.ts';
import { scenarios } from './parts.ts';

/**
 * How a request comes again. `front`: its first packet alone, or the first responses of a READ; `rest`: what follows that; `no bytes`: at
 * its first PSN, but it asks for none; `bad key`: with an R_Key that names nothing; `as`: a request of another kind at its first PSN.
 */
type Way = 'whole' | 'front' | 'rest' | 'no bytes' | 'bad key' | { as: Message['kind'] };
const ofData: readonly Way[] = ['whole', 'front', 'rest', 'no bytes'];
const ofMemory: readonly Way[] = [...ofData, 'bad key'];

/** Ways one after the other. */
interface Repeat {
  kind: Message['kind'];
  ways: readonly Way[];
}

const ways: Readonly<Record<Message['kind'], readonly Way[]>> = {
  send: ofData,
  'send-imm': ofData,
  write: ofMemory,
  'write-imm': ofMemory,
  read: ofMemory,
  'fetch-add': ['whole', 'bad key'],
  'cmp-swap': ['whole', 'bad key'],
};

/** Kinds that a request may be mistaken for: one of each that is answered in its own way. */
const others: readonly Message['kind'][] = ['read', 'fetch-add', 'cmp-swap', 'write', 'send'];

/** Every kind of request, that comes again in every way. */
const repeated: Grid<Repeat> = { name: 'kind of request, and how it is repeated', cells: everyRepeat };

function everyRepeat(profile: Profile): Repeat[] {
  const had = (kind: Message['kind']): boolean => hasAtomics(profile) || ways[kind].includes('front');
  return everyKind.filter(had).map((kind) => {
    const mistaken = others.filter((as) => as !== kind && had(as)).map((as) => ({ as }));
    return { kind, ways: [...ways[kind], ...mistaken] };
  });
}

/** The packets in which a message comes again, `behind` PSNs back. */
function again(m: Message, way: Way, mtu: number, behind: number): PacketPlan[] {
  const back = (plans: readonly PacketPlan[], skip = 0): PacketPlan[] =>
    plans.map((plan, i) => at(plan, skip + i - behind));
  const none = { ...m, size: { mtus: 0, bytes: 0 } };
  const plans = packetsOf(m, mtu);
  const [first] = plans;
  if (typeof way === 'object')
    return back(packetsOf({ ...m, kind: way.as, size: { mtus: 0, bytes: 8 } }, mtu));
  const split = m.kind === 'read' && first?.target !== undefined ? first.target : undefined;
  switch (way) {
    case 'whole':
      return back(plans);
    case 'bad key':
      return back(packetsOf({ ...m, rkey: 'bad' }, mtu));
    case 'no bytes':
      return back(packetsOf(none, mtu));
    case 'front':
      return back(
        plans.slice(0, 1).map((plan) => (split ? { ...plan, target: { ...split, length: mtu } } : plan)),
      );
    case 'rest':
      if (split === undefined) return back(plans.slice(1), 1);
      return back(
        plans.map((plan) => ({
          ...plan,
          target: { ...split, offset: split.offset + mtu, length: split.length - mtu },
        })),
        1,
      );
  }
}

export const repeats: SuiteProperty = {
  id: 'rc-responder/repeats',
  suite: 'rc-responder',
  says: 'A request that comes again, whole, in part, of no bytes, with a bad key or as one of another kind, is not carried out again, and is never refused.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        repeat: onGrid(repeated, profile, fc.constantFrom(...everyRepeat(profile))),
        message: message(profile, ['send'], 0),
        // three packets of data, or three responses
        bytes: fc.constantFrom(8, 1, 64),
        changes: fc.boolean(),
        between: fc.array(message(profile, everyKind, 1), { maxLength: 1 }),
        looks: fc.boolean(),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { repeat: { kind, ways }, message: drawn, bytes, changes, between, looks, after }) => {
        const m: Message = { ...drawn, kind, size: { mtus: 2, bytes } };
        const overwrites: Message = { ...drawn, kind: 'write', size: { mtus: 0, bytes: 32 }, ackReq: 'last' };
        const since = [...(changes ? [overwrites] : []), ...between];
        const behind = [m, ...since].reduce((sum, one) => sum + psnsOf(one, mtu), 0);
        const look = packet('RDMA_READ_REQUEST', { target: { region: 0, offset: 0, length: mtu } });
        return {
          steps: [
            ...recvs(4, 3 * mtu),
            ...send(m, mtu),
            settle,
            ...since.flatMap((one) => send(one, mtu)),
            settle,
            ...ways.flatMap((way) => [...again(m, way, mtu, behind).map(inject), settle]),
            ...(looks ? [inject(look), settle] : []),
            ...send(after, mtu),
            settle,
          ],
        };
      },
    ),
  grids: [repeated],
  aims: [
    'rc-duplicate-send-write-asked',
    'rc-duplicate-read',
    'rc-duplicate-read-error',
    'rc-duplicate-atomic',
    'rc-duplicate-atomic-mismatch',
    'rc-memory-repeated',
  ],
};
