import fc from 'fast-check';
import { inject } from '../../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { PacketDefect } from '../../scenario.ts';
import { headerBytes, query, receives, scenarios, settle, type Service } from '../parts.ts';
import { answered, every, forms, packetsOf, type Form } from './unusual-headers.ts';

const elsewhere: PacketDefect = { kind: 'dest-ip' };

const messages: Grid<[Form, boolean]> = {
  name: 'the message to another address, and whether one came before',
  cells: () => pairs(forms, [false, true]),
};

export const otherDestinations: SuiteProperty = {
  id: 'verbs/other-destinations',
  suite: 'verbs',
  says: 'What is for the address of another device is not taken, though its number is that of a QP; the same is then carried out.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      every,
      fc.record({ cell: anyCell(messages, profile), again: fc.boolean() }),
      ({ service, mtu }, { cell: [form, before], again }) => {
        const packets = packetsOf(form, service);
        const [first, ...others] = packets;
        return {
          steps: [
            ...receives('responder', service, 4, mtu + 64 + headerBytes[service]),
            ...(before ? packetsOf('send', service).map(inject) : []),
            ...(first === undefined ? [] : [inject({ ...first, defect: elsewhere })]),
            ...(again ? others.map(inject) : []),
            settle,
            ...packets.map(inject),
            settle,
            query,
          ],
        };
      },
    ),
  grids: [messages],
  aims: ['rc-drop-foreign-destination', 'uc-drop-foreign-destination', 'ud-drop-foreign-destination'],
};

const answers: Grid<Form> = { name: 'what is answered to another address', cells: () => forms };

export const answersElsewhere: SuiteProperty = {
  id: 'verbs/answers-elsewhere',
  suite: 'verbs',
  says: 'An answer that is for the address of another device is not taken.',
  requires: ['rc'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      ['RC'] satisfies Service[],
      fc.record({ cell: anyCell(answers, profile), behind: fc.nat(1) }),
      ({ mtu }, { cell: form, behind }) => ({
        steps: answered(elsewhere, form, forms.slice(0, behind), mtu),
      }),
    ),
  grids: [answers],
  aims: ['rc-response-foreign-destination', 'rc-timeout-overdue'],
};
