import { fieldSource, findFieldSpan, sideOf } from '../../aicf/ast.ts';
import { findEscape } from '../../aicf/codec.ts';
import { isAmbiguousJson, isJsonData, looksLikeJson } from '../../aicf/json-field.ts';
import type { AicfSide } from '../../../core/catalog/aicf.ts';
import type { Fix } from '../../../core/text/issue.ts';
import type { Span } from '../../../core/text/span.ts';
import { quote } from '../../../core/text/quote.ts';
import { draftUnescapedData } from './json.ts';
import {
  buildInsertions,
  draftLineIssue,
  type AicfRule,
  type IssueDraft,
  type IssueWords,
  type LineView,
} from './report.ts';

/** Maximum number of fields reported per line. */
const MAX_FIELDS = 20;
/** Limits of fixes that double backslashes: their number, and the length of the field, which may hold millions. */
const MAX_DOUBLED = 1_000;
const LONGEST_FIX = 1 << 20;

/**
 * Reports backslashes in fields that do not form an escape, and escapes that were meant as part of a path.
 * One issue per field (AICF-RPC 1.0, "Special Characters").
 */
export const checkEscapes: AicfRule = ({ report }) => ({
  visit(line) {
    const { text, tree } = line;
    if (tree.kind !== 'command' || !text.includes('\\')) return;
    const unescaped = draftUnescapedData(line);
    if (unescaped) {
      report(unescaped);
      return;
    }
    let reported = 0;
    for (let field = 0; field < tree.pipes.length && reported < MAX_FIELDS; field++) {
      if (line.call && isJsonFault(line, field)) {
        field = line.call.json.get(field)?.lastField ?? field;
        continue;
      }
      const draft = checkField(line, field);
      if (!draft) continue;
      report(draft);
      reported++;
    }
  },
});

/** True for a field whose JSON fault is reported by another rule. */
function isJsonFault({ call }: LineView, field: number): boolean {
  const finding = call?.json.get(field);
  return finding !== undefined && finding.state !== 'whole';
}

function checkField(line: LineView, field: number): IssueDraft | undefined {
  const span = findFieldSpan(line.tree, field);
  const raw = fieldSource(line.text, line.tree, field);
  if (!span || !raw.includes('\\')) return undefined;
  const side = sideOf(line.tree);
  const { firstStray, firstControl } = findBackslashes(raw, side);
  const isEscaped = (letter: string): boolean => findEscape(letter, side) !== undefined;
  if (firstControl !== -1 && isPath(raw)) {
    const at = placeIn(span, firstControl, 2);
    return draftLineIssue('aicf/path-escape', line, at, () => describePath(line, span, raw, firstControl));
  }
  if (firstStray === -1) return undefined;
  const at = placeIn(span, firstStray, 1);
  if (isJsonField(line, field, raw)) {
    // Doubling the backslash of a `\uXXXX` would make the JSON ambiguous, so it should stay.
    if (isBestSingle(raw, side)) return undefined;
    return draftLineIssue('aicf/json-escape', line, at, () => ({
      message: 'The backslash stays, so the JSON is read as written; double it for readers that drop it',
      fixes: doubleFix(line, span, findBare(raw, isEscaped), { safe: false }),
    }));
  }
  return draftLineIssue('aicf/stray-escape', line, at, () => ({
    message: `${quote(raw.slice(firstStray, firstStray + 2))} is not an escape, so the backslash stays; double it`,
    fixes: doubleFix(line, span, findBare(raw, isEscaped), { safe: true }),
  }));
}

/** True for an argument that is JSON, and for data that is or starts like JSON. */
function isJsonField({ call, tree }: LineView, field: number, raw: string): boolean {
  if (call) return call.json.has(field);
  return looksLikeJson(raw) || (tree.command === 'OK' && isJsonData(raw));
}

/** True for JSON that would become ambiguous if its backslashes were doubled. */
function isBestSingle(raw: string, side: AicfSide): boolean {
  // Before unescaping, a doubled `\"` ends a string. Only if that could give valid JSON must it be parsed.
  if (/(?<!\\)\\"(?![\s,:}\]])/.test(raw)) return false;
  const places = findBare(raw, letter => findEscape(letter, side) !== undefined);
  return places !== undefined && isAmbiguousJson(doubleAt(raw, places), side);
}

function describePath(line: LineView, span: Span, raw: string, firstControl: number): IssueWords {
  const shown = quote(raw.slice(firstControl, firstControl + 2));
  const meaning = CONTROL_NAMES.get(raw.charAt(firstControl + 1)) ?? 'an escape';
  return {
    message: `${shown} in a path is read as ${meaning}; double the backslash`,
    fixes: mendPath(line, span, raw),
  };
}

const CONTROL_NAMES: ReadonlyMap<string, string> = new Map([
  ['n', 'a line feed'],
  ['t', 'a tab'],
]);

function placeIn(field: Span, offset: number, length: number): Span {
  return { start: field.start + offset, end: field.start + offset + length };
}

function doubleFix(
  line: LineView,
  field: Span,
  places: readonly number[] | undefined,
  options: Pick<Fix, 'safe'>,
): readonly Fix[] {
  if (!places) return [];
  const inLine = places.map(place => field.start + place);
  return [buildInsertions('Double the backslash', line, inLine, { newText: '\\', ...options })];
}

/** A fix for a path: only `\\` and `\|` remain escapes, and a network share starts with two backslashes. */
function mendPath(line: LineView, field: Span, raw: string): readonly Fix[] {
  const places = findBare(raw, letter => letter === '\\' || letter === '|');
  if (!places) return [];
  // The first two backslashes are decoded to one, so a share needs another pair before them.
  const isShare = /^\\\\(?!\\)/.test(raw.slice(0, 3));
  return doubleFix(line, field, isShare ? [0, 0, ...places] : places, { safe: false });
}

function isPath(raw: string): boolean {
  return /^(?:[A-Za-z]:\\|\\\\)/.test(raw.slice(0, 3));
}

/** The offset of the first literal backslash and of the first escape of a control character; -1 if there is none. */
function findBackslashes(raw: string, side: AicfSide): { firstStray: number; firstControl: number } {
  let firstStray = -1;
  let firstControl = -1;
  for (let at = raw.indexOf('\\'); at !== -1 && (firstStray === -1 || firstControl === -1);) {
    const letter = raw.charAt(at + 1);
    const isEscape = findEscape(letter, side) !== undefined;
    if (!isEscape && firstStray === -1) firstStray = at;
    if (isEscape && CONTROL_NAMES.has(letter) && firstControl === -1) firstControl = at;
    at = raw.indexOf('\\', at + (isEscape ? 2 : 1));
  }
  return { firstStray, firstControl };
}

/** The offsets of backslashes that do not start an escape; undefined if there are too many. */
function findBare(raw: string, isEscape: (letter: string) => boolean): readonly number[] | undefined {
  if (raw.length > LONGEST_FIX) return undefined;
  const places: number[] = [];
  for (let at = raw.indexOf('\\'); at !== -1;) {
    if (isEscape(raw.charAt(at + 1))) {
      at = raw.indexOf('\\', at + 2);
      continue;
    }
    if (places.length === MAX_DOUBLED) return undefined;
    places.push(at);
    at = raw.indexOf('\\', at + 1);
  }
  return places;
}

function doubleAt(raw: string, places: readonly number[]): string {
  const parts = places.map((place, index) => raw.slice(places[index - 1] ?? 0, place));
  return [...parts, raw.slice(places.at(-1) ?? 0)].join('\\');
}
