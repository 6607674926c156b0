import { TYPE_TAGS } from '../../../core/catalog/aicl.ts';
import type { Characters } from '../../../core/text/source-text.ts';
import type { Span } from '../../../core/text/span.ts';
import { CONTENT_START } from '../ast.ts';
import { CLOSE, COLON, COMMA, isBlank, skipBlanks } from '../characters.ts';
import { isValueStart, type LexemeSource } from '../lexeme.ts';
import type { Run } from '../run.ts';
import { kindAt, MAX_DEPTH } from '../scanner.ts';
import type { ReadText } from '../text-ends.ts';

/** The longest distance in characters from an end that is replaced to the place where the message breaks. */
const REACH = 16_384;
/**
 * The number of characters that are read again while the search advances by `REACH` characters, and the number of times
 * that a short message is read again.
 */
const MAX_AGAIN = 2 * REACH;
const MAX_TIMES = 16;

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
  /** For a text at `at` whose later ends are still to be tried: its first bracket, and the offset at which to continue. */
  readonly tried?: { readonly from: number; readonly bracket: Span };
  /** For entries at `at` that were read as a run: its end. The later ends of its texts are still to be tried. */
  readonly runEnd?: number;
}

/** The part of a text that one message may take up. */
export interface SearchBounds {
  /** True if the message may end at an offset. */
  isWhole(end: number): boolean;
  /** The offset up to which the message may reach, which a reading that came to `at` must know. */
  limitAt(at: number): number;
  /** The length of a message that is read; the search of a longer one ends. */
  readonly maxLength: number;
}

/** The number of characters that are searched at a time. */
const BLOCK = 4_096;
const RUN_PIECE = /\[[ld]:|\[[^[\]]*\]|\]/g;
const VALUE_START = new RegExp(`\\[[${TYPE_TAGS.map(({ tag }) => tag).join('')}]:`);

/**
 * Searches for texts in a message that must end at a later `]` than their first so that the message is
 * complete. A text may not contain a bracket with a type letter and a colon; such a text ends at its first
 * `]`. Of several solutions the one is chosen in which earlier texts end earlier. An end is replaced by a later
 * one only if the message breaks at most `REACH` characters after it, so that the work depends on the neighbourhood of
 * the mistake and not on the length of the message.
 */
export class EndSearch {
  readonly #lexemes: LexemeSource;
  readonly #text: Characters;
  readonly #start: number;
  readonly #bounds: SearchBounds;
  /** The offset up to which any reading came. */
  #reached: number;
  /** The number of characters before it that were read again since it was at `#countedFrom`. */
  #again = 0;
  #countedFrom: number;
  /** No end before this offset is replaced. */
  #replacedFrom = 0;
  /** The start of the last value before `to`, up to which it was searched. */
  #lastValue = { to: 0, at: -1 };
  /** What was found last by `#findNext`. */
  #next = { from: 0, to: -1, isEnd: false };
  /** The number of characters read, except those in runs; characters count again for each alternative. */
  read = 0;
  /** The offset after the last character read. */
  lookedTo = 0;

  /** The message starts at `start`. */
  constructor(lexemes: LexemeSource, text: Characters, start: number, bounds: SearchBounds) {
    this.#lexemes = lexemes;
    this.#text = text;
    this.#start = start;
    this.#bounds = bounds;
    this.#reached = start;
    this.#countedFrom = start;
  }

  /** True if the search ended because the message is too long. */
  get isTooLong(): boolean {
    return this.#reached - this.#start > this.#bounds.maxLength;
  }

  /** The texts in order; undefined if no solution is found. */
  find(): readonly ReadText[] | undefined {
    const readings: Reading[] = [{ at: this.#start, group: undefined, expects: 'value', last: undefined }];
    for (;;) {
      const reading = readings.pop();
      if (!reading || this.isTooLong) return undefined;
      if (!reading.group && reading.at > this.#start) return listTexts(reading.last);
      const isAlternative = reading.tried !== undefined || reading.runEnd !== undefined;
      if (isAlternative && !this.#isInReach(reading)) return undefined;
      const next = this.#readOn(reading);
      if (next.length === 0 && !isAlternative) this.#block(reading);
      readings.push(...next);
    }
  }

  /** True if an alternative is tried. If not, those before it are not tried either. */
  #isInReach({ tried, runEnd = 0 }: Reading): boolean {
    if (this.#reached - this.#countedFrom >= REACH) {
      this.#countedFrom = this.#reached;
      this.#again = 0;
    }
    const from = tried?.from ?? runEnd;
    const most = Math.min(MAX_AGAIN, MAX_TIMES * (this.#reached - this.#start));
    return from >= this.#reached - REACH && from >= this.#replacedFrom && this.#again <= most;
  }

  /** Takes note of a place where no reading can go on or end, and which no text can contain. */
  #block({ at: from, group, last: moved }: Reading): void {
    const text = this.#text;
    const at = skipBlanks(text, from);
    let before = at - 1;
    while (isBlank(text.charCodeAt(before))) before--;
    const code = text.charCodeAt(at);
    const isMark = code === CLOSE || code === COMMA || code === COLON;
    const isValue = isValueStart(text, at);
    const isClosed = text.charCodeAt(before) === CLOSE;
    if (isClosed ? isMark : code === CLOSE || isValue) return;
    // A later end takes brackets from the groups, so that no reading has fewer open groups than the one without.
    if (isClosed && (moved || !group) && this.#bounds.isWhole(before + 1)) return;
    const last = this.#findValueBefore(at);
    const isAfterText = last < 0 || kindAt(text, last) === 'text';
    if (isValue || !isAfterText || !this.#findNext(at).isEnd) this.#replacedFrom = at;
  }

  /** The start of the last value before an offset; -1 if it is out of reach. */
  #findValueBefore(to: number): number {
    const known = to >= this.#lastValue.to ? this.#lastValue : { to: 0, at: -1 };
    const floor = Math.max(known.to, to - REACH);
    let at = to - 1;
    while (at >= floor && !isValueStart(this.#text, at)) at--;
    if (at < floor) at = floor === known.to ? known.at : -1;
    this.#lastValue = { to, at };
    return at;
  }

  /** The readings that continue this one by a mark or a value; the one to try first is last. */
  #readOn(reading: Reading): readonly Reading[] {
    if (reading.tried) return this.#readLater(reading, reading.tried);
    if (reading.runEnd !== undefined) return this.#openRun(reading, reading.runEnd);
    const { group, expects } = reading;
    const at = skipBlanks(this.#text, reading.at);
    const isNew = at >= this.#reached;
    if (!this.#pass(reading.at, at)) return [];
    const code = this.#text.charCodeAt(at);
    if (code === CLOSE && group && (expects === 'separator' || expects === 'entry')) {
      if (!group.outer && !this.#bounds.isWhole(at + 1)) return [];
      return [{ ...reading, at: at + 1, group: group.outer, expects: 'separator' }];
    }
    if (expects === 'separator') return code === COMMA ? [{ ...reading, at: at + 1, expects: 'entry' }] : [];
    if (expects === 'colon') return code === COLON ? [{ ...reading, at: at + 1, expects: 'value' }] : [];
    return (isNew && this.#readRun({ ...reading, at })) || this.#readValue({ ...reading, at });
  }

  /** Reads several entries at once where no reading came before; false if they are read one by one. */
  #readRun(reading: Reading): readonly Reading[] | false {
    const { at, group, expects } = reading;
    if (!group || expects !== 'entry') return false;
    const lexeme = this.#lexemes.lexemeAt(at, 'entry');
    if (lexeme.type !== 'run' || !fits(lexeme.run, group)) return false;
    const { end } = lexeme;
    if (!this.#reach(end)) return [];
    return [
      { ...reading, runEnd: end },
      { ...reading, at: end, expects: 'separator' },
    ];
  }

  /** The alternatives in a run, whose values are sound and whose texts contain no bracket. */
  #openRun({ at, group, last }: Reading, runEnd: number): readonly Reading[] {
    const found: Reading[] = [];
    let open = group;
    for (const { 0: piece, index } of this.#text.slice(at, runEnd).matchAll(RUN_PIECE)) {
      if (piece === ']') open = open?.outer;
      else if (piece === '[l:') open = openGroup('list', open);
      else if (piece === '[d:') open = openGroup('dict', open);
      else if (piece.startsWith('[s:')) {
        const start = at + index;
        const from = start + piece.length;
        if (isSettled(this.#text, skipBlanks(this.#text, from))) continue;
        const tried = { from, bracket: { start: from - 1, end: from } };
        found.push({
          at: start,
          group: open,
          expects: open?.kind === 'list' ? 'entry' : 'value',
          last,
          tried,
        });
      }
    }
    return found;
  }

  #readValue(reading: Reading): readonly Reading[] {
    const { at, group, expects } = reading;
    const kind = kindAt(this.#text, at);
    const isKey = group?.kind === 'dict' && expects === 'entry';
    if (kind === undefined || (isKey && kind !== 'text')) return [];
    if (kind === 'list' || kind === 'dict') {
      if (group && group.depth >= MAX_DEPTH) return [];
      return [{ ...reading, at: at + CONTENT_START, group: openGroup(kind, group), expects: 'entry' }];
    }
    const lexeme = this.#lexemes.lexemeAt(at, 'inside');
    if (lexeme.type !== 'atom' || this.#text.charCodeAt(lexeme.contentEnd) !== CLOSE) {
      this.#replacedFrom = at;
      return [];
    }
    if (!this.#pass(at, lexeme.end)) return [];
    if (kind === 'text') return this.#endText(reading, lexeme.contentEnd, undefined);
    return group || this.#bounds.isWhole(lexeme.end)
      ? [{ ...reading, at: lexeme.end, expects: 'separator' }]
      : [];
  }

  /** Tries the next end of a text. A value may not start before it. */
  #readLater(reading: Reading, { from, bracket }: { from: number; bracket: Span }): readonly Reading[] {
    const start = reading.at + CONTENT_START;
    if (from === bracket.end && VALUE_START.test(this.#text.slice(start, bracket.start))) return [];
    const { to, isEnd } = this.#findNext(from);
    return this.#pass(from, to + 1) && isEnd ? this.#endText(reading, to, bracket) : [];
  }

  /** Continues after an end of a text, which the next character must fit, preceded by the reading that tries the ends after it. */
  #endText(reading: Reading, end: number, bracket: Span | undefined): readonly Reading[] {
    const text = this.#text;
    const { at: start, group, expects, last } = reading;
    const isKey = group?.kind === 'dict' && expects === 'entry';
    const at = skipBlanks(text, end + 1);
    this.#look(skipBlanks(text, at + 1) + CONTENT_START);
    const mark = text.charCodeAt(at);
    const isMarked = isKey ? mark === COLON : mark === COMMA || mark === CLOSE;
    const isFit = group ? isMarked : this.#bounds.isWhole(end + 1);
    const tried = { from: end + 1, bracket: bracket ?? { start: end, end: end + 1 } };
    const later = { at: start, group, expects, last, tried };
    if (!isFit) return [later];
    const ended = bracket ? { text: { start: start + CONTENT_START, end, bracket }, before: last } : last;
    const found: Reading = { at: end + 1, group, expects: isKey ? 'colon' : 'separator', last: ended };
    return isSettled(text, at) ? [found] : [later, found];
  }

  /** The next `]`, or the head of a value before it, or the end of the text; and whether it is a bracket. */
  #findNext(from: number): { readonly to: number; readonly isEnd: boolean } {
    const known = this.#next;
    if (from < known.from || from > known.to) this.#next = { from, ...findNext(this.#text, from) };
    this.#look(this.#next.to + CONTENT_START);
    return this.#next;
  }

  /** Counts characters as read; false if the message cannot reach their end. */
  #pass(from: number, to: number): boolean {
    this.read += to - from;
    this.#again += Math.max(0, Math.min(to, this.#reached) - from);
    this.#look(to + CONTENT_START);
    return this.#reach(to);
  }

  #reach(to: number): boolean {
    const limit = to > this.#reached ? this.#bounds.limitAt(to) : to;
    this.#reached = Math.max(this.#reached, Math.min(to, limit));
    return to <= limit;
  }

  #look(to: number): void {
    this.lookedTo = Math.max(this.lookedTo, to);
  }
}

function findNext(text: Characters, from: number): { readonly to: number; readonly isEnd: boolean } {
  for (let at = from; at < text.length; at += BLOCK) {
    const block = text.slice(at, at + BLOCK + CONTENT_START - 1);
    const close = block.indexOf(']');
    const value = (close < 0 ? block : block.slice(0, close)).search(VALUE_START);
    if (value >= 0) return { to: at + value, isEnd: false };
    if (close >= 0) return { to: at + close, isEnd: true };
  }
  return { to: text.length, isEnd: false };
}

/** True if a value follows the mark after a text, so that the text cannot end later. */
function isSettled(text: Characters, mark: number): boolean {
  return text.charCodeAt(mark) !== CLOSE && isValueStart(text, skipBlanks(text, mark + 1));
}

function openGroup(kind: OpenGroup['kind'], outer: OpenGroup | undefined): OpenGroup {
  return { kind, outer, depth: (outer?.depth ?? 0) + 1 };
}

/** True if a group may contain a run. */
function fits({ kind, height }: Run, group: OpenGroup): boolean {
  return (kind === 'items') === (group.kind === 'list') && group.depth + height <= MAX_DEPTH;
}

function listTexts(last: LaterEnd | undefined): readonly ReadText[] {
  const texts: ReadText[] = [];
  for (let ended = last; ended; ended = ended.before) texts.push(ended.text);
  return texts.reverse();
}
