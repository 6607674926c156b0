import { plainTail, type Base85Check } from '../../../tensor/base85.ts';
import { findUnexpectedBools } from '../../../tensor/bool-bytes.ts';
import { replaceFix } from '../../fix.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import type { UnitReport } from './report.ts';

/** A bool must be the byte 0 or 1; other bytes are read as true and preserved (reading of LightAICL 3.3). */
export function checkBools(report: UnitReport, span: Span): void {
  const { text, base } = report.reading;
  const unexpected = findUnexpectedBools(text, base + span.start, base + span.end);
  if (!unexpected) return;
  const edits = unexpected.edits?.map(edit => ({ ...edit, span: shiftSpan(edit.span, -base) }));
  report.add(
    'aicl/bool-bytes',
    shiftSpan(unexpected.first, -base),
    unexpected.count === 1
      ? 'A byte of this bool tensor is neither 0 nor 1: it reads as true, which is written as 1'
      : `${unexpected.count} bytes of this bool tensor, from here on, are neither 0 nor 1: they read as true, which is written as 1`,
    edits ? [{ title: 'Write 1 for every true', edits, safe: false }] : [],
  );
}

/** Maximum number of runs of blanks that one fix removes. */
const MAX_BLANKS = 1_000;

/** Reports blanks in the data that are not part of its wrapping, once, at the first. */
export function checkBlanks(report: UnitReport, span: Span, { strayBlank }: Base85Check): void {
  if (strayBlank === undefined) return;
  const at = span.start + strayBlank;
  const edits = removeBlanks(report, { start: at, end: span.end });
  report.add(
    'aicl/payload-blank',
    { start: at, end: at + 1 },
    edits
      ? 'A space inside the data is never sent: remove it'
      : 'Blanks inside the data are never sent: remove them',
    edits
      ? [{ title: edits.length === 1 ? 'Remove the space' : 'Remove the spaces', edits, safe: true }]
      : [],
  );
}

/** Edits that remove the blanks that do not follow a line end; undefined if there are too many. */
function removeBlanks(
  report: UnitReport,
  span: Span,
): { readonly span: Span; readonly newText: string }[] | undefined {
  const edits: { readonly span: Span; readonly newText: string }[] = [];
  for (const { index, 0: run } of report.slice(span).matchAll(/[ \t\r\n]+/g)) {
    const blanks = /^[ \t]+/.exec(run)?.[0] ?? '';
    if (blanks === '') continue;
    const start = span.start + index;
    edits.push({ span: { start, end: start + blanks.length }, newText: '' });
    if (edits.length > MAX_BLANKS) return undefined;
  }
  return edits;
}

/** Reports bits of the last group that do not belong to a byte. */
export function checkTail(report: UnitReport, span: Span, { unexpectedTail }: Base85Check): void {
  if (unexpectedTail === undefined) return;
  const tail = { start: span.start + unexpectedTail, end: span.end };
  report.add('aicl/payload-tail', tail, 'Bits of the last group belong to no byte: they are ignored', [
    replaceFix('Write the group without them', tail, plainTail(report.slice(tail))),
  ]);
}
