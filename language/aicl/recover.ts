import type { Characters } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../../core/text/work.ts';
import { CONTENT_START } from './ast.ts';
import { bracketFault } from './bracket-fault.ts';
import { BACKSLASH, CLOSE, isLineEnd, skipBlanks } from './characters.ts';
import { holdsMessageStart, type Cut, type LooseText } from './cut.ts';
import { EndSearch } from './end-search.ts';
import type { Ground } from './ground.ts';
import { repairText, type Repair } from './repair.ts';
import { kindAt, Scanner } from './scanner.ts';
import { BracketEnds } from './text-ends.ts';

/** Later ends of texts are searched in so many characters of a message, in which so many are read, some again and again. */
const MOST_SEARCHED = 131_072;
const MOST_READ = 8 * MOST_SEARCHED;

/**
 * Reads a message that the grammar does not accept as it was meant (reading of LightAICL, section 1.2): the first reading that
 * makes it whole. It is asked in the order of its functions, brackets that are missing at the end between them.
 */
export class Recovery {
  readonly #ground: Ground;
  readonly #text: Characters;
  readonly #work: WorkCounter;
  readonly #start: number;
  readonly #cut: Cut;
  /** The offset after the last character that the answers depend on. */
  lookedTo = 0;

  constructor(ground: Ground, work: WorkCounter, start: number, cut: Cut) {
    this.#cut = cut;
    this.#ground = ground;
    this.#text = ground.text;
    this.#work = work;
    this.#start = start;
  }

  /** With `\]` as a bracket; with texts that go on behind the brackets that close those in them; with one that lost its bracket. */
  recover(): Repair | undefined {
    const text = this.#text;
    const start = this.#start;
    const closed = this.#cut.texts.filter(({ contentEnd }) => text.charCodeAt(contentEnd) === CLOSE);
    const isOld = ({ contentEnd }: LooseText): boolean => text.charCodeAt(contentEnd - 1) === BACKSLASH;
    const isOpen = ({ from, contentEnd }: LooseText): boolean => text.slice(from, contentEnd).includes('[');
    return (
      (kindAt(text, start) === 'dict' && closed.some(isOld) ? this.#readBrackets('old') : undefined) ??
      (closed.some(isOpen) ? this.#readBrackets('closed') : undefined) ??
      repairText(ends => this.#ground.accept(start, ends), text, start, this.#cut)
    );
  }

  /** With texts that end at a later bracket. */
  search(): Repair | undefined {
    const start = this.#start;
    const kind = kindAt(this.#text, start);
    if (kind !== 'dict' && kind !== 'list') return undefined;
    const source = this.#text.slice(start, start + MOST_SEARCHED);
    const search = new EndSearch(source, end => this.#isWhole(start + end));
    const texts = search.find(MOST_READ);
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
    const unit = this.#ground.accept(this.#start, ends);
    this.#look(ends.lookedTo);
    const fault = unit && bracketFault(way, this.#text, this.#start, ends.texts);
    return fault && this.#isWhole(unit.end) ? { unit, fault } : undefined;
  }

  /** True where the message may end: no other one started before, and no text that belongs to none comes next. */
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
