import { AICF_COMMANDS, AICF_ERROR_CODES, AICF_TYPES, type AicfCommandRow } from '../../catalog/aicf.ts';
import { describeArgumentType, describeCommand, describeErrorCode } from '../../catalog/aicf-describe.ts';
import { DIRECTIVES } from '../../catalog/directives.ts';
import type { Completion } from '../../language/support.ts';
import { shiftSpan, type Span } from '../../text/span.ts';
import { skipBlanks } from '../characters.ts';
import { encodeField } from '../codec.ts';
import { findPlace, type CursorPlace } from '../cursor.ts';
import type { AicfDocument } from '../parse.ts';
import { collectTools, showSignature } from '../tools.ts';
import { describeTool } from './hover.ts';

/** No word that becomes a command is longer. */
const LONGEST_WORD = 40;

/**
 * Proposals at an offset: commands at the start of a line, tools that the file names, codes, argument types and
 * directives. None in context files, whose sections are their writers' own.
 */
export function complete(doc: AicfDocument, offset: number): readonly Completion[] {
  if (doc.dialect === 'context') return [];
  const place = findPlace(doc, offset);
  switch (place.kind) {
    case 'container':
      return completeDirective(place);
    case 'command':
      return completeCommand(place, place.span);
    case 'field':
      return completeField(doc, place);
  }
}

function completeCommand(place: CursorPlace, word: Span): readonly Completion[] {
  const { text, start } = place.line;
  const span =
    place.offset < word.start ? { start: place.offset, end: place.offset } : findWord(text, word.start);
  // Only a word that is alone or before a delimiter can become a command: a proposal would break other text.
  const hasFields = text.charAt(span.end) === '|';
  if (place.offset > span.end || !(hasFields || skipBlanks(text, span.end) === text.length)) {
    return [];
  }
  return AICF_COMMANDS.map((row: AicfCommandRow) => ({
    label: row.name,
    kind: 'command',
    detail: row.syntax,
    documentation: describeCommand(row),
    span: shiftSpan(span, start),
    newText: hasFields ? row.name : row.snippet,
    isSnippet: !hasFields,
    rank: row.direction === 'request' ? 0 : 1,
  }));
}

/** The letters at an offset. */
function findWord(text: string, start: number): Span {
  const letters = /^[A-Za-z]*/.exec(text.slice(start, start + LONGEST_WORD))?.[0] ?? '';
  return { start, end: start + letters.length };
}

function completeField(
  doc: AicfDocument,
  place: Extract<CursorPlace, { kind: 'field' }>,
): readonly Completion[] {
  switch (place.row?.role) {
    case 'tool':
      return completeTool(doc, shiftSpan(place.span, place.line.start));
    case 'code':
      return AICF_ERROR_CODES.map(row => ({
        label: String(row.code),
        kind: 'value',
        detail: row.title,
        documentation: describeErrorCode(row),
        span: shiftSpan(place.span, place.line.start),
        newText: String(row.code),
        isSnippet: false,
        rank: 0,
      }));
    case 'declaration':
      return completeType(place);
    default:
      return [];
  }
}

function completeTool(doc: AicfDocument, span: Span): readonly Completion[] {
  return [...collectTools(doc).tools].map(([name, tool]) => ({
    label: name,
    kind: 'tool',
    detail: tool ? showSignature(tool).slice(name.length + 1) : '',
    ...(tool ? { documentation: describeTool(tool) } : {}),
    span,
    newText: encodeField(name),
    isSnippet: false,
    rank: 0,
  }));
}

/** Types after the last `:` of an argument; the `?` after the type stays. */
function completeType({
  line,
  span,
  offset,
}: Extract<CursorPlace, { kind: 'field' }>): readonly Completion[] {
  const colon = line.text.lastIndexOf(':', offset - 1);
  if (colon < span.start) return [];
  const type = {
    start: colon + 1,
    end: Math.max(offset, span.end - (line.text.charAt(span.end - 1) === '?' ? 1 : 0)),
  };
  return AICF_TYPES.map(row => ({
    label: row.name,
    kind: 'type',
    detail: 'argument type',
    documentation: describeArgumentType(row),
    span: shiftSpan(type, line.start),
    newText: row.name,
    isSnippet: false,
    rank: 0,
  }));
}

function completeDirective({ line, offset }: CursorPlace): readonly Completion[] {
  const before = /^\s*#\s*(@[a-z]*)$/.exec(line.text.slice(0, Math.min(offset, 200)));
  const typed = before?.[1];
  if (typed === undefined) return [];
  const rest = /^[a-z]*/.exec(line.text.slice(offset, offset + 100))?.[0] ?? '';
  return DIRECTIVES.map(row => ({
    label: `@${row.name}`,
    kind: 'field',
    detail: row.value,
    documentation: row.summary,
    span: shiftSpan({ start: offset - typed.length, end: offset + rest.length }, line.start),
    newText: `@${row.name} `,
    isSnippet: false,
    rank: 0,
  }));
}
