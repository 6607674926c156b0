import { EmbeddedActionsParser, type IToken, type TokenType } from 'chevrotain';
import type { AtomNode } from '../ast.ts';
import type { PlacedRun } from '../run.ts';
import {
  Atom,
  BoolAtom,
  Close,
  Colon,
  Comma,
  DictOpen,
  ExtraClose,
  FloatAtom,
  Headless,
  IntAtom,
  isAiclToken,
  Junk,
  ListOpen,
  ReadGroup,
  TensorAtom,
  TextAtom,
  TooDeep,
  UnknownAtom,
  VOCABULARY,
  WholeRun,
  type AiclToken,
} from './tokens.ts';

/** A value before faults are checked. */
export type LooseValue = AtomNode | LooseGroup | LooseFault;

/** A list or dictionary with its entries in order. */
export interface LooseGroup {
  readonly kind: 'list' | 'dict';
  readonly start: number;
  readonly end: number;
  readonly isClosed: boolean;
  readonly entries: readonly Entry[];
}

/** Text in the position of a value that is not a value. */
export interface LooseFault {
  readonly kind: 'unknown' | 'headless' | 'too-deep' | 'junk';
  readonly start: number;
  readonly end: number;
}

/** An entry of a group: a value, a pair or a part of one; commas and unmatched brackets are entries too. */
export type Entry =
  | { readonly kind: 'value'; readonly value: LooseValue }
  | {
      readonly kind: 'pair';
      readonly key: LooseValue | undefined;
      readonly colon: number;
      readonly value: LooseValue | undefined;
    }
  /** Several complete values or pairs, with the commas between them. */
  | { readonly kind: 'run'; readonly run: PlacedRun }
  | { readonly kind: 'comma'; readonly at: number }
  | { readonly kind: 'close'; readonly at: number };

/**
 * The grammar of LightAICL (reading of LightAICL 3, "Grammar"):
 *
 *     value = atom | "[l:" [ value { "," value } [ "," ] ] "]" | "[d:" [ pair { "," pair } [ "," ] ] "]"
 *     pair  = "[s:" text "]" ":" value
 *
 * It never fails. Each violation is a production of its own (an entry without key or value, a missing comma
 * or bracket), so that any sequence of tokens gives a tree, Chevrotain never has to recover, and judge.ts can
 * report each fault. Groups are read from inner to outer, each as one token of the enclosing group, because a
 * recursive parser would overflow the stack in small hosts.
 */
class AiclParser extends EmbeddedActionsParser {
  constructor() {
    super(VOCABULARY, { maxLookahead: 1 });
    this.performSelfAnalysis();
  }

  /** A message, a value or a run of pairs, or any faulty text in their place. */
  readonly unit = this.RULE('unit', (): readonly Entry[] => {
    const entries: Entry[] = [];
    this.MANY(() => {
      this.OR([
        { ALT: () => entries.push(this.SUBRULE(this.entry)) },
        { ALT: () => entries.push({ kind: 'close', at: this.CONSUME(Close).startOffset }) },
      ]);
    });
    return entries;
  });

  readonly entry = this.RULE('entry', (): Entry =>
    this.OR<Entry>([
      { ALT: () => this.SUBRULE(this.keyed) },
      {
        ALT: () => {
          const colon = this.CONSUME(Colon).startOffset;
          const value = this.OPTION(() => this.SUBRULE(this.value));
          return { kind: 'pair', key: undefined, colon, value };
        },
      },
      { ALT: () => this.#readRun(this.CONSUME(WholeRun)) },
      { ALT: () => ({ kind: 'comma', at: this.CONSUME(Comma).startOffset }) },
      { ALT: () => ({ kind: 'close', at: this.CONSUME(ExtraClose).startOffset }) },
    ]),
  );

  /** `value` or `key ":" value`. */
  readonly keyed = this.RULE('keyed', (): Entry => {
    const first = this.SUBRULE(this.value);
    const rest = this.OPTION1(() => {
      const colon = this.CONSUME(Colon).startOffset;
      const value = this.OPTION2(() => this.SUBRULE2(this.value));
      return { colon, value };
    });
    return rest ? { kind: 'pair', key: first, ...rest } : { kind: 'value', value: first };
  });

  readonly value = this.RULE('value', (): LooseValue =>
    this.OR<LooseValue>([
      { ALT: () => this.#atom(this.CONSUME(Atom)) },
      { ALT: () => this.#readGroup(this.CONSUME(ReadGroup)) },
      { ALT: () => fault('unknown', this.CONSUME(UnknownAtom)) },
      { ALT: () => fault('headless', this.CONSUME(Headless)) },
      { ALT: () => fault('too-deep', this.CONSUME(TooDeep)) },
      { ALT: () => fault('junk', this.CONSUME(Junk)) },
    ]),
  );

  readonly group = this.RULE('group', (): LooseGroup => {
    const open = this.OR([{ ALT: () => this.CONSUME(ListOpen) }, { ALT: () => this.CONSUME(DictOpen) }]);
    const entries: Entry[] = [];
    this.MANY(() => entries.push(this.SUBRULE(this.entry)));
    const close = this.OPTION(() => this.CONSUME(Close));
    const end = (close ?? this.LA(0)).endOffset ?? 0;
    return {
      kind: open.tokenType === DictOpen ? 'dict' : 'list',
      start: open.startOffset,
      end: end + 1,
      isClosed: close !== undefined,
      entries,
    };
  });

  #readGroup(token: IToken): LooseGroup {
    return this.ACTION(() => {
      if (!isGroupToken(token)) throw new Error('readGroup: the token holds no group');
      return token.group;
    });
  }

  #readRun(token: IToken): Entry {
    return this.ACTION(() => {
      const run = isAiclToken(token) ? token.run : undefined;
      if (!run) throw new Error('readRun: the token holds no run');
      return { kind: 'run', run: { run, start: token.startOffset, end: (token.endOffset ?? 0) + 1 } };
    });
  }

  #atom(token: IToken): AtomNode {
    return this.ACTION(() => readAtom(token));
  }
}

const KIND_OF_TOKEN: ReadonlyMap<TokenType, AtomNode['kind']> = new Map([
  [TextAtom, 'text'],
  [IntAtom, 'int'],
  [FloatAtom, 'float'],
  [BoolAtom, 'bool'],
  [TensorAtom, 'tensor'],
]);

function readAtom(token: IToken): AtomNode {
  const kind = KIND_OF_TOKEN.get(token.tokenType);
  if (!kind || !isAiclToken(token)) throw new Error(`readAtom: ${token.tokenType.name} is no atom`);
  const { startOffset: start, contentEnd, origin } = token;
  return { kind, start, end: (token.endOffset ?? 0) + 1, contentEnd, ...(origin && { origin }) };
}

function fault(kind: LooseFault['kind'], token: IToken): LooseFault {
  return { kind, start: token.startOffset, end: (token.endOffset ?? 0) + 1 };
}

/** Created on first use, because this takes a few milliseconds. */
let parser: AiclParser | undefined;

/** A group that has been read, as a token in the enclosing group. */
interface GroupToken extends IToken {
  readonly group: LooseGroup;
}

function isGroupToken(token: IToken): token is GroupToken {
  return 'group' in token;
}

/** Parses a unit's tokens. Never fails: all tokens are read. Linear: each group is read once. */
export function parseTokens(tokens: readonly AiclToken[]): readonly Entry[] {
  const open: IToken[][] = [];
  let current: IToken[] = [];
  const closeGroup = (): void => {
    const group = run(current, reader => reader.group());
    current = open.pop() ?? [];
    current.push(toToken(group));
  };
  for (const token of tokens) {
    if (token.tokenType === ListOpen || token.tokenType === DictOpen) {
      open.push(current);
      current = [];
    }
    current.push(token);
    if (token.tokenType === Close && open.length > 0) closeGroup();
  }
  while (open.length > 0) closeGroup();
  return run(current, reader => reader.unit());
}

function toToken(group: LooseGroup): GroupToken {
  return {
    image: '',
    startOffset: group.start,
    endOffset: group.end - 1,
    tokenType: ReadGroup,
    tokenTypeIdx: ReadGroup.tokenTypeIdx ?? 0,
    group,
  };
}

function run<Read>(tokens: IToken[], rule: (reader: AiclParser) => Read): Read {
  parser ??= new AiclParser();
  parser.input = tokens;
  const read = rule(parser);
  const [error] = parser.errors;
  if (error) throw new Error(`parseTokens: the grammar is not total: ${error.message}`);
  return read;
}
