import { replaceFix } from '../fix.ts';
import { quote } from '../../core/text/quote.ts';
import type { Characters } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';
import {
  CONTENT_START,
  type AiclNode,
  type AtomNode,
  type DictNode,
  type ListNode,
  type PairNode,
  type UnitTree,
} from './ast.ts';
import {
  dropStrays,
  joinPairs,
  spanOf,
  splitFields,
  type Field,
  type ValueEntry,
} from './grammar/entries.ts';
import { FaultReport, type Fault } from './faults.ts';
import type { Entry, LooseGroup, LooseValue } from './grammar/parser.ts';
import { toItems, toPairs } from './group.ts';
import type { PlacedRun, ReadRun } from './run.ts';
import { MAX_DEPTH } from './scanner.ts';

export interface Judged {
  /** Undefined if nothing could be read. */
  readonly tree: UnitTree | undefined;
  readonly faults: readonly Fault[];
}

/** Converts the parser's entries to a tree and reports the faults with spans, messages and fixes. */
export function judgeUnit(
  text: Characters,
  entries: readonly Entry[],
  unexpected: readonly number[],
  readRun: ReadRun<AiclNode | PairNode>,
): Judged {
  const faults = new FaultReport(text);
  const tree = new Judge(faults, readRun).unit(entries);
  faults.addUnexpected(unexpected);
  // What is too deep was not read, so other faults may be consequences and are not reported.
  const reported = faults.finish();
  const tooDeep = reported.filter(fault => fault.code === 'aicl/too-deep');
  return { tree, faults: tooDeep.length > 0 ? tooDeep : reported };
}

const NO_KEY = 'A dictionary holds pairs: this value has no key';
const PAIR_IN_LIST = 'A list holds values, not pairs: put the pair into a dictionary or remove the key';

class Judge {
  readonly #faults: FaultReport;
  readonly #readRun: ReadRun<AiclNode | PairNode>;
  #missingClosers = 0;
  #lastOpened = 0;

  constructor(faults: FaultReport, readRun: ReadRun<AiclNode | PairNode>) {
    this.#faults = faults;
    this.#readRun = readRun;
  }

  unit(entries: readonly Entry[]): UnitTree | undefined {
    const [first] = entries;
    if (entries.length > 1) this.#faults.countTopFields();
    const isPairs = first?.kind === 'pair';
    const pairs: (PairNode | PlacedRun)[] = [];
    const items: (AiclNode | PlacedRun)[] = [];
    const trailingComma = this.#readEntries(entries, isPairs ? 'dict' : 'list', pairs, items);
    this.#faults.missingClosers(this.#missingClosers, this.#lastOpened);
    if (isPairs)
      return pairs.length > 0
        ? { kind: 'pairs', pairs: toPairs(pairs, this.#readRun), trailingComma }
        : undefined;
    if (trailingComma >= 0) this.#faults.foreign({ start: trailingComma, end: trailingComma + 1 });
    const [root, second] = toItems(items, this.#readRun);
    if (!root) return undefined;
    if (second) this.#faults.foreign({ start: second.start, end: items.at(-1)?.end ?? second.end });
    return root.kind === 'dict' ? { kind: 'message', root } : { kind: 'value', root };
  }

  /**
   * Reads the entries between two brackets into pairs or items. Returns the offset of a comma after the last
   * one, or -1.
   */
  #readEntries(
    entries: readonly Entry[],
    inside: 'list' | 'dict',
    pairs: (PairNode | PlacedRun)[],
    items: (AiclNode | PlacedRun)[],
  ): number {
    const outer = this.#faults.enterGroup();
    let comma = -1;
    for (const field of splitFields(entries)) {
      this.#faults.openField();
      if (this.#readField(field, inside, pairs, items)) comma = field.comma;
      else if (field.entries.length > 0) comma = -1;
      else if (field.comma >= 0 && pairs.length + items.length > 0) this.#faults.extraComma(field.comma);
      else if (field.comma >= 0) this.#faults.leadingComma(field.comma);
    }
    this.#faults.leaveGroup(outer);
    return comma;
  }

  /** Reads the part between two commas; true if it has a value or pair. */
  #readField(
    field: Field,
    inside: 'list' | 'dict',
    pairs: (PairNode | PlacedRun)[],
    items: (AiclNode | PlacedRun)[],
  ): boolean {
    const [first] = field.entries;
    if (first?.kind === 'run') {
      if (inside === 'dict') this.#readPairRun(first.run, pairs);
      else this.#readItemRun(first.run, items);
      return true;
    }
    const sound = dropStrays(this.#faults, field.entries);
    let last: ValueEntry | undefined;
    for (const entry of inside === 'dict' ? joinPairs(this.#faults, sound) : sound) {
      // A ':' and a value after a complete pair lack a key, whether or not a comma is between them.
      if (last && (entry.kind === 'value' || entry.key))
        this.#faults.missingComma(spanOf(last).end, spanOf(entry));
      if (inside === 'dict') this.#readPair(entry, pairs);
      else this.#readItem(entry, items);
      last = entry;
    }
    return last !== undefined;
  }

  /** Reads complete entries in a dictionary; values among them lack keys. */
  #readPairRun(placed: PlacedRun, pairs: (PairNode | PlacedRun)[]): void {
    const { run, start } = placed;
    if (run.kind === 'pairs') pairs.push(placed);
    else if (run.texts === 0) {
      this.#faults.wrongLevel('aicl/missing-key', { start, end: start + run.firstEnd }, NO_KEY);
    } else {
      for (const [index, node] of this.#readRun(placed).entries()) {
        if (index > 0) this.#faults.openField();
        if ('kind' in node && node.kind === 'text') this.#readPair({ kind: 'value', value: node }, pairs);
        else this.#faults.wrongLevel('aicl/missing-key', node, NO_KEY);
      }
    }
  }

  /** Reads complete entries in a list; pairs among them are reported once for the run. */
  #readItemRun(placed: PlacedRun, items: (AiclNode | PlacedRun)[]): void {
    const { run, start } = placed;
    items.push(placed);
    if (run.kind === 'items') return;
    const colon = start + run.firstColon;
    this.#faults.wrongLevel('aicl/pair-in-list', { start: colon, end: colon + 1 }, PAIR_IN_LIST);
  }

  #readPair(entry: ValueEntry, pairs: (PairNode | PlacedRun)[]): void {
    if (entry.kind === 'value') {
      const node = this.#value(entry.value);
      if (!node) return;
      if (node.kind !== 'text') {
        this.#faults.wrongLevel('aicl/missing-key', node, NO_KEY);
        return;
      }
      if (!this.#isUnfinished(node)) {
        this.#faults.wrongLevel(
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
      this.#faults.wrongLevel(
        'aicl/missing-key',
        colon,
        "A key is missing before the ':': write it as '[s:name]'",
      );
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

  #readItem(entry: ValueEntry, items: (AiclNode | PlacedRun)[]): void {
    if (entry.kind === 'value') {
      const node = this.#value(entry.value);
      if (node) items.push(node);
      return;
    }
    const colon = { start: entry.colon, end: entry.colon + 1 };
    this.#faults.wrongLevel('aicl/pair-in-list', colon, PAIR_IN_LIST);
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
        // Read as a text, the most likely type, so that its pair is complete.
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

  /**
   * An unclosed atom at the end of the unit is counted with the unclosed groups, because they have one
   * position and one cause.
   */
  #openAtom(atom: AtomNode): void {
    if (this.#faults.isAtEnd(atom)) this.#missCloser(atom);
    else this.#faults.openAtom(atom);
  }

  #missCloser({ start }: Span): void {
    this.#missingClosers++;
    this.#lastOpened = start;
  }

  /** True for the last part of an unclosed unit: the user is probably about to type the rest. */
  #isUnfinished(span: Span): boolean {
    return this.#missingClosers > 0 && this.#faults.isAtEnd(span);
  }

  #group(group: LooseGroup): ListNode | DictNode {
    if (!group.isClosed) this.#missCloser(group);
    const { start, end } = group;
    const pairs: (PairNode | PlacedRun)[] = [];
    const items: (AiclNode | PlacedRun)[] = [];
    const trailingComma = this.#readEntries(group.entries, group.kind, pairs, items);
    if (group.kind === 'list')
      return { kind: 'list', start, end, items: toItems(items, this.#readRun), trailingComma };
    return { kind: 'dict', start, end, pairs: toPairs(pairs, this.#readRun), trailingComma };
  }
}
