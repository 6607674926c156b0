import type { AicfTypeName } from '../../core/catalog/aicf.ts';
import type { ValueKind } from '../../core/catalog/aicl.ts';
import { readDirective } from '../directives.ts';
import type { ArgumentDeclaration, ToolDeclaration, ToolTable } from '../tools.ts';
import type { AiclNode } from './ast.ts';
import type { AiclDocument } from './document.ts';
import type { Unit, UnitContent } from './unit.ts';

/** The kinds of values that an argument of a declared type may have, the first one to be proposed. */
const KINDS: Readonly<Record<AicfTypeName, readonly ValueKind[]>> = {
  string: ['text'],
  number: ['float', 'int'],
  integer: ['int'],
  boolean: ['bool'],
  object: ['dict'],
  array: ['list', 'tensor'],
  any: ['text', 'int', 'float', 'bool', 'list', 'dict', 'tensor'],
};

/** The kinds of values that an argument takes. */
export function kindsOf({ type }: ArgumentDeclaration): readonly ValueKind[] {
  return KINDS[type];
}

/** True for a value that an argument takes. */
export function fitsArgument(argument: ArgumentDeclaration, node: AiclNode): boolean {
  return KINDS[argument.type].includes(node.kind);
}

/** The arguments that a call has to give; where nothing says which those are, all of them. */
export function neededArguments(tool: ToolDeclaration): readonly ArgumentDeclaration[] {
  return tool.arguments.filter(argument => !argument.isOptional);
}

/** True where it is known which arguments a call needs: a line in which none is marked as optional does not say. */
export function tellsRequired({ schema, arguments: declared }: ToolDeclaration): boolean {
  return schema !== undefined || declared.some(argument => argument.isOptional);
}

/** So many container lines above a message, and at the head of a file, are looked at. */
const MOST_LINES = 500;

/**
 * The agent of messages that name none: the one that `# @default` names above the file's first message; the empty text
 * without one.
 */
export function defaultAgent(doc: AiclDocument): string {
  let agent = '';
  for (let index = 0; index < MOST_LINES; index++) {
    const unit = doc.units.at(index);
    if (unit?.kind !== 'container') break;
    const directive = readDirective(doc.text.slice(unit.start, unit.end));
    if (directive?.name === 'default') agent = directive.value;
  }
  return agent;
}

/** What the agent of the message that stands at an offset, or is about to, says of its tools. */
export function toolsAt(doc: AiclDocument, offset: number): ToolTable | undefined {
  if (doc.others.size === 0) return undefined;
  return doc.others.get(agentAbove(doc, offset));
}

/** The agent that container lines directly above an offset name, else the file's default. */
function agentAbove(doc: AiclDocument, offset: number): string {
  const first = doc.units.indexFrom(offset);
  // A message that an offset lies in begins before it.
  const inside = doc.units.at(first - 1);
  const isInside = inside !== undefined && inside.kind !== 'container' && offset <= inside.end;
  let index = first - (isInside ? 2 : 1);
  for (let line = 0; line < MOST_LINES && index >= 0; line++, index--) {
    const unit = doc.units.at(index);
    if (unit?.kind !== 'container') break;
    const agent = readAgent(doc, unit);
    if (agent !== undefined) return agent;
  }
  return defaultAgent(doc);
}

/** The messages that call a tool of an agent that told its tools. A step for each unit. */
export function* listCalls(
  doc: AiclDocument,
): Generator<{ readonly unit: Unit; readonly content: UnitContent; readonly table: ToolTable }> {
  if (doc.others.size === 0) return;
  const usual = defaultAgent(doc);
  let agent = usual;
  for (let index = 0; index < doc.units.count; index++) {
    const content = doc.units.contentAt(index);
    if (content?.kind === 'container') {
      agent = keptAgent(doc, index, content) ?? agent;
      continue;
    }
    const table = doc.others.get(agent);
    agent = usual;
    if (!table || !content?.isAccepted || content.summary.messageType !== 'tool_call') continue;
    const unit = content.kind === 'message' ? doc.units.at(index) : undefined;
    if (unit) yield { unit, content, table };
  }
}

/** What container lines say of agents: an edit elsewhere leaves them as they are. */
const AGENTS = new WeakMap<UnitContent, string>();

function keptAgent(doc: AiclDocument, index: number, content: UnitContent): string | undefined {
  const kept = AGENTS.get(content);
  if (kept !== undefined) return kept === '' ? undefined : kept;
  const unit = doc.units.at(index);
  const agent = unit && readAgent(doc, unit);
  AGENTS.set(content, agent ?? '');
  return agent;
}

function readAgent(doc: AiclDocument, { start, end }: Unit): string | undefined {
  const directive = readDirective(doc.text.slice(start, end));
  return directive?.name === 'agent' ? directive.value : undefined;
}
