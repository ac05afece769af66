/** Number of single-letter edits (insert, delete, replace, swap of neighbours) from a to b. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** The known word that was probably meant, or `undefined` if none is near. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const bound = Math.max(2, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = bound + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > bound && !candidate.includes(word)) continue;
    const distance = candidate.toLowerCase() === word.toLowerCase() ? 0 : editDistance(word, candidate);
    const inside = word.length >= 3 && (candidate.includes(word) || word.includes(candidate)) ? 1 : 0;
    const score = Math.min(distance, inside === 1 ? bound : distance);
    if (score < bestDistance) {
      best = candidate;
      bestDistance = score;
    }
  }
  return best;
}

/** End of a message about an unknown word: what was probably meant, or else the whole (short) choice. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const words = [...known];
  const near = nearest(word, words);
  if (near !== undefined) return `; did you mean "${near}"?`;
  if (words.length === 0 || words.length > 12) return '';
  return `; known: ${words.join(', ')}`;
}
