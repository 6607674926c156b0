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
import { printForAgent } from '../../../language/values/json-printer.ts';
import { dictOf } from '../../message/dicts.ts';
import type { Offer, OfferedTool } from '../../serving/serving.ts';

/** The media types of messages and replies. */
const MODES = listValue(
  ['text/plain', 'application/json', 'image/*', 'audio/*', 'video/*', '*/*'].map(textValue),
);

/**
 * The card of an agent, which clients of A2A 1.0 and of 0.3 both read: 1.0 has its addresses in `supportedInterfaces`,
 * 0.3 in `url` and `additionalInterfaces`.
 */
export function writeCard(offer: Offer, url: string): DictValue {
  const { name, version, description, problem } = offer;
  const bindings = ['JSONRPC', 'HTTP+JSON'];
  return dictOf({
    name: textValue(name),
    description: textValue(problem === undefined ? description : `${description}. ${problem}`),
    version: textValue(version),
    supportedInterfaces: listValue([
      ...bindings.map(binding => interfaceOf(url, binding, '1.0')),
      interfaceOf(url, 'JSONRPC', '0.3'),
    ]),
    protocolVersion: textValue('0.3.0'),
    url: textValue(url),
    preferredTransport: textValue('JSONRPC'),
    capabilities: dictOf({
      streaming: boolValue(true),
      pushNotifications: boolValue(false),
      extendedAgentCard: boolValue(false),
    }),
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: listValue(listSkills(offer)),
  });
}

function interfaceOf(url: string, protocolBinding: string, protocolVersion: string): Value {
  return dictOf({
    url: textValue(url),
    protocolBinding: textValue(protocolBinding),
    protocolVersion: textValue(protocolVersion),
  });
}

/** The tools as skills. */
function listSkills({ tools }: Offer): readonly Value[] {
  return tools.map(tool => (tool.isForTasks ? writeTaskSkill(tool) : writeToolSkill(tool)));
}

function writeTaskSkill({ name, description, value }: OfferedTool): Value {
  return dictOf({
    id: textValue(name),
    name: findEntry(value, 'title') ?? textValue(name),
    description: textValue(description),
    tags: listValue([textValue('task')]),
    examples: listValue([]),
    inputModes: MODES,
    outputModes: MODES,
  });
}

/** A tool as a skill: its schema is in the description, because skills have none, and the example is a call. */
function writeToolSkill({ name, description, value, schema }: OfferedTool): Value {
  const title = textIn(findEntry(value, 'title')) ?? name;
  const described = [
    description,
    `Call it with a data part {"tool":${JSON.stringify(name)},"arguments":{…}}. Arguments (JSON Schema): ${printForAgent(schema)}`,
  ];
  const example = dictOf({ tool: textValue(name), arguments: exampleOf(schema) });
  return dictOf({
    id: textValue(name),
    name: textValue(title),
    description: textValue(described.filter(Boolean).join('\n\n')),
    tags: listValue([textValue('tool')]),
    examples: listValue([textValue(printForAgent(example))]),
    inputModes: listValue([textValue('application/json')]),
    outputModes: MODES,
  });
}

/** Arguments of a tool: the schema's own example, or one value for each property that it requires. */
function exampleOf(schema: Value): Value {
  const stated = firstItem(findEntry(schema, 'examples'));
  if (stated) return stated;
  const required = findEntry(schema, 'required');
  const needed = new Set(required?.kind === 'list' ? required.items.map(textIn) : []);
  const properties = findEntry(schema, 'properties');
  const entries = properties?.kind === 'dict' ? properties.entries : [];
  return dictValue(
    entries
      .map(({ key, value }) => ({ key, value: valueOf(value), isStated: statedOf(value) !== undefined }))
      .filter(({ key, isStated }) => isStated || needed.has(key)),
  );
}

function statedOf(property: Value): Value | undefined {
  return (
    firstItem(findEntry(property, 'examples')) ??
    findEntry(property, 'default') ??
    findEntry(property, 'const') ??
    firstItem(findEntry(property, 'enum'))
  );
}

const BY_TYPE: ReadonlyMap<string | undefined, Value> = new Map<string | undefined, Value>([
  ['string', textValue('…')],
  ['integer', { kind: 'int', int: 1 }],
  ['number', { kind: 'int', int: 1 }],
  ['boolean', boolValue(true)],
  ['array', listValue([])],
  ['object', dictValue([])],
]);

function valueOf(property: Value): Value {
  return statedOf(property) ?? BY_TYPE.get(textIn(findEntry(property, 'type'))) ?? textValue('…');
}

function firstItem(list: Value | undefined): Value | undefined {
  return list?.kind === 'list' ? list.items[0] : undefined;
}
