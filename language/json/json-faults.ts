import { applyEdits, type TextEdit } from '../../core/text/edit.ts';
import { quote } from '../../core/text/quote.ts';
import type { Span } from '../../core/text/span.ts';
import type { JsonFault, JsonFaultKind } from './json-scanner.ts';
import { closeOpen, readJson, type JsonTree } from './json-tree.ts';

/** Describes a fault of a text that should be JSON, with advice, as the end of a sentence. */
export function describeFault(text: string, { kind, span, opener }: JsonFault): string {
  const shown = text.slice(span.start, span.end);
  const open = opener ? text.slice(opener.start, opener.end) : '[';
  return WORDS[kind](shown === '' ? 'its end' : quote(shown), open);
}

const WORDS: Readonly<Record<JsonFaultKind, (shown: string, opener: string) => string>> = {
  'missing value': shown => `a value is missing before ${shown}; write one`,
  'missing key': shown => `${shown} is in the place of a key; write a key in double quotes`,
  'missing colon': shown => `':' is missing before ${shown}; write it`,
  'missing comma': shown => `',' is missing before ${shown}; write it`,
  'trailing comma': () => "nothing follows the ','; remove it",
  'stray colon': () => "this ':' does not follow a key; remove it",
  'stray bracket': shown => `${shown} closes nothing that is open; remove it`,
  'open bracket': (shown, opener) => {
    const at = isCloser(shown) ? ` at ${shown}` : '';
    return `'${opener}' is not closed${at}; write '${closerOf(opener)}'`;
  },
  'open string': shown => `the text ${shown} is not closed; write '"'`,
  'control character': shown => `${shown} is not escaped in a text; write it as an escape of JSON`,
  'wrong escape': shown => `${shown} is not a JSON escape; double the backslash`,
  'wrong number': shown => `${shown} is not a JSON number; write one in plain digits`,
  'wrong word': shown => `${shown} is not a JSON value; write texts in double quotes`,
  rest: shown => `${shown} follows the value; remove it`,
};

/** True for a closing bracket in quotes, which closes another kind of bracket. */
function isCloser(shown: string): boolean {
  return /^'[}\]]'$/.test(shown);
}

function closerOf(opener: string): string {
  return opener === '{' ? '}' : ']';
}

/** A change that makes JSON valid. */
export interface JsonMend {
  readonly title: string;
  readonly edit: TextEdit;
}

/** One change that removes the fault of a text and makes it valid JSON; undefined if there is none. */
export function findMend(text: string, fault: JsonFault, tree: JsonTree): JsonMend | undefined {
  const mend = proposeMend(text, fault, tree);
  return mend && !readJson(applyEdits(text, [mend.edit])).fault ? mend : undefined;
}

function proposeMend(text: string, fault: JsonFault, tree: JsonTree): JsonMend | undefined {
  const { kind, span, opener } = fault;
  const shown = text.slice(span.start, span.end);
  switch (kind) {
    case 'missing comma':
      return insert(text, span.start, ',');
    case 'missing colon':
      return insert(text, span.start, ':');
    case 'open bracket':
      return span.end === text.trimEnd().length && !/^[}\]]$/.test(shown)
        ? insert(text, text.length, closeOpen(tree))
        : closeBefore(text, fault, opener, tree);
    case 'open string':
      return insert(text, text.length, closeOpen(tree));
    case 'trailing comma':
    case 'stray colon':
    case 'stray bracket':
      return { title: `Remove '${shown}'`, edit: { span, newText: '' } };
    case 'missing value':
    case 'missing key':
      return shown === ','
        ? { title: "Remove ','", edit: { span, newText: '' } }
        : quoteKey(kind, shown, span);
    case 'rest':
      return /^[\s}\],:]+$/.test(shown)
        ? { title: `Remove ${quote(shown)}`, edit: { span, newText: '' } }
        : undefined;
    case 'control character':
      return {
        title: 'Write the character as an escape',
        edit: { span, newText: JSON.stringify(shown).slice(1, -1) },
      };
    case 'wrong escape':
      return insert(text, span.start, '\\', 'Double the backslash');
    case 'wrong word':
      return spellWord(shown, span);
    case 'wrong number':
      return undefined;
  }
}

/** Inserts after the text before an offset, skipping blanks. */
function insert(text: string, offset: number, newText: string, title = `Write ${quote(newText)}`): JsonMend {
  const at = newText === '\\' ? offset : text.slice(0, offset).trimEnd().length;
  return { title, edit: { span: { start: at, end: at }, newText } };
}

/**
 * Closes a bracket before another one. At the end of the text, where the last bracket may close an outer one,
 * it closes all open ones if one is not sufficient.
 */
function closeBefore(text: string, { span }: JsonFault, opener: Span | undefined, tree: JsonTree): JsonMend {
  const isLast = span.end === text.trimEnd().length;
  const open = opener ? text.slice(opener.start, opener.end) : '[';
  const before = insert(text, span.start, closerOf(open));
  const isEnough = !readJson(applyEdits(text, [before.edit])).fault;
  return isEnough || !isLast ? before : insert(text, text.length, closeOpen(tree));
}

const PLAIN_KEY = /^[\p{L}\p{N}_$-]{1,200}$/u;

function quoteKey(kind: JsonFaultKind, shown: string, span: Span): JsonMend | undefined {
  if (kind !== 'missing key' || !PLAIN_KEY.test(shown)) return undefined;
  return { title: 'Write the key in double quotes', edit: { span, newText: `"${shown}"` } };
}

/** Words of other languages, with the JSON word for each. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['none', 'null'],
  ['nil', 'null'],
  ['undefined', 'null'],
]);
const LONGEST_WORD = 20;

function spellWord(shown: string, span: Span): JsonMend | undefined {
  const word = shown.length > LONGEST_WORD ? undefined : SPELLINGS.get(shown.toLowerCase());
  return word === undefined ? undefined : { title: `Write ${word}`, edit: { span, newText: word } };
}
