import { BACKSLASH } from './characters.ts';

/**
 * The text that an atom's source means (reading of LightAICL 3.1): a run of backslashes directly before `]` is read in
 * pairs, each one backslash, and an odd last one makes the bracket text. Every other backslash is itself.
 */
export function unescapeText(source: string): string {
  return source.includes('\\') ? mapRuns(source, run => '\\'.repeat(run >> 1)) : source;
}

/**
 * Writes a text so that `unescapeText` reads it back: a run of backslashes before a `]` or at the end is doubled, each
 * `]` gets one more, and nothing else changes.
 */
export function escapeText(text: string): string {
  if (!text.includes(']') && !text.endsWith('\\')) return text;
  return mapRuns(text, (run, bracket) => '\\'.repeat(run * 2 + bracket.length));
}

/** Replaces each run of backslashes before a `]` or at the end, empty runs too. Linear: runs do not overlap. */
function mapRuns(text: string, replace: (run: number, bracket: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  while (from <= text.length) {
    const found = text.indexOf(']', from);
    const end = found < 0 ? text.length : found;
    const run = countBackslashes(text, from, end);
    const bracket = text.slice(end, end + 1);
    parts.push(text.slice(from, end - run), replace(run, bracket), bracket);
    from = end + 1;
  }
  return parts.join('');
}

/** How many backslashes stand directly before `end`, not looking before `from`. */
export function countBackslashes(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && text.charCodeAt(at - 1) === BACKSLASH) at--;
  return end - at;
}
