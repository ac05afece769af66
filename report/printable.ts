// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Text from a device as text for people: control characters, which a terminal would obey, become signs. Lines and tabs stay. */
export function printable(text: string): string {
  return text.replaceAll(controls, (character) => {
    const code = character.charCodeAt(0);
    // the signs that Unicode has for control characters; of the later ones it has none
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd';
  });
}

/** The same for all texts within plain data. */
export function printableAll<T>(data: T): T {
  return within(data) as T;
}

function within(data: unknown): unknown {
  if (typeof data === 'string') return printable(data);
  if (Array.isArray(data)) return data.map(within);
  if (typeof data !== 'object' || data === null || Object.getPrototypeOf(data) !== Object.prototype)
    return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [printable(key), within(value)]));
}
