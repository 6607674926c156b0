import { fieldSource, findFieldSpan } from '../../aicf/ast.ts';
import { findFieldEnd } from '../../aicf/characters.ts';
import { isUnescapedJson } from '../../aicf/json-field.ts';
import { readToolDeclaration } from '../../aicf/tools.ts';
import {
  AICF_ERROR_CODES,
  AICF_TYPES,
  findArgumentType,
  findErrorCode,
  findTypeByAlias,
} from '../../../core/catalog/aicf.ts';
import type { Fix } from '../../../core/text/issue.ts';
import type { Span } from '../../../core/text/span.ts';
import { quote } from '../../../core/text/quote.ts';
import { findSimilar } from '../../../core/text/similar.ts';
import { emptyFieldSpan } from './command-fields.ts';
import {
  buildFix,
  buildInsertions,
  draftLineIssue,
  type AicfRule,
  type IssueWords,
  type LineView,
} from './report.ts';

const KNOWN_CODES = AICF_ERROR_CODES.map(row => row.code).join(', ');
const TYPE_NAMES = AICF_TYPES.map(row => row.name);
/** So many unknown types are told one by one; a line with more has its further ones left out. */
const MOST_TYPES = 20;
/** So many pipes of a line are escaped by a fix. */
const MOST_ESCAPED = 1_000;

/** The code of `ERR` is a number, and one of the document's. */
export const checkErrorCode: AicfRule = ({ report }) => ({
  visit(line) {
    const { text, tree } = line;
    if (tree.command !== 'ERR') return;
    const code = fieldSource(text, tree, 0);
    const span = code === '' ? emptyFieldSpan(line) : (findFieldSpan(tree, 0) ?? tree.word);
    if (!/^[+-]?\d{1,20}$/.test(code)) {
      const message =
        code === ''
          ? `After 'ERR' the code is missing; write one of ${KNOWN_CODES}`
          : `${quote(code)} is not a number; write one of ${KNOWN_CODES}`;
      report(
        draftLineIssue('aicf/error-code', line, span, () => ({ message, fixes: [writeCode(line, code)] })),
      );
    } else if (!findErrorCode(code)) {
      report(
        draftLineIssue('aicf/unknown-code', line, span, () => ({
          message: `${quote(code)} is not an error code of AICF-RPC 1.0; the codes are ${KNOWN_CODES}`,
          fixes: [AICF_ERROR_CODES.find(row => row.code === Number(code))].flatMap(row =>
            row ? [buildFix(`Write ${row.code}`, line, span, String(row.code))] : [],
          ),
        })),
      );
    }
  },
});

/** Writes the code that a text was meant as; a text that says more than the code becomes the message after it. */
function writeCode(line: LineView, text: string): Fix {
  const { tree } = line;
  const span = { start: tree.pipes[0] ?? tree.end, end: tree.pipes[1] ?? tree.end };
  const shown = readTitle(text);
  const own = findMeantCode(shown);
  const code = (own ?? findMeantCode(readTitle(fieldSource(line.text, tree, 1))))?.code ?? GENERAL_CODE;
  const saysMore = own ? !own.title.toLowerCase().includes(shown) && shown !== String(code) : shown !== '';
  return buildFix(`Write ${code}`, line, span, saysMore ? `|${code}|${text}` : `|${code}`);
}

/** The code for a failure of which nothing else is known. */
const GENERAL_CODE = 500 satisfies (typeof AICF_ERROR_CODES)[number]['code'];
/** A code or its title is looked for in so much of a text. */
const LONGEST_TITLE = 100;
/** A shorter word is a part of too much. */
const SHORTEST_PART = 5;

function readTitle(text: string): string {
  return text.slice(0, LONGEST_TITLE).trim().toLowerCase();
}

/** The code whose digits or title a text in small letters holds, or of whose title it is a part. */
function findMeantCode(text: string): (typeof AICF_ERROR_CODES)[number] | undefined {
  const digits = new Set(text.match(/\d+/g));
  return AICF_ERROR_CODES.find(row => {
    const title = row.title.toLowerCase();
    const isPart = text.length >= SHORTEST_PART && title.includes(text);
    return isPart || text.includes(title) || digits.has(String(row.code));
  });
}

/** A raw `|` in data that takes the rest of its line, told once a line. */
export const checkRawPipe: AicfRule = ({ report }) => ({
  visit(line) {
    const { text } = line;
    const start = dataStart(line);
    if (start === undefined) return;
    const first = findFieldEnd(text, start);
    if (first === text.length) return;
    // JSON that is read as it stands is told by its own rule: one escape in it would undo that reading.
    if (line.tree.command === 'OK' && isUnescapedJson(text.slice(start))) return;
    report(
      draftLineIssue('aicf/raw-pipe', line, { start: first, end: first + 1 }, () => ({
        message:
          "A raw '|' in data is read as text here, but cuts the data for readers that split first; write '\\|'",
        fixes: escapePipes(line, first),
      })),
    );
  },
});

/** Escapes the raw pipes of a line from one on; no fix where they are too many. */
function escapePipes(line: LineView, first: number): readonly Fix[] {
  const places: number[] = [];
  for (let at = first; at < line.text.length; at = findFieldEnd(line.text, at + 1)) {
    if (places.length === MOST_ESCAPED) return [];
    places.push(at);
  }
  return [buildInsertions("Write '\\|'", line, places, { newText: '\\', safe: true })];
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
      report(draftLineIssue('aicf/unknown-type', line, typeSpan, () => describeType(line, typeSpan, type)));
    }
  },
});

function describeType(line: LineView, span: Span, type: string): IssueWords {
  const similar = findTypeByAlias(type.toLowerCase())?.name ?? findSimilar(type, TYPE_NAMES);
  const advice = similar ? `did you mean ${quote(similar)}?` : `the types are ${TYPE_NAMES.join(', ')}`;
  return {
    message: `${quote(type)} is not an argument type; ${advice}`,
    fixes: similar ? [buildFix(`Write ${similar}`, line, span, similar)] : [],
  };
}
