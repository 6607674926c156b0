import { AICF_ESCAPES, listEscapes, type AicfSide, type AicfCommandName } from '../../core/catalog/aicf.ts';
import { EmbeddedText } from '../json/embedded.ts';

/**
 * Encodes a text as an AICF field (AICF-RPC 1.0, "Special Characters"): `\`, `|` and LF are escaped, a TAB is
 * written raw. CRLF and a lone CR become an escaped LF, because a CR would end the line.
 * `decodeField(encodeField(text))` equals `text` for every string without CR.
 */
export function encodeField(text: string): string {
  return encodeReturns(escapeField(text));
}

/** Encodes a text as a field but leaves CRs raw. `decodeField(escapeField(text))` equals `text` for every string. */
export function escapeField(text: string): string {
  return text.replace(/[\\|\n]/g, character => ENCODED.get(character) ?? character);
}

/** Replaces each CRLF and lone CR of an escaped text by an escaped LF. */
export function encodeReturns(raw: string): string {
  return raw.includes('\r') ? raw.replace(/\r(?:\\n)?/g, '\\n') : raw;
}

const ENCODED: ReadonlyMap<string, string> = new Map(
  AICF_ESCAPES.filter(row => row.side === 'both').map(row => [row.text, `\\${row.letter}`]),
);

const DECODED: Readonly<Record<AicfSide, ReadonlyMap<string, string>>> = {
  request: new Map(listEscapes('request').map(row => [row.letter, row.text])),
  response: new Map(listEscapes('response').map(row => [row.letter, row.text])),
};

/** The character that `\` followed by `character` encodes; undefined if that backslash is literal. */
export function findEscape(character: string, side: AicfSide): string | undefined {
  return DECODED[side].get(character);
}

/**
 * Decodes a raw AICF field in one pass. `\|`, `\\` and `\n`, and in responses `\t`, are escapes; any other
 * backslash is literal. Never fails.
 */
export function decodeField(raw: string, side: AicfSide): string {
  let at = raw.indexOf('\\');
  if (at === -1) return raw;
  const parts: string[] = [];
  let from = 0;
  while (at !== -1) {
    const decoded = findEscape(raw.charAt(at + 1), side);
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

/** Decodes a raw AICF field that starts at an offset and maps positions back to the raw text. One pass. */
export function embedField(raw: string, start: number, side: AicfSide): EmbeddedText {
  const escaped: number[] = [];
  for (let at = raw.indexOf('\\'); at !== -1;) {
    const isEscape = findEscape(raw.charAt(at + 1), side) !== undefined;
    if (isEscape) escaped.push(at - escaped.length);
    at = raw.indexOf('\\', at + (isEscape ? 2 : 1));
  }
  return new EmbeddedText(decodeField(raw, side), start, escaped);
}

const BACKSLASH = 92;

/**
 * The offset of the `|` that ends the field at `from`; the text's length if none does. A `|` after an odd
 * number of backslashes is escaped (AICF-RPC 1.0, "Special Characters").
 */
export function findFieldEnd(text: string, from: number): number {
  let pipe = text.indexOf('|', from);
  while (pipe !== -1) {
    let run = pipe;
    while (run > from && text.charCodeAt(run - 1) === BACKSLASH) run--;
    if ((pipe - run) % 2 === 0) return pipe;
    pipe = text.indexOf('|', pipe + 1);
  }
  return text.length;
}

/** A message with unescaped field texts. */
export interface AicfMessage {
  readonly command: AicfCommandName;
  readonly fields: readonly string[];
}

/** Prints a message as one line without a line end, with escaped fields (AICF-RPC 1.0, "Special Characters"). */
export function printMessage({ command, fields }: AicfMessage): string {
  return [command, ...fields.map(encodeField)].join('|');
}
