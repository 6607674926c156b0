import type { Span } from '../../../core/text/span.ts';
import { CONTENT_START } from '../ast.ts';
import { CLOSE, COLON, COMMA, OPEN, skipBlanks } from '../characters.ts';
import { isValueStart } from '../lexeme.ts';
import { kindAt, MAX_DEPTH } from '../scanner.ts';
import type { ReadText } from '../text-ends.ts';

/** An open list or dictionary, linked to the enclosing one. */
interface OpenGroup {
  readonly kind: 'list' | 'dict';
  readonly outer: OpenGroup | undefined;
  readonly depth: number;
}

/** A text that ends at a later `]` than its first, linked to the previous such text. */
interface LaterEnd {
  readonly text: ReadText;
  readonly before: LaterEnd | undefined;
}

/** The state of one way to read the message, up to `at`. */
interface Reading {
  readonly at: number;
  /** Undefined before and after the message. */
  readonly group: OpenGroup | undefined;
  readonly expects: 'entry' | 'colon' | 'value' | 'separator';
  readonly last: LaterEnd | undefined;
  /**
   * For a text at `at` whose later ends are still to be tried: its first bracket, and the offset at which to
   * continue.
   */
  readonly tried?: { readonly from: number; readonly bracket: Span };
}

/**
 * Searches for texts in a message that must end at a later `]` than their first so that the message is
 * complete. A text may not contain a bracket with a type letter and a colon; such a text ends at its first
 * `]`. Of several solutions the one is chosen in which earlier texts end earlier.
 */
export class EndSearch {
  readonly #source: string;
  readonly #isWhole: (end: number) => boolean;
  /** The number of characters read; characters count again for each alternative. */
  read = 0;
  /** The offset after the last character read. */
  lookedTo = 0;

  /** The message starts at the beginning of `source`; `isWhole` returns whether it may end at an offset. */
  constructor(source: string, isWhole: (end: number) => boolean) {
    this.#source = source;
    this.#isWhole = isWhole;
  }

  /** The texts in order; undefined if there is no solution, or none within `most` characters read. */
  find(most: number): readonly ReadText[] | undefined {
    const readings: Reading[] = [{ at: 0, group: undefined, expects: 'value', last: undefined }];
    while (this.read <= most) {
      const reading = readings.pop();
      if (!reading) return undefined;
      if (!reading.group && reading.at > 0) return listTexts(reading.last);
      readings.push(...this.#readOn(reading));
    }
    return undefined;
  }

  /** The readings that continue this one by a mark or a value; the one to try first is last. */
  #readOn(reading: Reading): readonly Reading[] {
    const { group, expects } = reading;
    const at = skipBlanks(this.#source, reading.at);
    this.#look(reading.at, at + CONTENT_START);
    const code = this.#source.charCodeAt(at);
    if (code === CLOSE && group && (expects === 'separator' || expects === 'entry')) {
      if (!group.outer && !this.#isWhole(at + 1)) return [];
      return [{ ...reading, at: at + 1, group: group.outer, expects: 'separator' }];
    }
    if (expects === 'separator') return code === COMMA ? [{ ...reading, at: at + 1, expects: 'entry' }] : [];
    if (expects === 'colon') return code === COLON ? [{ ...reading, at: at + 1, expects: 'value' }] : [];
    return this.#readValue({ ...reading, at });
  }

  #readValue(reading: Reading): readonly Reading[] {
    const { at, group, expects } = reading;
    const kind = kindAt(this.#source, at);
    const isKey = group?.kind === 'dict' && expects === 'entry';
    if (kind === 'text') return this.#readText(reading, isKey ? 'key' : 'value');
    if (kind === undefined || isKey) return [];
    if (kind === 'list' || kind === 'dict') {
      const depth = (group?.depth ?? 0) + 1;
      if (depth > MAX_DEPTH) return [];
      return [{ ...reading, at: at + CONTENT_START, group: { kind, outer: group, depth }, expects: 'entry' }];
    }
    const end = this.#findClose(at);
    if (end < 0 || this.#source.slice(at + 1, end).includes('[')) return [];
    return [{ ...reading, at: end + 1, expects: 'separator' }];
  }

  /**
   * Continues with the next possible end of a text, preceded by the reading that tries the ends after it. The
   * character after an end must fit the grammar.
   */
  #readText(reading: Reading, place: 'key' | 'value'): readonly Reading[] {
    const source = this.#source;
    const { group, last } = reading;
    const start = reading.at + CONTENT_START;
    let { from, bracket } = reading.tried ?? { from: start, bracket: undefined };
    let isPlain = true;
    for (let at = from; at < source.length; at++) {
      const code = source.charCodeAt(at);
      if (code === OPEN && isValueStart(source, at)) isPlain = false;
      if (bracket && !isPlain) {
        this.#look(from, at + CONTENT_START);
        return [];
      }
      if (code !== CLOSE) continue;
      const next = skipBlanks(source, at + 1);
      this.#look(from, next + 1);
      from = at + 1;
      const mark = source.charCodeAt(next);
      const ended = bracket ? { text: { start, end: at, bracket }, before: last } : last;
      bracket ??= { start: at, end: at + 1 };
      const later: Reading = { ...reading, tried: { from, bracket } };
      const fits =
        place === 'key' ? mark === COLON : group ? mark === COMMA || mark === CLOSE : next >= source.length;
      const found: Reading = {
        at: next,
        group,
        expects: place === 'key' ? 'colon' : 'separator',
        last: ended,
      };
      if (fits) return isPlain ? [later, found] : [found];
    }
    this.#look(from, source.length + 1);
    return [];
  }

  #findClose(at: number): number {
    const end = this.#source.indexOf(']', at);
    this.#look(at, end < 0 ? this.#source.length + 1 : end + 1);
    return end;
  }

  #look(from: number, to: number): void {
    this.read += to - from;
    this.lookedTo = Math.max(this.lookedTo, to);
  }
}

function listTexts(last: LaterEnd | undefined): readonly ReadText[] {
  const texts: ReadText[] = [];
  for (let ended = last; ended; ended = ended.before) texts.push(ended.text);
  return texts.reverse();
}
