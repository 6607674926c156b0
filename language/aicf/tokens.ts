import { createToken, Lexer, type CustomPatternMatcherFunc, type IToken, type TokenType } from 'chevrotain';
import {
  AICF_COMMANDS,
  AICF_PREFIXES,
  type AicfCommandName,
  type AicfCommandRow,
} from '../../core/catalog/aicf.ts';
import { findFenceEnd, isBlank, skipBlanks } from './characters.ts';
import { findFieldEnd } from './codec.ts';

/**
 * After this many tokens the rest of a line becomes one `Tail`, so that a line with a million pipes does not
 * make a million tokens.
 */
const MAX_TOKENS = 512;

/**
 * Every pattern is a function that returns the end of its token, or -1. A regular expression would overflow
 * the stack on long text.
 */
type FindEnd = (text: string, offset: number, tokens: readonly IToken[]) => number;

function toPattern(findEnd: FindEnd): CustomPatternMatcherFunc {
  return (text, offset, tokens) => {
    const end = findEnd(text, offset, tokens);
    return end > offset ? [text.slice(offset, end)] : null;
  };
}

function buildToken(
  name: string,
  findEnd: FindEnd,
  more: { pushes?: string; categories?: TokenType[] } = {},
): TokenType {
  return createToken({
    name,
    pattern: toPattern(findEnd),
    line_breaks: false,
    ...(more.pushes === undefined ? {} : { push_mode: more.pushes }),
    ...(more.categories === undefined ? {} : { categories: more.categories }),
  });
}

const isPipeAt = (text: string, offset: number): boolean => text.charAt(offset) === '|';
const endOfPipe: FindEnd = (text, offset) => (isPipeAt(text, offset) ? offset + 1 : -1);
const endOfLine: FindEnd = text => text.length;

/** Blanks before the command. */
export const Indent = buildToken('Indent', skipBlanks);
/** Blanks after the command. */
export const Gap = buildToken('Gap', skipBlanks);
/** Text where a delimiter or the end of the line is required. */
export const Stray = buildToken('Stray', (text, offset) => (isPipeAt(text, offset) ? -1 : text.length));
/** A whole line that does not start with a command. */
export const Foreign = buildToken('Foreign', endOfLine);

export const Comment = buildToken('Comment', (text, offset, tokens) =>
  text.charAt(offset) === '#' && !holdsPrefix(tokens) ? text.length : -1,
);
export const Fence = buildToken('Fence', (text, offset, tokens) =>
  holdsPrefix(tokens) || findFenceEnd(text, offset) === -1 ? -1 : text.length,
);
/** `Request:` or `Response:` with the blanks after it. */
export const Prefix = buildToken('Prefix', (text, offset, tokens) => {
  if (holdsPrefix(tokens)) return -1;
  const row = AICF_PREFIXES.find(prefix => text.startsWith(prefix.text, offset));
  return row ? skipBlanks(text, offset + row.text.length) : -1;
});

function holdsPrefix(tokens: readonly IToken[]): boolean {
  return tokens.at(-1)?.tokenType === Prefix;
}

/** A delimiter before fields that are split at each delimiter. */
export const FieldsPipe = buildToken('FieldsPipe', endOfPipe, { pushes: 'fields' });
/** A delimiter before a code. */
export const CodePipe = buildToken('CodePipe', endOfPipe, { pushes: 'codeField' });
/** A delimiter before data that extends to the end of the line. */
export const DataPipe = buildToken('DataPipe', endOfPipe, { pushes: 'data' });
/** A delimiter between fields. */
export const Pipe = buildToken('Pipe', endOfPipe);
/** A field up to the next delimiter; an empty one makes no token. */
export const Field = buildToken('Field', findFieldEnd);
/** Data up to the end of the line. */
export const Data = buildToken('Data', endOfLine);
/** The remaining fields of a line with too many tokens, including the delimiter before them. */
export const Tail = buildToken('Tail', (text, offset, tokens) =>
  tokens.length > MAX_TOKENS && isPipeAt(text, offset) ? text.length : -1,
);

/** Categories of commands by the way in which the rest of their line is split. */
export const SplitCommand = createToken({ name: 'SplitCommand', pattern: Lexer.NA });
export const RestCommand = createToken({ name: 'RestCommand', pattern: Lexer.NA });
export const CodeCommand = createToken({ name: 'CodeCommand', pattern: Lexer.NA });

const CATEGORIES: Readonly<Record<AicfCommandRow['reading'], TokenType>> = {
  split: SplitCommand,
  rest: RestCommand,
  code: CodeCommand,
};

/** A catalog row with its name narrowed to the known commands. */
type KeywordRow = AicfCommandRow & { readonly name: AicfCommandName };

/** The keywords, one for each row of the catalog. */
const KEYWORDS = AICF_COMMANDS.map(row =>
  buildToken(row.name, (text, offset) => findKeywordEnd(row, text, offset), {
    pushes: row.reading,
    categories: [CATEGORIES[row.reading]],
  }),
);

/** The keywords in wrong case. */
const MISCASED = AICF_COMMANDS.map(row =>
  buildToken(`${row.name}Miscased`, (text, offset) => findMiscasedEnd(row, text, offset), {
    pushes: row.reading,
    categories: [CATEGORIES[row.reading]],
  }),
);

/** A command in capitals that is not in the catalog; the document announces new ones. */
export const UnknownCommand = buildToken('UnknownCommand', findUnknownEnd, {
  pushes: 'split',
  categories: [SplitCommand],
});

/** The command of a keyword's token type, in right or wrong case; undefined for other types. */
export const COMMAND_OF_TOKEN: ReadonlyMap<TokenType, AicfCommandName> = new Map(
  AICF_COMMANDS.flatMap((row, index) =>
    [KEYWORDS[index], MISCASED[index]].flatMap(type => (type ? [[type, row.name] as const] : [])),
  ),
);

export const MISCASED_TYPES: ReadonlySet<TokenType> = new Set(MISCASED);

/** True if a word that ends at `end` is followed by a delimiter or the end of the text, ignoring blanks. */
function endsCommand(text: string, end: number): boolean {
  const next = skipBlanks(text, end);
  return next === text.length || isPipeAt(text, next);
}

/**
 * A keyword must be followed by a delimiter or the end of the line. `END` and commands with a required field
 * also match before a blank and more text, because such a line is a command with a fault and not prose.
 */
function findKeywordEnd(row: KeywordRow, text: string, offset: number): number {
  if (!text.startsWith(row.name, offset)) return -1;
  const end = offset + row.name.length;
  if (endsCommand(text, end)) return end;
  const isUnmistakable = row.name === 'END' || row.fields.some(field => field.isRequired);
  return isUnmistakable && isBlank(text.charCodeAt(end)) ? end : -1;
}

function findMiscasedEnd(row: AicfCommandRow, text: string, offset: number): number {
  const end = offset + row.name.length;
  const word = text.slice(offset, end);
  // Only ASCII letters are compared, because the capital of a dotless i is also a Latin I.
  return /^[A-Za-z]+$/.test(word) && word.toUpperCase() === row.name && endsCommand(text, end) ? end : -1;
}

function findUnknownEnd(text: string, offset: number): number {
  let end = offset;
  if (!isCapital(text.charCodeAt(offset))) return -1;
  while (end < text.length && isCommandCharacter(text.charCodeAt(end))) end++;
  return endsCommand(text, end) ? end : -1;
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isCommandCharacter(code: number): boolean {
  return isCapital(code) || (code >= 48 && code <= 57) || code === 95;
}

const AFTER_COMMAND = [Gap, Stray];

/** The modes of the lexer: `head` up to the command, then the mode that splits the command's line. */
export const LEXER_DEFINITION = {
  modes: {
    head: [Indent, Comment, Fence, Prefix, ...KEYWORDS, ...MISCASED, UnknownCommand, Foreign],
    split: [...AFTER_COMMAND, FieldsPipe],
    rest: [...AFTER_COMMAND, DataPipe],
    code: [...AFTER_COMMAND, CodePipe],
    fields: [Field, Tail, Pipe],
    codeField: [Field, DataPipe],
    data: [Data],
  },
  defaultMode: 'head',
};

/** All token types used by the grammar. */
export const ALL_TOKENS: readonly TokenType[] = [
  ...new Set([SplitCommand, RestCommand, CodeCommand, ...Object.values(LEXER_DEFINITION.modes).flat()]),
];
