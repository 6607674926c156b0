import { findUnescaped, isEscaped } from '../text/json.ts';
import type { SecretSpan } from './credential-values.ts';
import { JoinedText } from './joined-text.ts';
import type { SecretSearch } from './secret-search.ts';

/** The maximum number of characters of the wire that are held back until the next string of a member arrives. */
const LONGEST_HOLD = 64 * 1024;

/** The number of strings of a message that are read: messages of a stream are small. */
const MAX_STRINGS = 64;

/** The maximum number of joined texts that are searched at the same time. */
const MAX_TEXTS = 32;

/** A longer string is no name of a member, and is read as it arrives. */
const LONGEST_NAME = 200;

/** The beginning of a line: the field of an event, then that of a message in AICL or JSON, or of a chunk in AICF. */
const LINE = /(data:[ \t]*)?(?:(\[(?=[sifbldt]:))|([{[])|(STREAM\|))?/y;
const LONGEST_START = 20;

/** The beginning of a line inside of JSON that has several, as an event or alone. */
const NEXT_LINE = /(?:data: ?)?(?:[ \t]*["}\]]|[ \t]+[{[])/y;
const INDENT = /(?:data: ?)?[ \t]*/y;

/** The names of members that say to which part of a reply a string belongs, when several parts grow by turns. */
const PART_NAME = /(?:_id|Id|[Ii]ndex)$/;
const INDEX = /[ \t]*(\d*)/y;

/** For each form of a line, how a string or the next message begins, and how a string ends. */
const FORMS = {
  json: { begin: /["\n]/g, end: '"' },
  aicl: { begin: /\[s:|\n\[d:/g, end: ']' },
  text: { begin: /\n/g, end: '\n' },
  other: { begin: /\n/g, end: '\n' },
} as const;

/**
 * Finds secrets that an agent repeats in pieces: it searches the strings that a member has in consecutive messages of a
 * stream as one text. Reads JSON and AICL messages, one or more in each line or event, and chunks of AICF.
 */
export class SplitSecrets {
  readonly #open: () => SecretSearch;
  readonly #texts = new Map<string, JoinedText>();
  /** The form of the current line; undefined at its beginning. */
  #form: keyof typeof FORMS | undefined;
  /** True if the line before is JSON. */
  #wasJson = false;
  /** The string that is being read. The beginning of a long one is taken already. */
  #string: 'none' | 'short' | 'long' = 'none';
  /** The text that is not read yet, and its offset on the wire. */
  #waiting = '';
  #at = 0;
  /** True where a string is complete, and only what follows shows whether it is a name. */
  #isUndecided = false;
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
    this.#isUndecided = false;
    for (let next = this.#read(all, at); next !== undefined; next = this.#read(all, at)) at = next;
    this.#at += at;
    this.#waiting = all.slice(at);
    for (const [key, joined] of this.#texts)
      if (this.#at - joined.hold > LONGEST_HOLD) this.#close(key, joined);
  }

  /** Ends the stream. */
  end(): void {
    this.push('\n');
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
    let hold = this.#isUndecided ? this.#at : Infinity;
    for (const joined of this.#texts.values())
      if (joined.isOpen) hold = Math.min(hold, joined.hold, this.#waiting === '' ? Infinity : this.#at);
    return hold;
  }

  #close(key: string, joined: JoinedText): void {
    joined.end(this.#spans);
    this.#texts.delete(key);
  }

  /** Reads one step; returns the offset of the next one, undefined if it needs more text. */
  #read(all: string, at: number): number | undefined {
    if (at >= all.length) return undefined;
    if (this.#form === undefined) return this.#readLine(all, at);
    if (this.#string !== 'none') return this.#readString(all, at, FORMS[this.#form].end);
    const { begin } = FORMS[this.#form];
    begin.lastIndex = at;
    if (!begin.test(all)) return this.#form === 'aicl' ? keepEnd(all, at) : all.length;
    const next = begin.lastIndex;
    if (all.charAt(next - 1) === '\n') this.#endLine();
    else if (all.startsWith('\n[d:', next - 4)) this.#beginMessage();
    else if (this.#strings++ < MAX_STRINGS) this.#string = 'short';
    else if (this.#form === 'json') this.#form = 'other';
    return next;
  }

  #endLine(): void {
    this.#wasJson = this.#form === 'json';
    this.#form = undefined;
  }

  #beginMessage(): void {
    this.#strings = 0;
    this.#part = '';
  }

  #readLine(all: string, at: number): number | undefined {
    // `data: [` may begin a message of either language.
    if (all.length - at < LONGEST_START && !all.includes('\n', at)) return undefined;
    if (this.#wasJson) {
      INDENT.lastIndex = at;
      INDENT.test(all);
      if (INDENT.lastIndex === all.length && all.length - at < LONGEST_NAME) return undefined;
      NEXT_LINE.lastIndex = at;
      if (NEXT_LINE.test(all)) {
        this.#form = 'json';
        return at;
      }
    }
    this.#beginMessage();
    LINE.lastIndex = at;
    const [found = '', field, aicl, json, chunk] = LINE.exec(all) ?? [];
    if (aicl !== undefined) this.#form = 'aicl';
    else if (json !== undefined) this.#form = 'json';
    else if (field === undefined && chunk === undefined) this.#form = 'other';
    else {
      this.#form = 'text';
      this.#string = 'short';
      this.#name = chunk ?? 'data';
      return at + found.length;
    }
    return at;
  }

  #readString(all: string, at: number, sign: '"' | ']' | '\n'): number | undefined {
    const end = sign === '"' ? findUnescaped(all, '"', at) : all.indexOf(sign, at);
    if (end === -1) {
      if (all.length - at <= LONGEST_NAME) return undefined;
      const stop = isEscaped(all, all.length) ? all.length - 1 : all.length;
      this.#string = 'long';
      this.#take(all.slice(at, stop), this.#at + at);
      return stop;
    }
    if (this.#string === 'short' && sign !== '\n') {
      const after = skipBlanks(all, end + 1);
      if (all.charAt(after) === ':') return this.#readName(all, at, end, after + 1);
      this.#isUndecided = after === all.length;
      if (this.#isUndecided) return undefined;
    }
    this.#take(all.slice(at, end), this.#at + at);
    this.#string = 'none';
    // The line break that ends a text also ends its line.
    return sign === '\n' ? end : end + 1;
  }

  /** Reads a name, and the index that may follow it. */
  #readName(all: string, at: number, end: number, after: number): number | undefined {
    const name = all.slice(at, end);
    if (PART_NAME.test(name)) {
      INDEX.lastIndex = after;
      const [, index = ''] = INDEX.exec(all) ?? [];
      this.#isUndecided = INDEX.lastIndex === all.length;
      if (this.#isUndecided) return undefined;
      if (index !== '') this.#part += ` ${index}`;
    }
    this.#name = name;
    this.#strings--;
    this.#string = 'none';
    return after;
  }

  /** Takes a string that is a value, or the next piece of one: as a piece of its member's text. */
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

  #find(key: string): JoinedText {
    const known = this.#texts.get(key);
    if (known) return known;
    const joined = new JoinedText(this.#open());
    if (this.#texts.size >= MAX_TEXTS) {
      const [oldest] = [...this.#texts].sort(([, one], [, other]) => one.lastAt - other.lastAt);
      if (oldest) this.#close(...oldest);
    }
    this.#texts.set(key, joined);
    return joined;
  }
}

/** The offset up to which a text without `\n[d:` is read: that may begin at its end. Undefined if nothing is before that. */
function keepEnd(all: string, at: number): number | undefined {
  return all.length - at > 3 ? all.length - 3 : undefined;
}

function skipBlanks(all: string, from: number): number {
  let at = from;
  while (all.charAt(at) === ' ' || all.charAt(at) === '\t') at++;
  return at;
}
