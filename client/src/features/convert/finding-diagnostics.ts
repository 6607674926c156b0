import {
  Diagnostic,
  DiagnosticRelatedInformation,
  DiagnosticSeverity,
  Location,
  Range,
  type Uri,
} from 'vscode';
import { countOf } from '../../../../core/text/count.ts';
import type { ConversionFinding, ConvertResult } from '../../../../wire/conversion-requests.ts';
import { toRange } from '../../conversion/conversion-source.ts';
import { findHead, LINES_OF_HEAD } from './message-head.ts';
import type { WireRange } from '../../../../wire/places.ts';

/** Only what is missing in the result is a warning. */
const SEVERITY: Readonly<Record<ConversionFinding['kind'], DiagnosticSeverity>> = {
  dropped: DiagnosticSeverity.Warning,
  rounded: DiagnosticSeverity.Warning,
  moved: DiagnosticSeverity.Information,
  guessed: DiagnosticSeverity.Information,
  note: DiagnosticSeverity.Hint,
};

const SOURCE = 'Parley conversion';

/**
 * The losses and notes of a conversion as diagnostics in the result. What is the same for several messages is
 * marked at the first one and lists the places of all. `source` is the converted document.
 */
export function listDiagnostics(
  { text, findings, unlisted: unreported }: ConvertResult,
  source: Uri | undefined,
): readonly Diagnostic[] {
  const lastLine = findings.reduce((last, { range }) => Math.max(last, range.start.line), -1);
  const lines = text.split('\n', lastLine + 2 + LINES_OF_HEAD);
  const reported = groupAlike(findings).map(([first, ...more]) =>
    toDiagnostic(first, more, toRange(shownRange(first.range, lines)), source),
  );
  return unreported === 0 ? reported : [...reported, describeUnlisted(unreported)];
}

type Group = [first: ConversionFinding, ...more: ConversionFinding[]];

/** Findings of one kind that say the same, in the order of the first of each. */
function groupAlike(findings: readonly ConversionFinding[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const finding of findings) {
    const key = `${finding.kind} ${finding.message}`;
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups.values()];
}

function toDiagnostic(
  first: ConversionFinding,
  more: readonly ConversionFinding[],
  range: Range,
  source: Uri | undefined,
): Diagnostic {
  const { kind, message } = first;
  const words = more.length === 0 ? message : `${message} (at ${countOf(more.length + 1, 'place')})`;
  const diagnostic = new Diagnostic(range, words, SEVERITY[kind]);
  diagnostic.source = SOURCE;
  diagnostic.code = kind;
  if (source)
    diagnostic.relatedInformation = [first, ...more].flatMap(finding => describePlace(finding, source));
  return diagnostic;
}

function describePlace(
  { path, source: place }: ConversionFinding,
  source: Uri,
): readonly DiagnosticRelatedInformation[] {
  if (!place) return [];
  const where = path === '' ? 'In the source' : `${path} in the source`;
  return [new DiagnosticRelatedInformation(new Location(source, toRange(place)), where)];
}

/**
 * Shortens a range to its first line, because underlining a whole long value would hide other findings. For a
 * message it is the part that names the message.
 */
function shownRange({ start, end }: WireRange, lines: readonly string[]): WireRange {
  const line = lines[start.line] ?? '';
  const reachesEnd = end.line > start.line || end.character >= line.trimEnd().length;
  const head = start.character === 0 && reachesEnd ? findHead(lines, start.line) : undefined;
  return head ?? { start, end: end.line > start.line ? { line: start.line, character: line.length } : end };
}

function describeUnlisted(unreported: number): Diagnostic {
  const message = `${countOf(unreported, 'more loss is', 'more losses are')} not listed one by one`;
  const diagnostic = new Diagnostic(new Range(0, 0, 0, 0), message, DiagnosticSeverity.Warning);
  diagnostic.source = SOURCE;
  return diagnostic;
}
