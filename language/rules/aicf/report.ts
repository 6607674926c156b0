import type { Call } from '../../aicf/call.ts';
import type { KnownTools } from '../../aicf/file-tools.ts';
import type { PlacedLine, AicfDocument } from '../../aicf/parse.ts';
import { findAicfRule, type AicfRuleCode } from '../../../core/catalog/aicf-rules.ts';
import type { Settings } from '../../../core/catalog/settings.ts';
import type { TextEdit } from '../../../core/text/edit.ts';
import type { Fix, Issue, RelatedPlace } from '../../../core/text/issue.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import type { NameFinder } from './similar-names.ts';
import type { Surroundings } from './surroundings.ts';

/** A line with the data that the rules need. */
export interface LineView extends PlacedLine {
  /** The parsed call of a `CALL` line; undefined for other lines. */
  readonly call: Call | undefined;
  /** The tools of the line's agent, against which it is checked. */
  readonly tools: KnownTools;
}

/** The context of the rules for a block of a file. */
export interface RuleContext {
  readonly doc: AicfDocument;
  /** The state of the lines above and below the block. */
  readonly around: Surroundings;
  readonly report: (issue: IssueDraft) => void;
}

/** The message of an issue, with its fixes and related places. */
export interface IssueWords {
  readonly message: string;
  readonly fixes?: readonly Fix[];
  readonly related?: readonly RelatedPlace[];
}

/** An issue whose message is not built yet. For issues past `parley.maxIssues` it never is. */
export interface IssueDraft {
  readonly code: AicfRuleCode;
  readonly span: Span;
  readonly words: (names: NameFinder) => IssueWords;
}

/** A rule applied to one block: `visit` is called for the lines in order, then `finish`. */
export interface LineVisitor {
  readonly visit: (line: LineView) => void;
  readonly finish?: () => void;
}

/** Starts a rule on a block. */
export type AicfRule = (context: RuleContext) => LineVisitor;

/** Builds the issue of a draft, with the severity of its catalog row; the row's wire code is added to the message. */
export function buildIssue({ code, span, words }: IssueDraft, names: NameFinder): Issue<AicfRuleCode> {
  const { severity, wire } = findAicfRule(code);
  const { message, fixes = [], related = [] } = words(names);
  return {
    code,
    severity,
    span,
    message: wire === undefined ? message : `${message} (error ${wire})`,
    ...(wire === undefined ? {} : { wire }),
    ...(fixes.length > 0 ? { fixes } : {}),
    ...(related.length > 0 ? { related } : {}),
  };
}

/** True for a rule whose severity is error, by the user's settings or by default. */
export function isErrorIn({ rules }: Settings, code: AicfRuleCode): boolean {
  return (rules.get(code) ?? findAicfRule(code).severity) === 'error';
}

/** Creates a draft whose span is relative to the start of a line, like the spans of trees. */
export function draftLineIssue(
  code: AicfRuleCode,
  line: PlacedLine,
  span: Span,
  words: IssueDraft['words'],
): IssueDraft {
  return { code, span: shiftSpan(span, line.start), words };
}

/** A fix with one replacement in a line that does not change the meaning. */
export function buildSafeFix(title: string, line: PlacedLine, span: Span, newText: string): Fix {
  return { title, edits: [lineEdit(line, span, newText)], safe: true };
}

/** A fix with one replacement in a line that a person should review. */
export function buildFix(title: string, line: PlacedLine, span: Span, newText: string): Fix {
  return { title, edits: [lineEdit(line, span, newText)], safe: false };
}

/** A fix that inserts the same text at several positions of a line, in ascending order. */
export function buildInsertions(
  title: string,
  line: PlacedLine,
  places: readonly number[],
  options: Pick<Fix, 'safe'> & { readonly newText: string },
): Fix {
  const { safe, newText } = options;
  return { title, edits: places.map(place => lineEdit(line, { start: place, end: place }, newText)), safe };
}

function lineEdit(line: PlacedLine, span: Span, newText: string): TextEdit {
  return { span: shiftSpan(span, line.start), newText };
}

/** A count with its noun: `1 column`, `2 columns`. */
export function countNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The line end after a line; for the last line the one of the first line. */
export function lineEndOf(doc: AicfDocument, { number, start, tree }: PlacedLine): string {
  return doc.text.slice(start + tree.end, doc.text.lineStart(number + 1)) || firstLineEnd(doc);
}

/** The line end after the first line of a document; LF if there is none. */
export function firstLineEnd({ text }: AicfDocument): string {
  if (text.lineCount === 1) return '\n';
  const end = text.lineStart(1);
  const last = text.slice(Math.max(0, end - 2), end);
  return last === '\r\n' ? last : last.slice(-1);
}
