import type { Characters } from '../../core/text/source-text.ts';
import { CONTENT_START, type AiclNode, type AtomNode, type PairNode, type UnitTree } from './ast.ts';
import { CLOSE, COLON, COMMA, skipBlanks } from './characters.ts';
import type { Lexeme, LexemePlace, LexemeSource } from './lexeme.ts';
import { toItems, toPairs } from './group.ts';
import type { PlacedRun, ReadRun } from './run.ts';
import type { AtomEnd } from './atom-end.ts';
import { kindAt, MAX_DEPTH, type AcceptedUnit } from './scanner.ts';
import type { TextEnds } from './text-ends.ts';

type Child = AiclNode | PairNode;

/** A list or dictionary that is being read. */
interface OpenGroup {
  readonly kind: 'list' | 'dict';
  readonly start: number;
  readonly items: (AiclNode | PlacedRun)[];
  readonly pairs: (PairNode | PlacedRun)[];
  /** The key whose value has not been read yet. */
  key: AtomNode | undefined;
  expects: 'entry' | 'colon' | 'value' | 'separator';
  trailingComma: number;
}

/**
 * Builds the tree of a long message, value or run of pairs from its lexemes, equal to the tree that the
 * scanner builds from the text; undefined if the grammar rejects it. Offsets in the tree are relative to
 * `start`.
 */
export function acceptLexemes(
  source: LexemeSource,
  text: Characters,
  start: number,
  readRun: ReadRun<Child>,
  ends?: TextEnds,
): AcceptedUnit | undefined {
  const readValue = (at: number): AiclNode | undefined =>
    buildValue(source, text, at, new Builder(text, start, readRun), ends);
  const root = readValue(start);
  if (!root) return undefined;
  if (root.kind === 'text' && text.charCodeAt(skipBlanks(text, start + root.end)) === COLON)
    return acceptPairs(text, start, root, readValue);
  const tree: UnitTree = root.kind === 'dict' ? { kind: 'message', root } : { kind: 'value', root };
  return { tree, end: start + root.end };
}

/** Reads a run of pairs without an enclosing dictionary, starting with the first key. */
function acceptPairs(
  text: Characters,
  start: number,
  firstKey: AtomNode,
  readValue: (at: number) => AiclNode | undefined,
): AcceptedUnit | undefined {
  const pairs: PairNode[] = [];
  for (let key = firstKey; ;) {
    const value = readValue(skipBlanks(text, skipBlanks(text, start + key.end) + 1));
    if (!value) return undefined;
    pairs.push({ start: key.start, end: value.end, key, value });
    const comma = skipBlanks(text, start + value.end);
    if (text.charCodeAt(comma) !== COMMA)
      return { tree: { kind: 'pairs', pairs, trailingComma: -1 }, end: start + value.end };
    const next = skipBlanks(text, comma + 1);
    if (kindAt(text, next) === undefined)
      return { tree: { kind: 'pairs', pairs, trailingComma: comma - start }, end: comma + 1 };
    const nextKey = readValue(next);
    if (nextKey?.kind !== 'text' || text.charCodeAt(skipBlanks(text, start + nextKey.end)) !== COLON)
      return undefined;
    key = nextKey;
  }
}

function buildValue(
  source: LexemeSource,
  text: Characters,
  start: number,
  builder: Builder,
  ends: TextEnds | undefined,
): AiclNode | undefined {
  let singleTo = start;
  for (let at = start; at < text.length;) {
    let found = source.lexemeAt(at, at < singleTo ? 'inside' : builder.place);
    if (found.type === 'run' && ends?.isMovedIn?.(found)) {
      singleTo = found.end;
      found = source.lexemeAt(at, 'inside');
    }
    const moved = found.type === 'atom' && found.kind === 'text' ? ends?.find(at + CONTENT_START) : undefined;
    const lexeme = moved ? { ...found, ...moved } : found;
    if (!builder.take(lexeme, moved)) return undefined;
    if (builder.root) return builder.root;
    at = skipBlanks(text, lexeme.end);
  }
  return undefined;
}

class Builder {
  readonly #text: Characters;
  readonly #base: number;
  readonly #readRun: ReadRun<Child>;
  readonly #open: OpenGroup[] = [];
  /** The value, once it is complete. */
  root: AiclNode | undefined;

  constructor(text: Characters, base: number, readRun: ReadRun<Child>) {
    this.#text = text;
    this.#base = base;
    this.#readRun = readRun;
  }

  /** The position of the next lexeme in its group, as the lexeme source needs it. */
  get place(): LexemePlace {
    return this.#open.at(-1)?.expects === 'entry' ? 'entry' : 'inside';
  }

  /** Adds the next lexeme; `moved` replaces the end of a text. False if the grammar does not allow it here. */
  take(lexeme: Lexeme, moved?: AtomEnd): boolean {
    const group = this.#open.at(-1);
    switch (lexeme.type) {
      case 'run':
        return this.#takeRun(lexeme, group);
      case 'atom':
        return this.#takeAtom(lexeme, group, moved);
      case 'open':
        return this.#takeOpen(lexeme, group);
      case 'close':
        return this.#takeClose(lexeme, group);
      case 'comma':
        if (group?.expects !== 'separator' || this.#text.charCodeAt(lexeme.start) !== COMMA) return false;
        group.expects = 'entry';
        group.trailingComma = lexeme.start - this.#base;
        return true;
      case 'colon':
        if (group?.expects !== 'colon' || this.#text.charCodeAt(lexeme.start) !== COLON) return false;
        group.expects = 'value';
        return true;
      default:
        return false;
    }
  }

  #takeRun({ run, start, end }: Lexeme & { type: 'run' }, group: OpenGroup | undefined): boolean {
    const fits = (run.kind === 'items') === (group?.kind === 'list');
    if (!group || !fits || this.#open.length + run.height > MAX_DEPTH) return false;
    const placed = { run, start: start - this.#base, end: end - this.#base };
    if (run.kind === 'items') group.items.push(placed);
    else group.pairs.push(placed);
    group.expects = 'separator';
    return true;
  }

  #takeAtom(
    lexeme: Lexeme & { type: 'atom' },
    group: OpenGroup | undefined,
    moved: AtomEnd | undefined,
  ): boolean {
    const { kind, start, end, contentEnd, origin } = lexeme;
    const isClosed = end > contentEnd && this.#text.charCodeAt(contentEnd) === CLOSE;
    if (!this.#takesValue(lexeme, group) || !(isClosed || moved)) return false;
    const base = this.#base;
    const atom = { kind, start: start - base, end: end - base, contentEnd: contentEnd - base };
    if (moved?.isOld) return this.#value({ ...atom, isOld: true }, group);
    return this.#value(origin && !moved ? { ...atom, origin } : atom, group);
  }

  #takeOpen(lexeme: Lexeme & { type: 'open' }, group: OpenGroup | undefined): boolean {
    if (!this.#takesValue(lexeme, group) || (group?.kind === 'dict' && group.expects === 'entry'))
      return false;
    const { kind, start } = lexeme;
    this.#open.push({
      kind,
      start: start - this.#base,
      items: [],
      pairs: [],
      key: undefined,
      expects: 'entry',
      trailingComma: -1,
    });
    return true;
  }

  /** True if a value is allowed here and is written correctly. */
  #takesValue(
    { start, kind }: { start: number; kind: AiclNode['kind'] },
    group: OpenGroup | undefined,
  ): boolean {
    const isExpected = !group || group.expects === 'entry' || group.expects === 'value';
    return isExpected && this.#open.length < MAX_DEPTH && kindAt(this.#text, start) === kind;
  }

  #takeClose({ start, end }: Lexeme, group: OpenGroup | undefined): boolean {
    if (!group || this.#text.charCodeAt(start) !== CLOSE) return false;
    const isEmpty = group.expects === 'entry' && group.items.length + group.pairs.length === 0;
    const isWhole = group.expects === 'separator' || (group.expects === 'entry' && group.trailingComma >= 0);
    if (!isEmpty && !isWhole) return false;
    this.#open.pop();
    return this.#value(this.#toNode(group, end - this.#base), this.#open.at(-1));
  }

  #toNode(group: OpenGroup, end: number): AiclNode {
    const { kind, start } = group;
    const trailingComma = group.expects === 'entry' ? group.trailingComma : -1;
    if (kind === 'list')
      return { kind, start, end, items: toItems(group.items, this.#readRun), trailingComma };
    return { kind, start, end, pairs: toPairs(group.pairs, this.#readRun), trailingComma };
  }

  #value(value: AiclNode, group: OpenGroup | undefined): boolean {
    if (!group) {
      this.root = value;
      return true;
    }
    if (group.kind === 'list') group.items.push(value);
    else if (group.key) {
      const { key } = group;
      group.pairs.push({ start: key.start, end: value.end, key, value });
      group.key = undefined;
    } else {
      if (value.kind !== 'text') return false;
      group.key = value;
      group.expects = 'colon';
      return true;
    }
    group.expects = 'separator';
    return true;
  }
}
