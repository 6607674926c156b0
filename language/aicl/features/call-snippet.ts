import { AICL_PROTOCOL, TYPE_TAGS, type ValueKind } from '../../../core/catalog/aicl.ts';
import type { ArgumentDeclaration, ToolDeclaration } from '../../tools.ts';
import { escapeSnippet, snippetStop } from '../../../core/text/snippet.ts';
import { kindsOf, neededArguments } from '../call-tools.ts';
import { escapeText } from '../escapes.ts';

/** A call with more arguments is proposed without them. */
const MOST_ARGUMENTS = 20;
/** A choice of more values is typed. */
const MOST_CHOICES = 20;

/** A whole `tool_call` of a tool as a snippet: the session first, then a place for each argument that it needs. */
export function callSnippet(name: string, tool: ToolDeclaration | undefined, session: string): string {
  const lines = [
    `  [s:protocol]:[s:${AICL_PROTOCOL}]`,
    `  [s:session_id]:[s:${snippetStop(1, session.includes(']') ? '' : session)}]`,
    '  [s:msg_type]:[s:tool_call]',
    `  [s:tool]:[s:${escapeSnippet(escapeText(name))}]`,
    `  [s:params]:${paramsSnippet(tool, 2, '  ')}`,
  ];
  return `[d:\n${lines.join(',\n')}\n]`;
}

/** The parameters of a call as a snippet whose stops begin with a number; `indent` is that of the line it begins on. */
export function paramsSnippet(tool: ToolDeclaration | undefined, first: number, indent: string): string {
  const needed = tool ? neededArguments(tool) : [];
  if (needed.length === 0 || needed.length > MOST_ARGUMENTS) return `[d:$${first}]`;
  const pairs = needed.map(
    (argument, index) =>
      `${indent}  [s:${escapeSnippet(escapeText(argument.name))}]:${valueSnippet(argument, first + index)}`,
  );
  return `[d:\n${pairs.join(',\n')}\n${indent}]`;
}

/** A value for an argument as a snippet: what it may be, or its name where a text stands. */
export function valueSnippet(argument: ArgumentDeclaration, stop: number): string {
  const kind = kindsOf(argument)[0] ?? 'text';
  const tag = tagOf(kind);
  const { values } = argument;
  const canChoose = values?.every(value => /^[^\\$}|,\][\r\n]+$/.test(value)) ?? false;
  if (values && canChoose && values.length <= MOST_CHOICES)
    return `[${tag}:\${${stop}|${values.join(',')}|}]`;
  if (kind === 'bool') return `[${tag}:\${${stop}|true,false|}]`;
  if (kind !== 'text') return `[${tag}:$${stop}]`;
  return `[${tag}:${argument.name.includes(']') ? `$${stop}` : snippetStop(stop, argument.name)}]`;
}

function tagOf(kind: ValueKind): string {
  return TYPE_TAGS.find(row => row.name === kind)?.tag ?? 's';
}
