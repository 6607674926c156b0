import { addContainerLine, LONGEST_GRAMMAR_LINE, TokenBuilder, type PackedTokens } from '../../tokens.ts';
import type { Span } from '../../../core/text/span.ts';
import type { AiclDocument } from '../document.ts';
import { readUnit } from '../parse.ts';
import type { Unit, UnitContent } from '../unit.ts';
import { UnitColours } from './unit-tokens.ts';

/**
 * Cached tokens of unchanged units, shared by all versions of a file; offsets are relative to the start of
 * the unit.
 */
const CACHE = new WeakMap<UnitContent, PackedTokens>();

/**
 * The semantic tokens of a span: keys, values by type, names of message types and tools, escapes, container
 * lines (reading of LightAICL 3). Faulty text gets no tokens here. Units without overlong lines are read and
 * cached as a whole, others only within the span.
 */
export function tokens(doc: AiclDocument, span: Span): PackedTokens {
  const found = new TokenBuilder(span);
  for (let index = Math.max(0, doc.units.indexFrom(span.start) - 1); index < doc.units.count; index++) {
    const unit = doc.units.at(index);
    const content = doc.units.contentAt(index);
    if (!unit || !content || unit.start >= span.end) break;
    if (unit.end <= span.start) continue;
    const isWhole = unit.length <= LONGEST_GRAMMAR_LINE && !isLong(doc, unit.start) && !isLong(doc, unit.end);
    const part = isWhole ? cachedTokens(doc, unit, content) : readTokens(doc, unit, found.span);
    found.addPacked(part, unit.start);
  }
  return found.packed;
}

function cachedTokens(doc: AiclDocument, unit: Unit, content: UnitContent): PackedTokens {
  const cached = CACHE.get(content);
  if (cached) return cached;
  const made = readTokens(doc, unit, unit);
  CACHE.set(content, made);
  return made;
}

/** Reads the part of a unit that lies in a span of the document; token offsets are relative to the unit's start. */
function readTokens(doc: AiclDocument, unit: Unit, span: Span): PackedTokens {
  const found = new TokenBuilder({
    start: Math.max(0, span.start - unit.start),
    end: Math.min(unit.length, span.end - unit.start),
  });
  if (unit.kind === 'container') addContainerLine(found, doc.text.slice(unit.start, unit.end), 0);
  else if (unit.kind !== 'foreign') {
    const reading = readUnit(doc, unit);
    new UnitColours(reading, found, at => isLong(doc, unit.start + at)).addTree(reading.tree);
  }
  return found.packed;
}

/** True in a line that is too long for the TextMate grammar. */
function isLong({ text }: AiclDocument, offset: number): boolean {
  const line = text.lineAt(offset);
  return text.lineStart(line + 1) - text.lineStart(line) > LONGEST_GRAMMAR_LINE;
}
