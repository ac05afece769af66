/** Lines of at most `width` characters, broken at spaces; a word longer than a line is cut. Never empty. */
export function wrap(text: string, width: number): string[] {
  const limit = Math.max(1, width);
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/).filter((w) => w !== '')) {
      let rest = word;
      if (line !== '' && line.length + 1 + rest.length <= limit) {
        line += ` ${rest}`;
        continue;
      }
      if (line !== '') lines.push(line);
      while (rest.length > limit) {
        lines.push(rest.slice(0, limit));
        rest = rest.slice(limit);
      }
      line = rest;
    }
    lines.push(line);
  }
  return lines;
}

/** `label` followed by `text`, wrapped so that further lines stand under the text. */
export function hanging(label: string, text: string, width: number): string[] {
  const indent = ' '.repeat(label.length);
  return wrap(text, width - label.length).map((line, i) => (i === 0 ? label : indent) + line);
}

/** Whole number with commas between thousands: 1234567 -> "1,234,567". */
export function grouped(n: number): string {
  return String(Math.round(n)).replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `1 case`, `2 cases`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(n)} ${n === 1 ? noun : plural}`;
}

/** Whole seconds as "3 min 20 s". */
export function inMinutes(seconds: number): string {
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** How long a run took, from milliseconds: "12.3 s", "23 min 28 s", "2 h 5 min". */
export function runTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${(ms / 1000).toFixed(1)} s`;
  if (seconds < 3600) return inMinutes(seconds);
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Nanoseconds for people, three decimals in the unit that fits: "0 ns", "1.250 us", "655.360 ms", "2.000 s". */
export function duration(ns: number): string {
  const size = Math.abs(ns);
  if (size < 1000) return `${Math.round(ns)} ns`;
  if (size < 1e6) return `${(ns / 1e3).toFixed(3)} us`;
  if (size < 1e9) return `${(ns / 1e6).toFixed(3)} ms`;
  return `${(ns / 1e9).toFixed(3)} s`;
}

/** Text as one argument of a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** An instant in ISO 8601, UTC, as people read it: "2026-11-25 14:03 UTC". */
export function dateText(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}
