import type { WorkCounter } from '../work.ts';
import { CONTENT_START, type UnitTree } from './ast.ts';
import { skipBlanks } from './characters.ts';
import { cutUnit, type Cut } from './recovery/cut.ts';
import type { UnitReading } from './document.ts';
import type { TokenSource } from './token-source.ts';
import { judgeUnit } from './judge.ts';
import { isNextField } from './lexeme.ts';
import { LooseReader, type LooseOptions } from './loose.ts';
import { parseTokens } from './grammar/parser.ts';
import { Recovery } from './recovery/recover.ts';
import type { AcceptedUnit } from './scanner.ts';
import { tokenize } from './grammar/tokens.ts';
import { TextPart } from './text-part.ts';
import type { UnitKind } from './unit.ts';

/** A reading whose offsets are relative to the reader's text. */
export type PlacedReading = Omit<UnitReading, 'text' | 'start' | 'parts'>;

/** Faults that text without an opening bracket may cause. */
const HEADLESS_FAULTS: ReadonlySet<string> = new Set(['aicl/foreign-text', 'aicl/unknown-type']);

/** Reads units from a source of tokens. `readTo` of a reading is the end of the text on which it depends. */
export class ValueReader {
  readonly #source: TokenSource;
  readonly #work: WorkCounter;
  /** The offset up to which the text decided where the unit ends. */
  #seenTo = 0;

  constructor(source: TokenSource, work: WorkCounter) {
    this.#source = source;
    this.#work = work;
  }

  /**
   * Reads the value, message or run of pairs at `start`: valid text with the scanner, other text with
   * recovery or the parser. Undefined if it is longer than `maxLength`.
   */
  read(start: number, maxLength: number): PlacedReading | undefined {
    const accepted = this.#source.accept(start);
    if (accepted && !this.#isTornMessage(accepted)) {
      const { tree, end, isPlain } = accepted;
      const readTo = this.#readTo(end);
      return { base: start, end, readTo, kind: kindOf(tree), tree, faults: [], isPlain };
    }
    if (this.#source.isTooLong()) return undefined;
    const broken = this.#readBroken(start, maxLength);
    return broken && { ...broken, readTo: this.#readTo(broken.end) };
  }

  #readBroken(start: number, maxLength: number): Omit<PlacedReading, 'readTo'> | undefined {
    const cut = this.#cut(start, maxLength, { headless: false });
    if (!cut) return undefined;
    const recovery = new Recovery(this.#source, this.#work, start, cut);
    const repair = recovery.recover();
    // If only brackets at the end are missing, that reading takes precedence over the last kind of recovery.
    const open = !repair && cut.isOpen ? this.#parse(start, cut, { headless: false }) : undefined;
    const found = repair ?? (open && isUnfinished(open) ? undefined : recovery.search(maxLength));
    this.#seenTo = Math.max(this.#seenTo, recovery.lookedTo);
    if (recovery.isTooLong) return undefined;
    if (found) {
      const { tree, end } = found.unit;
      if (end - start > maxLength) return undefined;
      return { base: start, end, kind: kindOf(tree), tree, faults: [found.fault] };
    }
    const plain = open ?? this.#parse(start, cut, { headless: false });
    if (plain.faults.length < 2 || !plain.faults.some(fault => HEADLESS_FAULTS.has(fault.code))) return plain;
    // Text before a bracket is either foreign text or a value without its head; the reading with fewer faults wins.
    const headlessCut = this.#cut(start, maxLength, { headless: true });
    if (!headlessCut) return undefined;
    const other = this.#parse(start, headlessCut, { headless: true });
    return other.faults.length < plain.faults.length ? other : plain;
  }

  #cut(start: number, maxLength: number, options: LooseOptions): Cut | undefined {
    const { lexemes, text } = this.#source;
    const cut = cutUnit(new LooseReader(lexemes, text, options), text, start, maxLength);
    // A unit that ends only because the text ends might continue in more text.
    if (cut && (cut.isOpen || skipBlanks(text, cut.end) >= text.length)) this.#seenTo = text.length + 1;
    if (cut) this.#seenTo = Math.max(this.#seenTo, cut.end);
    return cut;
  }

  /** True for a message that is followed by another of its fields, so its last bracket is probably extra. */
  #isTornMessage({ tree, end }: AcceptedUnit): boolean {
    const { text } = this.#source;
    return tree.kind === 'message' && isNextField(text, skipBlanks(text, end));
  }

  #parse(start: number, cut: Cut, options: LooseOptions): Omit<PlacedReading, 'readTo'> {
    const { lexemes, text } = this.#source;
    const { end } = cut;
    const { tokens, unexpected } = tokenize(lexemes, text, { start, end }, this.#work, options);
    const { tree, faults } = judgeUnit(new TextPart(text, start, end), parseTokens(tokens), unexpected, run =>
      this.#source.readRun(run, start),
    );
    return { base: start, end, kind: kindOf(tree), tree, faults };
  }

  /** Blanks, a comma and the head of a key after a unit may make it part of a larger one. */
  #readTo(end: number): number {
    const { text } = this.#source;
    const afterBlanks = skipBlanks(text, end);
    const lookedTo = skipBlanks(text, afterBlanks + 1) + CONTENT_START;
    return Math.max(lookedTo, this.#source.lookedTo(), this.#seenTo);
  }
}

/** True for a message whose only fault is missing brackets at its end. */
function isUnfinished({ faults: [first, ...others] }: Pick<PlacedReading, 'faults'>): boolean {
  return others.length === 0 && first?.code === 'aicl/missing-bracket' && first.related !== undefined;
}

function kindOf(tree: UnitTree | undefined): UnitKind {
  return tree?.kind === 'message' ? 'message' : 'fragment';
}
