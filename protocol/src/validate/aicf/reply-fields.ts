import { fieldSource, findFieldSpan } from '../../aicf/ast.ts';
import { findFieldEnd } from '../../aicf/characters.ts';
import { readToolDeclaration } from '../../aicf/tools.ts';
import { AICF_ERROR_CODES, AICF_TYPES, findArgumentType, findErrorCode } from '../../catalog/aicf.ts';
import type { Fix } from '../../text/issue.ts';
import { quote } from '../../text/quote.ts';
import { findSimilar } from '../../text/similar.ts';
import { emptyFieldSpan } from './command-fields.ts';
import { buildFix, buildLineIssue, buildSafeFix, type AicfRule, type LineView } from './report.ts';

const KNOWN_CODES = AICF_ERROR_CODES.map(row => row.code).join(', ');
const TYPE_NAMES = AICF_TYPES.map(row => row.name);
/** So many unknown types are told one by one; a line with more has its further ones left out. */
const MOST_TYPES = 20;
const LONGEST_FIX = 1 << 20;

/** The code of `ERR` is a number, and one of the document's. */
export const checkErrorCode: AicfRule = ({ report }) => ({
  visit(line) {
    const { text, tree } = line;
    if (tree.command !== 'ERR') return;
    const code = fieldSource(text, tree, 0);
    const span = code === '' ? emptyFieldSpan(line) : (findFieldSpan(tree, 0) ?? tree.word);
    if (code === '') {
      report(
        buildLineIssue(
          'aicf/error-code',
          line,
          span,
          `After 'ERR' the code is missing; write one of ${KNOWN_CODES}`,
        ),
      );
    } else if (!/^[+-]?\d{1,20}$/.test(code)) {
      const message = `${quote(code)} is not a number; write one of ${KNOWN_CODES}`;
      report(buildLineIssue('aicf/error-code', line, span, message));
    } else if (!findErrorCode(code)) {
      const message = `${quote(code)} is not an error code of AICF-RPC 1.0; the codes are ${KNOWN_CODES}`;
      report(buildLineIssue('aicf/unknown-code', line, span, message));
    }
  },
});

/** A raw `|` in data that takes the rest of its line, told once a line. */
export const checkRawPipe: AicfRule = ({ report }) => ({
  visit(line) {
    const { text } = line;
    const start = dataStart(line);
    if (start === undefined) return;
    const first = findFieldEnd(text, start);
    if (first === text.length) return;
    const span = { start: first, end: first + 1 };
    const message =
      "A raw '|' in data is read as text here, but cuts the data for readers that split first; write '\\|'";
    report(buildLineIssue('aicf/raw-pipe', line, span, message, escapePipes(line, first)));
  },
});

/** Escapes the raw pipes of a line from one on; no fix where that would be a text of megabytes. */
function escapePipes(line: LineView, first: number): readonly Fix[] {
  const { text } = line;
  if (text.length - first > LONGEST_FIX) return [];
  const parts: string[] = [];
  for (let at = first; at < text.length;) {
    const next = findFieldEnd(text, at + 1);
    parts.push('\\', text.slice(at, next));
    at = next;
  }
  return [buildSafeFix("Write '\\|'", line, { start: first, end: text.length }, parts.join(''))];
}

/** Where the data begins that takes the rest of the line; undefined on lines without. */
function dataStart({ tree }: LineView): number | undefined {
  const index = tree.command === 'OK' || tree.command === 'STREAM' ? 0 : tree.command === 'ERR' ? 1 : -1;
  const pipe = tree.pipes[index];
  return pipe === undefined ? undefined : pipe + 1;
}

/** Types in `TOOL` lines are the document's. */
export const checkArgumentTypes: AicfRule = ({ report }) => ({
  visit(line) {
    const { text, tree } = line;
    if (tree.command !== 'TOOL') return;
    let told = 0;
    for (const { typeSpan } of readToolDeclaration(text, tree).arguments) {
      if (!typeSpan || typeSpan.end <= typeSpan.start) continue;
      const type = text.slice(typeSpan.start, typeSpan.end);
      if (findArgumentType(type)) continue;
      if (told++ === MOST_TYPES) return;
      const similar = findSimilar(type, TYPE_NAMES);
      const advice = similar ? `did you mean ${quote(similar)}?` : `the types are ${TYPE_NAMES.join(', ')}`;
      const fixes = similar ? [buildFix(`Write ${similar}`, line, typeSpan, similar)] : [];
      report(
        buildLineIssue(
          'aicf/unknown-type',
          line,
          typeSpan,
          `${quote(type)} is not an argument type; ${advice}`,
          fixes,
        ),
      );
    }
  },
});
