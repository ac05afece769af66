import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { hasAtomics } from '../../arbitraries/base.ts';
import { inject, packet } from '../../arbitraries/packets.ts';
import { sharesReceives } from '../../arbitraries/shared.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { answerFrom, type Work } from '../../rc-requester/parts.ts';
import type { Step, WrPlan } from '../../scenario.ts';
import { inOneList } from '../lists.ts';
import { headerBytes, post, query, receives, scenarios, settle, to, type Service } from '../parts.ts';

const every: readonly Service[] = ['RC', 'UC', 'UD'];
const at = 'requester';
const aims = ['wr-list-posted', 'wr-list-refused', 'wr-list-stops', 'wr-list-named'];

/** Elements, and bytes of inline data, that a QP is asked for. */
const mostElements = 2;
const mostInline = 64;

/** A sound element of a list of send work requests. */
const sound = ['send', 'inline', 'immediate', 'elements', 'write', 'inline-write', 'read', 'atomic'] as const;
type Sound = (typeof sound)[number];

/** What is wrong with one element; `full`: there is no room for it and those behind it. */
const flaws = [
  'inline',
  'inline-read',
  'short-atomic',
  'elements',
  'raw',
  'operation',
  'lkey',
  'bounds',
  'full',
] as const;
type Flaw = (typeof flaws)[number];

const places = ['first', 'middle', 'last'] as const;
type Place = (typeof places)[number];

/** Each flaw at each place of a list, in RTS and in SQD. */
const flawed: Grid<[[Flaw, Place], 'RTS' | 'SQD']> = {
  name: 'what is wrong with a work request of a list, at which place, in which state',
  cells: () => pairs(pairs(flaws, places), ['RTS', 'SQD'] as const),
  every: 2,
};

/** Where the place is in a list of so many. */
function indexOf(place: Place, length: number): number {
  return { first: 0, middle: Math.floor(length / 2), last: length - 1 }[place];
}

function plain(more: Partial<WrPlan> = {}): WrPlan {
  return { opcode: 'IBV_WR_SEND', length: 8, region: 0, offset: 0, signaled: true, ...more };
}

/** A work request that a service takes; where it does not have the operation, a SEND. */
function soundWr(kind: Sound, service: Service, profile: Profile): WrPlan {
  const writes = service !== 'UD';
  const answered = service === 'RC';
  switch (kind) {
    case 'send':
      return plain();
    case 'inline':
      return plain({ length: mostInline, inline: true });
    case 'immediate':
      return plain({ opcode: 'IBV_WR_SEND_WITH_IMM', length: 0 });
    case 'elements':
      return plain({ length: 24, sges: mostElements });
    case 'write':
      return plain(writes ? { opcode: 'IBV_WR_RDMA_WRITE', offset: 64, length: 32 } : {});
    case 'inline-write':
      return plain({ ...(writes && { opcode: 'IBV_WR_RDMA_WRITE', offset: 128 }), length: 16, inline: true });
    case 'read':
      return plain(answered ? { opcode: 'IBV_WR_RDMA_READ', length: 48 } : { length: 48 });
    case 'atomic':
      return plain(
        answered && hasAtomics(profile) ? { opcode: 'IBV_WR_ATOMIC_FETCH_AND_ADD', swapOrAdd: '1' } : {},
      );
  }
}

/** A work request with the flaw; one that a service cannot have is another. */
function flawedWr(flaw: Flaw, service: Service, profile: Profile): WrPlan {
  switch (flaw) {
    case 'inline':
      return plain({ length: mostInline + 1, inline: true });
    case 'inline-read':
      return service === 'RC'
        ? plain({ opcode: 'IBV_WR_RDMA_READ', inline: true })
        : flawedWr('inline', service, profile);
    case 'short-atomic':
      return service === 'RC' && hasAtomics(profile)
        ? plain({ opcode: 'IBV_WR_ATOMIC_FETCH_AND_ADD', length: 4 })
        : flawedWr('inline', service, profile);
    case 'elements':
      return plain({ length: 24, sges: mostElements + 1 });
    case 'raw':
      return plain({ rawOpcode: 99 });
    case 'operation':
      return service === 'RC' ? plain({ rawOpcode: 63 }) : plain({ opcode: 'IBV_WR_RDMA_READ' });
    case 'lkey':
    case 'bounds':
      return plain({ localFault: flaw, sges: mostElements, length: 24 });
    case 'full':
      return plain();
  }
}

/** What peers answer to the first of the work requests, where any peer answers. */
function answers(wrs: readonly WrPlan[], service: Service, mtu: number): Step[] {
  const work: Work = { wrs: [...wrs], mtu };
  return service === 'RC' ? answerFrom(work).flatMap((step) => [step, settle]) : [];
}

export const malformedSends: SuiteProperty = {
  id: 'verbs/malformed-lists',
  suite: 'verbs',
  requires: ['wr-lists'],
  says: 'Of a list of send work requests with one that is malformed, those in front are sent; what was sent inline was taken when it was posted.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      every,
      fc.record({
        cell: anyCell(flawed, profile),
        list: fc.array(fc.constantFrom(...sound), { minLength: 3, maxLength: 7, size: 'max' }),
        // each list without a flaw is answered to its end
        spoilt: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.boolean()),
        overwritten: fc.boolean(),
        behind: fc.nat(2),
        fails: fc.boolean(),
      }),
      ({ service, mtu }, { cell: [[flaw, place], state], list, spoilt, overwritten, behind, fails }) => {
        const bad = indexOf(place, list.length);
        const good = list.map((kind) => soundWr(kind, service, profile));
        const wrs = spoilt ? good.with(bad, flawedWr(flaw, service, profile)) : good;
        const room = spoilt && flaw === 'full' ? Math.max(1, bad) : wrs.length + behind;
        const begun = wrs.slice(0, spoilt ? (flaw === 'full' ? room : bad) : wrs.length);
        const late = Array.from({ length: behind }, (_, i) => plain({ length: 16 + i }));
        // all data of inline work requests are taken by now
        const changes = wrs.flatMap(({ inline, length }, wr): Step[] =>
          inline === true && length <= mostInline ? [{ do: 'write_buffer', wr, fill: 0x55 + wr }] : [],
        );
        return {
          plan: { maxSge: mostElements, maxSendWr: room, maxRdAtomic: service === 'RC' ? 1 : 0 },
          steps: [
            ...(state === 'SQD' ? [to(at, 'IBV_QPS_SQD')] : []),
            // the device has nothing to do, so that the list alone makes it begin
            settle,
            ...inOneList(wrs.map((wr) => post(at, wr))),
            ...(overwritten ? changes : []),
            ...(state === 'SQD' ? [settle, query, to(at, 'IBV_QPS_RTS')] : []),
            settle,
            ...answers(begun, service, mtu),
            query,
            ...late.map((wr) => post(at, wr)),
            settle,
            query,
            ...(fails ? [to(at, 'IBV_QPS_ERR'), settle, query] : []),
          ],
        };
      },
    ),
  grids: [flawed],
  aims: [...aims, 'send-too-much-inline', 'post-send-malformed', 'post-full-errno'],
};

/** What is wrong with a receive work request. */
const receiveFlaws = ['elements', 'lkey', 'full'] as const;

const flawedReceives: Grid<[(typeof receiveFlaws)[number], Place]> = {
  name: 'what is wrong with a receive work request of a list, at which place',
  cells: () => pairs(receiveFlaws, places),
};

export const malformedReceives: SuiteProperty = {
  id: 'verbs/malformed-receive-lists',
  suite: 'verbs',
  requires: ['wr-lists'],
  says: 'Of a list of receive work requests with one that is malformed, messages take those in front of it in their order.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      every,
      fc.record({
        cell: anyCell(flawedReceives, profile),
        count: fc.integer({ min: 3, max: 8 }),
        shared: fc.boolean(),
        messages: fc.integer({ min: 1, max: 8 }),
        again: fc.nat(2),
        fails: fc.boolean(),
      }),
      ({ service }, { cell: [flaw, place], count, shared, messages, again, fails }) => {
        const one: Step & { do: 'post_recv' } = {
          do: 'post_recv',
          length: 64 + headerBytes[service],
          at: 'responder',
        };
        const bad = indexOf(place, count);
        const wrong = {
          elements: { ...one, sges: mostElements + 1 },
          lkey: { ...one, sges: mostElements, localFault: 'lkey' as const },
          full: one,
        }[flaw];
        const list = Array.from({ length: count }, (_, i) => (i === bad ? wrong : one));
        const room = flaw === 'full' ? Math.max(1, bad) : count + again;
        const message = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));
        return {
          srq: shared && sharesReceives(profile, service),
          plan: { maxSge: mostElements, maxRecvWr: room },
          steps: [
            ...inOneList(list),
            settle,
            ...Array.from({ length: messages }, () => message),
            settle,
            query,
            ...receives('responder', service, again),
            ...(fails ? [to('responder', 'IBV_QPS_ERR')] : []),
            settle,
            query,
          ],
        };
      },
    ),
  grids: [flawedReceives],
  aims: [...aims, 'post-full-errno'],
};
