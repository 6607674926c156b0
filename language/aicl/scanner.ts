import { fitArray } from '../fit-array.ts';
import { TYPE_TAGS, type ValueKind } from '../../core/catalog/aicl.ts';
import type { Characters } from '../../core/text/source-text.ts';
import { DEEPEST } from '../../core/text/json.ts';
import type { WorkCounter } from '../work.ts';
import { CONTENT_START, type AiclNode, type AtomNode, type PairNode, type UnitTree } from './ast.ts';
import { AtomEnds, type AtomKind } from './atom-end.ts';
import { BACKSLASH, CLOSE, COLON, COMMA, OPEN, isBlank, isLineEnd } from './characters.ts';
import { haveFewKeys } from './plain.ts';
import type { Run } from './run.ts';
import type { TextEnds } from './text-ends.ts';

/** Maximum nesting depth of values. */
export const MAX_DEPTH = DEEPEST;

/** Maximum nesting depth in a run, because each level of a rejected run would be tried again. */
const RUN_DEPTH = 16;

/** Value kinds by the code unit of their type letter. */
const KIND_BY_LETTER: readonly (ValueKind | undefined)[] = Array.from(
  { length: 128 },
  (_, code) => TYPE_TAGS.find(row => row.tag.charCodeAt(0) === code)?.name,
);

/** The kind of the value that starts at an offset with `[s:` and so on; undefined if none does. */
export function kindAt(text: Characters, at: number): ValueKind | undefined {
  if (text.charCodeAt(at) !== OPEN || text.charCodeAt(at + 2) !== COLON) return undefined;
  return KIND_BY_LETTER[text.charCodeAt(at + 1)];
}

export interface AcceptOptions {
  readonly ends?: TextEnds | undefined;
  readonly maxLength?: number;
}

export interface AcceptedUnit {
  readonly tree: UnitTree;
  /** The offset after the last character. */
  readonly end: number;
  /** True if the value is plain, as `plain.ts` describes. */
  readonly isPlain?: boolean;
}

/**
 * Reads valid text only, in one pass without backtracking, and builds the tree. Invalid text is read by the
 * parser (parser.ts); a property test checks that both agree.
 */
export class Scanner {
  readonly #text: string;
  readonly #work: WorkCounter;
  readonly #ends: AtomEnds;
  #base = 0;
  #at = 0;
  #textEnds: TextEnds | undefined;
  /** No value that starts after this offset is read. */
  #readLimit = Infinity;
  #depthLimit = MAX_DEPTH;
  /** The maximum depth, and whether a text may have lost its end, since these were last set. */
  #deepest = 0;
  #isUncertain = true;

  /** True if the last unit was rejected because of its length. */
  isTooLong = false;

  constructor(text: string, work: WorkCounter) {
    this.#text = text;
    this.#work = work;
    this.#ends = new AtomEnds(text, work);
  }

  /** The offset after the last character read since this was last set; results depend on the text up to here. */
  get lookedTo(): number {
    return this.#ends.lookedTo;
  }

  set lookedTo(offset: number) {
    this.#ends.lookedTo = offset;
  }

  /**
   * Reads the unit at `start`, which must be an opening bracket; undefined if the grammar rejects it or it is
   * longer than `maxLength`.
   */
  accept(start: number, { ends, maxLength = Infinity }: AcceptOptions = {}): AcceptedUnit | undefined {
    this.#base = start;
    this.#at = start;
    this.#textEnds = ends;
    this.#readLimit = start + maxLength;
    this.#depthLimit = MAX_DEPTH;
    this.isTooLong = false;
    this.#ends.isPlain = true;
    // The check is not needed for a whole unit; true disables it.
    this.#isUncertain = true;
    const accepted = this.#readUnit();
    // Reading stopped here after looking for the head of a value.
    this.lookedTo = Math.max(this.lookedTo, this.#at + CONTENT_START + 1);
    return accepted;
  }

  /**
   * Reads complete entries of one group with the commas between them, up to about `wanted` characters or to
   * `stopAt`, as long as the ends of their texts are certain. A comma follows the last entry. Undefined if
   * the first entry does not qualify.
   */
  acceptRun(
    at: number,
    wanted: number,
    stopAt: number,
  ): { readonly run: Run; readonly readTo: number } | undefined {
    this.#base = at;
    this.#at = at;
    this.#textEnds = undefined;
    this.#readLimit = at + 2 * wanted;
    this.#depthLimit = RUN_DEPTH;
    this.#deepest = 0;
    this.#isUncertain = false;
    let found: { readonly run: Run; readonly readTo: number } | undefined;
    for (;;) {
      const entry = this.#readEntry();
      const end = this.#at;
      const isWhole = entry && !this.#isUncertain && end <= this.#readLimit && this.#peek() === COMMA;
      if (!isWhole || (found && found.run.kind !== entry.kind)) return found;
      const { kind, colon, isText } = entry;
      const run: Run = {
        kind,
        count: (found?.run.count ?? 0) + 1,
        length: end - at,
        height: this.#deepest,
        texts: (found?.run.texts ?? 0) + (isText ? 1 : 0),
        firstEnd: found?.run.firstEnd ?? end - at,
        firstColon: found?.run.firstColon ?? colon - at,
      };
      found = { run, readTo: ++this.#at };
      this.#peek();
      if (end - at > wanted || this.#at >= stopAt) return found;
    }
  }

  /** Reads a value or pair as an entry of a run; for a value `colon` is one before its start. */
  #readEntry(): { kind: Run['kind']; colon: number; isText: boolean } | undefined {
    const start = this.#at;
    const value = this.#readValue(1);
    const end = this.#at;
    if (value?.kind !== 'text') return value && { kind: 'items', colon: start - 1, isText: false };
    const isPair = this.#peek() === COLON;
    const colon = this.#at;
    if (isPair) return this.#readPair(value, 1) && { kind: 'pairs', colon, isText: false };
    this.#at = end;
    return { kind: 'items', colon: start - 1, isText: true };
  }

  /** The entries of a run that was accepted at `at`; their offsets are relative to `base`. */
  readRun(at: number, base: number, run: Run): readonly (AiclNode | PairNode)[] {
    this.#base = base;
    this.#at = at;
    this.#textEnds = undefined;
    this.#readLimit = Infinity;
    this.#depthLimit = MAX_DEPTH;
    this.#isUncertain = true;
    const entries: (AiclNode | PairNode)[] = [];
    while (entries.length < run.count) {
      const value = this.#readValue(1);
      this.#peek();
      const entry = value?.kind === 'text' && run.kind === 'pairs' ? this.#readPair(value, 1) : value;
      if (!entry) break;
      entries.push(entry);
      // Skips the comma.
      this.#peek();
      this.#at++;
      this.#peek();
    }
    return entries;
  }

  #readUnit(): AcceptedUnit | undefined {
    const first = this.#readValue(1);
    if (!first) return undefined;
    const end = this.#at;
    if (first.kind === 'text' && this.#peek() === COLON) return this.#readPairs(first);
    const tree: UnitTree =
      first.kind === 'dict' ? { kind: 'message', root: first } : { kind: 'value', root: first };
    return { tree, end, isPlain: this.#ends.isPlain };
  }

  /** Reads a run of pairs without an enclosing dictionary. */
  #readPairs(firstKey: AtomNode): AcceptedUnit | undefined {
    const pairs: PairNode[] = [];
    let key = firstKey;
    for (;;) {
      const pair = this.#readPair(key, 1);
      if (!pair) return undefined;
      pairs.push(pair);
      const end = this.#at;
      if (this.#peek() !== COMMA) return { tree: { kind: 'pairs', pairs, trailingComma: -1 }, end };
      const comma = this.#at++ - this.#base;
      this.#peek();
      if (kindAt(this.#text, this.#at) === undefined) {
        return { tree: { kind: 'pairs', pairs, trailingComma: comma }, end: this.#base + comma + 1 };
      }
      const next = this.#readValue(1);
      if (next?.kind !== 'text' || this.#peek() !== COLON) return undefined;
      key = next;
    }
  }

  #readValue(depth: number): AiclNode | undefined {
    const kind = kindAt(this.#text, this.#at);
    if (kind === undefined || depth > this.#depthLimit) return undefined;
    if (this.#at > this.#readLimit) {
      this.isTooLong = true;
      return undefined;
    }
    if (depth > this.#deepest) this.#deepest = depth;
    this.#work.count++;
    if (kind === 'dict') return this.#readDict(depth);
    if (kind === 'list') return this.#readList(depth);
    return this.#readAtom(kind);
  }

  #readAtom(kind: AtomKind): AtomNode | undefined {
    const start = this.#at;
    const from = start + CONTENT_START;
    const moved = kind === 'text' ? this.#textEnds?.find(from) : undefined;
    const contentEnd = moved?.contentEnd ?? this.#ends.findClose(kind, from);
    if (moved) this.#ends.isPlain = false;
    if (!moved && this.#text.charCodeAt(contentEnd) !== CLOSE) return undefined;
    const end = moved?.end ?? contentEnd + 1;
    this.#at = end;
    if (kind === 'text' && !this.#isUncertain)
      this.#isUncertain = mayEndElsewhere(this.#text, from, contentEnd);
    const base = this.#base;
    const atom = { kind, start: start - base, end: end - base, contentEnd: contentEnd - base };
    return moved?.isOld ? { ...atom, isOld: true } : atom;
  }

  #readList(depth: number): AiclNode | undefined {
    const start = this.#at;
    const items: AiclNode[] = [];
    let trailingComma = -1;
    this.#at += CONTENT_START;
    while (this.#peek() !== CLOSE) {
      if (items.length > 0 && trailingComma < 0) return undefined;
      const item = this.#readValue(depth + 1);
      if (!item) return undefined;
      items.push(item);
      trailingComma = this.#takeComma();
    }
    this.#at++;
    if (trailingComma >= 0) this.#ends.isPlain = false;
    return {
      kind: 'list',
      start: start - this.#base,
      end: this.#at - this.#base,
      items: fitArray(items),
      trailingComma,
    };
  }

  #readDict(depth: number): AiclNode | undefined {
    const start = this.#at;
    const pairs: PairNode[] = [];
    let trailingComma = -1;
    this.#at += CONTENT_START;
    while (this.#peek() !== CLOSE) {
      if (pairs.length > 0 && trailingComma < 0) return undefined;
      const key = this.#readValue(depth + 1);
      if (key?.kind !== 'text' || this.#peek() !== COLON) return undefined;
      const pair = this.#readPair(key, depth + 1);
      if (!pair) return undefined;
      pairs.push(pair);
      trailingComma = this.#takeComma();
    }
    this.#at++;
    if (trailingComma >= 0 || !haveFewKeys(this.#text, this.#base, pairs)) this.#ends.isPlain = false;
    return {
      kind: 'dict',
      start: start - this.#base,
      end: this.#at - this.#base,
      pairs: fitArray(pairs),
      trailingComma,
    };
  }

  /** Reads the rest of a pair, from its colon. */
  #readPair(key: AtomNode, depth: number): PairNode | undefined {
    this.#at++;
    this.#peek();
    const value = this.#readValue(depth);
    return value && { start: key.start, end: value.end, key, value };
  }

  /** Consumes a comma and returns its offset, or -1 if there is none. */
  #takeComma(): number {
    return this.#peek() === COMMA ? this.#at++ - this.#base : -1;
  }

  /** Skips white space and returns the next code unit. */
  #peek(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (isBlank(code)) {
      code = this.#text.charCodeAt(++this.#at);
      this.#work.count++;
    }
    return code;
  }
}

/**
 * True for a text that recovery may end at another bracket: it contains an opening bracket, ends with a
 * backslash, or its last line is blank.
 */
function mayEndElsewhere(text: string, from: number, end: number): boolean {
  if (text.charCodeAt(end - 1) === BACKSLASH) return true;
  for (let at = from; at < end; at++) if (text.charCodeAt(at) === OPEN) return true;
  let last = end - 1;
  while (last >= from && isBlank(text.charCodeAt(last)) && !isLineEnd(text.charCodeAt(last))) last--;
  return last >= from && isLineEnd(text.charCodeAt(last));
}
