import type { Characters } from '../../../core/text/source-text.ts';
import { CONTENT_START } from '../ast.ts';
import { COLON, COMMA, isLineEnd, skipBlanks } from '../characters.ts';
import { holdsMessageStart, type Cut, type LooseText } from './cut.ts';
import type { Fault } from '../faults.ts';
import { isValueStart } from '../lexeme.ts';
import { trimOpenEnd } from '../atom-end.ts';
import type { AcceptedUnit } from '../scanner.ts';
import type { TextEnds } from '../text-ends.ts';

/** Maximum number of candidates; for each the message is read again. */
const MAX_TRIES = 20;

/** A repaired message with its one fault. */
export interface Repair {
  readonly unit: AcceptedUnit;
  readonly fault: Fault;
}

/** A text without a closing bracket. */
interface OpenText {
  /** The span of its content. */
  readonly from: number;
  readonly end: number;
}

/**
 * Searches for the one text that lost its closing bracket (reading of LightAICL, section 1.2): a text that
 * contains a line end or a value and makes the message complete if it ends before. Called only for messages
 * that the grammar rejects.
 */
export function repairText(
  accept: (ends: TextEnds) => AcceptedUnit | undefined,
  text: Characters,
  start: number,
  cut: Cut,
): Repair | undefined {
  let tries = 0;
  for (const loose of cut.texts) {
    for (const candidate of listCandidates(text, loose)) {
      if (++tries > MAX_TRIES) return undefined;
      const { end } = candidate;
      const unit = accept({ find: from => (from === candidate.from ? { contentEnd: end, end } : undefined) });
      if (unit && skipBlanks(text, unit.end) >= cut.end && !holdsMessageStart(text, cut, unit.end))
        return { unit, fault: describe(candidate, start) };
    }
  }
  return undefined;
}

/** Possible ends of a text, in order: at a line end, and before a value on the same line. */
function listCandidates(text: Characters, loose: LooseText): readonly OpenText[] {
  const { from } = loose;
  const candidates: OpenText[] = [];
  const lineEnd = findLostEnd(text, loose, isLineEnd);
  if (lineEnd >= 0) {
    const whole = text.slice(from, lineEnd).trimEnd().length + from;
    for (const end of new Set([trimOpenEnd(text, from, lineEnd), whole])) candidates.push({ from, end });
  }
  const separator = findLostEnd(text, loose, code => code === COMMA || code === COLON);
  if (separator >= 0) {
    const end = from + text.slice(from, separator).trimEnd().length;
    candidates.push({ from, end });
  }
  return candidates.sort((a, b) => a.end - b.end);
}

/**
 * The first mark in a text that is followed by a value or, for a line end, by the text's own bracket; -1 if
 * there is none.
 */
function findLostEnd(
  text: Characters,
  { from, contentEnd }: LooseText,
  isMark: (code: number) => boolean,
): number {
  for (let at = from; at < contentEnd; at++) {
    const code = text.charCodeAt(at);
    if (!isMark(code)) continue;
    const next = skipBlanks(text, at + 1);
    if (isValueStart(text, next) || (isLineEnd(code) && next === contentEnd)) return at;
    if (isLineEnd(code)) at = next - 1;
  }
  return -1;
}

function describe({ from, end }: OpenText, start: number): Fault {
  const at = end - start;
  const insert = { span: { start: at, end: at }, newText: ']' };
  return {
    code: 'aicl/missing-bracket',
    span: { start: from - CONTENT_START - start, end: at },
    message: "The ']' of this text is missing",
    fixes: [{ title: "Insert ']'", edits: [insert], safe: false }],
  };
}
