import {
  findArgumentType,
  findCommand,
  findContextSection,
  findErrorCode,
} from '../../../core/catalog/aicf.ts';
import {
  describeArgumentType,
  describeCommand,
  describeContextSection,
  describeErrorCode,
} from '../../../core/catalog/describe.ts';
import { hoverDirective } from '../../directive-help.ts';
import type { Hover } from '../../support.ts';
import {
  describeArgument as describeDeclared,
  describeListed,
  describeTool,
  type ToolDeclaration,
} from '../../tools.ts';
import { escapeMarkdown } from '../../../core/text/markup.ts';
import { shiftSpan, touchesOffset, type Span } from '../../../core/text/span.ts';
import { fieldSource, fieldText, sideOf } from '../ast.ts';
import { readSectionHeader } from '../context.ts';
import { findPlace, isOn, type CursorPlace } from '../cursor.ts';
import { toolsAt, type KnownTools } from '../file-tools.ts';
import { lineSource } from '../line-source.ts';
import type { AicfDocument } from '../parse.ts';
import { readToolDeclaration } from '../tools.ts';
import { fieldFacts } from './field-facts.ts';
import { hoverJson } from './json-hover.ts';

type FieldPlace = Extract<CursorPlace, { kind: 'field' }>;
type Answer = (span: Span, markdown: string) => Hover;

/**
 * Hover text at an offset: for a command, directive, error code, argument type or known tool its
 * documentation; for other fields their purpose and hidden properties of their text; in JSON the value or
 * key; in context files the section.
 */
export function hover(doc: AicfDocument, offset: number): Hover | undefined {
  return doc.dialect === 'context' ? hoverSection(doc, offset) : hoverMessage(doc, offset);
}

function hoverMessage(doc: AicfDocument, offset: number): Hover | undefined {
  const place = findPlace(doc, offset);
  const { tree, start } = place.line;
  const answer: Answer = (span, markdown) => ({ span: shiftSpan(span, start), markdown });
  if (place.kind === 'container') return hoverDirective(place.line, offset);
  if (place.kind === 'field') return hoverField(doc, place, answer);
  const row = tree.command === undefined ? undefined : findCommand(tree.command);
  return row && isOn(place, place.span) ? answer(place.span, describeCommand(row)) : undefined;
}

function hoverField(doc: AicfDocument, place: FieldPlace, answer: Answer): Hover | undefined {
  const { row, line, index, span } = place;
  const { text, tree } = line;
  if (!row || span.start === span.end) return undefined;
  switch (row.role) {
    case 'code': {
      const code = findErrorCode(fieldText(text, tree, index));
      return code && answer(span, describeErrorCode(code));
    }
    case 'declaration':
      return hoverDeclaration(place, answer);
    case 'tool':
    case 'name':
      return hoverTool(toolsAt(doc, line.number), fieldText(text, tree, index), markdown =>
        answer(span, markdown),
      );
    case 'argument': {
      const tool = toolsAt(doc, line.number).tools.get(fieldText(text, tree, 0));
      return hoverValue(doc, place, tool && describeArgument(tool, index - 1), answer);
    }
    case 'data':
    case 'description':
      return hoverValue(doc, place, `**${row.name}**: ${row.summary}`, answer);
  }
}

/** Describes the field and its text, or the value at the cursor if the field is JSON. */
function hoverValue(doc: AicfDocument, place: FieldPlace, about: string | undefined, answer: Answer): Hover {
  const { line, index, span } = place;
  const inJson = hoverJson(place, toolsAt(doc, line.number), about);
  if (inJson) return answer(inJson.span, inJson.markdown);
  const facts = fieldFacts(fieldSource(line.text, line.tree, index), sideOf(line.tree));
  return answer(span, [about, facts].filter(part => part !== undefined).join('\n\n'));
}

const UNCHECKED =
  'Its JSON Schema is too long to be read: JSON in arguments is only checked for the types of the arguments.';

/** Describes a tool that is declared or listed for the agent; undefined for unknown names. */
function hoverTool(known: KnownTools, name: string, answer: (markdown: string) => Hover): Hover | undefined {
  const tool = known.tools.get(name);
  // The client leaves out a schema that is too long.
  const isUnchecked = known.live && tool?.schema && !tool.schema.json;
  if (tool) return answer([describeTool(tool, known), ...(isUnchecked ? [UNCHECKED] : [])].join('\n\n'));
  if (!known.tools.has(name)) return undefined;
  const agent = known.live?.agent ?? known.agent;
  const who = agent === '' ? 'The file' : `Agent ${escapeMarkdown(agent)}`;
  return answer(describeListed(name, known, who));
}

function hoverDeclaration(place: FieldPlace, answer: Answer): Hover | undefined {
  const { text, tree } = place.line;
  for (const argument of readToolDeclaration(text, tree).arguments) {
    const { span, typeSpan } = argument;
    if (!touchesOffset(span, place.offset)) continue;
    if (typeSpan && touchesOffset(typeSpan, place.offset)) {
      const row = findArgumentType(text.slice(typeSpan.start, typeSpan.end));
      return row && answer(typeSpan, describeArgumentType(row));
    }
    const end = typeSpan ? typeSpan.start - 1 : span.end;
    return answer({ start: span.start, end }, describeDeclared(argument));
  }
  return undefined;
}

function describeArgument(tool: ToolDeclaration, index: number): string | undefined {
  const argument = tool.arguments[index];
  if (!argument) return undefined;
  const where = `Argument ${index + 1} of ${escapeMarkdown(tool.name)}.`;
  return `${describeDeclared(argument)}\n\n${[where, findArgumentType(argument.type)?.summary ?? ''].join(' ')}`;
}

function hoverSection(doc: AicfDocument, offset: number): Hover | undefined {
  const { start, text } = lineSource(doc, doc.text.lineAt(offset));
  const header = readSectionHeader(text, start);
  if (!header || !touchesOffset(header.nameSpan, offset)) return undefined;
  return { span: header.nameSpan, markdown: describeSection(header.name) };
}

function describeSection(name: string): string {
  const row = findContextSection(name);
  if (row) return describeContextSection(row);
  const ended = name.endsWith('_END') ? name.slice(0, -'_END'.length) : undefined;
  if (ended !== undefined && ended !== '')
    return `**@${escapeMarkdown(name)}** ends the section @${escapeMarkdown(ended)}.`;
  return `**@${escapeMarkdown(name)}** is not among the known sections of AI Context Format. Files may add their own.`;
}
