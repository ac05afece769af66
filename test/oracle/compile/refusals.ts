const toy = (place: string): string => `small/machines/toy/${place}`;
export const psn = 'machines/toy/psn-check.yaml';
export const execute = 'machines/toy/execute.yaml';
export const vocabulary = 'machines/toy/machine.yaml';

/** A mistake in one file of the small rule set. */
export interface Refusal {
  title: string;
  file: string;
  edits: (readonly [string, string])[];
  /** exactly these, in this order */
  at: string[];
  /** of the first */
  message: string;
}

export const refusals: Refusal[] = [
  {
    title: 'YAML that does not parse',
    file: psn,
    edits: [['on: { packet: request }', 'on: { packet: request']],
    at: ['small/machines/toy/psn-check.yaml:3:1 yaml-syntax'],
    message: 'not valid YAML: a bracket is not closed (Flow map',
  },
  {
    title: 'a key given twice',
    file: execute,
    edits: [['    level: must', '    level: must\n    level: may']],
    at: ['small/machines/toy/execute.yaml:8:5 yaml-syntax'],
    message: 'not valid YAML: Map keys must be unique',
  },
  {
    title: 'an unknown key of a rule',
    file: psn,
    edits: [['    level: must', '    levle: must']],
    at: [
      'small/machines/toy/psn-check.yaml:8:5 schema',
      'small/machines/toy/psn-check.yaml:10:5 unknown-key',
    ],
    message: '"level" is missing in rules.0',
  },
  {
    title: 'a value of the wrong type',
    file: psn,
    edits: [['covers: [one-nak]', 'covers: one-nak']],
    at: ['small/machines/toy/psn-check.yaml:11:13 schema'],
    message: '"one-nak" in rules.0.covers, where a list is needed',
  },
  {
    title: 'a number where text is needed',
    file: psn,
    edits: [['says: A request ahead is answered by a NAK.', 'says: 5']],
    at: ['small/machines/toy/psn-check.yaml:9:11 schema'],
    message: "5 in rules.0.says, where text is needed: write '5'",
  },
  {
    title: 'a level that does not exist',
    file: psn,
    edits: [['level: may', 'level: can']],
    at: ['small/machines/toy/psn-check.yaml:30:12 schema'],
    message: '"can" is not allowed in rules.3.level; did you mean "may"?',
  },
  {
    title: 'a rule without an outcome',
    file: psn,
    edits: [['    then: { reply: none }\n', '']],
    at: ['small/machines/toy/psn-check.yaml:14:9 schema'],
    message: 'rule "request-ahead-again" has no outcome: give "then" or "oneOf"',
  },
  {
    title: 'a rule with then and oneOf',
    file: psn,
    edits: [['    oneOf:', '    then: { reply: none }\n    oneOf:']],
    at: ['small/machines/toy/psn-check.yaml:28:9 schema'],
    message: 'rule "request-duplicate" has both "then" and "oneOf"; give one of them',
  },
  {
    title: 'a rule that covers nothing and does not say why',
    file: psn,
    edits: [['    uncovered: made up for the fixture\n', '']],
    at: ['small/machines/toy/psn-check.yaml:31:13 schema'],
    message: 'rule "request-duplicate" covers no statement: name one, or say why with "uncovered: reason"',
  },
  {
    title: 'an unknown fact',
    file: psn,
    edits: [['{ psn: ahead, nakState: none }', '{ psn: ahead, nakSate: none }']],
    at: ['small/machines/toy/psn-check.yaml:12:25 unknown-fact'],
    message: 'unknown fact "nakSate"; did you mean "nakState"?',
  },
  {
    title: 'an unknown value of a fact',
    file: psn,
    edits: [['[sequence, rnr]', '[sequense, rnr]']],
    at: ['small/machines/toy/psn-check.yaml:18:36 unknown-fact-value'],
    message: 'unknown value "sequense" of fact "nakState"; did you mean "sequence"?',
  },
  {
    title: 'a fact that is no dimension of the table',
    file: psn,
    edits: [['{ psn: ahead, nakState: none }', '{ psn: ahead, ackReq: true }']],
    at: ['small/machines/toy/psn-check.yaml:12:25 fact-not-in-table'],
    message: 'fact "ackReq" is no dimension of table "psn-check" (those are: psn, nakState)',
  },
  {
    title: 'an unknown outcome',
    file: psn,
    edits: [['{ reply: nak, nakCode', '{ repyl: nak, nakCode']],
    at: ['small/machines/toy/psn-check.yaml:13:13 unknown-outcome'],
    message: 'unknown outcome "repyl"; did you mean "reply"?',
  },
  {
    title: 'an unknown value of an outcome',
    file: execute,
    edits: [['[established, nothing]', '[established, nothin]']],
    at: ['small/machines/toy/execute.yaml:11:55 unknown-outcome-value'],
    message: 'unknown value "nothin" of outcome "events"; did you mean "nothing"?',
  },
  {
    title: 'a list where an outcome takes one value',
    file: psn,
    edits: [['{ reply: nak, nakCode', '{ reply: [nak, none], nakCode']],
    at: ['small/machines/toy/psn-check.yaml:13:20 schema'],
    message: 'outcome "reply" takes one value, not a list',
  },
  {
    title: 'an outcome that the table has no use for',
    file: execute,
    edits: [['reply: acknowledge', 'nakCode: sequence']],
    at: ['small/machines/toy/execute.yaml:11:13 outcome-not-in-table'],
    message: 'outcome "nakCode" is not for rules of table "execute" (those are: reply, events)',
  },
  {
    title: 'two allowed outcomes that are the same',
    file: psn,
    edits: [['- { reply: acknowledge }', '- {}']],
    at: ['small/machines/toy/psn-check.yaml:36:9 duplicate-alternative'],
    message: 'alternatives 1 and 2 of rule "request-duplicate" allow the same',
  },
  {
    title: 'an unknown statement',
    file: psn,
    edits: [['covers: [in-order]', 'covers: [in-order, in-ordre]']],
    at: ['small/machines/toy/psn-check.yaml:23:24 unknown-statement'],
    message:
      'rule "request-expected" covers statement "in-ordre", which does not exist; did you mean "in-order"?',
  },
  {
    title: 'an unknown capability',
    file: execute,
    edits: [['requires: [atomic]', 'requires: [atomics]']],
    at: ['small/machines/toy/execute.yaml:9:16 unknown-capability'],
    message: 'unknown capability "atomics"; did you mean "atomic"?',
  },
  {
    title: 'a rule that an earlier one shadows',
    file: execute,
    edits: [['{ ackReq: true }', '{ ackReq: [true, false] }']],
    at: ['small/machines/toy/execute.yaml:12:9 dead-rule'],
    message:
      'rule "execute-quietly" can never decide: all its cells are taken by "execute-acknowledged", which comes before it',
  },
  {
    title: 'a rule for impossible cells alone',
    file: psn,
    edits: [['{ psn: duplicate, nakState: rnr }', '{ psn: duplicate }']],
    at: ['small/machines/toy/psn-check.yaml:28:9 dead-rule'],
    message: 'rule "request-duplicate" can never decide: all its cells are declared impossible',
  },
  {
    title: 'rules that contradict each other',
    file: psn,
    edits: [['nakState: [sequence, rnr]', 'nakState: [none, sequence, rnr]']],
    at: ['small/machines/toy/psn-check.yaml:14:9 contradiction'],
    message:
      'rules "request-ahead" and "request-ahead-again" contradict each other for one cell { psn: ahead, nakState: none }: "reply" is "nak" in the one and "none" in the other',
  },
  {
    title: 'rules that say the same twice',
    file: psn,
    edits: [
      ['nakState: [sequence, rnr]', 'nakState: [none, sequence, rnr]'],
      ['then: { reply: nak, nakCode: sequence }', 'then: {}'],
    ],
    at: ['small/machines/toy/psn-check.yaml:14:9 redundant-rule'],
    message: 'rules "request-ahead" and "request-ahead-again" say the same twice for one cell',
  },
  {
    title: 'cells that no rule decides',
    file: psn,
    edits: [
      ['[sequence, rnr]', 'sequence'],
      ['psn: expected', 'psn: expected\n      nakState: none'],
    ],
    at: ['small/machines/toy/psn-check.yaml:1:8 undecided-cells'],
    message:
      'table "psn-check" leaves 3 cells undecided; add rules for them or declare them impossible:\n    { psn: expected, nakState: sequence | rnr }\n    { psn: ahead, nakState: rnr }',
  },
  {
    title: 'an impossible entry that adds nothing',
    file: psn,
    edits: [
      [
        '    because: the fixture says so',
        '    because: the fixture says so\n  - { when: { psn: duplicate, nakState: rnr }, because: twice }',
      ],
    ],
    at: ['small/machines/toy/psn-check.yaml:7:5 redundant-impossible'],
    message: 'impossible entry 2 adds nothing: its cells are declared impossible already',
  },
  {
    title: 'an impossible entry without a condition',
    file: psn,
    edits: [['- when: { psn: duplicate, nakState: rnr }', '- when: {}']],
    at: ['small/machines/toy/psn-check.yaml:5:11 schema'],
    message: 'needs at least 1 entry in impossible.0.when',
  },
  {
    title: 'two rules that hold together and ask for different words',
    file: execute,
    edits: [
      ['hit: first', 'hit: all'],
      ['level: should', 'level: must'],
      ['      events: [nothing]', '      reply: nak'],
    ],
    at: ['small/machines/toy/execute.yaml:12:9 contradiction'],
    message:
      'rules "execute-acknowledged" and "execute-quietly" hold together for one cell { ackReq: true } and ask for different words of "reply"',
  },
  {
    title: 'a rule id used twice, over all files',
    file: psn,
    edits: [['- id: request-duplicate', '- id: execute-quietly']],
    at: ['small/machines/toy/psn-check.yaml:28:9 duplicate-rule'],
    message: 'rule id "execute-quietly" is used already; ids are unique over all tables',
  },
  {
    title: 'a table with two rule files, and another with none',
    file: execute,
    edits: [
      ['table: execute', 'table: psn-check'],
      ['ackReq: true', 'psn: [expected, ahead]'],
      ['acknowledge, events: [established, nothing]', 'acknowledge'],
      ['      events: [nothing]', '      reply: nak'],
    ],
    at: ['machine.yaml:33:3 missing-rules', 'psn-check.yaml:1:8 duplicate-table'].map(toy),
    message: 'table "psn-check" has a rule file already; a table is one file',
  },
  {
    title: 'rules without an impact, in a table without one',
    file: execute,
    edits: [['impact: protocol\n', '']],
    at: [5, 12].map((line) => `small/machines/toy/execute.yaml:${line}:9 schema`),
    message: 'rule "execute-acknowledged" has no impact: give it one, or one to its table',
  },
  {
    title: 'an impact that the scale does not have',
    file: execute,
    edits: [['impact: protocol\n', 'impact: protocl\n']],
    at: ['small/machines/toy/execute.yaml:19:9 schema'],
    message: 'did you mean "protocol"?',
  },
  {
    title: 'a fact of no table',
    file: vocabulary,
    edits: [['  ackReq:\n', '  spare: { about: x, values: { a: x } }\n  ackReq:\n']],
    at: ['small/machines/toy/machine.yaml:8:3 unused-word'],
    message: 'no table lists "spare" among its facts',
  },
  {
    title: 'a fact that no rule of a table asks for',
    file: vocabulary,
    edits: [['facts: [ackReq]', 'facts: [ackReq, psn]']],
    at: ['small/machines/toy/machine.yaml:35:21 unused-word'],
    message: 'no rule of table "execute" asks for fact "psn"',
  },
  {
    title: 'an outcome that no rule of a table gives',
    file: vocabulary,
    edits: [['outcomes: [reply, events]', 'outcomes: [reply, events, nakCode]']],
    at: ['small/machines/toy/machine.yaml:36:31 unused-word'],
    message: 'no rule of table "execute" gives outcome "nakCode"',
  },
  {
    title: 'a value that no rule gives',
    file: vocabulary,
    edits: [['{ sequence: PSN sequence error }', '{ sequence: PSN sequence error, invalid: x }']],
    at: ['small/machines/toy/machine.yaml:20:45 unused-word'],
    message: 'no rule gives "nakCode: invalid"',
  },
  {
    title: 'a capability that no rule requires',
    file: vocabulary,
    edits: [['  atomic: executes ATOMICs', '  atomic: executes ATOMICs\n  spare: x']],
    at: ['small/machines/toy/machine.yaml:39:3 unused-word'],
    message: 'no rule requires capability "spare"',
  },
  {
    title: 'rules for a table that the vocabulary lacks',
    file: execute,
    edits: [['table: execute', 'table: exekute']],
    at: ['execute.yaml:1:8 unknown-table', 'machine.yaml:33:3 missing-rules'].map(toy),
    message: 'the vocabulary has no table "exekute"; did you mean "execute"?',
  },
  {
    title: 'a way to a table that does not exist',
    file: psn,
    edits: [['next: execute', 'next: executed']],
    at: ['small/machines/toy/psn-check.yaml:27:13 unknown-table'],
    message: '"next" leads to table "executed", which does not exist; did you mean "execute"?',
  },
  {
    title: 'tables that lead in a circle',
    file: psn,
    edits: [['next: execute', 'next: psn-check']],
    at: ['small/machines/toy/psn-check.yaml:20:9 table-cycle'],
    message: 'rule "request-expected" closes a circle of tables: psn-check -> psn-check',
  },
  {
    title: 'a table of the vocabulary with an unknown fact',
    file: vocabulary,
    edits: [['facts: [ackReq]', 'facts: [ackReg]']],
    at: ['execute.yaml:10:13 fact-not-in-table', 'machine.yaml:35:13 unknown-fact'].map(toy),
    message: 'fact "ackReq" is no dimension of table "execute" (those are: )',
  },
  {
    title: 'a default that is no value',
    file: vocabulary,
    edits: [['default: none', 'default: nothing']],
    at: ['small/machines/toy/machine.yaml:15:14 unknown-outcome-value'],
    message: 'default "nothing" is no value of outcome "reply"',
  },
  {
    title: 'an unknown key of the vocabulary',
    file: vocabulary,
    edits: [['    kind: table', '    kind: table\n    defualt: execute']],
    at: ['small/machines/toy/machine.yaml:28:5 unknown-key'],
    message: 'unknown key "defualt" in outcomes.next; did you mean "default"?',
  },
];
