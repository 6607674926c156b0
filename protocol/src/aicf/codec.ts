import { AICF_ESCAPES } from '../catalog/aicf.ts';
import { EmbeddedText } from '../language/embedded.ts';

/**
 * A text as an AICF field: `\`, `|`, LF and CR are escaped and nothing else; a TAB stands as it is
 * (AICF-RPC 1.0, "Special Characters"). `decodeField(encodeField(text))` is `text` for every string.
 */
export function encodeField(text: string): string {
  return text.replace(/[\\|\n\r]/g, character => ENCODED.get(character) ?? character);
}

const ENCODED: ReadonlyMap<string, string> = new Map(
  AICF_ESCAPES.filter(row => row.isWritten).map(row => [row.text, `\\${row.letter}`]),
);

const DECODED: ReadonlyMap<string, string> = new Map(AICF_ESCAPES.map(row => [row.letter, row.text]));

/** The character that a backslash before `character` stands for; undefined where such a backslash is itself. */
export function findEscape(character: string): string | undefined {
  return DECODED.get(character);
}

/**
 * The text of a raw AICF field, in one pass: `\|` `\\` `\n` `\t` `\r` are escapes; a backslash before any
 * other character, or at the end, is itself. Never fails.
 */
export function decodeField(raw: string): string {
  let at = raw.indexOf('\\');
  if (at === -1) return raw;
  const parts: string[] = [];
  let from = 0;
  while (at !== -1) {
    const decoded = DECODED.get(raw.charAt(at + 1));
    if (decoded === undefined) {
      at = raw.indexOf('\\', at + 1);
      continue;
    }
    parts.push(raw.slice(from, at), decoded);
    from = at + 2;
    at = raw.indexOf('\\', from);
  }
  parts.push(raw.slice(from));
  return parts.join('');
}

/** The text of a raw AICF field that starts at an offset, with the way back to what is written. One pass. */
export function embedField(raw: string, start: number): EmbeddedText {
  const escaped: number[] = [];
  for (let at = raw.indexOf('\\'); at !== -1;) {
    const isEscape = DECODED.has(raw.charAt(at + 1));
    if (isEscape) escaped.push(at - escaped.length);
    at = raw.indexOf('\\', at + (isEscape ? 2 : 1));
  }
  return new EmbeddedText(decodeField(raw), start, escaped);
}
