import { CLOSE, isBlank } from '../../aicl/characters.ts';
import { countBackslashes, escapeText } from '../../aicl/escapes.ts';
import type { Fault } from '../../aicl/faults.ts';
import type { Fix } from '../../../core/text/issue.ts';
import type { UnitReport } from './report.ts';

/** So far back the text is looked for that a bracket ended too early. */
const MAX_BACK = 500;

/**
 * Words between the bracket that ends a text and another one are the rest of that text, as in `[s:see [1] there]`: its
 * bracket was meant (reading of LightAICL 3.1). One fix says so, before the one that removes the words.
 */
export function escapeFixes(report: UnitReport, { code, span }: Fault): readonly Fix[] {
  if (code !== 'aicl/foreign-text') return [];
  const { text, base } = report.reading;
  if (text.charCodeAt(base + span.end) !== CLOSE || /[[\],:\r\n]/.test(report.slice(span))) return [];
  let end = span.start;
  while (end > 0 && isBlank(text.charCodeAt(base + end - 1))) end--;
  const close = end - 1;
  const before = report.slice({ start: Math.max(0, close - MAX_BACK), end });
  // The text goes from its head to the first bracket after it, which has to be this one.
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
