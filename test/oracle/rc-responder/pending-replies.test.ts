import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadRules } from '../../../oracle/index.ts';
import { firstMigration } from '../../../oracle/path-migration/tables.ts';
import { PendingReplies } from '../../../oracle/rc-responder/pending-replies.ts';
import type { PendingReply } from '../../../oracle/rc-responder/pending.ts';

const rules = loadRules();
const [rule] = rules.rules;
const migration = firstMigration(rules);
if (rule === undefined) throw new Error('there are no rules');
let made = 0;
const reply = (kind: PendingReply['kind']): PendingReply => ({
  kind,
  rule,
  event: made++,
  optional: false,
  repeat: false,
  duplicate: false,
  psnFrom: 0,
  psnTo: 0,
  syndrome: 0,
  merges: undefined,
  msnBefore: 0,
  msn: 0,
  rqHead: 0,
  migration,
  read: undefined,
  atomic: undefined,
});

type Step = ['with', PendingReply['kind'], number] | ['without' | 'replaced', number, number];
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(
    fc.constant('with' as const),
    fc.constantFrom<PendingReply['kind']>('ack', 'read', 'atomic'),
    fc.nat(40),
  ),
  fc.tuple(fc.constantFrom('without' as const, 'replaced' as const), fc.nat(6), fc.nat(40)),
);

describe('pending responses', () => {
  it('are what a list that is copied each time would hold, whichever one goes on', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 40 }), (plan) => {
        const all: { list: PendingReplies; model: PendingReply[] }[] = [
          { list: PendingReplies.none, model: [] },
        ];
        for (const [what, how, which] of plan) {
          const { list, model } = all[which % all.length]!;
          if (what === 'with') {
            const one = reply(how);
            all.push({ list: list.with(one), model: [...model, one] });
          } else if (what === 'without') all.push({ list: list.without(how), model: model.slice(how) });
          else {
            const one = reply('read');
            all.push({ list: list.replaced(how, [one]), model: [one, ...model.slice(how)] });
          }
        }
        for (const { list, model } of all) {
          expect(list.list()).toEqual(model);
          expect(list.length).toBe(model.length);
          expect(list.at(0)).toBe(model[0]);
          expect(list.findLast(({ kind }) => kind === 'atomic')).toBe(
            model.findLast(({ kind }) => kind === 'atomic'),
          );
          expect(list.reads).toBe(model.filter(({ kind }) => kind === 'read').length);
          expect(list.withData).toBe(model.filter(({ kind }) => kind !== 'ack').length);
        }
      }),
    );
  });
});
