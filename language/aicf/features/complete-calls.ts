import type { AicfTypeName } from '../../../core/catalog/aicf.ts';
import { MAX_COMPLETIONS, type Completion } from '../../support.ts';
import {
  LONGEST_DETAIL,
  showSignature,
  type ArgumentDeclaration,
  type ToolDeclaration,
} from '../../tools.ts';
import { escapeSnippet } from '../../../core/text/markup.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import { agentAbove } from '../agents.ts';
import { fieldText } from '../ast.ts';
import { encodeField } from '../codec.ts';
import type { CursorPlace } from '../cursor.ts';
import { collectTools, toolsAt, type KnownTools } from '../file-tools.ts';
import type { AicfDocument } from '../parse.ts';
import { argumentStops, callSnippet, stopFor } from './call-snippet.ts';
import { toolsInUse } from './in-use.ts';
import { toolTopic } from './topics.ts';

type FieldPlace = Extract<CursorPlace, { kind: 'field' }>;

/** Maximum number of whole calls proposed at the start of a line, where nothing typed narrows the list. */
const MAX_CALLS = 100;
/** Calls with more arguments are proposed without arguments. */
const MAX_ARGUMENTS = 20;

/** Whole calls of the tools that are declared for the agent of a new request at a line. */
export function listCalls(doc: AicfDocument, number: number, span: Span): readonly Completion[] {
  const calls: Completion[] = [];
  const known = listToolsFor(doc, number);
  for (const [name, tool] of known.tools) {
    if (!tool || tool.arguments.length > MAX_ARGUMENTS) continue;
    calls.push({
      label: `CALL|${name}`,
      kind: 'tool',
      detail: detailOf(tool),
      topic: toolTopic(known, name),
      span,
      newText: callSnippet(name, tool),
      isSnippet: true,
      rank: 10 + calls.length,
    });
    if (calls.length === MAX_CALLS) break;
  }
  return calls;
}

/** The line is not a request yet, so the agent comes from the directives above it. */
function listToolsFor(doc: AicfDocument, number: number): KnownTools {
  const tools = collectTools(doc);
  return tools.of(tools.stretches ? agentAbove(doc, number) : '');
}

/** Tools for the first field of a request: those listed for its agent, then others that the file calls. */
export function completeTool(doc: AicfDocument, place: FieldPlace): readonly Completion[] {
  const { line, span, offset } = place;
  const typed = line.text.slice(span.start, offset).toLowerCase();
  const known = toolsAt(doc, line.number);
  const { tools, isComplete } = known;
  const agent = known.live?.agent ?? known.agent;
  const isCallAlone = line.tree.command === 'CALL' && line.tree.pipes.length === 1;
  const proposals: Completion[] = [];
  const add = (name: string, tool: ToolDeclaration | undefined, detail: string): void => {
    const stops =
      isCallAlone && tool && tool.arguments.length <= MAX_ARGUMENTS ? argumentStops(tool.arguments) : '';
    const encoded = encodeField(name);
    proposals.push({
      label: name,
      kind: 'tool',
      detail,
      ...(tool ? { topic: toolTopic(known, name) } : {}),
      span: shiftSpan(span, line.start),
      newText: stops === '' ? encoded : `${escapeSnippet(encoded)}${stops}`,
      isSnippet: stops !== '',
      ...(isComplete && stops === '' ? { commit: '|' } : {}),
      rank: proposals.length,
    });
  };
  const listed = agent === '' ? 'listed in this file' : `listed for ${agent.slice(0, LONGEST_DETAIL)}`;
  for (const [name, tool] of tools) {
    if (proposals.length === MAX_COMPLETIONS) break;
    if (name.toLowerCase().includes(typed)) add(name, tool, tool ? detailOf(tool) : listed);
  }
  for (const name of toolsInUse(doc, line.number))
    if (!tools.has(name)) add(name, undefined, 'called in this file');
  return proposals;
}

function detailOf(tool: ToolDeclaration): string {
  if (tool.arguments.length > MAX_ARGUMENTS) return `${tool.arguments.length} arguments`;
  return showSignature(tool)
    .slice(tool.name.length + 1)
    .slice(0, LONGEST_DETAIL);
}

/** Values for an argument whose type or schema determines them and, in an empty last field, the remaining arguments. */
export function completeArgument(doc: AicfDocument, place: FieldPlace): readonly Completion[] {
  const { line, index, span } = place;
  const declared = toolsAt(doc, line.number).tools.get(fieldText(line.text, line.tree, 0))?.arguments ?? [];
  const argument = declared[index - 1];
  if (!argument) return [];
  const at = shiftSpan(span, line.start);
  const isEmpty = span.start === span.end;
  const topic = `type ${argument.type}`;
  const values = listValues(argument, line.text.slice(span.start, span.end));
  const proposals = values.map(({ label, newText }, rank): Completion => ({
    label,
    kind: 'value',
    detail: `${argument.name}: ${argument.type}`,
    topic,
    span: at,
    newText,
    isSnippet: argument.values === undefined && newText !== label,
    ...(argument.type === 'boolean' || argument.values ? { commit: '|' } : {}),
    rank,
  }));
  const left = declared.slice(index - 1);
  const isLast = index === line.tree.pipes.length - 1;
  if (!isEmpty || !isLast || left.length < 2 || left.length > MAX_ARGUMENTS) return proposals;
  return [...proposals, listLeft(left, at, proposals.length)];
}

function listLeft(left: readonly ArgumentDeclaration[], span: Span, rank: number): Completion {
  return {
    label: left.map(argument => argument.name).join('|'),
    kind: 'field',
    detail: 'the arguments that are left',
    span,
    newText: left.map((argument, index) => stopFor(argument, index + 1)).join('|'),
    isSnippet: true,
    rank,
  };
}

interface ArgumentValue {
  readonly label: string;
  /** A snippet if it differs from the label. */
  readonly newText: string;
}

/** The values that the schema allows, or else the forms that the type can take. */
function listValues({ values, type }: ArgumentDeclaration, written: string): readonly ArgumentValue[] {
  if (values)
    return values.slice(0, MAX_VALUES).map(value => ({ label: value, newText: encodeField(value) }));
  return written === '' || type === 'boolean' ? VALUES[type] : [];
}

const MAX_VALUES = 100;

/** The forms that an argument of a type can take; none for types that allow any text. */
const VALUES: Readonly<Record<AicfTypeName, readonly ArgumentValue[]>> = {
  string: [],
  any: [],
  number: [],
  integer: [],
  boolean: [
    { label: 'true', newText: 'true' },
    { label: 'false', newText: 'false' },
  ],
  object: [{ label: '{"key":"value"}', newText: '{"${1:key}":${2:"value"}\\}' }],
  array: [
    { label: '["value"]', newText: '[${1:"value"}]' },
    { label: 'a,b', newText: '${1:a},${2:b}' },
  ],
};
