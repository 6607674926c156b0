import { addContainerLine, LONGEST_GRAMMAR_LINE, TokenBuilder, type PackedTokens } from '../../tokens.ts';
import type { LineIndex } from '../../../core/text/source-text.ts';
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
  const lines = new LongLines(doc.text);
  for (let index = Math.max(0, doc.units.indexFrom(span.start) - 1); index < doc.units.count; index++) {
    const unit = doc.units.at(index);
    const content = doc.units.contentAt(index);
    if (!unit || !content || unit.start >= span.end) break;
    if (unit.end <= span.start) continue;
    const isWhole =
      unit.length <= LONGEST_GRAMMAR_LINE && !lines.isLong(unit.start) && !lines.isLong(unit.end);
    const part = isWhole ? cachedTokens(doc, unit, content) : readTokens(doc, unit, found.span, lines);
    found.addPacked(part, unit.start);
  }
  return found.packed;
}

function cachedTokens(doc: AiclDocument, unit: Unit, content: UnitContent): PackedTokens {
  const cached = CACHE.get(content);
  if (cached) return cached;
  const made = readTokens(doc, unit, unit, undefined);
  CACHE.set(content, made);
  return made;
}

/** Reads the part of a unit that lies in a span of the document; token offsets are relative to the unit's start. */
function readTokens(doc: AiclDocument, unit: Unit, span: Span, lines: LongLines | undefined): PackedTokens {
  const found = new TokenBuilder({
    start: Math.max(0, span.start - unit.start),
    end: Math.min(unit.length, span.end - unit.start),
  });
  if (unit.kind === 'container') addContainerLine(found, doc.text.slice(unit.start, unit.end), 0);
  else if (unit.kind !== 'foreign') {
    const reading = readUnit(doc, unit);
    new UnitColours(reading, found, at => lines?.isLong(unit.start + at) === true).addTree(reading.tree);
  }
  return found.packed;
}

/** Finds lines that are too long for the TextMate grammar. With ascending offsets each line is looked up once. */
class LongLines {
  readonly #lines: LineIndex;
  #start = 0;
  #end = 0;

  constructor(lines: LineIndex) {
    this.#lines = lines;
  }

  isLong(offset: number): boolean {
    if (offset < this.#start || offset >= this.#end) {
      const line = this.#lines.lineAt(offset);
      this.#start = this.#lines.lineStart(line);
      this.#end = this.#lines.lineStart(line + 1);
    }
    return this.#end - this.#start > LONGEST_GRAMMAR_LINE;
  }
}
