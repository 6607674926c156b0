import type { Characters } from '../../../core/text/source-text.ts';
import type { WorkCounter } from '../../work.ts';
import { CONTENT_START } from '../ast.ts';
import { bracketFault } from './bracket-fault.ts';
import { BACKSLASH, CLOSE, isLineEnd, skipBlanks } from '../characters.ts';
import { findMessageStart, type Cut, type LooseText } from './cut.ts';
import { EndSearch, type SearchBounds } from './end-search.ts';
import type { TokenSource } from '../token-source.ts';
import { repairText, type Repair } from './repair.ts';
import { kindAt } from '../scanner.ts';
import { BracketEnds, FoundEnds } from '../text-ends.ts';

/**
 * Tries to read a message that the grammar rejects as it was meant (reading of LightAICL, section 1.2). The
 * first reading that makes the message complete wins. The caller tries `recover`, then missing brackets at
 * the end, then `search`.
 */
export class Recovery {
  readonly #source: TokenSource;
  readonly #text: Characters;
  readonly #work: WorkCounter;
  readonly #start: number;
  readonly #cut: Cut;
  /** No message starts between the end of the unit and here. */
  #clearTo: number;
  #limit = Infinity;
  /** True if the last search ended because the message is too long. */
  isTooLong = false;
  /** The offset after the last character on which results depend. */
  lookedTo = 0;

  constructor(source: TokenSource, work: WorkCounter, start: number, cut: Cut) {
    this.#cut = cut;
    this.#clearTo = cut.end;
    this.#source = source;
    this.#text = source.text;
    this.#work = work;
    this.#start = start;
  }

  /**
   * Tries in this order: `\]` as an escaped bracket, texts that contain matching brackets, one text without
   * its closing bracket.
   */
  recover(): Repair | undefined {
    const text = this.#text;
    const start = this.#start;
    const closed = this.#cut.texts.filter(({ contentEnd }) => text.charCodeAt(contentEnd) === CLOSE);
    const isOld = ({ contentEnd }: LooseText): boolean => text.charCodeAt(contentEnd - 1) === BACKSLASH;
    const isOpen = ({ from, contentEnd }: LooseText): boolean => text.slice(from, contentEnd).includes('[');
    return (
      (kindAt(text, start) === 'dict' && closed.some(isOld) ? this.#readBrackets('old') : undefined) ??
      (closed.some(isOpen) ? this.#readBrackets('closed') : undefined) ??
      repairText(ends => this.#source.accept(start, ends), text, start, this.#cut)
    );
  }

  /** Tries texts that end at a later bracket, in a message of at most `maxLength` characters. */
  search(maxLength: number): Repair | undefined {
    const text = this.#text;
    const start = this.#start;
    const kind = kindAt(text, start);
    if (kind !== 'dict' && kind !== 'list') return undefined;
    const bounds: SearchBounds = {
      isWhole: end => this.#isWhole(end),
      limitAt: at => this.#limitAt(at),
      maxLength,
    };
    const search = new EndSearch(this.#source.lexemes, text, start, bounds);
    const texts = search.find();
    this.#work.count += search.read;
    this.#look(search.lookedTo);
    this.isTooLong = search.isTooLong;
    const unit = texts && this.#source.accept(start, new FoundEnds(texts));
    const fault = unit && bracketFault('searched', text, start, texts);
    return fault && { unit, fault };
  }

  #readBrackets(way: 'old' | 'closed'): Repair | undefined {
    const ends = new BracketEnds(this.#text, this.#work, way);
    const unit = this.#source.accept(this.#start, ends);
    this.#look(ends.lookedTo);
    const fault = unit && bracketFault(way, this.#text, this.#start, ends.texts);
    return fault && this.#isWhole(unit.end) ? { unit, fault } : undefined;
  }

  /** True if the message may end here: no other message has started before, and no foreign text follows. */
  #isWhole(end: number): boolean {
    const next = skipBlanks(this.#text, end);
    this.#look(next + CONTENT_START);
    if (end > this.#limitAt(end)) return false;
    if (next >= this.#text.length || kindAt(this.#text, next) !== undefined) return true;
    return this.#text.slice(next, next + 1) === '#' && isLineEnd(this.#text.charCodeAt(next - 1));
  }

  /** The start of the next message, if it is before `at`. */
  #limitAt(at: number): number {
    if (at <= this.#clearTo) return this.#limit;
    const found = findMessageStart(this.#text, { start: this.#clearTo - 1, end: at });
    if (found >= 0) this.#limit = found;
    this.#clearTo = found < 0 ? at : Infinity;
    return this.#limit;
  }

  #look(to: number): void {
    this.lookedTo = Math.max(this.lookedTo, to);
  }
}
