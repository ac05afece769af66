import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TraceEvent } from '../../oracle/index.ts';
import { specDirectory } from '../../spec/load.ts';
import type { CorpusTrace, RecordedTrace } from '../corpus/views/index.ts';
import { parseWalkName, walk } from '../corpus/walks/index.ts';
import * as wire from '../../wire/index.ts';
import { TraceReader } from '../trace-file/read.ts';

/** What the name of a trace begins with that is kept in a file, where others name the case that makes them. */
export const keptMark = 'trace:';

/** Traces that no case makes, by name: those of `spec/flips-traces/*.ndjson`. None in a package. Throws TraceFileError. */
export function loadTraces(): Map<string, CorpusTrace> {
  const folder = join(specDirectory, 'flips-traces');
  const found = new Map<string, CorpusTrace>();
  if (!existsSync(folder)) return found;
  for (const file of readdirSync(folder).toSorted()) {
    const reader = new TraceReader();
    let events: TraceEvent[] = [];
    for (const text of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const line = reader.read(text);
      if (line?.kind === 'begin') {
        events = [];
        const name = `${keptMark}${line.name ?? file}`;
        if (found.has(name)) throw new Error(`${file}: another trace is called ${name} as well`);
        found.set(name, { name, trace: { header: line.header, events } });
      } else if (line !== undefined) events.push(line.event);
    }
  }
  return found;
}

/** Whether a trace of this name is made by no case: it is kept in a file, or a walk. */
export function isMadeAlone(name: string): boolean {
  return name.startsWith(keptMark) || parseWalkName(name) !== undefined;
}

/** The walk of this name; undefined where it is no name of one, or makes no trace. */
export function walked(name: string): RecordedTrace | undefined {
  const number = parseWalkName(name);
  return number === undefined ? undefined : walk(number, wire);
}
