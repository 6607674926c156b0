import type { AicfTypeName } from '../../core/catalog/aicf.ts';
import type { ValueKind } from '../../core/catalog/aicl.ts';
import { readDirective } from '../directives.ts';
import type { ArgumentDeclaration, ToolDeclaration, ToolTable } from '../tools.ts';
import type { AiclNode } from './ast.ts';
import type { AiclDocument } from './document.ts';
import type { Unit, UnitContent } from './unit.ts';

/** The value kinds allowed for each declared argument type; the first one is proposed. */
const KINDS: Readonly<Record<AicfTypeName, readonly ValueKind[]>> = {
  string: ['text'],
  number: ['float', 'int'],
  integer: ['int'],
  boolean: ['bool'],
  object: ['dict'],
  array: ['list', 'tensor'],
  any: ['text', 'int', 'float', 'bool', 'list', 'dict', 'tensor'],
};

/** The value kinds that an argument accepts. */
export function kindsOf({ type }: ArgumentDeclaration): readonly ValueKind[] {
  return KINDS[type];
}

/** True for a value that an argument accepts. */
export function fitsArgument(argument: ArgumentDeclaration, node: AiclNode): boolean {
  return KINDS[argument.type].includes(node.kind);
}

/** The required arguments of a call; if the declaration does not mark any as optional, all arguments. */
export function neededArguments(tool: ToolDeclaration): readonly ArgumentDeclaration[] {
  return tool.arguments.filter(argument => !argument.isOptional);
}

/** True if the declaration states which arguments are required; a line without optional marks does not. */
export function statesRequired({ schema, arguments: declared }: ToolDeclaration): boolean {
  return schema !== undefined || declared.some(argument => argument.isOptional);
}

/** Maximum number of container lines searched above a message, and at the start of a file. */
const MAX_LINES = 500;

/** The agent of messages that name none: the one in `# @default` above the file's first message, or empty. */
export function defaultAgent(doc: AiclDocument): string {
  let agent = '';
  for (let index = 0; index < MAX_LINES; index++) {
    const unit = doc.units.at(index);
    if (unit?.kind !== 'container') break;
    const directive = readDirective(doc.text.slice(unit.start, unit.end));
    if (directive?.name === 'default') agent = directive.value;
  }
  return agent;
}

/** The reported tools of the agent of the message that is, or will be, at an offset. */
export function toolsAt(doc: AiclDocument, offset: number): ToolTable | undefined {
  if (doc.others.size === 0) return undefined;
  return doc.others.get(agentAbove(doc, offset));
}

/** The agent in the container lines directly above an offset, or else the file's default. */
function agentAbove(doc: AiclDocument, offset: number): string {
  const first = doc.units.indexFrom(offset);
  // If the offset is inside a message, start at the unit before that message.
  const inside = doc.units.at(first - 1);
  const isInside = inside !== undefined && inside.kind !== 'container' && offset <= inside.end;
  let index = first - (isInside ? 2 : 1);
  for (let line = 0; line < MAX_LINES && index >= 0; line++, index--) {
    const unit = doc.units.at(index);
    if (unit?.kind !== 'container') break;
    const agent = readAgent(doc, unit);
    if (agent !== undefined) return agent;
  }
  return defaultAgent(doc);
}

/** The tool calls to agents whose tools are known. One step per unit. */
export function* listCalls(
  doc: AiclDocument,
): Generator<{ readonly unit: Unit; readonly content: UnitContent; readonly table: ToolTable }> {
  if (doc.others.size === 0) return;
  const usual = defaultAgent(doc);
  let agent = usual;
  for (let index = 0; index < doc.units.count; index++) {
    const content = doc.units.contentAt(index);
    if (content?.kind === 'container') {
      agent = cachedAgent(doc, index, content) ?? agent;
      continue;
    }
    const table = doc.others.get(agent);
    agent = usual;
    if (!table || !content?.isAccepted || content.summary.messageType !== 'tool_call') continue;
    const unit = content.kind === 'message' ? doc.units.at(index) : undefined;
    if (unit) yield { unit, content, table };
  }
}

/** Cached agents of container lines, which edits elsewhere do not change. */
const AGENTS = new WeakMap<UnitContent, string>();

function cachedAgent(doc: AiclDocument, index: number, content: UnitContent): string | undefined {
  const cached = AGENTS.get(content);
  if (cached !== undefined) return cached === '' ? undefined : cached;
  const unit = doc.units.at(index);
  const agent = unit && readAgent(doc, unit);
  AGENTS.set(content, agent ?? '');
  return agent;
}

function readAgent(doc: AiclDocument, { start, end }: Unit): string | undefined {
  const directive = readDirective(doc.text.slice(start, end));
  return directive?.name === 'agent' ? directive.value : undefined;
}
