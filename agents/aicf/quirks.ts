import { fieldSource } from '../../language/aicf/ast.ts';
import { decodeField } from '../../language/aicf/codec.ts';
import { readLine } from '../../language/aicf/parse.ts';
import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';

/** A request as the running AIP server reads it (`aip-2`). */
export interface QuirkyRequest {
  readonly text: string;
  /** What it cannot receive, whatever is written; each is a sentence without a full stop. */
  readonly doubts: readonly string[];
  /** Arguments that it takes for something else than a text, by their place from 0: harmless unless a text is wanted. */
  readonly typed: readonly TypedArgument[];
}

export interface TypedArgument {
  readonly place: number;
  readonly text: string;
  /** What it becomes, in words. */
  readonly becomes: string;
}

/**
 * Writes a request for the running AIP server, which strips the backslash of every escape, then unescapes again, and types
 * arguments itself (reading of AICF-RPC 2.3). A request without fields is as it was.
 */
export function writeForQuirks(wireText: string): QuirkyRequest {
  const line = readLine(wireText);
  const isAsked = line.command === 'CALL' || line.command === 'INFO';
  if (!isAsked || line.pipes.length === 0) return { text: wireText, doubts: [], typed: [] };
  const fields = line.pipes.map((_, index) => decodeField(fieldSource(wireText, line, index), 'request'));
  const last = fields.length - 1;
  const written = fields.map((field, index) => writeField(field, index === last ? 'last' : 'inner', index));
  return {
    text: [line.command, ...written.map(({ raw }) => raw)].join('|'),
    doubts: written.flatMap(({ doubts }) => doubts),
    typed: fields.flatMap((field, index) => (index === 0 ? [] : describeTyped(field, index - 1))),
  };
}

interface WrittenField {
  readonly raw: string;
  readonly doubts: readonly string[];
}

function writeField(field: string, place: 'inner' | 'last', index: number): WrittenField {
  if (index > 0 && isJson(field)) return { raw: writeJson(field), doubts: [] };
  const raw = field.replaceAll('\\', '\\\\\\\\').replaceAll('|', '\\|');
  const doubts: string[] = [];
  const escape = /\\[nt]/.exec(field)?.[0];
  if (escape !== undefined)
    doubts.push(
      `this server unescapes twice and would read ${quote(escape)} in ${quote(field)} as ${escape === '\\n' ? 'a line end' : 'a TAB'}`,
    );
  if (place === 'last' && field !== field.trim())
    doubts.push(`this server removes the blanks around the last argument, ${quote(field)}`);
  return { raw, doubts };
}

function isJson(field: string): boolean {
  return /^\s*[[{]/.test(field) && parseJson(field) !== undefined;
}

/** Every escape of the JSON as `\uXXXX`, with its backslash doubled: one is stripped, and no other is unescaped. */
function writeJson(json: string): string {
  return json
    .replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, letter: string | undefined) =>
      code === undefined ? `\\\\u${hex(LETTERS.get(letter ?? '') ?? letter ?? '')}` : `\\\\u${code}`,
    )
    .replaceAll('|', '\\|');
}

/** What the escapes of JSON that are not their own letter stand for (RFC 8259, section 7). */
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
