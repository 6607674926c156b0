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
    code === 0xa0 ||
    code === 0xfeff ||
    code === 0x3000 ||
    (code >= 0x2000 && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202f) ||
    (code >= 0x2060 && code <= 0x2069)
  );
}
