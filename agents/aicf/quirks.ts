import { fieldSource } from '../../language/aicf/ast.ts';
import { decodeField } from '../../language/aicf/codec.ts';
import { readLine } from '../../language/aicf/parse.ts';
import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';

/** A request in the form that the running AIP server (`aip-2`) reads correctly. */
export interface QuirkyRequest {
  readonly text: string;
  /** What that server cannot receive in any form; each is a sentence without a full stop. */
  readonly warnings: readonly string[];
  /**
   * Arguments that it takes for another type than a text, by their position from 0: harmless unless a text is
   * expected.
   */
  readonly typed: readonly TypedArgument[];
}

export interface TypedArgument {
  readonly place: number;
  readonly text: string;
  /** The value that it becomes, in words. */
  readonly becomes: string;
}

/**
 * Writes a request for the running AIP server, which strips the backslash of every escape, then unescapes
 * again, and converts arguments to types (reading of AICF-RPC 2.3). A request without fields is unchanged.
 */
export function writeForQuirks(wireText: string): QuirkyRequest {
  const line = readLine(wireText);
  const isAsked = line.command === 'CALL' || line.command === 'INFO';
  if (!isAsked || line.pipes.length === 0) return { text: wireText, warnings: [], typed: [] };
  const fields = line.pipes.map((_, index) => decodeField(fieldSource(wireText, line, index), 'request'));
  const last = fields.length - 1;
  const written = fields.map((field, index) => writeField(field, index === last ? 'last' : 'inner', index));
  return {
    text: [line.command, ...written.map(({ raw }) => raw)].join('|'),
    warnings: written.flatMap(({ warnings }) => warnings),
    typed: fields.flatMap((field, index) => (index === 0 ? [] : describeTyped(field, index - 1))),
  };
}

interface WrittenField {
  readonly raw: string;
  readonly warnings: readonly string[];
}

function writeField(field: string, place: 'inner' | 'last', index: number): WrittenField {
  if (index > 0 && isJson(field)) return { raw: writeJson(field), warnings: [] };
  const raw = field.replaceAll('\\', '\\\\\\\\').replaceAll('|', '\\|');
  const warnings: string[] = [];
  const escape = /\\[nt]/.exec(field)?.[0];
  if (escape !== undefined)
    warnings.push(
      `this server unescapes twice and would read ${quote(escape)} in ${quote(field)} as ${escape === '\\n' ? 'a line end' : 'a TAB'}`,
    );
  if (place === 'last' && field !== field.trim())
    warnings.push(`this server removes the spaces around the last argument, ${quote(field)}`);
  return { raw, warnings };
}

function isJson(field: string): boolean {
  return /^\s*[[{]/.test(field) && parseJson(field) !== undefined;
}

/** Writes every escape of the JSON as `\uXXXX` with a doubled backslash: one is stripped, and no other is unescaped. */
function writeJson(json: string): string {
  return json
    .replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, letter: string | undefined) =>
      code === undefined ? `\\\\u${hex(LETTERS.get(letter ?? '') ?? letter ?? '')}` : `\\\\u${code}`,
    )
    .replaceAll('|', '\\|');
}

/** The characters for JSON escapes whose letter is not the character itself (RFC 8259, section 7). */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}

function describeTyped(text: string, place: number): readonly TypedArgument[] {
  if (text === 'true' || text === 'false') return [{ place, text, becomes: 'a truth value' }];
  if (text === 'null') return [{ place, text, becomes: 'null' }];
  if (text.trim() !== '' && !Number.isNaN(Number(text)))
    return [{ place, text, becomes: `the number ${String(Number(text))}` }];
  return isJson(text) ? [{ place, text, becomes: 'a value of JSON' }] : [];
}
