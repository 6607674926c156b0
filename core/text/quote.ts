const LONGEST = 40;

/**
 * Quotes text from a document for a message: in single quotes, shortened to `longest` characters, with
 * control characters made visible.
 */
export function quote(text: string, longest = LONGEST): string {
  const points = text.length > longest * 2 ? text.slice(0, longest * 2) : text;
  const shown = [...points].map(makeVisible).slice(0, longest).join('');
  return shown.length < text.length && [...points].length > longest ? `'${shown}…'` : `'${shown}'`;
}

/**
 * Shows control characters, bidirectional marks and zero-width characters in the form `U+202E`, because they
 * could control a terminal or disguise a name. Line breaks and tabs are preserved.
 */
export function showInvisible(text: string): string {
  return text.replace(HIDDEN_IN_TEXT, makeVisible);
}

/** Like `showInvisible`, for a single line: line breaks and tabs are shown as well. */
export function showOnOneLine(text: string): string {
  return showInvisible(text).replace(/[\r\n\t]/g, makeVisible);
}

/**
 * Shows control characters, bidirectional marks and characters without a glyph in the form `U+202E`. Line breaks, tabs,
 * spaces of all kinds, and the joiners and variation selectors of ordinary words and emoji are preserved.
 */
export function showControls(text: string): string {
  return text.replace(STEERING, nameOf);
}

/** Escapes the same characters in a JSON text as `\\u202e`; the JSON value does not change. */
export function escapeControlsInJson(json: string): string {
  return json.replace(STEERING, character =>
    Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(''),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** Control characters, spaces other than U+0020 and characters without a glyph, except variation selectors. */
const HIDDEN =
  /(?![ \u180b-\u180d\u180f\ufe00-\ufe0f])[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Surrogate}\ufff9-\ufffb]/u;

const HIDDEN_IN_TEXT = new RegExp(`(?![\\n\\t\\r])${HIDDEN.source}`, 'gu');

const STEERING =
  /(?![\n\t\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f]|\r\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

function makeVisible(character: string): string {
  if (character === '\n') return '⏎';
  return HIDDEN.test(character) ? nameOf(character) : character;
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
