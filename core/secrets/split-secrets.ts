import { findUnescaped } from '../text/json.ts';
import { JoinedText } from './joined-text.ts';
import type { SecretSpan } from './credential-values.ts';
import type { SecretSearch } from './secret-search.ts';

/** Of an unfinished string that is longer, only this number of characters at its end is stored. */
const LONGEST_STRING = 16 * 1024;

/** The maximum number of characters of the wire that are held back until the next string of a member arrives. */
const LONGEST_HOLD = 64 * 1024;

/** The number of strings of a message that are read: messages of a stream are small. */
const MAX_STRINGS = 64;

/** The maximum number of joined texts that are searched at the same time. */
const MAX_TEXTS = 32;

/** A member with a longer name is no member of a protocol's message. */
const LONGEST_NAME = 200;

/** The beginning of a line: the field of an event, then that of a message in AICL or JSON, or of a chunk in AICF. */
const LINE = /(data:[ \t]*)?(?:(\[[sifbldt]:)|([{[])|(STREAM\|))?/y;
const LONGEST_START = 20;

/** The names of members that say to which part of a reply a string belongs, when several parts grow by turns. */
const PART_NAME = /(?:_id|Id|[Ii]ndex)$/;
const INDEX = /[ \t]*(\d+)/y;

/** A name in JSON with the beginning of its value, which is an index if it is a number. */
const JSON_NAME = /"([^"\\\n]{0,200})":(?=[^\d \t]|(\d+)\D)/y;

const JSON_MARK = /["\n]/g;
const AICL_MARK = /\[s:|\n\[d:/g;

/**
 * Finds secrets that an agent repeats in pieces: it searches the strings that a member has in consecutive messages of a
 * stream as one text. Reads JSON and AICL messages, one or more in each line or event, and chunks of AICF.
 */
export class SplitSecrets {
  readonly #open: () => SecretSearch;
  readonly #texts = new Map<string, JoinedText>();
  #place: 'line' | 'json' | 'aicl' | 'string' | 'elsewhere' = 'line';
  /** The character that ends the current string. */
  #quote: '"' | ']' | '\n' = '"';
  /** The text that is not read yet, its offset on the wire, and how far the end of its string was searched. */
  #waiting = '';
  #at = 0;
  #searched = 0;
  /** True where a string is complete, and only what follows shows whether it is a name. */
  #isUndecided = false;
  /** True where the beginning of the current string was dropped. */
  #isLong = false;
  /** The name of the member to which the next string belongs. */
  #name = '';
  /** The part of the reply to which the message belongs, as its members so far name it. */
  #part = '';
  #strings = 0;
  #spans: SecretSpan[] = [];

  /** `open` makes the search of one joined text. */
  constructor(open: () => SecretSearch) {
    this.#open = open;
  }

  /** Reads the next text of the wire. */
  push(text: string): void {
    const all = this.#waiting + text;
    let at = 0;
    for (let next = this.#read(all, at); next !== undefined; next = this.#read(all, at)) at = next;
    if (this.#place === 'string' && all.length - at > LONGEST_STRING) {
      if (!this.#isLong) this.#takeBeginning(all.slice(at, at + LONGEST_STRING), this.#at + at);
      this.#isLong = true;
      at = all.length - LONGEST_STRING;
    }
    this.#at += at;
    this.#searched = Math.max(0, this.#searched - at);
    this.#waiting = all.slice(at);
    for (const [key, joined] of this.#texts)
      if (this.#at - joined.hold > LONGEST_HOLD) this.#close(key, joined);
  }

  /** Ends the stream. */
  end(): void {
    if (this.#place === 'string' && this.#quote === '\n') this.#take(this.#waiting, this.#at);
    for (const [key, joined] of this.#texts) this.#close(key, joined);
  }

  /** The secrets that were found since the last call. */
  take(): readonly SecretSpan[] {
    const spans = this.#spans;
    if (spans.length > 0) this.#spans = [];
    return spans;
  }

  /** The offset on the wire from which on a secret may have begun; Infinity if there is none. */
  get hold(): number {
    let hold = this.#mayContinue ? this.#at : Infinity;
    for (const joined of this.#texts.values()) hold = Math.min(hold, joined.hold);
    return hold;
  }

  /** True where what is not read yet may go on with a secret. */
  get #mayContinue(): boolean {
    if (this.#place === 'line')
      return this.#waiting !== '' && [...this.#texts.values()].some(({ isOpen }) => isOpen);
    if (this.#place !== 'string') return false;
    const keys = [this.#name, this.#name + this.#part];
    return this.#isUndecided || keys.some(key => this.#texts.get(key)?.isOpen === true);
  }

  #close(key: string, joined: JoinedText): void {
    joined.end(this.#spans);
    this.#texts.delete(key);
  }

  /** Reads one step; returns the offset of the next one, undefined if it needs more text. */
  #read(all: string, at: number): number | undefined {
    if (at >= all.length) return undefined;
    switch (this.#place) {
      case 'line':
        return this.#readLine(all, at);
      case 'elsewhere': {
        const end = all.indexOf('\n', at);
        if (end !== -1) this.#place = 'line';
        return end === -1 ? all.length : end + 1;
      }
      case 'json':
        return this.#readJson(all, at);
      case 'aicl':
        return this.#readAicl(all, at);
      case 'string':
        return this.#readString(all, at);
    }
  }

  #readLine(all: string, at: number): number | undefined {
    // `data: [` may begin a message of either language.
    if (all.length - at < LONGEST_START && !all.includes('\n', at)) return undefined;
    this.#strings = 0;
    this.#part = '';
    LINE.lastIndex = at;
    const [found = '', field, aicl, json, chunk] = LINE.exec(all) ?? [];
    const start = at + found.length;
    if (aicl !== undefined || json !== undefined) {
      this.#place = aicl === undefined ? 'json' : 'aicl';
      return start - (aicl ?? '').length;
    }
    if (field !== undefined || chunk !== undefined) return this.#begin(start, '\n', chunk ?? 'data');
    this.#place = 'elsewhere';
    return at;
  }

  #readJson(all: string, at: number): number {
    JSON_MARK.lastIndex = at;
    const found = JSON_MARK.exec(all);
    if (!found) return all.length;
    if (found[0] === '\n') {
      this.#place = 'line';
      return found.index + 1;
    }
    // Most strings are plain names that have arrived whole.
    JSON_NAME.lastIndex = found.index;
    const named = JSON_NAME.exec(all);
    if (named) {
      this.#setName(named[1] ?? '', named[2]);
      return JSON_NAME.lastIndex;
    }
    if (this.#strings++ < MAX_STRINGS) return this.#begin(found.index + 1, '"', this.#name);
    this.#place = 'elsewhere';
    return found.index;
  }

  #readAicl(all: string, at: number): number | undefined {
    AICL_MARK.lastIndex = at;
    const found = AICL_MARK.exec(all);
    if (!found) {
      const cut = Math.max(at, all.length - 3);
      return cut === at ? undefined : cut;
    }
    const start = found.index + found[0].length;
    if (found[0] !== '[s:') {
      this.#strings = 0;
      this.#part = '';
    } else if (this.#strings++ < MAX_STRINGS) return this.#begin(start, ']', this.#name);
    return start;
  }

  #begin(start: number, quote: '"' | ']' | '\n', name: string): number {
    this.#name = name;
    this.#place = 'string';
    this.#quote = quote;
    this.#searched = start;
    this.#isLong = false;
    return start;
  }

  #readString(all: string, start: number): number | undefined {
    const from = Math.max(start, this.#searched);
    const end = this.#quote === '"' ? findUnescaped(all, '"', from) : all.indexOf(this.#quote, from);
    this.#isUndecided = end !== -1 && this.#quote !== '\n' && isOpenAt(all, end + 1);
    if (end === -1 || this.#isUndecided) {
      this.#searched = end === -1 ? all.length : end;
      return undefined;
    }
    const text = all.slice(start, end);
    const next = skipBlanks(all, end + 1);
    if (this.#quote === '\n' || all.charAt(next) !== ':') this.#take(text, this.#at + start);
    else {
      INDEX.lastIndex = next + 1;
      this.#setName(text.length > LONGEST_NAME || this.#isLong ? '' : text, INDEX.exec(all)?.[1]);
    }
    this.#place = this.#quote === '"' ? 'json' : this.#quote === ']' ? 'aicl' : 'line';
    return end + 1;
  }

  #setName(name: string, index: string | undefined): void {
    this.#name = name;
    if (index !== undefined && PART_NAME.test(name)) this.#part += ` ${index}`;
  }

  /** Takes a string that is a value: as a piece of its member's text. */
  #take(text: string, wire: number): void {
    if (PART_NAME.test(this.#name)) {
      this.#part += ` ${text}`;
      return;
    }
    const joined = this.#find(this.#name);
    joined.part ??= this.#part;
    if (joined.part !== this.#part && !joined.hasParts) {
      // Parts grow by turns, or each message has an id of its own: from now on, texts are joined with and without them.
      joined.hasParts = true;
      for (const each of joined.undecided) this.#find(this.#name + joined.part).push(each, this.#spans);
    }
    if (joined.hasParts) this.#find(this.#name + this.#part).push({ text, wire }, this.#spans);
    joined.push({ text, wire }, this.#spans);
  }

  /** Takes the beginning of a long string, where a secret of the string before it may go on. */
  #takeBeginning(text: string, wire: number): void {
    for (const key of new Set([this.#name, this.#name + this.#part])) {
      const joined = this.#texts.get(key);
      if (joined?.isOpen) joined.push({ text, wire }, this.#spans);
    }
  }

  #find(key: string): JoinedText {
    const known = this.#texts.get(key);
    if (known && !this.#isLong) return known;
    known?.end(this.#spans);
    if (this.#texts.size >= MAX_TEXTS) this.#dropOldest();
    const joined = new JoinedText(this.#open());
    this.#texts.set(key, joined);
    return joined;
  }

  #dropOldest(): void {
    const [oldest] = [...this.#texts].sort(([, one], [, other]) => one.lastAt - other.lastAt);
    if (oldest) this.#close(...oldest);
  }
}

function skipBlanks(all: string, from: number): number {
  let at = from;
  while (all.charAt(at) === ' ' || all.charAt(at) === '\t') at++;
  return at;
}

/** True where a text ends before it shows whether a string is a name, and which number follows a name. */
function isOpenAt(all: string, from: number): boolean {
  if (',}]'.includes(all.charAt(from)) && from < all.length) return false;
  OPEN_END.lastIndex = from;
  return OPEN_END.test(all);
}

const OPEN_END = /[ \t]{0,200}(?::[ \t]{0,200}\d{0,20})?$/y;
