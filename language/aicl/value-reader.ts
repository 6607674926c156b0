import type { Characters } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../../core/text/work.ts';
import { CONTENT_START, type UnitTree } from './ast.ts';
import { skipBlanks } from './characters.ts';
import { cutUnit, type Cut } from './cut.ts';
import type { UnitReading } from './document.ts';
import type { Ground } from './ground.ts';
import { judgeUnit } from './judge.ts';
import { isNextField } from './lexeme.ts';
import { LooseReader, type LooseOptions } from './loose.ts';
import { parseTokens } from './parser.ts';
import { Recovery } from './recover.ts';
import type { AcceptedUnit } from './scanner.ts';
import { tokenize } from './tokens.ts';
import type { UnitKind } from './unit.ts';

/** A reading in offsets of the reader's text. */
export type PlacedReading = Omit<UnitReading, 'text' | 'start' | 'parts'>;

/** What words without an opening bracket are reported as. */
const HEADLESS_FAULTS: ReadonlySet<string> = new Set(['aicl/foreign-text', 'aicl/unknown-type']);

/** Reads units from a ground. What a reading depends on ends at its `readTo`. */
export class ValueReader {
  readonly #ground: Ground;
  readonly #work: WorkCounter;
  /** How far the text decided where a unit ends. */
  #seenTo = 0;

  constructor(ground: Ground, work: WorkCounter) {
    this.#ground = ground;
    this.#work = work;
  }

  /**
   * Reads the value, message or run of pairs at `start`. What the grammar accepts, the scanner has read already; the
   * rest is repaired or read by the parser. Undefined for one longer than `maxLength`.
   */
  read(start: number, maxLength: number): PlacedReading | undefined {
    const accepted = this.#ground.accept(start);
    if (accepted && !this.#isTornMessage(accepted)) {
      const { tree, end } = accepted;
      return { base: start, end, readTo: this.#readTo(end), kind: kindOf(tree), tree, faults: [] };
    }
    if (this.#ground.isTooLong()) return undefined;
    const broken = this.#readBroken(start, maxLength);
    return broken && { ...broken, readTo: this.#readTo(broken.end) };
  }

  #readBroken(start: number, maxLength: number): Omit<PlacedReading, 'readTo'> | undefined {
    const cut = this.#cut(start, maxLength, { headless: false });
    if (!cut) return undefined;
    const recovery = new Recovery(this.#ground, this.#work, start, cut);
    const repair = recovery.recover();
    const plain = repair ? undefined : this.#parse(start, cut, { headless: false });
    // Brackets that are missing at its end come before the last way.
    const found = !plain || isUnfinished(plain) ? repair : recovery.search();
    this.#seenTo = Math.max(this.#seenTo, recovery.lookedTo);
    if (found) {
      const { tree, end } = found.unit;
      return { base: start, end, kind: kindOf(tree), tree, faults: [found.fault] };
    }
    if (!plain) return undefined;
    if (plain.faults.length < 2 || !plain.faults.some(fault => HEADLESS_FAULTS.has(fault.code))) return plain;
    // Words before a bracket are a comment in one reading and a value that lost its head in the other: the one with
    // fewer faults is taken.
    const headlessCut = this.#cut(start, maxLength, { headless: true });
    if (!headlessCut) return undefined;
    const other = this.#parse(start, headlessCut, { headless: true });
    return other.faults.length < plain.faults.length ? other : plain;
  }

  #cut(start: number, maxLength: number, options: LooseOptions): Cut | undefined {
    const { lexemes, text } = this.#ground;
    const cut = cutUnit(new LooseReader(lexemes, text, options), text, start, maxLength);
    // What ends because the text does may go on where there is more of it.
    if (cut && (cut.isOpen || skipBlanks(text, cut.end) >= text.length)) this.#seenTo = text.length + 1;
    if (cut) this.#seenTo = Math.max(this.#seenTo, cut.end);
    return cut;
  }

  /** A message that ends although another field of it follows: its last bracket is one too many. */
  #isTornMessage({ tree, end }: AcceptedUnit): boolean {
    const { text } = this.#ground;
    return tree.kind === 'message' && isNextField(text, skipBlanks(text, end));
  }

  #parse(start: number, cut: Cut, options: LooseOptions): Omit<PlacedReading, 'readTo'> {
    const { lexemes, text } = this.#ground;
    const { end } = cut;
    const { tokens, odd } = tokenize(lexemes, text, { start, end }, this.#work, options);
    const { tree, faults } = judgeUnit(new UnitText(text, start, end), parseTokens(tokens), odd, run =>
      this.#ground.readRun(run, start),
    );
    return { base: start, end, kind: kindOf(tree), tree, faults };
  }

  /** Blanks, a comma and the head of a key after a unit may make it a part of a larger one. */
  #readTo(end: number): number {
    const { text } = this.#ground;
    const afterBlanks = skipBlanks(text, end);
    const lookedTo = skipBlanks(text, afterBlanks + 1) + CONTENT_START;
    return Math.max(lookedTo, this.#ground.lookedTo(), this.#seenTo);
  }
}

/** The text of one unit. */
class UnitText implements Characters {
  readonly length: number;
  readonly #text: Characters;
  readonly #start: number;

  constructor(text: Characters, start: number, end: number) {
    this.#text = text;
    this.#start = start;
    this.length = end - start;
  }

  charCodeAt(at: number): number {
    return at < 0 || at >= this.length ? Number.NaN : this.#text.charCodeAt(this.#start + at);
  }

  slice(start = 0, end = this.length): string {
    const from = Math.max(0, start);
    return this.#text.slice(this.#start + from, this.#start + Math.max(from, Math.min(end, this.length)));
  }
}

/** True for a message that lacks brackets at its end and nothing else. */
function isUnfinished({ faults: [first, ...others] }: Pick<PlacedReading, 'faults'>): boolean {
  return others.length === 0 && first?.code === 'aicl/missing-bracket' && first.related !== undefined;
}

function kindOf(tree: UnitTree | undefined): UnitKind {
  return tree?.kind === 'message' ? 'message' : 'fragment';
}
