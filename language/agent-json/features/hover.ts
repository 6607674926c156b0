import { escapeMarkdown } from '../../../core/text/markup.ts';
import { touchesOffset } from '../../../core/text/span.ts';
import { hoverDirective } from '../../directive-help.ts';
import { describeSpot, joinParts, showWords } from '../../json/describe-value.ts';
import { findJsonSpot } from '../../json/json-spot.ts';
import { readJson } from '../../json/json-tree.ts';
import type { Hover } from '../../support.ts';
import { describeListed, describeTool } from '../../tools.ts';
import type { AgentJsonDocument } from '../parse.ts';
import { findCall, partAt } from '../parts.ts';
import { itemAt, memberAt, type AgentJsonItem } from '../requests.ts';

/** Longer requests are not described. */
const LONGEST_READ = 1 << 20;

/** Describes a directive, a method, a tool, or a value with what its schema says about it. */
export function hover(doc: AgentJsonDocument, offset: number): Hover | undefined {
  const line = doc.lines.find(span => touchesOffset(span, offset));
  if (line) return hoverDirective(line, offset);
  const item = itemAt(doc, offset);
  if (!item || item.value.end - item.value.start > LONGEST_READ) return undefined;
  return hoverMethod(doc, item, offset) ?? hoverTool(doc, item, offset) ?? hoverValue(doc, item, offset);
}

function hoverMethod(doc: AgentJsonDocument, item: AgentJsonItem, offset: number): Hover | undefined {
  const place = memberAt(doc, item.value, ['method'])?.value;
  if (!item.protocol || !place || !touchesOffset(place, offset)) return undefined;
  const known = doc.schemas.get(item.protocol.name)?.methods.get(item.method ?? '');
  if (!known) return undefined;
  const { start, end } = place;
  const head = `**${escapeMarkdown(item.method ?? '')}** (${escapeMarkdown(item.protocol.title)})`;
  return { span: { start, end }, markdown: `${head}\n\n${escapeMarkdown(known.summary)}` };
}

function hoverTool(doc: AgentJsonDocument, item: AgentJsonItem, offset: number): Hover | undefined {
  const called = findCall(doc, item);
  if (!called || !touchesOffset(called.nameSpan, offset)) return undefined;
  const { name, nameSpan, table, tool } = called;
  if (!tool && !table.tools.has(name)) return undefined;
  const { start, end } = nameSpan;
  const markdown = tool ? describeTool(tool, table) : describeListed(name, table, 'Its agent');
  return { span: { start, end }, markdown };
}

function hoverValue(doc: AgentJsonDocument, item: AgentJsonItem, offset: number): Hover | undefined {
  const { start, end } = item.value;
  const text = doc.json.slice(start, end);
  const tree = readJson(text);
  const spot = findJsonSpot(tree, text, offset - start);
  if (!spot || !touchesOffset(spot.span, offset - start)) return undefined;
  const part = partAt(doc, item, offset);
  const words =
    part && spot.value
      ? part.schema.describe(doc.json.slice(part.start, part.end), {
          start: spot.value.start + start - part.start,
          end: spot.value.end + start - part.start,
        })
      : [];
  return {
    span: { start: spot.span.start + start, end: spot.span.end + start },
    markdown: joinParts([describeSpot(text, tree, spot), ...words.map(showWords)]),
  };
}
