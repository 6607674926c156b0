import { TYPE_TAGS } from '../../../core/catalog/aicl.ts';
import {
  describeAiclError,
  describeField,
  describeMessageType,
  describeTag,
  kindTitle,
} from '../../../core/catalog/describe.ts';
import { describeArgument, describeListed, describeTool as describeDeclaration } from '../../tools.ts';
import { hoverDirective } from '../../directive-help.ts';
import type { Hover } from '../../support.ts';
import { countOf, showCount } from '../../../core/text/count.ts';
import { escapeMarkdown } from '../../../core/text/markup.ts';
import { shiftSpan } from '../../../core/text/span.ts';
import { CONTENT_START, atomSource, contentSpan, textOf, type AiclNode, type AtomNode } from '../ast.ts';
import { findCursor, type Cursor } from '../cursor.ts';
import type { AiclDocument } from '../document.ts';
import { findUnit } from '../parse.ts';
import { parseStreamId, type MessageSummary } from '../unit.ts';
import { shorten } from '../summary.ts';
import { findArgument, findDeclared } from './declared-calls.ts';
import { paramsInUse } from './in-use.ts';
import { fieldKeyAt, typeAt } from './message-place.ts';
import { hoverTensor } from './tensor-hover.ts';
import { findErrorCoded, findErrorNamed, findField, findMessageType } from './topics.ts';
import { floatFacts, intFacts, textFacts } from './value-facts.ts';

/**
 * Hover text at an offset: for fields, message types, error codes, type letters and directives their documentation; for
 * sessions, tools and streams their use in the file; for values the properties that are not visible in the text.
 */
export function hover(doc: AiclDocument, offset: number): Hover | undefined {
  const unit = findUnit(doc, offset);
  if (unit?.kind === 'container') {
    return hoverDirective({ start: unit.start, text: doc.text.slice(unit.start, unit.end) }, offset);
  }
  const cursor = findCursor(doc, offset);
  if (!cursor) return undefined;
  const found = hoverTag(cursor) ?? (cursor.atom && hoverAtom(doc, cursor, cursor.atom));
  return found && { ...found, span: shiftSpan(found.span, cursor.unit.start) };
}

/** Hover on a bracket with its type letter and colon. */
function hoverTag(cursor: Cursor): Hover | undefined {
  const node = cursor.path.at(-1);
  if (!node || cursor.offset >= node.start + CONTENT_START || cursor.offset < node.start) return undefined;
  const row = TYPE_TAGS.find(candidate => candidate.name === node.kind);
  if (!row) return undefined;
  const markdown = [describeTag(row), describeLength(node)].filter(part => part !== undefined).join('\n\n');
  return { span: { start: node.start, end: node.start + CONTENT_START }, markdown };
}

function describeLength(node: AiclNode): string | undefined {
  if (node.kind === 'list') return `This one holds ${countOf(node.items.length, 'value')}.`;
  return node.kind === 'dict' ? `This one holds ${countOf(node.pairs.length, 'pair')}.` : undefined;
}

function hoverAtom(doc: AiclDocument, cursor: Cursor, atom: AtomNode): Hover | undefined {
  const key = fieldKeyAt(doc, cursor);
  if (cursor.pair?.key === atom) {
    const field = key === undefined ? undefined : findField(typeAt(cursor), key);
    const argument = field ? undefined : findArgument(doc, cursor);
    if (argument) return { span: atom, markdown: describeArgument(argument) };
    if (field) return { span: atom, markdown: describeField(field.row, field.owner) };
    return holdsEscapes(doc, cursor, atom)
      ? { span: atom, markdown: valueFacts(doc, cursor, atom) ?? '' }
      : undefined;
  }
  if (atom.kind === 'tensor') {
    const base = cursor.unit.start;
    const facts = hoverTensor(doc.text, shiftSpan(contentSpan(atom), base), base + cursor.offset);
    if (!facts) return undefined;
    // After the closing bracket the cursor is on the tensor as a whole.
    return { ...facts, span: cursor.offset > atom.contentEnd ? atom : shiftSpan(facts.span, -base) };
  }
  const name =
    cursor.pair?.value !== atom
      ? undefined
      : key === undefined
        ? hoverArgument(doc, cursor)
        : hoverName(doc, cursor, atom, key);
  const facts = valueFacts(doc, cursor, atom);
  const isNamed = name !== undefined && atom.kind === 'text' && key !== undefined;
  const parts = [name, isNamed && !holdsEscapes(doc, cursor, atom) ? undefined : facts];
  const markdown = parts.filter(part => part !== undefined).join('\n\n');
  return markdown === '' ? undefined : { span: atom, markdown };
}

/** True for a text with escapes. */
function holdsEscapes(doc: AiclDocument, { unit }: Cursor, atom: AtomNode): boolean {
  if (atom.kind !== 'text') return false;
  return atomSource(doc.text, unit.start, atom) !== textOf(doc.text, unit.start, atom);
}

function valueFacts(doc: AiclDocument, cursor: Cursor, atom: AtomNode): string | undefined {
  const base = cursor.unit.start;
  const source = atomSource(doc.text, base, atom);
  if (atom.kind === 'text') return textFacts(source, textOf(doc.text, base, atom));
  if (atom.kind === 'int') return intFacts(source);
  if (atom.kind === 'float') return floatFacts(source);
  const row = TYPE_TAGS.find(candidate => candidate.name === atom.kind);
  return row && describeTag(row);
}

function hoverArgument(doc: AiclDocument, cursor: Cursor): string | undefined {
  const argument = findArgument(doc, cursor);
  return argument && describeArgument(argument);
}

/** Describes what the value of a message field refers to; undefined if it refers to nothing known. */
function hoverName(doc: AiclDocument, cursor: Cursor, atom: AtomNode, key: string): string | undefined {
  const value = textOf(doc.text, cursor.unit.start, atom);
  if (atom.kind === 'int') {
    const row = typeAt(cursor)?.name === 'error' && key === 'code' ? findErrorCoded(value) : undefined;
    return row && describeAiclError(row, Number(value));
  }
  if (atom.kind !== 'text') return undefined;
  const type = typeAt(cursor)?.name;
  if (key === 'msg_type') {
    const row = findMessageType(value);
    return row && describeMessageType(row);
  }
  if (key === 'reason' && type === 'error') {
    const row = findErrorNamed(value);
    return row && describeAiclError(row);
  }
  if (key === 'session_id') return describeSession(doc, value);
  if (key === 'tool' && type === 'tool_call') return describeTool(doc, cursor, value);
  return key === 'stream_id' ? describeChunk(doc, cursor, value) : undefined;
}

/** Maximum number of units counted; for larger files the text says `more than`. */
const MAX_UNITS = 200_000;

/** Counts messages, in total and by the word that `wordOf` returns; messages without a word are skipped. */
function countMessages(
  doc: AiclDocument,
  wordOf: (summary: MessageSummary) => string | undefined,
): { readonly more: string; readonly total: number; readonly words: ReadonlyMap<string, number> } {
  const count = Math.min(doc.units.count, MAX_UNITS);
  const words = new Map<string, number>();
  let total = 0;
  for (let index = 0; index < count; index++) {
    const summary = doc.units.contentAt(index)?.summary;
    const word = summary && wordOf(summary);
    if (word === undefined) continue;
    total++;
    words.set(word, (words.get(word) ?? 0) + 1);
  }
  doc.work.count += count;
  return { more: count < doc.units.count ? 'more than ' : '', total, words };
}

function describeSession(doc: AiclDocument, session: string): string | undefined {
  if (session === '') return undefined;
  const { more, total, words } = countMessages(doc, summary =>
    summary.session === session ? (findMessageType(summary.messageType)?.name ?? 'other') : undefined,
  );
  const parts = [...words].map(([type, number]) => `${showCount(number)} \`${type}\``).join(', ');
  return `**${escapeMarkdown(session)}** (session)\n\nIn this file ${more}${countOf(total, 'message')}: ${parts}.`;
}

function describeTool(doc: AiclDocument, cursor: Cursor, tool: string): string {
  const { more, total } = countMessages(doc, ({ messageType, title }) =>
    messageType === 'tool_call' && title === shorten(tool) ? '' : undefined,
  );
  const called = `Called ${more}${countOf(total, 'time')} in this file.`;
  const known = findDeclared(doc, cursor);
  if (known?.tool) return `${describeDeclaration(known.tool, known.table)}\n\n${called}`;
  if (known) return `${describeListed(tool, known.table, 'Its agent')}\n\n${called}`;
  const head = `**${escapeMarkdown(tool)}** (tool)\n\n${called}`;
  // Without declarations, the arguments in other calls are the only information.
  const params = [...paramsInUse(doc, cursor.unit.start + cursor.offset, tool)];
  if (params.length === 0) return head;
  const shown = params.map(([key, kind]) => `- ${escapeMarkdown(key)}: ${kindTitle(kind)}`);
  return `${head} Other calls near this one give:\n\n${shown.join('\n')}`;
}

function describeChunk(doc: AiclDocument, cursor: Cursor, id: string): string | undefined {
  const chunk = parseStreamId(id);
  if (!chunk) return undefined;
  const { session } = cursor.unit.summary;
  const { more, total } = countMessages(doc, summary =>
    summary.session === session && summary.chunk?.stream === chunk.stream ? '' : undefined,
  );
  const there = `In this file ${more}${countOf(total, 'chunk')} of it.`;
  return `**${escapeMarkdown(chunk.stream)}** (stream)\n\nChunk ${chunk.k} of ${chunk.n}. ${there}`;
}
