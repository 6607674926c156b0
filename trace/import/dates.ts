/**
 * Reads a date of RFC 3339, `2026-03-25T10:00:00.123456Z`, as milliseconds since 1970, with all its digits;
 * without a zone it is in UTC. Undefined for any other text.
 */
export function readDate(text: string): number | undefined {
  const [, whole = '', fraction = '', zone = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,20}))?(Z|[+-]\d\d:?\d\d)?$/i.exec(text) ?? [];
  const seconds = Date.parse(
    `${whole}${zone === '' ? 'Z' : zone.toUpperCase().replace(/^([+-]\d\d):?/, '$1:')}`,
  );
  if (!Number.isFinite(seconds)) return undefined;
  return fraction === ''
    ? seconds
    : seconds + Number(`${fraction.slice(0, 3).padEnd(3, '0')}.${fraction.slice(3)}0`);
}
