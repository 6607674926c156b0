import type { Characters } from '../../../core/text/source-text.ts';
import type { WorkCounter } from '../../work.ts';
import { CONTENT_START } from '../ast.ts';
import { bracketFault } from './bracket-fault.ts';
import { BACKSLASH, CLOSE, isLineEnd, skipBlanks } from '../characters.ts';
import { holdsMessageStart, type Cut, type LooseText } from './cut.ts';
import { EndSearch } from './end-search.ts';
import type { TokenSource } from '../token-source.ts';
import { repairText, type Repair } from './repair.ts';
import { kindAt, Scanner } from '../scanner.ts';
import { BracketEnds } from '../text-ends.ts';

/**
 * Limits of the search for later ends of texts: length of the message, as it is written and as it is found, and number
 * of characters read, including repeated reads.
 */
const MAX_SEARCHED = 131_072;
const MAX_READ = 8 * MAX_SEARCHED;

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
  /** The offset after the last character on which results depend. */
  lookedTo = 0;

  constructor(source: TokenSource, work: WorkCounter, start: number, cut: Cut) {
    this.#cut = cut;
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

  /** Tries texts that end at a later bracket. */
  search(): Repair | undefined {
    const start = this.#start;
    if (this.#cut.end - start > MAX_SEARCHED) return undefined;
    const kind = kindAt(this.#text, start);
    if (kind !== 'dict' && kind !== 'list') return undefined;
    const source = this.#text.slice(start, start + MAX_SEARCHED);
    const search = new EndSearch(source, end => this.#isWhole(start + end));
    const texts = search.find(MAX_READ);
    this.#work.count += search.read;
    this.#look(start + search.lookedTo);
    if (!texts) return undefined;
    const ends = new Map(texts.map(({ start: from, end }) => [from, { contentEnd: end, end: end + 1 }]));
    const unit = new Scanner(source, this.#work).accept(0, { ends: { find: from => ends.get(from) } });
    const fault = bracketFault('searched', source, 0, texts);
    return unit && fault && { unit: { ...unit, end: start + unit.end }, fault };
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
    if (holdsMessageStart(this.#text, this.#cut, end)) return false;
    if (next >= this.#text.length || kindAt(this.#text, next) !== undefined) return true;
    return this.#text.slice(next, next + 1) === '#' && isLineEnd(this.#text.charCodeAt(next - 1));
  }

  #look(to: number): void {
    this.lookedTo = Math.max(this.lookedTo, to);
  }
}
