import type { TextEdit } from '../../core/text/edit.ts';
import type { Span } from '../../core/text/span.ts';
import type { Characters } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../../core/text/work.ts';
import { CONTENT_START } from './ast.ts';
import { isLineEnd, skipBlanks } from './characters.ts';
import { findMessageStart } from './cut.ts';
import { countBackslashes, escapeText } from './escapes.ts';
import type { Fault } from './faults.ts';
import type { Repair } from './repair.ts';
import { kindAt, Scanner } from './scanner.ts';

/** A longer message is not read a second time, in characters. */
const MOST_READ = 1 << 16;

/** How far a second reading may go, as a multiple of the first; a short one may go on for some characters. */
const FURTHER = 4;
const LEAST_READ = 4096;

/** What a reading with old escapes found, and the offset after the last character that it depends on. */
export interface OldEscapes {
  readonly repair: Repair | undefined;
  readonly readTo: number;
}

/**
 * Reads a message that the grammar does not accept as if `\]` were a bracket in its texts, as an earlier version and some models
 * write it (reading of LightAICL, section 1.2). Undefined for a message without one: the first is in what ends at `end`.
 */
export function readOldEscapes(
  text: Characters,
  { start, end }: Span,
  work: WorkCounter,
): OldEscapes | undefined {
  if (kindAt(text, start) !== 'dict' || end - start > MOST_READ || !text.slice(start, end).includes('\\]'))
    return undefined;
  const length = Math.min(MOST_READ, Math.max(LEAST_READ, FURTHER * (end - start)));
  const whole = text.slice(start, start + length);
  const next = findMessageStart(whole, { start: 0, end: whole.length });
  const source = next < 0 ? whole : whole.slice(0, next);
  const readTo = start + source.length + CONTENT_START + 1;
  work.count += source.length;
  const edits: TextEdit[] = [];
  const unit = new Scanner(source, work).accept(0, { textEnd: from => findOldEnd(source, from, edits) });
  const [first] = edits;
  if (!unit || !first || !isBoundary(source, unit.end)) return { repair: undefined, readTo };
  const fault: Fault = {
    code: 'aicl/old-escape',
    span: { start: first.span.end - 2, end: first.span.end },
    message: "A bracket in a text is written '\\u005D': a receiver ends the text at this ']'",
    fixes: [{ title: "Write '\\u005D' for all brackets in texts of this message", edits, safe: true }],
  };
  return { repair: { unit: { ...unit, end: start + unit.end }, fault }, readTo };
}

/** The first `]` behind an even number of backslashes; notes how those before it, and itself, are written. */
function findOldEnd(source: string, from: number, edits: TextEdit[]): number {
  for (let at = source.indexOf(']', from); at >= 0; at = source.indexOf(']', at + 1)) {
    const run = countBackslashes(source, from, at);
    if (run % 2 === 0) return at;
    const meant = `${'\\'.repeat(run >> 1)}]`;
    edits.push({ span: { start: at - run, end: at + 1 }, newText: escapeText(meant) });
  }
  return source.length;
}

/** True where no text that belongs to no message comes next. */
function isBoundary(source: string, end: number): boolean {
  const next = skipBlanks(source, end);
  if (next >= source.length || kindAt(source, next) !== undefined) return true;
  return source.startsWith('#', next) && isLineEnd(source.charCodeAt(next - 1));
}
