import { psnDiff } from '../../../wire/psn.ts';
import type { Rule } from '../../rules.ts';
import type { Course, Taken } from './course.ts';
import { exhaustionBy, failOldest } from '../retransmission/exhaustion.ts';
import { RequesterEvent } from '../inputs.ts';
import { landResponse } from './memory.ts';
import { lookAtPath } from '../migration.ts';
import type { PathLook } from '../migration.ts';
import type { Requester } from '../requester.ts';
import { oldest } from '../requester.ts';
import { isResponse } from '../../device/packet/opcode-shape.ts';
import { viewResponse } from './view.ts';
import { retriesOf } from '../retransmission/retries.ts';
import type { Arrival, RetransmitCause, RequesterState } from '../state.ts';
import { onlyRule } from '../tables.ts';
import type { RequesterTables } from '../tables.ts';
import { knownWord, outcomeWord, outcomeWords } from '../../rulebook/outcome.ts';
import type { Outcome } from '../../rules.ts';

/** All that a device in this state may make of a response, the likeliest first. */
export function transitionsFor(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  arrival: Arrival,
): Course[] {
  const end = exhaustionBy(requester, tables, state, arrival.t);
  if (end?.sure === true) return [{ ...end, effect: 'other' }];
  const taken = coursesOfLiving(requester, tables, state, arrival);
  return end === undefined ? taken : [...taken, { ...end, effect: 'other' }];
}

function coursesOfLiving(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  arrival: Arrival,
): Course[] {
  const { packet, t } = arrival;
  const responds = isResponse(packet.opcode);
  const path = lookAtPath(requester, tables, state, arrival);
  const seen = new RequesterEvent(requester, state, t, { packet });
  const admitted = (source: PathLook['source']): Rule =>
    onlyRule(
      (responds ? tables.admission : tables.requestAdmission).at(seen, state, {
        destination: 'known',
        source,
      }),
    );
  const admission = admitted(path.source);
  const sound = path.move !== undefined && isTaken(admitted('peer'));
  const followPath = (after: RequesterState): void => {
    if (sound) path.followPath(after);
  };
  const rules = [...(responds ? [admission] : []), ...(sound ? path.rules : [])];
  // of a request, this role of the QP takes the path only
  if (!responds || !isTaken(admission))
    return [{ rules, effect: sound ? 'other' : 'nothing', apply: followPath }];
  const there = sound ? state.clone() : state;
  followPath(there);
  const event = sound ? new RequesterEvent(requester, there, t, { packet }) : seen;
  const view = viewResponse(requester, there, packet, event);
  const rule = onlyRule(tables.response.at(event, there, view.facts));
  return rule.outcomes.flatMap((outcome) =>
    withOutcome({ requester, tables, arrival, view, rule }, there, outcome).map((course) => ({
      rules: [...rules, rule, ...course.rules],
      effect: sound ? 'other' : course.effect,
      apply: (after: RequesterState) => {
        followPath(after);
        course.apply(after);
      },
    })),
  );
}

/** By this rule the packet has passed header validation. */
function isTaken(rule: Rule): boolean {
  return outcomeWord(rule.outcomes[0] ?? {}, 'packet') === 'taken';
}

function withOutcome(taken: Taken, state: RequesterState, outcome: Outcome): Course[] {
  const { requester, tables, view, arrival, rule } = taken;
  const { machine } = state;
  const cause = outcomeWord(outcome, 'retry') ?? 'none';
  const calls: RetransmitCause['cause'] | undefined =
    cause === 'sequence-nak' || cause === 'implied-nak' || cause === 'rnr-nak' ? cause : undefined;
  const response = {
    acknowledges: knownWord(outcome, 'acknowledges', ['before', 'through', 'gap'], 'none'),
    gap: view.gapPsn,
  };
  const nak = { since: arrival.t, wait: view.answer.wait };
  const parts = { packet: arrival.packet, response, nak, ...(calls === undefined ? {} : { cause: calls }) };
  const eventOf = (at: RequesterState): RequesterEvent => new RequesterEvent(requester, at, arrival.t, parts);
  const event = eventOf(state);
  const gain = machine.gained(event, state);
  const gained = gain === 'part' || gain === 'request';
  const progress = onlyRule(tables.progress.at(event, state, { answer: view.answer.kind }));
  const advance = (after: RequesterState): void => {
    if (outcomeWord(outcome, 'data') === 'placed') {
      landResponse(requester, after, view.item, arrival.packet);
      after.landed = (after.landed * 31 + arrival.event) >>> 0;
    }
    machine.applyAny(progress.outcomes, eventOf(after), after);
    if (gained) acknowledge(requester, after, eventOf(after));
  };
  const effect = gained ? 'progress' : view.duplicate ? 'nothing' : 'other';
  const statuses = outcomeWords(outcome, 'failure');
  if (statuses.length > 0) {
    const apply = (after: RequesterState): void => {
      advance(after);
      failOldest(requester, after, { statuses, rule, event: arrival.event });
    };
    return [{ rules: [progress], effect: 'other', apply }];
  }
  if (calls === undefined) return [{ rules: [progress], effect, apply: advance }];
  return retriesOf({ ...taken, cause: calls, progress }, state, eventOf).map((course) => ({
    rules: [progress, ...course.rules],
    effect: 'other',
    apply: (after) => {
      advance(after);
      course.apply(after);
    },
  }));
}

function acknowledge(requester: Requester, state: RequesterState, event: RequesterEvent): void {
  state.machine.steps.acknowledged(event, state);
  const { una } = state;
  if (state.reads.length > 0) {
    const from = oldest(requester, state)?.psn ?? una;
    state.reads = state.reads.filter((psn) => psnDiff(psn, from) >= 0);
  }
  if (state.causes.length > 0)
    state.causes = state.causes.filter((waiting) =>
      state.machine.staysOpen(new RequesterEvent(requester, state, event.now, { waiting }), state),
    );
}
