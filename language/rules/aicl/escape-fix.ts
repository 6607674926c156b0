import { CLOSE, isBlank } from '../../aicl/characters.ts';
import { countBackslashes, escapeText } from '../../aicl/escapes.ts';
import type { Fault } from '../../aicl/faults.ts';
import type { Fix } from '../../../core/text/issue.ts';
import type { UnitReport } from './report.ts';

/** How far back the text is searched whose bracket may have ended it too early. */
const MAX_BACK = 500;

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
  const before = report.slice({ start: Math.max(0, close - MAX_BACK), end });
  // The text extends from its head to the first bracket after it, which must be this one.
  const head = before.lastIndexOf('[s:');
  if (head < 0 || before.indexOf(']', head) !== before.length - 1) return [];
  return [
    {
      title: "Make the ']' part of the text: write '\\u005D'",
      edits: [
        {
          span: { start: close, end: close + 1 },
          newText: '\\'.repeat(countBackslashes(before, 0, before.length - 1)) + escapeText(']'),
        },
      ],
      safe: false,
    },
  ];
}
