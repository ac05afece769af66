const secondsIn = { s: 1, m: 60, h: 3600 } as const;

/** What a duration may look like, for messages. */
export const durationForm = 'a duration greater than 0, such as 90, 90s, 15m or 2h';

function isUnit(text: string): text is keyof typeof secondsIn {
  return Object.hasOwn(secondsIn, text);
}

/** Seconds of `90`, `90s`, `15m` or `2h`; undefined where it is no duration greater than 0. */
export function secondsOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d*\.?\d+)([a-z]?)$/.exec(text) ?? [];
  const seconds =
    Number(digits ?? Number.NaN) * (unit === '' ? 1 : isUnit(unit) ? secondsIn[unit] : Number.NaN);
  return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
}
