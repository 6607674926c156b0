import type { AiclRuleCode } from '../catalog/aicl-rules.ts';
import type { Fix } from '../text/issue.ts';
import { quote } from '../text/quote.ts';
import type { Span } from '../text/span.ts';
import {
  CONTENT_START,
  type AiclNode,
  type AtomNode,
  type DictNode,
  type ListNode,
  type PairNode,
  type UnitTree,
} from './ast.ts';
import { FULL_WIDTH } from './characters.ts';
import type { Entry, LooseGroup, LooseValue } from './parser.ts';
import { MAX_DEPTH } from './scanner.ts';

/** A fault of syntax; offsets count from the unit's start. */
export interface Fault {
  readonly code: AiclRuleCode;
  readonly span: Span;
  readonly message: string;
  readonly fixes?: readonly Fix[];
}

export interface Judged {
  /** What could be read; undefined where nothing could. */
  readonly tree: UnitTree | undefined;
  readonly faults: readonly Fault[];
}

/** Turns what the parser read into a tree, and says of each fault what it is, where, and how to mend it. */
export function judgeUnit(text: string, entries: readonly Entry[], odd: readonly number[]): Judged {
  const judge = new Judge(text);
  const tree = judge.unit(entries);
  for (const at of odd) judge.reportOdd(at);
  // What lies too deep was not read, so what seems to be missing around it may be there.
  const tooDeep = judge.faults.filter(fault => fault.code === 'aicl/too-deep');
  return { tree, faults: tooDeep.length > 0 ? tooDeep : judge.faults };
}

/** So many faults of one unit are kept: a reader mends the first ones, and a long broken line must not fill the memory. */
const MAX_FAULTS = 10_000;

class Judge {
  readonly faults: Fault[] = [];
  readonly #text: string;
  #missingClosers = 0;

  constructor(text: string) {
    this.#text = text;
  }

  unit(entries: readonly Entry[]): UnitTree | undefined {
    const [first] = entries;
    const isPairs = first?.kind === 'pair';
    const pairs: PairNode[] = [];
    const items: AiclNode[] = [];
    const trailingComma = this.#readEntries(entries, isPairs ? 'dict' : 'list', pairs, items);
    this.#reportMissingClosers();
    if (isPairs) return pairs.length > 0 ? { kind: 'pairs', pairs, trailingComma } : undefined;
    if (trailingComma >= 0) this.#reportForeign({ start: trailingComma, end: trailingComma + 1 });
    const [root, second] = items;
    if (!root) return undefined;
    if (second) this.#reportForeign({ start: second.start, end: items.at(-1)?.end ?? second.end });
    return root.kind === 'dict' ? { kind: 'message', root } : { kind: 'value', root };
  }

  /** A character that stands for another one. */
  reportOdd(at: number): void {
    const character = this.#text.charAt(at);
    const span = { start: at, end: at + 1 };
    const meant = FULL_WIDTH.get(character) ?? character.toLowerCase();
    const [code, what] = FULL_WIDTH.has(character)
      ? (['aicl/full-width', 'Full-width'] as const)
      : (['aicl/unknown-type', 'There is no type'] as const);
    this.#report(code, span, `${what} ${quote(character)}: write '${meant}'`, [
      replaceFix(`Write '${meant}'`, span, meant),
    ]);
  }

  /** Reads entries between two brackets into pairs or items; the offset of a comma after the last, or -1. */
  #readEntries(
    entries: readonly Entry[],
    inside: 'list' | 'dict',
    pairs: PairNode[],
    items: AiclNode[],
  ): number {
    let comma = -1;
    let last: ValueEntry | undefined;
    const sound = this.#dropStrays(entries);
    for (const entry of inside === 'dict' ? this.#joinPairs(sound) : sound) {
      if (entry.kind === 'comma') {
        if (comma >= 0 || !last) this.#reportExtraComma(entry.at);
        else comma = entry.at;
        continue;
      }
      if (last && comma < 0) this.#reportMissingComma(spanOf(last).end, spanOf(entry));
      if (inside === 'dict') this.#readPair(entry, pairs);
      else this.#readItem(entry, items);
      comma = -1;
      last = entry;
    }
    return comma;
  }

  /** Reports foreign text and brackets that close nothing, and leaves the rest to be read as if they were not there. */
  #dropStrays(entries: readonly Entry[]): readonly SoundEntry[] {
    const sound: SoundEntry[] = [];
    let isAfterJunk = false;
    for (const entry of entries) {
      const isItemEnd =
        isAfterJunk &&
        entry.kind === 'comma' &&
        sound.at(-1)?.kind !== 'value' &&
        sound.at(-1)?.kind !== 'pair';
      isAfterJunk = entry.kind === 'value' && entry.value.kind === 'junk';
      // The comma after a foreign item goes with it.
      if (isItemEnd) continue;
      if (entry.kind === 'close') {
        const span = { start: entry.at, end: entry.at + 1 };
        this.#report('aicl/extra-bracket', span, EXTRA_BRACKET, [replaceFix('Remove it', span, '')]);
      } else if (entry.kind === 'value' && entry.value.kind === 'junk') this.#reportForeign(entry.value);
      else sound.push(entry);
    }
    return sound;
  }

  /**
   * Joins a key and its value where no comma stands between them and only the colon is wrong: missing, doubled, or
   * behind the value.
   */
  #joinPairs(entries: readonly SoundEntry[]): readonly SoundEntry[] {
    const joined: SoundEntry[] = [];
    for (const entry of entries) {
      const last = joined.at(-1);
      const pair = last && last.kind !== 'comma' ? this.#joinPair(last, entry) : undefined;
      if (pair) joined.splice(-1, 1, pair);
      else joined.push(entry);
    }
    return joined;
  }

  #joinPair(last: ValueEntry, entry: SoundEntry): SoundEntry | undefined {
    if (last.kind === 'value' && last.value.kind === 'text' && entry.kind === 'value') {
      const { start, end } = entry.value;
      this.#report(
        'aicl/missing-colon',
        { start, end: Math.min(end, start + 3) },
        "A ':' is missing before this value",
        [replaceFix("Insert ':'", { start: last.value.end, end: last.value.end }, ':')],
      );
      return { kind: 'pair', key: last.value, colon: start, value: entry.value };
    }
    if (entry.kind !== 'pair') return undefined;
    // What stood between the key and its colon is gone.
    if (last.kind === 'value' && last.value.kind === 'text' && !entry.key)
      return { ...entry, key: last.value };
    const colon = { start: entry.colon, end: entry.colon + 1 };
    if (last.kind === 'pair' && last.key && !last.value && !entry.key) {
      this.#report('aicl/extra-colon', colon, "One ':' is enough: remove this one", [
        replaceFix('Remove it', colon, ''),
      ]);
      return { ...last, value: entry.value };
    }
    if (last.kind === 'value' && last.value.kind === 'text' && entry.key && !entry.value) {
      const insert = { span: { start: last.value.end, end: last.value.end }, newText: ':' };
      const fix = { title: 'Move it', edits: [insert, { span: colon, newText: '' }], safe: true };
      this.#report('aicl/missing-colon', colon, "This ':' belongs before the value", [fix]);
      return { kind: 'pair', key: last.value, colon: last.value.end, value: entry.key };
    }
    return undefined;
  }

  #readPair(entry: ValueEntry, pairs: PairNode[]): void {
    if (entry.kind === 'value') {
      const node = this.#value(entry.value);
      if (!node) return;
      if (node.kind !== 'text') {
        this.#report('aicl/missing-key', node, 'A dictionary holds pairs: this value has no key');
        return;
      }
      this.#report(
        'aicl/missing-value',
        node,
        `The key ${this.#name(node)} has no value: write ':' and a value after it`,
      );
      pairs.push({ start: node.start, end: node.end, key: node, value: undefined });
      return;
    }
    const key = entry.key && this.#value(entry.key);
    const value = entry.value && this.#value(entry.value);
    const colon = { start: entry.colon, end: entry.colon + 1 };
    if (!entry.key) {
      this.#report('aicl/missing-key', colon, "A key is missing before the ':': write it as '[s:name]'");
      return;
    }
    if (key && key.kind !== 'text') {
      this.#report('aicl/key-type', key, "A key is a text: write it as '[s:name]'");
      return;
    }
    if (!key) return;
    if (!entry.value) {
      this.#report(
        'aicl/missing-value',
        { start: key.start, end: colon.end },
        `The key ${this.#name(key)} has no value after its ':'`,
      );
    }
    pairs.push({ start: key.start, end: value?.end ?? colon.end, key, value });
  }

  #readItem(entry: ValueEntry, items: AiclNode[]): void {
    if (entry.kind === 'value') {
      const node = this.#value(entry.value);
      if (node) items.push(node);
      return;
    }
    const colon = { start: entry.colon, end: entry.colon + 1 };
    this.#report(
      'aicl/pair-in-list',
      colon,
      'A list holds values, not pairs: put the pair into a dictionary or remove the key',
    );
    const node = entry.value && this.#value(entry.value);
    if (node) items.push(node);
  }

  #value(value: LooseValue): AiclNode | undefined {
    switch (value.kind) {
      case 'list':
      case 'dict':
        return this.#group(value);
      case 'unknown':
        this.#report(
          'aicl/unknown-type',
          value,
          `${quote(this.#source(value))} has no known type: write s, i, f, b, l, d or t after the bracket`,
        );
        return undefined;
      case 'headless': {
        const at = { start: value.start, end: value.start };
        this.#report(
          'aicl/missing-opening',
          value,
          `The opening bracket of ${quote(this.#source(value))} is missing: write '[s:' before it`,
          [{ ...replaceFix("Insert '[s:'", at, '[s:'), safe: false }],
        );
        // It is read as the text that it may be, so that its pair is whole.
        return {
          kind: 'text',
          start: value.start - CONTENT_START,
          end: value.end,
          contentEnd: value.end - 1,
        };
      }
      case 'too-deep':
        this.#report(
          'aicl/too-deep',
          { start: value.start, end: value.start + 3 },
          `Values nest deeper than ${MAX_DEPTH} levels: what lies deeper is not read`,
        );
        return undefined;
      case 'junk':
        this.#reportForeign(value);
        return undefined;
      default:
        if (value.contentEnd === value.end) this.#reportOpenAtom(value);
        return value;
    }
  }

  #group(group: LooseGroup): ListNode | DictNode {
    if (!group.isClosed) this.#missingClosers++;
    const { start, end } = group;
    const pairs: PairNode[] = [];
    const items: AiclNode[] = [];
    const trailingComma = this.#readEntries(group.entries, group.kind, pairs, items);
    if (group.kind === 'dict') return { kind: 'dict', start, end, pairs, trailingComma };
    return { kind: 'list', start, end, items, trailingComma };
  }

  #reportOpenAtom(atom: AtomNode): void {
    const at = { start: atom.end, end: atom.end };
    this.#report('aicl/missing-bracket', atom, `The ']' of ${quote(this.#source(atom))} is missing`, [
      replaceFix("Insert ']'", at, ']'),
    ]);
  }

  /** One issue for all the brackets that are missing at the end: they have one place and, as a rule, one cause. */
  #reportMissingClosers(): void {
    const count = this.#missingClosers;
    if (count === 0) return;
    const end = this.#text.trimEnd().length;
    const what = count === 1 ? "A closing ']' is missing" : `${count} closing brackets are missing`;
    this.#report(
      'aicl/missing-bracket',
      { start: Math.max(0, end - 1), end },
      `${what} before the message ends here`,
      [
        replaceFix(
          `Insert '${']'.repeat(Math.min(count, 8))}${count > 8 ? '…' : ''}'`,
          { start: end, end },
          ']'.repeat(count),
        ),
      ],
    );
  }

  #reportMissingComma(lastEnd: number, next: Span): void {
    this.#report(
      'aicl/missing-comma',
      { start: next.start, end: Math.min(next.end, next.start + 3) },
      "A ',' is missing before this",
      [replaceFix("Insert ','", { start: lastEnd, end: lastEnd }, ',')],
    );
  }

  #reportExtraComma(at: number): void {
    const span = { start: at, end: at + 1 };
    this.#report('aicl/extra-comma', span, 'Nothing stands before this comma: remove it', [
      replaceFix('Remove it', span, ''),
    ]);
  }

  /** Text that is no part of a message; what is plainly a value without its type is named as one. */
  #reportForeign(span: Span): void {
    const typed = typeLiteral(this.#source(span));
    if (typed !== undefined) {
      const message = `${quote(this.#source(span))} has no type: write '${typed}'`;
      this.#report('aicl/unknown-type', span, message, [
        { ...replaceFix(`Write '${typed}'`, span, typed), safe: false },
      ]);
      return;
    }
    this.#report('aicl/foreign-text', span, foreignMessage(this.#source(span)), [
      replaceFix('Remove it', span, ''),
    ]);
  }

  #report(code: AiclRuleCode, { start, end }: Span, message: string, fixes: readonly Fix[] = []): void {
    if (this.faults.length > MAX_FAULTS) return;
    if (this.faults.length === MAX_FAULTS) {
      this.faults.push({
        code,
        span: { start, end },
        message: `More than ${MAX_FAULTS} faults in one message: the rest is not listed`,
      });
      return;
    }
    this.faults.push({ code, span: { start, end }, message, ...(fixes.length > 0 && { fixes }) });
  }

  #source(span: Span): string {
    return this.#text.slice(span.start, span.end);
  }

  #name(key: AtomNode): string {
    return quote(this.#text.slice(key.start + 3, key.contentEnd));
  }
}

type ValueEntry = Extract<Entry, { kind: 'value' | 'pair' }>;
type SoundEntry = Exclude<Entry, { kind: 'close' }>;

function spanOf(entry: ValueEntry): Span {
  if (entry.kind === 'value') return entry.value;
  return { start: entry.key?.start ?? entry.colon, end: entry.value?.end ?? entry.colon + 1 };
}

function replaceFix(title: string, span: Span, newText: string): Fix {
  return { title, edits: [{ span, newText }], safe: true };
}

/** A literal as JSON writes it, with its type; undefined for other text. */
function typeLiteral(source: string): string | undefined {
  if (/^-?[0-9]{1,18}$/.test(source)) return `[i:${source}]`;
  if (/^-?[0-9]{1,18}\.[0-9]{1,18}$/.test(source)) return `[f:${source}]`;
  if (/^(true|false)$/.test(source)) return `[b:${source}]`;
  const quoted = /^"([^"\\\][\r\n]{0,60})"$/.exec(source)?.[1];
  return quoted === undefined ? undefined : `[s:${quoted}]`;
}

/** What a reader is told about a bracket too many. */
export const EXTRA_BRACKET = "This ']' closes nothing: remove it";

/** What a reader is told about text that is no part of a message. */
export function foreignMessage(source: string): string {
  return `${quote(source)} is no part of a message: remove it`;
}
