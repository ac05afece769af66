import { printable } from '../report/printable.ts';
import { count, inMinutes } from '../report/text.ts';

/** What the progress line shows; absent parts are left out. */
export interface ProgressState {
  /** word for what is being done, e.g. "booting the guest" or a property */
  doing?: string;
  cases?: number;
  packets?: number;
  rulesExercised?: number;
  rulesTotal?: number;
  failures?: number;
  /** 0..1 */
  done?: number;
}

export interface Progress {
  update: (state: ProgressState) => void;
  /** Prints a line of log above the progress line. */
  log: (line: string) => void;
  /** Clears the line for good. */
  end: () => void;
}

const interval = 100;
/** Milliseconds between two lines where there is no terminal, so that the log of a long job shows that it goes on. */
const loggedInterval = 30_000;
const loggedWidth = 200;
const clear = '\r\u001b[K';

/** Seconds as "8 s" or "3 min 20 s". */
function left(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `${seconds} s` : inMinutes(seconds);
}

/** The line for a state, at most `width` characters. */
export function progressLine(state: ProgressState, elapsedMs: number, width: number): string {
  const { done } = state;
  const rules =
    state.rulesExercised === undefined
      ? undefined
      : `${state.rulesExercised}${state.rulesTotal === undefined ? '' : `/${state.rulesTotal}`} rules exercised`;
  const parts = [
    done === undefined ? undefined : `${Math.floor(done * 100)} %`,
    state.cases === undefined ? undefined : count(state.cases, 'case'),
    state.packets === undefined ? undefined : count(state.packets, 'packet'),
    rules,
    state.failures === undefined ? undefined : count(state.failures, 'failure'),
    done === undefined || done < 0.02 ? undefined : `${left((elapsedMs * (1 - done)) / done)} left`,
    state.doing === '' ? undefined : state.doing,
  ];
  return parts
    .filter((part) => part !== undefined)
    .join(' | ')
    .slice(0, Math.max(0, width - 1));
}

/** A line on a terminal that is rewritten in place; without a terminal, the log and from time to time a line of how far it is. */
export function createProgress(options: {
  write: (text: string) => void;
  terminal: boolean;
  width: number;
  now?: () => number;
}): Progress {
  const { write, terminal, width } = options;
  const now = options.now ?? (() => performance.now());
  const start = now();
  let state: ProgressState = {};
  let drawnAt = -Infinity;
  let drawn = false;
  let loggedAt = start;
  const draw = (): void => {
    write(clear + progressLine(state, now() - start, width));
    drawn = true;
    drawnAt = now();
  };
  const erase = (): void => {
    if (drawn) write(clear);
    drawn = false;
  };
  return {
    update: (next) => {
      state = { ...state, ...next };
      if (terminal && now() - drawnAt >= interval) draw();
      if (terminal || now() - loggedAt < loggedInterval) return;
      loggedAt = now();
      write(`${progressLine(state, loggedAt - start, loggedWidth)}\n`);
    },
    log: (line) => {
      erase();
      write(`${printable(line)}\n`);
    },
    end: erase,
  };
}
