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
  return text.replace(HIDDEN_IN_TEXT, makeVisible);
}

/** The same for a place that has one line. */
export function showOnOneLine(text: string): string {
  return showInvisible(text).replace(/[\r\n\t]/g, makeVisible);
}

/**
 * A text whose control characters, bidirectional marks and characters without a glyph are shown as in `U+202E`. Line ends, tabs,
 * spaces of all kinds, and the joiners and variation selectors of ordinary words and emoji stay.
 */
export function showControls(text: string): string {
  return text.replace(STEERING, nameOf);
}

/** A JSON text with the same characters written as in `\\u202e`; its value is the same. */
export function escapeControlsInJson(json: string): string {
  return json.replace(STEERING, character =>
    Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(''),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** Control characters, spaces other than U+0020, and characters without a glyph, but for variation selectors of emoji. */
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
