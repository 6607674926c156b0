import { findArgumentType, findCommand, findContextSection, findErrorCode } from '../../catalog/aicf.ts';
import {
  describeArgumentType,
  describeCommand,
  describeContextSection,
  describeErrorCode,
} from '../../catalog/aicf-describe.ts';
import type { Hover } from '../../language/support.ts';
import { escapeMarkdown, fenceCode } from '../../text/markdown.ts';
import { shiftSpan, touchesOffset, type Span } from '../../text/span.ts';
import { fieldText } from '../ast.ts';
import { readSectionHeader } from '../context.ts';
import { findPlace, isOn, type CursorPlace } from '../cursor.ts';
import { lineSource } from '../line-source.ts';
import type { AicfDocument } from '../parse.ts';
import { collectTools, readToolDeclaration, showSignature, type ToolDeclaration } from '../tools.ts';

/**
 * Help for the thing at an offset: a command, an error code, an argument type, a tool that the file declares and the
 * arguments of its calls; in context files the name of a section. Undefined where there is nothing to say.
 */
export function hover(doc: AicfDocument, offset: number): Hover | undefined {
  return doc.dialect === 'context' ? hoverSection(doc, offset) : hoverMessage(doc, offset);
}

function hoverMessage(doc: AicfDocument, offset: number): Hover | undefined {
  const place = findPlace(doc, offset);
  const { text, tree, start } = place.line;
  const answer = (span: Span, markdown: string): Hover => ({ span: shiftSpan(span, start), markdown });
  if (place.kind === 'command') {
    const row = tree.command === undefined ? undefined : findCommand(tree.command);
    return row && isOn(place, place.span) ? answer(place.span, describeCommand(row)) : undefined;
  }
  if (place.kind !== 'field') return undefined;
  switch (place.row?.role) {
    case 'code': {
      const row = findErrorCode(fieldText(text, tree, place.index));
      return row && answer(place.span, describeErrorCode(row));
    }
    case 'declaration':
      return hoverType(place, answer);
    case 'tool':
    case 'name': {
      const name = fieldText(text, tree, place.index);
      const tool = collectTools(doc).tools.get(name);
      return tool && answer(place.span, describeTool(tool));
    }
    case 'argument': {
      const tool = collectTools(doc).tools.get(fieldText(text, tree, 0));
      const markdown = tool && describeArgument(tool, place.index - 1);
      return markdown === undefined ? undefined : answer(place.span, markdown);
    }
    default:
      return undefined;
  }
}

function hoverType(place: CursorPlace, answer: (span: Span, markdown: string) => Hover): Hover | undefined {
  const { text, tree } = place.line;
  for (const { typeSpan } of readToolDeclaration(text, tree).arguments) {
    if (!typeSpan || !touchesOffset(typeSpan, place.offset)) continue;
    const row = findArgumentType(text.slice(typeSpan.start, typeSpan.end));
    return row && answer(typeSpan, describeArgumentType(row));
  }
  return undefined;
}

/** A tool as Markdown: its signature and what it says about itself. */
export function describeTool(tool: ToolDeclaration): string {
  return [fenceCode(showSignature(tool), 'ts'), escapeMarkdown(tool.description)]
    .filter(Boolean)
    .join('\n\n');
}

function describeArgument(tool: ToolDeclaration, index: number): string | undefined {
  const argument = tool.arguments[index];
  if (!argument) return undefined;
  const what = `**${escapeMarkdown(argument.name)}**: ${argument.type}${argument.isOptional ? ', optional' : ''}`;
  const type = findArgumentType(argument.type);
  return [
    `${what}\n\nArgument ${index + 1} of ${escapeMarkdown(tool.name)}.`,
    ...(type ? [type.summary] : []),
  ].join(' ');
}

function hoverSection(doc: AicfDocument, offset: number): Hover | undefined {
  const { start, text } = lineSource(doc, doc.lines.lineAt(offset));
  const header = readSectionHeader(text, start);
  if (!header || !touchesOffset(header.nameSpan, offset)) return undefined;
  const row = findContextSection(header.name);
  const markdown = row
    ? describeContextSection(row)
    : `**@${escapeMarkdown(header.name)}** is not among the known sections of AI Context Format. Files may add their own.`;
  return { span: header.nameSpan, markdown };
}
