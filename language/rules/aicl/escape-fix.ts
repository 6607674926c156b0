import { CONTENT_START } from '../../aicl/ast.ts';
import { CLOSE, isBlank } from '../../aicl/characters.ts';
import { countBackslashes, escapeText } from '../../aicl/escapes.ts';
import type { Fault } from '../../aicl/faults.ts';
import type { Fix } from '../../../core/text/issue.ts';
import type { UnitReport } from './report.ts';

/** The number of characters that are searched at a time. */
const BLOCK = 1_024;

/**
 * Text between the bracket that ends a text and another bracket is the rest of that text, as in `[s:see [1]
 * there]`: the first bracket was part of it (reading of LightAICL 3.1). The fix escapes that bracket and
 * precedes the one that removes the rest.
 */
export function escapeFixes(report: UnitReport, { code, span }: Fault): readonly Fix[] {
  if (code !== 'aicl/foreign-text') return [];
  const { text, base } = report.reading;
  if (text.charCodeAt(base + span.end) !== CLOSE || /[[\],:\r\n]/.test(report.slice(span))) return [];
  let end = span.start;
  while (end > 0 && isBlank(text.charCodeAt(base + end - 1))) end--;
  const close = end - 1;
  if (report.slice({ start: close, end }) !== ']') return [];
  const head = findHead(report, close);
  if (head < 0) return [];
  const backslashes = countBackslashes(text, base + head + CONTENT_START, base + close);
  return [
    {
      title: "Make the ']' part of the text: write '\\u005D'",
      edits: [
        {
          span: { start: close, end: close + 1 },
          newText: '\\'.repeat(backslashes) + escapeText(']'),
        },
      ],
      safe: false,
    },
  ];
}

/** The start of the text that ends at a bracket; -1 if another bracket is nearer. Linear over all brackets of a message. */
function findHead(report: UnitReport, close: number): number {
  for (let to = close; to > 0; to -= BLOCK) {
    const start = Math.max(0, to - BLOCK);
    const block = report.slice({ start, end: Math.min(close, to + CONTENT_START - 1) });
    const head = block.lastIndexOf('[s:');
    const bracket = block.lastIndexOf(']');
    if (head > bracket) return start + head;
    if (bracket >= 0) return -1;
  }
  return -1;
}
