import type { Span } from '../core/text/span.ts';

/** What is longer than a line of an editor is no name: its braces are text. */
const VARIABLE = /\{\{([^{}\r\n]{1,500})\}\}/g;
/** Words by which variables and requests are named. */
const NAME = '[A-Za-z_][A-Za-z0-9_-]*';

/** `{{name}}` in a text, braces included. */
export interface WrittenVariable extends Span {
  /** What stands between the braces, without the blanks around it. */
  readonly source: string;
}

/** The variables of a text in their order, whether something defines them or not. One pass. */
export function findVariables(text: string): readonly WrittenVariable[] {
  if (!text.includes('{{')) return [];
  return [...text.matchAll(VARIABLE)].map(({ index, 0: found, 1: source = '' }) => ({
    start: index,
    end: index + found.length,
    source: source.trim(),
  }));
}

/** True for a text that holds a variable, whether something defines it or not. */
export function holdsVariable(text: string): boolean {
  return text.includes('{{') && text.search(VARIABLE) >= 0;
}

/** A text with `stand` in the place of each variable, to see what it is otherwise. */
export function replaceVariables(text: string, stand: string): string {
  return text.replace(VARIABLE, () => stand);
}

/** What a variable asks for. A name may go on with a path into a reply: `login.data.items[0].id`. */
export type VariableReference =
  | { readonly kind: 'secret'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string; readonly argument: string }
  | { readonly kind: 'name'; readonly name: string; readonly path: readonly string[] }
  /** Words of a template. */
  | { readonly kind: 'other' };

// U+2028 and U+2029 end no line of ours.
const SECRET = /^secret\s+(\S.*)$/s;
const FUNCTION = /^\$(\S*)(?:\s+(\S.*)?)?$/s;
const NAMED = new RegExp(String.raw`^(${NAME})((?:\.[^.[\]\s]+|\[\d+\])*)$`);

/** Reads what stands between the braces. */
export function readReference(source: string): VariableReference {
  const [, secret] = SECRET.exec(source) ?? [];
  if (secret !== undefined) return { kind: 'secret', name: secret };
  const [, name, argument = ''] = FUNCTION.exec(source) ?? [];
  if (name !== undefined) return { kind: 'function', name, argument };
  const [, word, path = ''] = NAMED.exec(source) ?? [];
  if (word === undefined) return { kind: 'other' };
  return { kind: 'name', name: word, path: [...path.matchAll(/[^.[\]]+/g)].map(([step]) => step) };
}

/** A line that defines something: `# @host = example.org` a variable, `# @name login` a request. */
export interface Definition {
  readonly kind: 'variable' | 'request';
  readonly name: string;
  /** What stands behind the `=`; of a request nothing. It may hold variables that are defined before it. */
  readonly value: string;
  /** Of the name. */
  readonly span: Span;
}

/** Names that begin directives of their own and so no variable; `# @var name = value` may use them. */
const VARIABLE_LINE = new RegExp(
  String.raw`^(\s*#\s*@(?:var\s+|(?!(?:agent|name|timeout|session|literal)(?![A-Za-z0-9_-]))))(${NAME})\s*=(.*)$`,
  's',
);
const REQUEST_LINE = new RegExp(String.raw`^(\s*#\s*@name\s+)(${NAME})\s*$`);

/** What a container line, which starts at an offset of its text, defines; undefined for one that defines nothing. */
export function readDefinition(line: string, start: number): Definition | undefined {
  if (!line.includes('@')) return undefined;
  const [, head, name, value = ''] = VARIABLE_LINE.exec(line) ?? REQUEST_LINE.exec(line) ?? [];
  if (head === undefined || name === undefined) return undefined;
  const at = start + head.length;
  return {
    kind: REQUEST_LINE.test(line) ? 'request' : 'variable',
    name,
    value: value.trim(),
    span: { start: at, end: at + name.length },
  };
}
