import {
  AICF_COMMANDS,
  AICF_ERROR_CODES,
  AICF_TYPES,
  findErrorCode,
  type AicfCommandName,
  type AicfCommandRow,
} from '../../../core/catalog/aicf.ts';
import { completeDirective } from '../../directive-help.ts';
import type { Completion, CompletionContext } from '../../support.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import { fieldSource } from '../ast.ts';
import { skipBlanks } from '../characters.ts';
import { findPlace, type CursorPlace } from '../cursor.ts';
import type { PlacedLine, AicfDocument } from '../parse.ts';
import { completeArgument, completeTool, listCalls } from './complete-calls.ts';
import { completeSection } from './complete-sections.ts';
import { completeJson } from './json-completion.ts';
import { directivesInUse, messageBefore, toolsInUse } from './in-use.ts';

/** Maximum length of a word that can become a command. */
const LONGEST_WORD = 40;

/** A cursor in a field. */
type FieldPlace = Extract<CursorPlace, { kind: 'field' }>;

/**
 * Completions at an offset: commands and whole calls at the start of a line, tools, arguments by type, names and words
 * in JSON, error codes, argument types and directives; in context files section names. None where any text is allowed.
 */
export function complete(
  doc: AicfDocument,
  offset: number,
  context: CompletionContext = {},
): readonly Completion[] {
  const { typed } = context;
  if (doc.dialect === 'context') return typed === ' ' ? [] : completeSection(doc, offset);
  const place = findPlace(doc, offset);
  const { line } = place;
  if (place.kind === 'container') {
    return completeDirective(line, offset, context, name => directivesInUse(doc, line.number, name));
  }
  // A typed blank triggers completion only after a directive.
  if (typed === ' ') return [];
  // A typed quotation mark triggers completion only in JSON.
  if (typed === '"') return (place.kind === 'field' && completeJson(doc, place)) || [];
  return place.kind === 'command' ? completeCommand(doc, place, place.span) : completeField(doc, place);
}

function completeCommand(doc: AicfDocument, place: CursorPlace, word: Span): readonly Completion[] {
  const { text, start } = place.line;
  const span =
    place.offset < word.start ? { start: place.offset, end: place.offset } : findWord(text, word.start);
  // Only a word that is alone or before a delimiter can become a command; a completion would break other text.
  const hasFields = text.charAt(span.end) === '|';
  if (place.offset > span.end || !(hasFields || skipBlanks(text, span.end) === text.length)) {
    return [];
  }
  const before = messageBefore(doc, place.line.number);
  const commands = AICF_COMMANDS.map(
    (row: AicfCommandRow & { readonly name: AicfCommandName }): Completion => ({
      label: row.name,
      kind: 'command',
      detail: row.syntax,
      topic: `command ${row.name}`,
      span: shiftSpan(span, start),
      newText: hasFields ? row.name : row.snippet,
      isSnippet: !hasFields,
      rank: rankCommand(row, before),
    }),
  );
  return hasFields ? commands : [...commands, ...listCalls(doc, place.line.number, shiftSpan(span, start))];
}

/**
 * Within a stream, stream lines come first; otherwise requests, then responses that fit the previous line,
 * then the rest.
 */
function rankCommand(
  row: AicfCommandRow & { readonly name: AicfCommandName },
  before: PlacedLine | undefined,
): number {
  const fits = before?.tree.command === undefined ? undefined : FOLLOWERS[before.tree.command];
  if (fits?.includes(row.name)) return before?.tree.command === 'STREAM' ? 0 : 2;
  return row.direction === 'request' ? 1 : 3;
}

/** The commands that fit on the line after a command. */
const FOLLOWERS: Readonly<Partial<Record<AicfCommandName, readonly AicfCommandName[]>>> = {
  CALL: ['OK', 'ERR', 'STREAM'],
  LIST: ['TOOLS', 'ERR'],
  INFO: ['TOOL', 'ERR'],
  STREAM: ['STREAM', 'END', 'ERR'],
};

/** The letters at an offset. */
function findWord(text: string, start: number): Span {
  const letters = /^[A-Za-z]*/.exec(text.slice(start, start + LONGEST_WORD))?.[0] ?? '';
  return { start, end: start + letters.length };
}

function completeField(doc: AicfDocument, place: FieldPlace): readonly Completion[] {
  const span = shiftSpan(place.span, place.line.start);
  switch (place.row?.role) {
    case 'tool':
      return completeTool(doc, place);
    case 'argument':
      return completeJson(doc, place) ?? completeArgument(doc, place);
    case 'name':
      return toolsInUse(doc, place.line.number).map((name, rank) =>
        plain(name, 'tool', 'called in this file', span, rank),
      );
    case 'code':
      return completeCode(place, span);
    case 'declaration':
      return completeType(place);
    case 'data':
      return place.line.tree.command === 'ERR'
        ? completeMessage(place, span)
        : (completeJson(doc, place) ?? []);
    default:
      return [];
  }
}

/** The error codes. If the line has no message field yet, the title of the code is added as the message. */
function completeCode({ line }: FieldPlace, span: Span): readonly Completion[] {
  const isAlone = line.tree.pipes.length === 1;
  return AICF_ERROR_CODES.map((row, rank) => ({
    ...plain(String(row.code), 'value', row.title, span, rank),
    topic: `code ${row.code}`,
    ...(isAlone ? { newText: `${row.code}|\${1:${row.title}}`, isSnippet: true } : {}),
  }));
}

/** The title of the error code as message, if the field is still empty. */
function completeMessage({ line, span }: FieldPlace, at: Span): readonly Completion[] {
  const row = findErrorCode(fieldSource(line.text, line.tree, 0));
  if (!row || span.start !== span.end) return [];
  return [{ ...plain(row.title, 'value', String(row.code), at, 0), topic: `code ${row.code}` }];
}

/** Argument types after the last `:` of an argument; an optional mark `?` after the type is preserved. */
function completeType({ line, span, offset }: FieldPlace): readonly Completion[] {
  const colon = line.text.lastIndexOf(':', offset - 1);
  if (colon < span.start) return [];
  const type = {
    start: colon + 1,
    end: Math.max(offset, span.end - (line.text.charAt(span.end - 1) === '?' ? 1 : 0)),
  };
  return AICF_TYPES.map((row, rank) => ({
    ...plain(row.name, 'type', 'argument type', shiftSpan(type, line.start), rank),
    topic: `type ${row.name}`,
    commit: '|?',
  }));
}

function plain(
  label: string,
  kind: Completion['kind'],
  detail: string,
  span: Span,
  rank: number,
): Completion {
  return { label, kind, detail, span, newText: label, isSnippet: false, rank };
}
