const LONGEST = 40;

/**
 * Text from a document as it stands in a message: in single quotes, shortened to `longest` characters, control
 * characters made visible.
 */
export function quote(text: string, longest = LONGEST): string {
  const points = text.length > longest * 2 ? text.slice(0, longest * 2) : text;
  const shown = [...points].map(makeVisible).slice(0, longest).join('');
  return shown.length < text.length && [...points].length > longest ? `'${shown}…'` : `'${shown}'`;
}

/**
 * A text whose control characters, marks of direction and of zero width are made visible, as in `U+202E`: as it stands
 * they would steer a terminal, or show a name as another. Line ends and tabs stay.
 */
export function showInvisible(text: string): string {
  return text.replace(HIDDEN, makeVisible);
}

/** The same for a place that has one line. */
export function showOnOneLine(text: string): string {
  return showInvisible(text).replace(/[\r\n\t]/g, makeVisible);
}

/** What `makeVisible` changes, but for line ends and tabs. */
const HIDDEN =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xa0\u00ad\u061c\u2000-\u200f\u2028-\u202f\u2060-\u2069\u3000\ufeff]|\p{Surrogate}/gu;

function makeVisible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\n') return '⏎';
  if (code < 0x20 || code === 0x7f || (code >= 0xd800 && code <= 0xdfff) || isInvisible(code)) {
    return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return character;
}

/** Spaces other than U+0020, marks of direction and of zero width: what a reader would not see. */
function isInvisible(code: number): boolean {
  return (
    (code >= 0x80 && code <= 0xa0) ||
    code === 0xad ||
    code === 0x61c ||
    code === 0xfeff ||
    code === 0x3000 ||
    (code >= 0x2000 && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202f) ||
    (code >= 0x2060 && code <= 0x2069)
  );
}
