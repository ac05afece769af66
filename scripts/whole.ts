/** The whole number that a flag of a script gives, `least` or more. Error, with the flag, for anything else. */
export function whole(flag: string, value: string, least = Number.MIN_SAFE_INTEGER): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < least)
    throw new Error(`--${flag}: a whole number is wanted, not ${value}`);
  return number;
}
