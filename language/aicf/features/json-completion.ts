import { findJsonCursor, followPath, type JsonCursor } from '../../json/json-cursor.ts';
import { closeOpen, readJson, readJsonString, type JsonKind } from '../../json/json-tree.ts';
import type { SchemaProposal, SnippetPart } from '../../json/argument-schema.ts';
import type { Completion } from '../../support.ts';
import { escapeSnippet, snippetStop } from '../../../core/text/markup.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import { encodeField } from '../codec.ts';
import type { CursorPlace } from '../cursor.ts';
import { toolsAt } from '../file-tools.ts';
import { encodeJson, encodeJsonEscapes } from '../json-field.ts';
import { findLinkedJson, findSchema, LONGEST_AT_A_KEY, type LinkedJson } from '../linked-json.ts';
import type { AicfDocument } from '../parse.ts';
import { likeJson } from './json-samples.ts';

type FieldPlace = Extract<CursorPlace, { kind: 'field' }>;

const MAX_NAMES = 100;
const LONGEST_NAME = 200;
const WORDS = ['true', 'false', 'null'] as const;

/**
 * Completions at a cursor in JSON: names and values of the argument's schema, or else names found at the same
 * path in other calls or replies of the tool and the words of JSON; and the missing closing brackets. Undefined
 * if the cursor is not in JSON.
 */
export function completeJson(doc: AicfDocument, place: FieldPlace): readonly Completion[] | undefined {
  const tools = toolsAt(doc, place.line.number);
  const json = findLinkedJson(place, tools, LONGEST_AT_A_KEY);
  if (!json) return undefined;
  const { embedded } = json;
  const offset = embedded.toEmbedded(place.offset);
  const here = { start: offset, end: offset };
  // No completions inside an escape.
  if (embedded.toSource(here).start !== place.offset) return [];
  const cursor = findJsonCursor(embedded.text, offset);
  const toDocument = (span: Span): Span => shiftSpan(embedded.toSource(span), place.line.start);
  const closing = closeAll(embedded.text, offset, toDocument(here));
  const span = toDocument(cursor.span);
  const known =
    cursor.expects === 'nothing'
      ? undefined
      : findSchema(place.line, json, tools)?.complete(embedded.text, offset);
  const proposed =
    (cursor.expects === 'key' ? known?.names : known?.values)?.map((proposal, rank) =>
      proposeKnown(proposal, json, cursor, { span, rank }),
    ) ?? [];
  return [...(proposed.length > 0 ? proposed : propose(doc, place, json, cursor, span)), ...closing];
}

/** A name or value of a schema. */
function proposeKnown(
  proposal: SchemaProposal,
  json: LinkedJson,
  cursor: JsonCursor,
  place: Pick<Completion, 'span' | 'rank'>,
): Completion {
  const { label, detail, value } = proposal;
  const about = detail === '' ? 'JSON' : detail;
  if (cursor.expects === 'key') return proposeName(label, about, value, json, cursor, place);
  const parts = [...value, isEnd(cursor.next) ? '' : ','];
  return { label, kind: 'value', detail: about, ...place, ...write(parts, json) };
}

function propose(
  doc: AicfDocument,
  place: FieldPlace,
  json: LinkedJson,
  cursor: JsonCursor,
  span: Span,
): readonly Completion[] {
  switch (cursor.expects) {
    case 'key':
      return [...collectNames(doc, place, json, cursor)].map(([name, kind], rank) =>
        proposeName(name, kind === 'word' ? 'JSON' : `JSON ${kind}`, stubOf(kind), json, cursor, {
          span,
          rank,
        }),
      );
    case 'value':
      return cursor.isInString || !isEnd(cursor.next) ? [] : proposeWords(span);
    case 'nothing':
      return [];
  }
}

/** True if the next character may follow a value. */
function isEnd(next: JsonCursor['next']): boolean {
  return next === ',' || next === '}' || next === ']' || next === 'end';
}

/** Names at the same path in similar objects that this object lacks, with the kind of their values, nearest first. */
function collectNames(
  doc: AicfDocument,
  place: FieldPlace,
  json: LinkedJson,
  { path, span: typed }: JsonCursor,
): ReadonlyMap<string, JsonKind> {
  const present = new Set<string>();
  const names = new Map<string, JsonKind>();
  for (const { text, tree, isOwn } of likeJson(doc, place.line, json)) {
    if (names.size === MAX_NAMES) break;
    for (const object of followPath(tree, text, path)) {
      const isHere = isOwn && object.start < typed.start && typed.end <= object.end;
      for (const { key, value } of object.members) {
        const name = key && readJsonString(text, key);
        if (!name || name.length > LONGEST_NAME) continue;
        if (!isHere) {
          // A key without a value may be still being typed, so it is skipped.
          if (value && names.size < MAX_NAMES && !names.has(name)) names.set(name, value.kind);
        } else if (typed.start === typed.end || key.start !== typed.start) present.add(name);
      }
    }
  }
  for (const name of present) names.delete(name);
  return names;
}

/** A name with a colon and a stub for the value, unless a colon follows already. */
function proposeName(
  name: string,
  detail: string,
  value: readonly SnippetPart[],
  json: LinkedJson,
  { next }: JsonCursor,
  place: Pick<Completion, 'span' | 'rank'>,
): Completion {
  const source = JSON.stringify(name);
  const key = json.isWritten ? source : encodeJson(source);
  const parts = next === ':' ? [] : [':', ...value, isEnd(next) ? '' : ','];
  return { label: name, kind: 'field', detail, ...place, ...write(parts, json, key) };
}

/** Writes JSON into the field, after text that is already encoded. */
function write(
  parts: readonly SnippetPart[],
  { isWritten }: LinkedJson,
  before = '',
): Pick<Completion, 'newText' | 'isSnippet'> {
  const encode = (text: string): string => (isWritten ? text : encodeJsonEscapes(text));
  const isSnippet = parts.some(part => typeof part !== 'string');
  const escape = (text: string): string => (isSnippet ? escapeSnippet(text) : text);
  const written = parts.map(part =>
    typeof part === 'string' ? escape(encode(part)) : snippetStop(1, encode(part.stop)),
  );
  return { newText: escape(before) + written.join(''), isSnippet };
}

const STOP: SnippetPart = { stop: '' };

function stubOf(kind: JsonKind): readonly SnippetPart[] {
  if (kind === 'string') return ['"', STOP, '"'];
  if (kind === 'object') return ['{', STOP, '}'];
  return kind === 'array' ? ['[', STOP, ']'] : [STOP];
}

function proposeWords(span: Span): readonly Completion[] {
  return WORDS.map((word, rank) => ({
    label: word,
    kind: 'value',
    detail: 'JSON',
    span,
    newText: word,
    isSnippet: false,
    rank,
  }));
}

/** The closing brackets, if they alone make the JSON complete. */
function closeAll(text: string, offset: number, span: Span): readonly Completion[] {
  if (text.slice(offset).trim() !== '') return [];
  const tree = readJson(text);
  const closers = closeOpen(tree);
  if (closers === '' || tree.openTooDeep > 0 || readJson(text + closers).fault) return [];
  return [
    {
      label: closers,
      kind: 'value',
      detail: 'close the JSON',
      span,
      newText: encodeField(closers),
      isSnippet: false,
      rank: MAX_NAMES,
    },
  ];
}
