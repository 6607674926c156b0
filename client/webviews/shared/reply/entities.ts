/** The references to characters that are common in texts; others are shown as they are. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
  ['copy', '©'],
  ['reg', '®'],
  ['trade', '™'],
  ['hellip', '…'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['laquo', '«'],
  ['raquo', '»'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['times', '×'],
  ['deg', '°'],
  ['euro', '€'],
  ['larr', '←'],
  ['rarr', '→'],
]);

const LAST_CHARACTER = 0x10ffff;

/** Replaces the references of a text to characters, such as `&amp;` and `&#8364;` (CommonMark, section 2.5). */
export function readEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|([A-Za-z]{2,8}));/g,
    (written, decimal, hex, name) => {
      if (typeof name === 'string') return NAMED.get(name) ?? written;
      const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
      const isCharacter = code > 0 && code <= LAST_CHARACTER && !(code >= 0xd800 && code < 0xe000);
      return isCharacter ? String.fromCodePoint(code) : '\ufffd';
    },
  );
}
