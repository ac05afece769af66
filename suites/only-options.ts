/** Throws TypeError where an option is given that there is not: one that is misspelt would say nothing. */
export function onlyOptions(given: object, known: Readonly<Record<string, true>>, of: string): void {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(known, name))
      throw new TypeError(`${of} has no option "${name}"; there are: ${Object.keys(known).join(', ')}`);
}
