import type { Span } from '../../core/text/span.ts';
import { scanJson, type JsonToken, type JsonTokenKind } from './json-scanner.ts';
import { JsonBuilder, readJsonString, type JsonTree, type JsonValue } from './json-tree.ts';

/*
 * Our own search, because names of similar calls are completed also in programs without the JSON language
 * service, and the service replaces the text behind the cursor if a string has no end yet.
 */

/** A step from a value to a value inside it: the name of a member, or undefined for any item of an array. */
export type JsonStep = string | undefined;

/** What may be typed at a position in possibly incomplete JSON. */
export interface JsonCursor {
  readonly expects: 'key' | 'value' | 'nothing';
  /** The path to the object or array at the position. */
  readonly path: readonly JsonStep[];
  /** The span to replace: a string, word or number at the position, otherwise empty. */
  readonly span: Span;
  readonly isInString: boolean;
  /** The next token. */
  readonly next: JsonTokenKind;
}

/** Finds what may be typed at an offset. One pass over the text. */
export function findJsonCursor(text: string, offset: number): JsonCursor {
  const builder = new JsonBuilder(text.length);
  const tokens = scanJson(text);
  let typed: JsonToken | undefined;
  let next: JsonTokenKind = 'end';
  for (const token of tokens) {
    if (!typed && isTyped(token, offset)) typed = token;
    else if (typed || token.start >= offset) {
      next = token.kind;
      break;
    } else builder.add(token);
  }
  const span = typed ? replacedSpan(text, typed, next, offset) : { start: offset, end: offset };
  return {
    expects: builder.isDone ? 'nothing' : expected(builder),
    path: builder.frames.slice(0, -1).map(({ value }) => stepOf(text, value)),
    span,
    isInString: typed?.kind === 'string',
    next,
  };
}

/** True for the token that is being typed. A cursor after the end of a string is no longer in it. */
function isTyped({ kind, start, end, fault }: JsonToken, offset: number): boolean {
  if (kind === 'number' || kind === 'word') return start < offset && offset <= end;
  if (kind !== 'string' || start >= offset) return false;
  return offset < end || (offset === end && fault?.kind === 'open string');
}

/**
 * The span of the token to replace. A string without an end includes the text after it, so only the part
 * before the cursor is replaced.
 */
function replacedSpan(text: string, typed: JsonToken, next: JsonTokenKind, offset: number): Span {
  const { start, end, kind, fault } = typed;
  const isWhole = !fault && next !== 'string' && next !== 'word' && next !== 'number';
  if (kind !== 'string' || isWhole) return { start, end };
  return { start, end: text.charAt(offset) === '"' ? offset + 1 : offset };
}

function expected({ frames, root }: JsonBuilder): JsonCursor['expects'] {
  const frame = frames.at(-1);
  if (!frame) return root ? 'nothing' : 'value';
  const { expects, closer } = frame;
  if (expects === 'value') return 'value';
  if (expects === 'first item' || expects === 'item') return closer === '}' ? 'key' : 'value';
  return 'nothing';
}

function stepOf(text: string, { members }: JsonValue): JsonStep {
  const key = members.at(-1)?.key;
  return key && readJsonString(text, key);
}

/** The values at a path; several if it leads through arrays. */
export function followPath(
  { root }: JsonTree,
  text: string,
  path: readonly JsonStep[],
): readonly JsonValue[] {
  let values = root ? [root] : [];
  for (const step of path) {
    values = values
      .flatMap(value => value.members)
      .filter(({ key }) => (step === undefined ? !key : key && readJsonString(text, key) === step))
      .flatMap(({ value }) => value ?? []);
  }
  return values;
}
