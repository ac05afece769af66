/** Throws TypeError if an option is unknown, or if there is no object of options: a misspelt one would be ignored silently. */
export function onlyOptions(given: unknown, known: Readonly<Record<string, true>>, of: string): void {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`${of} takes an object of options, not "${String(given)}"`);
  for (const name of Object.keys(given))
    if (!Object.hasOwn(known, name))
      throw new TypeError(`${of} has no option "${name}"; there are: ${Object.keys(known).join(', ')}`);
}
