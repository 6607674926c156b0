import { fieldSource, findFieldSpan } from '../../aicf/ast.ts';
import { findEscape } from '../../aicf/codec.ts';
import { isAmbiguousJson, looksLikeJson } from '../../aicf/json-field.ts';
import type { Fix } from '../../text/issue.ts';
import type { Span } from '../../text/span.ts';
import { quote } from '../../text/quote.ts';
import { buildFix, buildLineIssue, type AicfRule, type LineView } from './report.ts';

/** So many fields of a line are told one by one; a line with more has its further ones left out. */
const MOST_FIELDS = 20;
/** So many backslashes of a field are doubled by a fix, and of a field so long: a field may hold millions. */
const MOST_DOUBLED = 1_000;
const LONGEST_FIX = 1 << 20;

/**
 * Backslashes in fields: ones that escape nothing, and escapes that were meant as part of a path. One issue a field
 * (AICF-RPC 1.0, "Special Characters").
 */
export const checkEscapes: AicfRule = ({ report }) => ({
  visit(line) {
    const { text, tree } = line;
    if (tree.kind !== 'command' || !text.includes('\\')) return;
    let told = 0;
    for (let field = 0; field < tree.pipes.length && told < MOST_FIELDS; field++) {
      if (line.call && isJsonFault(line, field)) {
        field = line.call.json.get(field)?.lastField ?? field;
        continue;
      }
      const issue = checkField(line, field);
      if (!issue) continue;
      report(issue);
      told++;
    }
  },
});

/** True for a field whose JSON has a fault that is told by itself. */
function isJsonFault({ call }: LineView, field: number): boolean {
  const finding = call?.json.get(field);
  return finding !== undefined && finding.state !== 'whole';
}

function checkField(line: LineView, field: number): ReturnType<typeof buildLineIssue> | undefined {
  const span = findFieldSpan(line.tree, field);
  const raw = fieldSource(line.text, line.tree, field);
  if (!span || !raw.includes('\\')) return undefined;
  const { firstStray, firstControl } = findBackslashes(raw);
  if (firstControl !== -1 && isPath(raw)) {
    const at = placeIn(span, firstControl, 2);
    const shown = quote(raw.slice(firstControl, firstControl + 2));
    const message = `${shown} in a path is read as ${CONTROL_NAMES.get(raw.charAt(firstControl + 1)) ?? 'an escape'}; double the backslash`;
    return buildLineIssue('aicf/path-escape', line, at, message, doubleFix(line, span, doubleInPath(raw)));
  }
  if (firstStray === -1) return undefined;
  const at = placeIn(span, firstStray, 1);
  const doubled = doubleStray(raw);
  const fixes = doubleFix(line, span, doubled);
  if (line.call ? line.call.json.has(field) : looksLikeJson(raw)) {
    // A doubled `\uXXXX` is JSON before unescaping too, with another value: it is best as it stands.
    if (doubled !== undefined && isAmbiguousJson(doubled)) return undefined;
    const message =
      'The backslash is kept, so the JSON is read as written; double it for readers that drop it';
    return buildLineIssue('aicf/json-escape', line, at, message, fixes);
  }
  const next = raw.slice(firstStray, firstStray + 2);
  const message = `${quote(next)} is no escape, so the backslash is kept; double it`;
  return buildLineIssue('aicf/stray-escape', line, at, message, fixes);
}

const CONTROL_NAMES: ReadonlyMap<string, string> = new Map([
  ['n', 'a line feed'],
  ['t', 'a tab'],
  ['r', 'a carriage return'],
]);

function placeIn(field: Span, offset: number, length: number): Span {
  return { start: field.start + offset, end: field.start + offset + length };
}

function doubleFix(line: LineView, field: Span, newText: string | undefined): readonly Fix[] {
  return newText === undefined ? [] : [buildFix('Double the backslash', line, field, newText)];
}

function isPath(raw: string): boolean {
  return /^(?:[A-Za-z]:\\|\\\\)/.test(raw.slice(0, 3));
}

/** Where the first backslash is that escapes nothing, and the first escape of a control character; -1 for none. */
function findBackslashes(raw: string): { firstStray: number; firstControl: number } {
  let firstStray = -1;
  let firstControl = -1;
  for (let at = raw.indexOf('\\'); at !== -1 && (firstStray === -1 || firstControl === -1);) {
    const letter = raw.charAt(at + 1);
    const isEscape = findEscape(letter) !== undefined;
    if (!isEscape && firstStray === -1) firstStray = at;
    if (CONTROL_NAMES.has(letter) && firstControl === -1) firstControl = at;
    at = raw.indexOf('\\', at + (isEscape ? 2 : 1));
  }
  return { firstStray, firstControl };
}

/** The field with every backslash doubled that escapes nothing; undefined where that is too much. */
function doubleStray(raw: string): string | undefined {
  return doubleBackslashes(raw, letter => findEscape(letter) !== undefined);
}

/** The field as the path that was meant: only `\\` and `\|` were escapes, and a share begins with two backslashes. */
function doubleInPath(raw: string): string | undefined {
  const doubled = doubleBackslashes(raw, letter => letter === '\\' || letter === '|');
  return doubled !== undefined && /^\\\\(?!\\\\)/.test(doubled) ? `\\\\${doubled}` : doubled;
}

/** The field with every backslash doubled that does not stand before a letter of an escape. */
function doubleBackslashes(raw: string, isEscape: (letter: string) => boolean): string | undefined {
  if (raw.length > LONGEST_FIX) return undefined;
  const parts: string[] = [];
  let from = 0;
  for (let at = raw.indexOf('\\'); at !== -1;) {
    if (isEscape(raw.charAt(at + 1))) {
      at = raw.indexOf('\\', at + 2);
      continue;
    }
    if (parts.length === MOST_DOUBLED) return undefined;
    parts.push(raw.slice(from, at + 1));
    from = at + 1;
    at = raw.indexOf('\\', from);
  }
  return [...parts, raw.slice(from)].join('\\');
}
