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

const SEVERITY: Readonly<Record<ConversionFinding['kind'], DiagnosticSeverity>> = {
  dropped: DiagnosticSeverity.Warning,
  rounded: DiagnosticSeverity.Warning,
  moved: DiagnosticSeverity.Warning,
  guessed: DiagnosticSeverity.Information,
  note: DiagnosticSeverity.Information,
};

const SOURCE = 'Parley conversion';

/** The losses and notes of a conversion as diagnostics in the result. `source` is the converted document. */
export function listDiagnostics(
  { text, findings, unlisted: unreported }: ConvertResult,
  source: Uri | undefined,
): readonly Diagnostic[] {
  const lastLine = findings.reduce((last, { range }) => Math.max(last, range.start.line), -1);
  const lines = text.split('\n', lastLine + 2 + LINES_OF_HEAD);
  const reported = findings.map(finding =>
    toDiagnostic(finding, toRange(shownRange(finding.range, lines)), source),
  );
  return unreported === 0 ? reported : [...reported, describeUnlisted(unreported)];
}

function toDiagnostic(finding: ConversionFinding, range: Range, source: Uri | undefined): Diagnostic {
  const { kind, path, message } = finding;
  const diagnostic = new Diagnostic(range, message, SEVERITY[kind]);
  diagnostic.source = SOURCE;
  diagnostic.code = kind;
  if (source && finding.source) {
    const where = path === '' ? 'The source says it here' : `${path} in the source`;
    diagnostic.relatedInformation = [
      new DiagnosticRelatedInformation(new Location(source, toRange(finding.source)), where),
    ];
  }
  return diagnostic;
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
