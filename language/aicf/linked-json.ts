import { EmbeddedText } from '../json/embedded.ts';
import { readJson, type JsonTree } from '../json/json-tree.ts';
import type { ToolTable } from '../tools.ts';
import type { Span } from '../../core/text/span.ts';
import type { AicfSide } from '../../core/catalog/aicf.ts';
import { findFieldSpan, sideOf } from './ast.ts';
import { readCall } from './call.ts';
import { embedField } from './codec.ts';
import type { CursorPlace } from './cursor.ts';
import { isJsonData, isUnescapedJson, looksLikeJson, type JsonFinding } from './json-field.ts';
import type { PlacedLine } from './lines.ts';

type FieldPlace = Extract<CursorPlace, { kind: 'field' }>;

/** Longer JSON is not read where an answer is wanted after each key. */
export const LONGEST_AT_A_KEY = 1 << 16;

/** JSON in a line, with the way between it and what is written. */
export interface LinkedJson {
  /** Where it stands in the line; of a field that a raw `|` cut apart all its pieces. */
  readonly span: Span;
  /** The JSON without the field's escapes. Its places count from the start of the line. */
  readonly embedded: EmbeddedText;
  /** True where the line means the JSON as it stands: the field's own escapes are none. */
  readonly isWritten: boolean;
  /** The argument, counted from 0 after the command, that it is or begins with. */
  readonly field: number;
}

/**
 * The JSON that a cursor is in: an argument that is JSON by its type or its looks, or the data of `OK` and `STREAM` that
 * is or begins like it (reading of AICF-RPC 1.0, "Complex Arguments" and "Response Format").
 */
export function findLinkedJson(place: FieldPlace, tools: ToolTable, longest: number): LinkedJson | undefined {
  const { line, index, span, row } = place;
  const { text, tree } = line;
  if (tree.command === 'CALL') {
    for (const finding of readCall(text, tree, tools).json.values()) {
      if (finding.firstField <= index && index <= finding.lastField)
        return linkFinding(line, finding, longest);
    }
    return undefined;
  }
  if (row?.role === 'data') return linkData(line, longest);
  if (tree.command !== undefined || span.end - span.start > longest) return undefined;
  const raw = text.slice(span.start, span.end);
  return looksLikeJson(raw) ? link(raw, { span, isWritten: false, field: index }, sideOf(tree)) : undefined;
}

/** The JSON of an argument; undefined for one that is longer than `longest`. */
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

/** The data of `OK` or `STREAM` that is JSON or begins like it; undefined for text, and for what is longer. */
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
  const { span, isWritten } = place;
  const embedded = isWritten ? new EmbeddedText(raw, span.start) : embedField(raw, span.start, side);
  return { ...place, embedded };
}

/** Reads JSON of a line into its tree, whose places count in the JSON. */
export function readLinked({ embedded }: LinkedJson): JsonTree {
  return readJson(embedded.text);
}
