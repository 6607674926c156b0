import type { ArgumentSchema } from '../json/argument-schema.ts';
import { EmbeddedText } from '../json/embedded.ts';
import { readJson, type JsonTree } from '../json/json-tree.ts';
import type { ToolTable } from '../tools.ts';
import type { Span } from '../../core/text/span.ts';
import type { AicfSide } from '../../core/catalog/aicf.ts';
import { fieldText, findFieldSpan, sideOf } from './ast.ts';
import { readCall, type Call } from './call.ts';
import { embedField } from './codec.ts';
import type { CursorPlace } from './cursor.ts';
import { isJsonData, isUnescapedJson, looksLikeJson, type JsonFinding } from './json-field.ts';
import type { PlacedLine } from './parse.ts';

type FieldPlace = Extract<CursorPlace, { kind: 'field' }>;

/** Maximum length of JSON that is read for features that respond to each key press. */
export const LONGEST_AT_A_KEY = 1 << 16;

/** JSON in a line, with a mapping between decoded and written offsets. */
export interface LinkedJson {
  /** Its span in the line; if raw `|` characters split it, of all parts. */
  readonly span: Span;
  /** The JSON after decoding the field's escapes. Source offsets are relative to the start of the line. */
  readonly embedded: EmbeddedText;
  /** True if the JSON is valid as written, so the field's escapes must not be decoded. */
  readonly isWritten: boolean;
  /** The index of its first field, from 0 after the command. */
  readonly field: number;
}

/**
 * The JSON at a cursor: an argument that is JSON by type or form, or data of `OK` and `STREAM` that is or
 * starts like JSON (reading of AICF-RPC 1.0, "Complex Arguments" and "Response Format").
 */
export function findLinkedJson(place: FieldPlace, tools: ToolTable, longest: number): LinkedJson | undefined {
  const { line, index, span, row } = place;
  const { text, tree } = line;
  if (row?.role === 'data') return linkData(line, longest);
  const call = tree.command === 'CALL' ? readCall(text, tree, tools) : undefined;
  for (const finding of call?.json.values() ?? []) {
    if (finding.firstField <= index && index <= finding.lastField) return linkFinding(line, finding, longest);
  }
  if ((tree.command !== undefined && !call) || span.end - span.start > longest) return undefined;
  const raw = text.slice(span.start, span.end);
  const isJson = call ? /^\s*[{[]/.test(raw) && hasSchema(call, index) : looksLikeJson(raw);
  return isJson ? link(raw, { span, isWritten: false, field: index }, sideOf(tree)) : undefined;
}

/** True for an argument of any type with a schema: what begins like JSON there is about to become JSON. */
function hasSchema({ tool }: Call, field: number): boolean {
  const argument = tool?.arguments[field - 1];
  return argument?.type === 'any' && tool?.schema?.json?.find(argument.name) !== undefined;
}

/** The JSON of an argument; undefined if it is longer than `longest`. */
export function linkFinding(
  { text, tree }: PlacedLine,
  { firstField, lastField, isWritten }: JsonFinding,
  longest: number,
): LinkedJson | undefined {
  const start = findFieldSpan(tree, firstField)?.start ?? tree.end;
  const end = findFieldSpan(tree, lastField)?.end ?? tree.end;
  if (end - start > longest) return undefined;
  return link(text.slice(start, end), { span: { start, end }, isWritten, field: firstField }, sideOf(tree));
}

/**
 * The data of `OK` or `STREAM` if it is or starts like JSON; undefined for other text and if it is longer
 * than `longest`.
 */
export function linkData({ text, tree }: PlacedLine, longest: number): LinkedJson | undefined {
  const isData = tree.command === 'OK' || tree.command === 'STREAM';
  const span = isData ? findFieldSpan(tree, 0) : undefined;
  if (!span || span.end - span.start > longest) return undefined;
  const raw = text.slice(span.start, span.end);
  const isWritten = tree.command === 'OK' && raw.includes('\\') && isUnescapedJson(raw);
  const isJson = isWritten || looksLikeJson(raw) || (/^\s*[{[]/.test(raw) && isJsonData(raw));
  return isJson ? link(raw, { span, isWritten, field: 0 }, 'response') : undefined;
}

function link(raw: string, place: Omit<LinkedJson, 'embedded'>, side: AicfSide): LinkedJson {
  const { span, isWritten, field } = place;
  const embedded = isWritten ? new EmbeddedText(raw, span.start) : embedField(raw, span.start, side);
  return { span, embedded, isWritten, field };
}

/** The schema of the argument that the JSON is; undefined if the agent reports none. */
export function findSchema(
  { text, tree }: PlacedLine,
  { field }: LinkedJson,
  { tools }: ToolTable,
): ArgumentSchema | undefined {
  const tool = tree.command === 'CALL' ? tools.get(fieldText(text, tree, 0)) : undefined;
  const argument = tool?.arguments[field - 1];
  return argument && tool.schema?.json?.find(argument.name);
}

/** Parses the JSON; offsets in the tree are relative to the decoded JSON. */
export function readLinked({ embedded }: LinkedJson): JsonTree {
  return readJson(embedded.text);
}
