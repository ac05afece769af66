/** Appends to a list of which only the newest are of use: between `most` and twice as many. */
export function keep<T>(list: T[], item: T, most: number): void {
  list.push(item);
  if (list.length >= 2 * most) list.splice(0, list.length - most);
}
