import { AICL_PROTOCOL, TYPE_TAGS, type ValueKind } from '../../../core/catalog/aicl.ts';
import type { ArgumentDeclaration, ToolDeclaration } from '../../tools.ts';
import { escapeSnippet, snippetStop } from '../../../core/text/markup.ts';
import { kindsOf, neededArguments } from '../call-tools.ts';
import { escapeText } from '../escapes.ts';

/** Calls with more arguments are proposed without arguments. */
const MAX_ARGUMENTS = 20;
/** Maximum number of values in a choice. */
const MAX_CHOICES = 20;

/** A whole `tool_call` as a snippet: the session first, then a tab stop for each required argument. */
export function callSnippet(name: string, tool: ToolDeclaration | undefined, session: string): string {
  const lines = [
    `  [s:protocol]:[s:${AICL_PROTOCOL}]`,
    `  [s:session_id]:[s:${snippetStop(1, session.includes(']') ? '' : session)}]`,
    '  [s:msg_type]:[s:tool_call]',
    `  [s:tool]:[s:${escapeSnippet(escapeText(name))}]`,
    `  [s:params]:${paramsSnippet(tool, 2)}`,
  ];
  return `[d:\n${lines.join(',\n')}\n]`;
}

/** The parameters of a call as a snippet. Tab stops start at `first`. */
export function paramsSnippet(tool: ToolDeclaration | undefined, first: number): string {
  const needed = tool ? neededArguments(tool) : [];
  if (needed.length === 0 || needed.length > MAX_ARGUMENTS) return `[d:$${first}]`;
  const pairs = needed.map(
    (argument, index) =>
      `    [s:${escapeSnippet(escapeText(argument.name))}]:${valueSnippet(argument, first + index)}`,
  );
  return `[d:\n${pairs.join(',\n')}\n  ]`;
}

/** A snippet for an argument's value: a choice of the allowed values, or for a text the argument's name. */
export function valueSnippet(argument: ArgumentDeclaration, stop: number): string {
  const kind = kindsOf(argument)[0] ?? 'text';
  const tag = tagOf(kind);
  const { values } = argument;
  const canChoose = values?.every(value => /^[^\\$}|,\][\r\n]+$/.test(value)) ?? false;
  if (values && canChoose && values.length <= MAX_CHOICES) return `[${tag}:\${${stop}|${values.join(',')}|}]`;
  if (kind === 'bool') return `[${tag}:\${${stop}|true,false|}]`;
  if (kind !== 'text') return `[${tag}:$${stop}]`;
  return `[${tag}:${argument.name.includes(']') ? `$${stop}` : snippetStop(stop, argument.name)}]`;
}

/** The tag of a kind of value. */
export function tagOf(kind: ValueKind): string {
  return TYPE_TAGS.find(row => row.name === kind)?.tag ?? 's';
}
