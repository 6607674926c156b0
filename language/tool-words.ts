import { escapeMarkdown, fenceCode } from '../core/text/markup.ts';
import type { ArgumentDeclaration, ToolDeclaration, ToolTable } from './tools.ts';

/** Maximum number of characters shown of a signature or description, because a line may hold megabytes. */
const MAX_SHOWN = 2_000;
/** Maximum number of characters shown next to a name in a list. */
export const LONGEST_DETAIL = 200;
/** Maximum number of values listed for an argument. */
const MAX_VALUES = 50;

/** The call of a tool in a readable notation: `figma.getFile (fileKey: string, version?: string)`. */
export function showSignature(tool: ToolDeclaration): string {
  const shown = tool.arguments.map(
    argument => `${argument.name}${argument.isOptional ? '?' : ''}: ${argument.type}`,
  );
  return `${tool.name} (${shown.join(', ')})`;
}

/** Describes a tool in Markdown: its signature, its description and, if an agent reported it, the source. */
export function describeTool(tool: ToolDeclaration, { live }: Pick<ToolTable, 'live'> = {}): string {
  return [
    fenceCode(shorten(showSignature(tool)), 'ts'),
    escapeMarkdown(shorten(tool.description)),
    live ? describeSource(live) : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Describes in Markdown a tool of which only the name is known. */
export function describeListed(name: string, { live }: Pick<ToolTable, 'live'>, who: string): string {
  const head = `**${escapeMarkdown(name)}** (tool)\n\n${who} lists it and does not declare its arguments.`;
  return live ? `${head}\n\n${describeSource(live)}` : head;
}

function describeSource({ agent, when }: NonNullable<ToolTable['live']>): string {
  return `As ${escapeMarkdown(shorten(agent))} reported ${escapeMarkdown(when)}.`;
}

/** Describes an argument in Markdown: its type, the description from its schema and the allowed values. */
export function describeArgument(argument: ArgumentDeclaration): string {
  const { name, type, isOptional, description = '', values = [] } = argument;
  const shown = values.slice(0, MAX_VALUES).map(value => `- ${escapeMarkdown(shorten(value))}`);
  const more = values.length > MAX_VALUES ? [`- and ${values.length - MAX_VALUES} more`] : [];
  return [
    `**${escapeMarkdown(name)}**: ${escapeMarkdown(type)}${isOptional ? ', optional' : ''}`,
    escapeMarkdown(shorten(description)),
    shown.length > 0 ? `One of:\n\n${[...shown, ...more].join('\n')}` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
