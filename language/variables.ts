import type { Span } from '../core/text/span.ts';

/** Longer texts between braces are not names and stay text. */
const VARIABLE = /\{\{([^{}\r\n]{1,500})\}\}/g;
/** The names of variables and requests. */
const NAME = '[A-Za-z_][A-Za-z0-9_-]*';

/** `{{name}}` in a text, braces included. */
export interface WrittenVariable extends Span {
  /** The text between the braces, trimmed. */
  readonly source: string;
}

/** The variables of a text in order, whether defined or not. One pass. */
export function findVariables(text: string): readonly WrittenVariable[] {
  if (!text.includes('{{')) return [];
  return [...text.matchAll(VARIABLE)].map(({ index, 0: found, 1: source = '' }) => ({
    start: index,
    end: index + found.length,
    source: source.trim(),
  }));
}

/** True if a text contains a variable, whether defined or not, or in JSON a file, `{"$file": "PATH"}`. */
export function holdsVariable(text: string): boolean {
  return (text.includes('{{') && text.search(VARIABLE) >= 0) || text.includes('"$file"');
}

/** Replaces each variable of a text by `0`, to check the text around it. */
export function replaceVariables(text: string): string {
  return text.replace(VARIABLE, '0');
}

/** The meaning of a variable. A name may continue with a path into a reply: `login.data.items[0].id`. */
export type VariableReference =
  | { readonly kind: 'secret'; readonly name: string }
  /** The content of a file of the workspace, as Base64. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'function'; readonly name: string; readonly argument: string }
  | { readonly kind: 'name'; readonly name: string; readonly path: readonly string[] }
  /** Words in braces from some other template language. */
  | { readonly kind: 'other' };

// The `s` flag lets `.` match U+2028 and U+2029, which are not line ends here.
const SECRET = /^secret\s+(\S.*)$/s;
const FILE = /^file\s+(\S.*)$/s;
const FUNCTION = /^\$(\S*)(?:\s+(\S.*)?)?$/s;
const NAMED = new RegExp(String.raw`^(${NAME})((?:\.[^.[\]\s]+|\[\d+\])*)$`);

/** Reads the text between the braces. */
export function readReference(source: string): VariableReference {
  const [, secret] = SECRET.exec(source) ?? [];
  if (secret !== undefined) return { kind: 'secret', name: secret };
  const [, path] = FILE.exec(source) ?? [];
  if (path !== undefined) return { kind: 'file', path };
  const [, name, argument = ''] = FUNCTION.exec(source) ?? [];
  if (name !== undefined) return { kind: 'function', name, argument };
  const [, word, steps = ''] = NAMED.exec(source) ?? [];
  if (word === undefined) return { kind: 'other' };
  return { kind: 'name', name: word, path: [...steps.matchAll(/[^.[\]]+/g)].map(([step]) => step) };
}

/**
 * What a container line defines for requests: a variable (`# @host = example.org`), the name of a request
 * (`# @name login`), or the agent that it goes to (`# @agent coder`).
 */
export interface Definition {
  readonly kind: 'variable' | 'request' | 'agent';
  readonly name: string;
  /** The text after the `=`; empty for a request and an agent. It may use variables that are defined before it. */
  readonly value: string;
  /** The span of the name. */
  readonly span: Span;
}

/** The short form `# @name = value` excludes the names of directives; `# @var name = value` allows them. */
const VARIABLE_LINE = new RegExp(
  String.raw`^(\s*(?:#|//)\s*@(?:var\s+|(?!(?:agent|name|timeout|session|literal)(?![A-Za-z0-9_-]))))(${NAME})\s*=(.*)$`,
  's',
);
const AGENT_LINE = /^(\s*(?:#|\/\/)\s*@(?:agent|default)\s+)(\S(?:.*\S)?)\s*$/s;
const REQUEST_LINE = new RegExp(String.raw`^(\s*(?:#|//)\s*@name\s+)(${NAME})\s*$`);

/** The definition in a container line that starts at offset `start`; undefined if it has none. */
export function readDefinition(line: string, start: number): Definition | undefined {
  if (!line.includes('@')) return undefined;
  const [, head, name, value = ''] =
    VARIABLE_LINE.exec(line) ?? REQUEST_LINE.exec(line) ?? AGENT_LINE.exec(line) ?? [];
  if (head === undefined || name === undefined) return undefined;
  const at = start + head.length;
  return {
    kind: kindOf(line),
    name,
    value: value.trim(),
    span: { start: at, end: at + name.length },
  };
}

function kindOf(line: string): Definition['kind'] {
  if (REQUEST_LINE.test(line)) return 'request';
  return VARIABLE_LINE.test(line) ? 'variable' : 'agent';
}
