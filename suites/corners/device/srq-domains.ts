import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { inject, packet } from '../../arbitraries/packets.ts';
import { sharesReceives } from '../../arbitraries/shared.ts';
import { asMember } from '../../beside.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Member, Scenario, Step } from '../../scenario.ts';
import { query, receive, scenarios, servicesOf, settle, type Service } from '../../verbs/parts.ts';

const at = 'responder';
const bytes = 8;

/** Where the memory of the last receive lies: on the PD of the SRQ, or on that of the QP. */
const domains = ['srq', 'qp'] as const;
type Domain = (typeof domains)[number];

function users(profile: Profile): Service[] {
  const had = servicesOf(profile).filter((service) => sharesReceives(profile, service));
  return had.length > 0 ? had : ['RC'];
}

const memory: Grid<[Service, Domain]> = {
  name: 'service of a QP whose SRQ is on another PD, and PD of the memory of its last receive',
  cells: (profile) => pairs(users(profile), domains),
};

interface Uses {
  service: Service;
  /** the QP is on another PD than its SRQ */
  apart: boolean;
  /** messages before the last one */
  before: number;
  last: Domain;
}

function user(profile: Profile, { service, apart, before, last }: Uses): fc.Arbitrary<Member> {
  const message: Step[] = [inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes } })), settle];
  const usual = receive(at, service);
  const faulty: Step = { ...usual, localFault: 'foreign-pd' };
  const made = scenarios(profile, at, [service], fc.constant(undefined), () => ({
    srq: true,
    plan: apart ? { ownDomain: true } : {},
    steps: [
      ...Array.from({ length: before }, () => [usual, ...message]).flat(),
      last === 'qp' ? faulty : usual,
      ...message,
      query,
    ],
  }));
  return made.map(asMember);
}

function onOneSrq(profile: Profile, first: Uses, other: Uses | undefined): fc.Arbitrary<Scenario> {
  const one = user(profile, first);
  if (other === undefined) return one;
  return fc.tuple(one, user(profile, other)).map(([member, second]) => {
    const order = member.steps.map(() => 0);
    return { ...member, beside: { members: [second], order, share: ['srq' as const] } };
  });
}

export const srqDomains: SuiteProperty = {
  id: 'device/srq-domains',
  suite: 'device',
  requires: ['srq'],
  qps: 2,
  says: 'The memory of a receive on an SRQ is on the PD of the SRQ, whatever the PD of the QP that takes it.',
  arbitrary: (profile) =>
    fc
      .record({
        cell: anyCell(memory, profile),
        before: fc.nat(1),
        other: fc.option(
          fc.record({
            service: fc.constantFrom(...users(profile)),
            apart: fc.boolean(),
            before: fc.nat(1),
            last: fc.constantFrom(...domains),
          }),
        ),
      })
      .chain(({ cell: [service, last], before, other }) =>
        onOneSrq(profile, { service, apart: true, before, last }, other ?? undefined),
      ),
  grids: [memory],
  aims: ['rc-receive-buffer-faulty', 'uc-fault-local-memory-shared', 'ud-fault-local-memory-shared'],
};
