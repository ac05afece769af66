import { describe, expect, it } from 'vitest';
import { importsOf, importTarget, projectFiles, readProjectFile } from './files.ts';

/**
 * Rooms of the oracle from the ground up. A room may import from lower floors only: what is on one floor does not know what is
 * beside it.
 */
const floors: readonly (readonly string[])[] = [
  [
    'trace.ts',
    'rules.ts',
    'machine-draft.ts',
    'place.ts',
    'unasked-fact.ts',
    'spot.ts',
    'forget-oldest.ts',
    'packets-of.ts',
    'options.ts',
    'rate-units.ts',
    'time.ts',
    'event-word.ts',
  ],
  ['compile'],
  ['rulebook'],
  ['device'],
  // what both roles of an RC QP share, and what QPs share
  ['path-migration', 'srq', 'cq', 'cq-event', 'objects', 'port', 'route', 'user-context'],
  ['rc-responder', 'rc-requester', 'unreliable', 'ooo', 'congestion', 'verbs', 'attributes', 'end-to-end'],
  // what a capture shows of both roles of an RC QP, and what is known of a requester without a link
  ['capture', 'outage'],
  // RC QPs of both roles
  ['reliable'],
  ['judge'],
  ['index.ts'],
];

const ground = new Set(floors[0]);
const floorOf = (room: string): number => floors.findIndex((rooms) => rooms.includes(room));

function roomOf(path: string): string {
  const [, first = ''] = path.split('/');
  return first;
}

/** Imports between rooms of the oracle, types included. */
function arrows(): { from: string; to: string; file: string }[] {
  return projectFiles()
    .filter((path) => path.startsWith('oracle/') && path.endsWith('.ts'))
    .flatMap((file) =>
      importsOf(readProjectFile(file))
        .map((specifier) => importTarget(file, specifier))
        .filter((target) => target?.startsWith('oracle/') === true)
        .map((target) => ({ from: roomOf(file), to: roomOf(target ?? ''), file })),
    )
    .filter(({ from, to }) => from !== to);
}

describe('floors of the oracle', () => {
  it('hold every room', () => {
    const rooms = new Set(arrows().flatMap(({ from, to }) => [from, to]));
    expect([...rooms].filter((room) => floorOf(room) < 0)).toEqual([]);
    expect(rooms.size).toBeGreaterThan(10);
  });

  it('have no arrow up, and none between rooms of one floor', () => {
    const wrong = arrows().filter(({ from, to }) => floorOf(to) >= floorOf(from));
    // the files on the ground know each other
    expect(wrong.filter(({ from, to }) => !(ground.has(from) && ground.has(to)))).toEqual([]);
  });
});
