import type { ArgumentDeclaration, ToolDeclaration } from '../../tools.ts';
import { escapeSnippet, snippetStop } from '../../../core/text/markup.ts';
import { encodeField } from '../codec.ts';

/** Calls with more arguments are proposed without arguments. */
const MAX_ARGUMENTS = 20;

/** A whole call of a tool as a snippet with a tab stop for each required argument. */
export function callSnippet(name: string, tool: ToolDeclaration | undefined): string {
  const declared = tool?.arguments ?? [];
  const stops = declared.length > MAX_ARGUMENTS ? '' : argumentStops(declared);
  return `CALL|${escapeSnippet(encodeField(name))}${stops}`;
}

/** Tab stops for the arguments up to the last required one. */
export function argumentStops(list: readonly ArgumentDeclaration[]): string {
  const lastNeeded = list.findLastIndex(argument => !argument.isOptional);
  return list
    .slice(0, lastNeeded + 1)
    .map((argument, index) => `|${stopFor(argument, index + 1)}`)
    .join('');
}

/** The tab stop of one argument. */
export function stopFor({ name, type }: ArgumentDeclaration, index: number): string {
  return type === 'boolean' ? `\${${index}|true,false|}` : snippetStop(index, name);
}
