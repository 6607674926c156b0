import { fieldSource, findFieldSpan } from '../../aicf/ast.ts';
import { findFieldEnd } from '../../aicf/codec.ts';
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
/** Maximum number of unknown types reported per line. */
const MAX_TYPES = 20;
/** Maximum number of pipes that a fix escapes. */
const MAX_ESCAPED = 1_000;

/** The code of `ERR` must be a number, and one that the document defines. */
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

/** A fix that writes the code that a text probably means; text with more information becomes the message. */
function writeCode(line: LineView, text: string): Fix {
  const { tree } = line;
  const span = { start: tree.pipes[0] ?? tree.end, end: tree.pipes[1] ?? tree.end };
  const shown = readTitle(text);
  const own = findMeantCode(shown);
  const code = (own ?? findMeantCode(readTitle(fieldSource(line.text, tree, 1))))?.code ?? GENERAL_CODE;
  const saysMore = own ? !own.title.toLowerCase().includes(shown) && shown !== String(code) : shown !== '';
  return buildFix(`Write ${code}`, line, span, saysMore ? `|${code}|${text}` : `|${code}`);
}

/** The code of a failure without a known cause. */
const GENERAL_CODE = 500 satisfies (typeof AICF_ERROR_CODES)[number]['code'];
/** Maximum number of characters in which a code or title is searched. */
const LONGEST_TITLE = 100;
/** Minimum length of a word that may match a part of a title. */
const SHORTEST_PART = 5;

function readTitle(text: string): string {
  return text.slice(0, LONGEST_TITLE).trim().toLowerCase();
}

/** The code whose number or title occurs in a lower-case text, or whose title contains the text. */
function findMeantCode(text: string): (typeof AICF_ERROR_CODES)[number] | undefined {
  const digits = new Set(text.match(/\d+/g));
  return AICF_ERROR_CODES.find(row => {
    const title = row.title.toLowerCase();
    const isPart = text.length >= SHORTEST_PART && title.includes(text);
    return isPart || text.includes(title) || digits.has(String(row.code));
  });
}

/** Reports a raw `|` in data that extends to the end of its line, once per line. */
export const checkRawPipe: AicfRule = ({ report }) => ({
  visit(line) {
    const { text } = line;
    const start = dataStart(line);
    if (start === undefined) return;
    const first = findFieldEnd(text, start);
    if (first === text.length) return;
    // JSON that is valid as written has its own rule; one escape in it would make it invalid.
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

/** A fix that escapes the raw pipes of a line from `first` on; none if there are too many. */
function escapePipes(line: LineView, first: number): readonly Fix[] {
  const places: number[] = [];
  for (let at = first; at < line.text.length; at = findFieldEnd(line.text, at + 1)) {
    if (places.length === MAX_ESCAPED) return [];
    places.push(at);
  }
  return [buildInsertions("Write '\\|'", line, places, { newText: '\\', safe: true })];
}

/** The start of data that extends to the end of the line; undefined for other lines. */
function dataStart({ tree }: LineView): number | undefined {
  const { command, pipes } = tree;
  const pipe = command === 'OK' || command === 'STREAM' ? pipes[0] : command === 'ERR' ? pipes[1] : undefined;
  return pipe === undefined ? undefined : pipe + 1;
}

/** Argument types in `TOOL` lines must be defined by the document. */
export const checkArgumentTypes: AicfRule = ({ report }) => ({
  visit(line) {
    const { text, tree } = line;
    if (tree.command !== 'TOOL') return;
    let reported = 0;
    for (const { typeSpan } of readToolDeclaration(text, tree).arguments) {
      if (!typeSpan || typeSpan.end <= typeSpan.start) continue;
      const type = text.slice(typeSpan.start, typeSpan.end);
      if (findArgumentType(type)) continue;
      if (reported++ === MAX_TYPES) return;
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
