import type { Call } from '../../aicf/call.ts';
import type { KnownTools } from '../../aicf/file-tools.ts';
import type { PlacedLine } from '../../aicf/lines.ts';
import type { AicfDocument } from '../../aicf/parse.ts';
import { findAicfRule, type AicfRuleCode } from '../../../core/catalog/aicf-rules.ts';
import type { Settings } from '../../../core/catalog/settings.ts';
import type { TextEdit } from '../../../core/text/edit.ts';
import type { Fix, Issue, RelatedPlace } from '../../../core/text/issue.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import type { NameFinder } from './similar-names.ts';
import type { Surroundings } from './surroundings.ts';

/** A line as the rules see it. */
export interface LineView extends PlacedLine {
  /** What a `CALL` line says; undefined on other lines. */
  readonly call: Call | undefined;
  /** The tools that the line is held to: those of its agent. */
  readonly tools: KnownTools;
}

/** What the rules share about a block of a file. */
export interface RuleContext {
  readonly doc: AicfDocument;
  /** What stands above and below the block. */
  readonly around: Surroundings;
  readonly report: (issue: IssueDraft) => void;
}

/** What an issue says, and how it is mended. */
export interface IssueWords {
  readonly message: string;
  readonly fixes?: readonly Fix[];
  readonly related?: readonly RelatedPlace[];
}

/** An issue before its words are written: those of issues past `parley.maxIssues` never are, for nobody reads them. */
export interface IssueDraft {
  readonly code: AicfRuleCode;
  readonly span: Span;
  readonly words: (names: NameFinder) => IssueWords;
}

/** A rule at work on one block of a file: it sees the lines in their order, then the end. */
export interface LineVisitor {
  readonly visit: (line: LineView) => void;
  readonly finish?: () => void;
}

/** Starts a rule on a block. */
export type AicfRule = (context: RuleContext) => LineVisitor;

/** The issue of a draft, with its row's severity; the wire code of the row ends the message. */
export function buildIssue({ code, span, words }: IssueDraft, names: NameFinder): Issue<AicfRuleCode> {
  const { severity, wire } = findAicfRule(code);
  const { message, fixes = [], related = [] } = words(names);
  return {
    code,
    severity,
    span,
    message: wire === undefined ? message : `${message} (${wire})`,
    ...(wire === undefined ? {} : { wire }),
    ...(fixes.length > 0 ? { fixes } : {}),
    ...(related.length > 0 ? { related } : {}),
  };
}

/** True for a rule whose issues are errors, as the user set it or as it is. */
export function isErrorIn({ rules }: Settings, code: AicfRuleCode): boolean {
  return (rules.get(code) ?? findAicfRule(code).severity) === 'error';
}

/** A draft whose span counts from the start of a line, as trees do. */
export function draftLineIssue(
  code: AicfRuleCode,
  line: PlacedLine,
  span: Span,
  words: IssueDraft['words'],
): IssueDraft {
  return { code, span: shiftSpan(span, line.start), words };
}

/** A fix of one replacement in a line that changes no meaning. */
export function buildSafeFix(title: string, line: PlacedLine, span: Span, newText: string): Fix {
  return { title, edits: [lineEdit(line, span, newText)], safe: true };
}

/** A fix of one replacement in a line that a person should look at. */
export function buildFix(title: string, line: PlacedLine, span: Span, newText: string): Fix {
  return { title, edits: [lineEdit(line, span, newText)], safe: false };
}

/** A fix that inserts the same text at places of a line, in their order. */
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

/** A number with its noun: `1 column`, `2 columns`. */
export function countNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What ends a line of a document; for the last line what ends the first. */
export function lineEndOf(doc: AicfDocument, { number, start, tree }: PlacedLine): string {
  return doc.text.slice(start + tree.end, doc.text.lineStart(number + 1)) || firstLineEnd(doc);
}

/** What ends the first line of a document; LF where nothing does. */
export function firstLineEnd({ text }: AicfDocument): string {
  if (text.lineCount === 1) return '\n';
  const end = text.lineStart(1);
  const last = text.slice(Math.max(0, end - 2), end);
  return last === '\r\n' ? last : last.slice(-1);
}
