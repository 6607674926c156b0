import { escapeMarkdown, fenceCode } from '../core/text/markdown.ts';
import type { ArgumentDeclaration, ToolDeclaration, ToolTable } from './tools.ts';

/** So much of a signature or a description is shown: a line may hold megabytes. */
const MOST_SHOWN = 2_000;
/** A list has room for so much beside a name. */
export const LONGEST_DETAIL = 200;
/** So many values of an argument are listed. */
const MOST_VALUES = 50;

/** A tool's call as people write it: `figma.getFile (fileKey: string, version?: string)`. */
export function showSignature(tool: ToolDeclaration): string {
  const shown = tool.arguments.map(
    argument => `${argument.name}${argument.isOptional ? '?' : ''}: ${argument.type}`,
  );
  return `${tool.name} (${shown.join(', ')})`;
}

/** A tool as Markdown: its signature, what it says about itself, and who said so where that was not a file. */
export function describeTool(tool: ToolDeclaration, { live }: Pick<ToolTable, 'live'> = {}): string {
  return [
    fenceCode(shorten(showSignature(tool)), 'ts'),
    escapeMarkdown(shorten(tool.description)),
    live ? describeSource(live) : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** A tool of which only the name is known, as Markdown. */
export function describeListed(name: string, { live }: Pick<ToolTable, 'live'>, who: string): string {
  const head = `**${escapeMarkdown(name)}** (tool)\n\n${who} lists it and does not declare its arguments.`;
  return live ? `${head}\n\n${describeSource(live)}` : head;
}

function describeSource({ agent, when }: NonNullable<ToolTable['live']>): string {
  return `As ${escapeMarkdown(shorten(agent))} said ${escapeMarkdown(when)}.`;
}

/** An argument as Markdown: its type, what its schema says of it and what it may be. */
export function describeArgument(argument: ArgumentDeclaration): string {
  const { name, type, isOptional, description = '', values = [] } = argument;
  const shown = values.slice(0, MOST_VALUES).map(value => `- ${escapeMarkdown(shorten(value))}`);
  const more = values.length > MOST_VALUES ? [`- and ${values.length - MOST_VALUES} more`] : [];
  return [
    `**${escapeMarkdown(name)}**: ${escapeMarkdown(type)}${isOptional ? ', optional' : ''}`,
    escapeMarkdown(shorten(description)),
    shown.length > 0 ? `One of:\n\n${[...shown, ...more].join('\n')}` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

function shorten(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
