import { findJsonCursor, followPath, type JsonCursor } from '../../json/json-cursor.ts';
import { closeOpen, readJson, readJsonString, type JsonKind } from '../../json/json-tree.ts';
import type { Completion } from '../../support.ts';
import { escapeSnippet } from '../../../core/text/snippet.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import { encodeField } from '../codec.ts';
import type { CursorPlace } from '../cursor.ts';
import { toolsAt } from '../file-tools.ts';
import { encodeJson } from '../json-field.ts';
import { findLinkedJson, LONGEST_AT_A_KEY, type LinkedJson } from '../linked-json.ts';
import type { AicfDocument } from '../parse.ts';
import { likeJson } from './json-samples.ts';

type FieldPlace = Extract<CursorPlace, { kind: 'field' }>;

const MOST_NAMES = 100;
const LONGEST_NAME = 200;
const WORDS = ['true', 'false', 'null'] as const;

/**
 * Proposals at a cursor in JSON: names that stand at the same place in the same tool's other calls or replies, the words
 * of JSON, and what closes all that is open. Undefined where the cursor is in no JSON.
 */
export function completeJson(doc: AicfDocument, place: FieldPlace): readonly Completion[] | undefined {
  const json = findLinkedJson(place, toolsAt(doc, place.line.number), LONGEST_AT_A_KEY);
  if (!json) return undefined;
  const { embedded } = json;
  const offset = embedded.toEmbedded(place.offset);
  const here = { start: offset, end: offset };
  // Nothing can be typed into an escape.
  if (embedded.toSource(here).start !== place.offset) return [];
  const cursor = findJsonCursor(embedded.text, offset);
  const toDocument = (span: Span): Span => shiftSpan(embedded.toSource(span), place.line.start);
  const closing = closeAll(embedded.text, offset, toDocument(here));
  return [...propose(doc, place, json, cursor, toDocument(cursor.span)), ...closing];
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
        proposeName(name, kind, json, cursor, { span, rank }),
      );
    case 'value':
      return cursor.isInString || !isEnd(cursor.next) ? [] : proposeWords(span);
    case 'nothing':
      return [];
  }
}

/** True before what may follow a value. */
function isEnd(next: JsonCursor['next']): boolean {
  return next === ',' || next === '}' || next === ']' || next === 'end';
}

/** Names that objects at the same place have and this one lacks, with the kinds of their values, the nearest first. */
function collectNames(
  doc: AicfDocument,
  place: FieldPlace,
  json: LinkedJson,
  { path, span: typed }: JsonCursor,
): ReadonlyMap<string, JsonKind> {
  const present = new Set<string>();
  const names = new Map<string, JsonKind>();
  for (const { text, tree, isOwn } of likeJson(doc, place.line, json)) {
    if (names.size === MOST_NAMES) break;
    for (const object of followPath(tree, text, path)) {
      const isHere = isOwn && object.start < typed.start && typed.end <= object.end;
      for (const { key, value } of object.members) {
        const name = key && readJsonString(text, key);
        if (!name || name.length > LONGEST_NAME) continue;
        if (!isHere) {
          // A name that is still being typed is none.
          if (value && names.size < MOST_NAMES && !names.has(name)) names.set(name, value.kind);
        } else if (typed.start === typed.end || key.start !== typed.start) present.add(name);
      }
    }
  }
  for (const name of present) names.delete(name);
  return names;
}

/** A name with its colon and a place for its value, unless those stand there already. */
function proposeName(
  name: string,
  kind: JsonKind,
  { isWritten }: LinkedJson,
  { next }: JsonCursor,
  { span, rank }: Pick<Completion, 'span' | 'rank'>,
): Completion {
  const source = JSON.stringify(name);
  const key = isWritten ? source : encodeJson(source);
  const hasValue = next === ':';
  const comma = isEnd(next) ? '' : ',';
  return {
    label: name,
    kind: 'field',
    detail: kind === 'word' ? 'JSON' : `JSON ${kind}`,
    span,
    newText: hasValue ? key : `${escapeSnippet(key)}:${stubOf(kind)}${comma}`,
    isSnippet: !hasValue,
    rank,
  };
}

function stubOf(kind: JsonKind): string {
  if (kind === 'string') return '"$1"';
  if (kind === 'object') return '{$1\\}';
  return kind === 'array' ? '[$1]' : '$1';
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

/** The brackets that make JSON whole which only lacks its end. */
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
      rank: MOST_NAMES,
    },
  ];
}
