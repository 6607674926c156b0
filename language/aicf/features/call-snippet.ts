import type { ArgumentDeclaration, ToolDeclaration } from '../../tools.ts';
import { escapeSnippet, snippetStop } from '../../../core/text/snippet.ts';
import { encodeField } from '../codec.ts';

/** A call with more arguments is proposed without them. */
const MOST_ARGUMENTS = 20;

/** A whole call of a tool as a snippet, with a place for each argument that it needs. */
export function callSnippet(name: string, tool: ToolDeclaration | undefined): string {
  const declared = tool?.arguments ?? [];
  const stops = declared.length > MOST_ARGUMENTS ? '' : argumentStops(declared);
  return `CALL|${escapeSnippet(encodeField(name))}${stops}`;
}

/** The arguments as places to fill in: all of them, or where some are marked optional, the others before the last one. */
export function argumentStops(list: readonly ArgumentDeclaration[]): string {
  const lastNeeded = list.findLastIndex(argument => !argument.isOptional);
  return list
    .slice(0, lastNeeded + 1)
    .map((argument, index) => `|${stopFor(argument, index + 1)}`)
    .join('');
}

/** The place of one argument. */
export function stopFor({ name, type }: ArgumentDeclaration, index: number): string {
  return type === 'boolean' ? `\${${index}|true,false|}` : snippetStop(index, name);
}
