/** The version that a device's profile names; `undefined` where it names none, as profiles of results are whatever was written. */
export function profileVersion(profile: unknown): string | undefined {
  const found: unknown =
    typeof profile === 'object' && profile !== null ? Reflect.get(profile, 'version') : undefined;
  return typeof found === 'string' ? found : undefined;
}
