import type { Characters } from '../../core/text/source-text.ts';
import { CONTENT_START } from './ast.ts';
import { COLON, COMMA, isLineEnd, skipBlanks } from './characters.ts';
import { holdsMessageStart, type Cut, type LooseText } from './cut.ts';
import type { Fault } from './faults.ts';
import { isValueStart } from './lexeme.ts';
import { trimOpenEnd } from './atom-end.ts';
import type { AcceptedUnit } from './scanner.ts';
import type { TextEnds } from './text-ends.ts';

/** How many places are tried: each reads the message once more. */
const MAX_TRIES = 20;

/** A message that the grammar does not accept, as it was meant, and the one fault that it has. */
export interface Repair {
  readonly unit: AcceptedUnit;
  readonly fault: Fault;
}

/** A text that ends without a `]`. */
interface OpenText {
  /** Where its content starts and ends. */
  readonly from: number;
  readonly end: number;
}

/**
 * Looks for the one text whose end was lost (reading of LightAICL, section 1.2): a text that goes on over a line end, or over a
 * value, and would make the message whole if it ended before. Called for a message that the grammar does not accept, so it never
 * changes one that it does.
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

/** Where a line ends, and before a value on the same line: in the order of the text. */
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

/** The first mark in a text that a value follows, or, where it is a line end, the text's own bracket; -1 without one. */
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
