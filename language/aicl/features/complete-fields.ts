import {
  AICL_PROTOCOL,
  COMMON_FIELDS,
  HEADER_FIELDS,
  TYPE_TAGS,
  type FieldRow,
  type ValueKind,
} from '../../../core/catalog/aicl.ts';
import { kindTitle, listKinds } from '../../../core/catalog/describe.ts';
import type { Completion } from '../../support.ts';
import { escapeSnippet } from '../../../core/text/markup.ts';
import type { Span } from '../../../core/text/span.ts';
import { CONTENT_START, findPair, textOf, type AtomNode } from '../ast.ts';
import { kindsOf } from '../call-tools.ts';
import { COLON, skipBlanks } from '../characters.ts';
import type { Cursor } from '../cursor.ts';
import type { AiclDocument } from '../document.ts';
import { escapeText } from '../escapes.ts';
import { pairsOf } from '../summary.ts';
import { paramsSnippet, valueSnippet } from './call-snippet.ts';
import { findDeclared, findParams } from './declared-calls.ts';
import { paramsInUse } from './in-use.ts';
import { contentEndAt, fieldsOf, isTop, typeAt, type Gap } from './message-place.ts';
import { fieldTopic, findErrorCoded } from './topics.ts';

/** Maximum number of fields of a message that are searched for existing keys. */
const MAX_PAIRS = 2_000;

/** A key with the text to insert for it. */
interface KeyProposal {
  readonly key: string;
  readonly detail: string;
  readonly topic?: string;
  /** The value, as a snippet. */
  readonly value: string;
  readonly rank: number;
}

/** The position of a key, and how much of its pair to insert. */
interface KeyPlace {
  readonly span: Span;
  /** The key alone, the key with what follows it, or the whole pair. */
  readonly writes: 'key' | 'rest' | 'pair';
}

/**
 * Pairs for a gap in a dictionary: fields of the message, or arguments from the declaration and from other
 * calls of the tool.
 */
export function completeFields(doc: AiclDocument, gap: Gap): readonly Completion[] {
  const keys = isTop(gap.cursor, gap.container)
    ? listFields(doc, gap.cursor)
    : listParams(doc, gap.cursor, gap.container);
  return keys.map(key => toPair(gap, key));
}

/**
 * Completions for a key that is being typed: if a colon follows, only the key is replaced; otherwise the rest
 * of the pair is added.
 */
export function completeKey(doc: AiclDocument, cursor: Cursor, atom: AtomNode): readonly Completion[] {
  const base = cursor.unit.start;
  const container = cursor.path.at(-2);
  const keys = isTop(cursor, container)
    ? listFields(doc, cursor, atom)
    : listParams(doc, cursor, container, atom);
  const start = base + atom.start + CONTENT_START;
  const { at, isCut } = contentEndAt(doc, cursor, atom);
  if (isCut) {
    // The next line starts with a value, so a comma is added.
    const items = keys.map(key => toCompletion(key, { span: { start, end: at }, writes: 'rest' }));
    return items.map(item => ({ ...item, newText: `${item.newText},` }));
  }
  const hasColon = doc.text.charCodeAt(skipBlanks(doc.text, base + atom.end)) === COLON;
  const place: KeyPlace = hasColon
    ? { span: { start, end: at }, writes: 'key' }
    : { span: { start, end: base + atom.end }, writes: 'rest' };
  return keys.map(key => toCompletion(key, place));
}

function toCompletion(proposal: KeyProposal, place: KeyPlace): Completion {
  const { key, detail, topic, value, rank } = proposal;
  const rest = `${escapeSnippet(escapeText(key))}]:${value}`;
  return {
    label: key,
    kind: 'field',
    detail,
    ...(topic === undefined ? {} : { topic }),
    span: place.span,
    newText: place.writes === 'key' ? escapeText(key) : place.writes === 'rest' ? rest : `[s:${rest}`,
    isSnippet: place.writes !== 'key',
    rank,
  };
}

/** A whole pair with the missing commas around it. */
function toPair(gap: Gap, proposal: KeyProposal): Completion {
  return addCommas(gap, toCompletion(proposal, { span: gap.span, writes: 'pair' }));
}

/**
 * Adds missing commas to a completion: one before it directly after the previous value, one after it as part
 * of the new text.
 */
export function addCommas(gap: Gap, completion: Completion): Completion {
  const { commaAt, span, isBeforeValue } = gap;
  const isAdjacent = commaAt === span.start;
  const newText = `${isAdjacent ? ',' : ''}${completion.newText}${isBeforeValue ? ',' : ''}`;
  if (commaAt === undefined || isAdjacent) return { ...completion, newText };
  return { ...completion, newText, otherEdits: [{ span: { start: commaAt, end: commaAt }, newText: ',' }] };
}

/** Fields that the message lacks: required ones first, then those of its type, then those common to all messages. */
function listFields(doc: AiclDocument, cursor: Cursor, atom?: AtomNode): readonly KeyProposal[] {
  const present = listKeys(doc, cursor, atom);
  const type = typeAt(cursor);
  const own = new Set<FieldRow>(type?.fields ?? []);
  const header = new Set<FieldRow>(HEADER_FIELDS);
  const common = new Set<FieldRow>(COMMON_FIELDS);
  const isChosen = type?.oneOf?.some(key => present.has(key)) ?? false;
  const isChat = doc.settings['aicl.profile'] === 'chat';
  return fieldsOf(type)
    .map((row, index): KeyProposal | undefined => {
      if (present.has(row.key)) return undefined;
      const isOneOf = !isChosen && type?.oneOf?.includes(row.key) === true;
      const isRequired = row.required && !(isChat && header.has(row));
      const need = isRequired ? ', required' : isOneOf ? `, one of ${type.oneOf.join(', ')}` : '';
      return {
        key: row.key,
        detail: `${listKinds(row)}${need}`,
        topic: fieldTopic(row, own.has(row) ? type : undefined),
        value: fieldValue(doc, cursor, row),
        rank: (isRequired ? 0 : isOneOf ? 100 : common.has(row) ? 300 : 200) + index,
      };
    })
    .filter(proposal => proposal !== undefined);
}

/** The top-level keys of a message, except the one being typed. */
function listKeys(doc: AiclDocument, cursor: Cursor, atom: AtomNode | undefined): ReadonlySet<string> {
  const present = new Set<string>();
  const pairs = pairsOf(cursor.reading);
  for (let index = 0; index < Math.min(pairs.length, MAX_PAIRS); index++) {
    const key = pairs.at(index)?.key;
    // Nodes are created anew on each access, so keys are compared by position.
    if (key && key.start !== atom?.start) present.add(textOf(doc.text, cursor.unit.start, key));
  }
  return present;
}

/** A tab stop for the value, or the value itself if only one is possible. */
function fieldValue(doc: AiclDocument, cursor: Cursor, row: FieldRow): string {
  if (row.key === 'protocol') return `[s:${AICL_PROTOCOL}]`;
  const tool = row.key === 'params' ? findDeclared(doc, cursor)?.tool : undefined;
  if (tool) return paramsSnippet(tool, 1);
  const reason = row.key === 'reason' ? findReason(doc, cursor) : undefined;
  return reason === undefined ? emptyValue(row.types[0] ?? 'text') : `[s:${reason}]`;
}

/** The reason for the error code of a message; undefined if there is none. */
export function findReason(doc: AiclDocument, cursor: Cursor): string | undefined {
  const base = cursor.unit.start;
  const code = findPair(doc.text, base, pairsOf(cursor.reading), 'code')?.value;
  return code?.kind === 'int' ? findErrorCoded(textOf(doc.text, base, code))?.name : undefined;
}

function emptyValue(kind: ValueKind): string {
  return `[${TYPE_TAGS.find(row => row.name === kind)?.tag ?? 's'}:$1]`;
}

/**
 * The arguments of a tool, if the dictionary is the parameters of a call: declared ones, required first, then
 * those that other calls use.
 */
function listParams(
  doc: AiclDocument,
  cursor: Cursor,
  container: Gap['container'] | Cursor['path'][number],
  atom?: AtomNode,
): readonly KeyProposal[] {
  const base = cursor.unit.start;
  const { title } = cursor.unit.summary;
  const params = findParams(doc, cursor, container);
  if (!params) return [];
  const declared = listDeclared(doc, cursor);
  const isDeclared = new Set(declared.map(({ key }) => key));
  const inUse = [...paramsInUse(doc, base + cursor.offset, title)]
    .filter(([key]) => !isDeclared.has(key))
    .map(([key, kind], index) => ({
      key,
      detail: `${kindTitle(kind)}, as in other calls of ${title}`,
      value: emptyValue(kind),
      rank: declared.length * 2 + index,
    }));
  return [...declared, ...inUse].filter(({ key }) => {
    const given = findPair(doc.text, base, params.pairs, key);
    return !given || given.key.start === atom?.start;
  });
}

function listDeclared(doc: AiclDocument, cursor: Cursor): readonly KeyProposal[] {
  const { tool } = findDeclared(doc, cursor) ?? {};
  const declared = tool?.arguments ?? [];
  return declared.map((argument, index) => ({
    key: argument.name,
    detail: `${kindTitle(kindsOf(argument)[0] ?? 'text')}${argument.isOptional ? ', optional' : ''}`,
    value: valueSnippet(argument, 1),
    rank: index + (argument.isOptional ? declared.length : 0),
  }));
}
