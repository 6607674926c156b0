import { replaceFix } from '../text/fix.ts';
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
import { dropStrays, joinPairs, spanOf, type ValueEntry } from './entries.ts';
import { FaultReport, type Fault } from './faults.ts';
import type { Entry, LooseGroup, LooseValue } from './parser.ts';
import { MAX_DEPTH } from './scanner.ts';

export interface Judged {
  /** What could be read; undefined where nothing could. */
  readonly tree: UnitTree | undefined;
  readonly faults: readonly Fault[];
}

/** Turns what the parser read into a tree, and says of each fault what it is, where, and how to mend it. */
export function judgeUnit(text: string, entries: readonly Entry[], odd: readonly number[]): Judged {
  const faults = new FaultReport(text);
  const tree = new Judge(faults).unit(entries);
  faults.odd(odd);
  // What lies too deep was not read, so what seems to be missing around it may be there.
  const tooDeep = faults.list.filter(fault => fault.code === 'aicl/too-deep');
  return { tree, faults: tooDeep.length > 0 ? tooDeep : faults.list };
}

class Judge {
  readonly #faults: FaultReport;
  #missingClosers = 0;

  constructor(faults: FaultReport) {
    this.#faults = faults;
  }

  unit(entries: readonly Entry[]): UnitTree | undefined {
    const [first] = entries;
    const isPairs = first?.kind === 'pair';
    const pairs: PairNode[] = [];
    const items: AiclNode[] = [];
    const trailingComma = this.#readEntries(entries, isPairs ? 'dict' : 'list', pairs, items);
    this.#faults.missingClosers(this.#missingClosers);
    if (isPairs) return pairs.length > 0 ? { kind: 'pairs', pairs, trailingComma } : undefined;
    if (trailingComma >= 0) this.#faults.foreign({ start: trailingComma, end: trailingComma + 1 });
    const [root, second] = items;
    if (!root) return undefined;
    if (second) this.#faults.foreign({ start: second.start, end: items.at(-1)?.end ?? second.end });
    return root.kind === 'dict' ? { kind: 'message', root } : { kind: 'value', root };
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
    const sound = dropStrays(this.#faults, entries);
    for (const entry of inside === 'dict' ? joinPairs(this.#faults, sound) : sound) {
      if (entry.kind === 'comma') {
        if (comma >= 0 || !last) this.#faults.extraComma(entry.at);
        else comma = entry.at;
        continue;
      }
      if (last && comma < 0) this.#faults.missingComma(spanOf(last).end, spanOf(entry));
      if (inside === 'dict') this.#readPair(entry, pairs);
      else this.#readItem(entry, items);
      comma = -1;
      last = entry;
    }
    return comma;
  }

  #readPair(entry: ValueEntry, pairs: PairNode[]): void {
    if (entry.kind === 'value') {
      const node = this.#value(entry.value);
      if (!node) return;
      if (node.kind !== 'text') {
        this.#faults.add('aicl/missing-key', node, 'A dictionary holds pairs: this value has no key');
        return;
      }
      if (!this.#isUnfinished(node)) {
        this.#faults.add(
          'aicl/missing-value',
          node,
          `The key ${this.#faults.name(node)} has no value: write ':' and a value after it`,
        );
      }
      pairs.push({ start: node.start, end: node.end, key: node, value: undefined });
      return;
    }
    const key = entry.key && this.#value(entry.key);
    const value = entry.value && this.#value(entry.value);
    const colon = { start: entry.colon, end: entry.colon + 1 };
    if (!entry.key) {
      this.#faults.add('aicl/missing-key', colon, "A key is missing before the ':': write it as '[s:name]'");
      return;
    }
    if (key && key.kind !== 'text') {
      this.#faults.add('aicl/key-type', key, "A key is a text: write it as '[s:name]'");
      return;
    }
    if (!key) return;
    if (!entry.value && !this.#isUnfinished(colon)) {
      this.#faults.add(
        'aicl/missing-value',
        { start: key.start, end: colon.end },
        `The key ${this.#faults.name(key)} has no value after its ':'`,
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
    this.#faults.add(
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
        if (this.#isUnfinished(value)) return undefined;
        this.#faults.add(
          'aicl/unknown-type',
          value,
          `${quote(this.#faults.source(value))} has no known type: write s, i, f, b, l, d or t after the bracket`,
        );
        return undefined;
      case 'headless': {
        const at = { start: value.start, end: value.start };
        this.#faults.add(
          'aicl/missing-opening',
          value,
          `The opening bracket of ${quote(this.#faults.source(value))} is missing: write '[s:' before it`,
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
        this.#faults.add(
          'aicl/too-deep',
          { start: value.start, end: value.start + CONTENT_START },
          `Values nest deeper than ${MAX_DEPTH} levels: what lies deeper is not read`,
        );
        return undefined;
      case 'junk':
        this.#faults.foreign(value);
        return undefined;
      default:
        if (value.contentEnd === value.end) this.#openAtom(value);
        return value;
    }
  }

  /** One that ends the unit is counted with the groups that are open there: they have one place and one cause. */
  #openAtom(atom: AtomNode): void {
    if (this.#faults.isAtEnd(atom)) this.#missingClosers++;
    else this.#faults.openAtom(atom);
  }

  /** True for the last thing of a unit that is not closed: what is missing after it, its user is about to type. */
  #isUnfinished(span: Span): boolean {
    return this.#missingClosers > 0 && this.#faults.isAtEnd(span);
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
}
