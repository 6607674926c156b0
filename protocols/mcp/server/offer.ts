import {
  boolValue,
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';
import type { ListedItem } from '../../../language/tools.ts';
import { dictOf, joinEntries } from '../../message/dicts.ts';
import type { Offer, OfferedTool } from '../../serving/serving.ts';

/** The versions of MCP with a handshake, and the one without. */
export type Era = 'legacy' | 'modern';

/** The name and version of the agent, and what else it says about itself. */
export function describeServer({ name, version, about }: Offer): DictValue {
  const named = dictOf({ name: textValue(name), version: textValue(version) }).entries;
  return dictValue(joinEntries(named, about?.kind === 'dict' ? about.entries : []));
}

/** What the agent offers, as MCP names it. An agent that could not be reached may have everything. */
export function listCapabilities({ resources, prompts, completes, failure }: Offer): DictValue {
  const changing = dictOf({ listChanged: boolValue(true) });
  const isUnknown = failure !== undefined;
  return dictOf({
    tools: changing,
    resources: isUnknown || resources.length > 0 ? changing : undefined,
    prompts: isUnknown || prompts.length > 0 ? changing : undefined,
    completions: completes ? dictOf({}) : undefined,
  });
}

/** The tools as the agent lists them, in the form that clients of MCP accept. */
export function listTools({ tools }: Offer, era: Era): DictValue {
  return dictOf({ tools: listValue(tools.map(tool => writeTool(tool, era))) });
}

function writeTool({ name, description, value, schema }: OfferedTool, era: Era): DictValue {
  const own = value.kind === 'dict' ? value.entries : [];
  const output = findEntry(value, 'outputSchema');
  const entries = joinEntries(own, [
    { key: 'name', value: textValue(name) },
    { key: 'inputSchema', value: asObjectSchema(schema) },
    ...(output?.kind === 'dict' && era === 'legacy'
      ? [{ key: 'outputSchema', value: wrapSchema(output) }]
      : []),
    ...(description !== '' && !findEntry(value, 'description')
      ? [{ key: 'description', value: textValue(description) }]
      : []),
  ]);
  return dictValue(entries.filter(entry => isTaken(entry.key, entry.value, era)));
}

/** The kinds of the members of a tool, which clients check; a member of another kind is left out. */
const KINDS: Readonly<Record<string, Value['kind']>> = {
  title: 'text',
  description: 'text',
  outputSchema: 'dict',
  annotations: 'dict',
  icons: 'list',
  execution: 'dict',
  _meta: 'dict',
};

function isTaken(key: string, { kind }: Value, era: Era): boolean {
  if (key === 'execution' && era === 'modern') return false;
  return KINDS[key] === undefined || KINDS[key] === kind;
}

/** Clients accept schemas of objects only. */
function asObjectSchema(schema: Value): DictValue {
  const type = { key: 'type', value: textValue('object') };
  if (schema.kind !== 'dict') return dictValue([type]);
  if (textIn(findEntry(schema, 'type')) === 'object') return schema;
  return dictValue([type, ...schema.entries.filter(({ key }) => key !== 'type')]);
}

/** The member of a structured result that holds a value which is no object, before 2026-07-28. */
const WRAPPED = 'result';

/** The schema of a structured result, which is an object before 2026-07-28. */
function wrapSchema(schema: DictValue): DictValue {
  if (textIn(findEntry(schema, 'type')) === 'object') return schema;
  return dictOf({
    type: textValue('object'),
    properties: dictOf({ [WRAPPED]: schema }),
    required: listValue([textValue(WRAPPED)]),
  });
}

/** A structured result, which is an object before 2026-07-28. */
export function wrapStructured(structured: Value): DictValue {
  return structured.kind === 'dict' ? structured : dictOf({ [WRAPPED]: structured });
}

/** Resources, templates or prompts as the agent listed them. */
export function listItems(member: string, items: readonly ListedItem[], kind: ListedItem['kind']): DictValue {
  return dictOf({
    [member]: listValue(items.filter(item => item.kind === kind).map(({ value }) => value)),
  });
}
