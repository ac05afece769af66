/** What a person may conclude from what is seen: "10 PSNs never seen: lost in front of this point." */
export function hintText(seen: string, means: string): string {
  return `${seen}: ${means}.`;
}

/** What is seen, of a text that was made by `hintText`. */
export function seenIn(hint: string): string {
  const [seen = hint] = hint.split(': ');
  return `${seen}.`;
}
