import { showSignature } from '../../../language/tool-words.ts';
import type { AicfTypeName } from '../../../core/catalog/aicf.ts';
import type { Protocol } from '../../protocol.ts';
import type { ArgumentDeclaration, ToolDeclaration, ToolTable } from '../../../language/tools.ts';
import type { Message } from '../../../core/message/message.ts';
import { textIn, type Value } from '../../../core/values/value.ts';
import { quote } from '../../../core/text/quote.ts';
import { findSimilar } from '../../../core/text/similar.ts';
import { findTool, hasNames } from '../../tools/arguments.ts';

/**
 * What an agent of a protocol would refuse of a call, as far as it told what its tools take: a tool that is not there
 * (404), and arguments that are too many, missing, of other names or of other types (422). Each is a sentence without a
 * full stop.
 */
export function listCallFaults({ kind, fields }: Message, to: Protocol, tools: ToolTable): readonly string[] {
  const name = textIn(fields.tool);
  if (kind !== 'call' || name === undefined) return [];
  const tool = findTool(tools, fields.tool);
  if (tool) return listArgumentFaults(fields.arguments, tool, to);
  if (!tools.isComplete || tools.tools.has(name)) return [];
  const similar = findSimilar(name, [...tools.tools.keys()]);
  const advice =
    similar === undefined ? 'LIST shows those that there are' : `did you mean ${quote(similar)}?`;
  return [`the agent lists no tool ${quote(name)}; ${advice}`];
}

/** So much of a signature fits into a sentence. */
const LONGEST_SIGNATURE = 200;

function listArgumentFaults(
  given: Value | undefined,
  tool: ToolDeclaration,
  to: Protocol,
): readonly string[] {
  const shown = quote(showSignature(tool), LONGEST_SIGNATURE);
  if (given?.kind === 'list') return listPlaceFaults(given.items, tool, shown);
  if (given !== undefined && given.kind !== 'dict')
    return [`the arguments of ${shown} are neither named nor in order; give them so`];
  if (!hasNames(tool)) return [];
  const values = new Map(given?.entries.map(({ key, value }) => [key, value]));
  const names = tool.arguments.map(argument => argument.name);
  // A schema without properties says nothing of what it takes.
  const strange = names.length === 0 ? [] : [...values.keys()].filter(name => !names.includes(name));
  const missing = requiredOf(tool, to).filter(({ name }) => !values.has(name));
  return [
    ...strange.map(name => describeStrange(name, names, shown)),
    ...(missing.length === 0
      ? []
      : [
          `the call lacks ${missing.map(({ name }) => quote(name)).join(', ')}, and ${shown} wants ${missing.length === 1 ? 'it' : 'them'}`,
        ]),
    ...tool.arguments.flatMap(argument => describeMisfit(values.get(argument.name), argument)),
  ];
}

function listPlaceFaults(items: readonly Value[], tool: ToolDeclaration, shown: string): readonly string[] {
  const { length } = tool.arguments;
  if (items.length > length)
    return [`the call has ${count(items.length)}, and ${shown} takes ${length}; remove the others`];
  return tool.arguments.flatMap((argument, index) => describeMisfit(items[index], argument));
}

function count(number: number): string {
  return number === 1 ? '1 argument' : `${number} arguments`;
}

function describeStrange(name: string, names: readonly string[], shown: string): string {
  // Any two letters are similar.
  const similar = name.length > 2 ? findSimilar(name, names) : undefined;
  const advice = similar === undefined ? 'remove it' : `did you mean ${quote(similar)}?`;
  return `${shown} takes no argument ${quote(name)}; ${advice}`;
}

/**
 * What a call has to give. AICF has no word for that but the mark of what may be left out: a tool without such a mark does
 * not say (reading of AICF-RPC 2.2).
 */
function requiredOf(tool: ToolDeclaration, to: Protocol): readonly ArgumentDeclaration[] {
  const required = tool.arguments.filter(argument => !argument.isOptional);
  return to.calls.hidesRequired && required.length === tool.arguments.length ? [] : required;
}

function describeMisfit(value: Value | undefined, { name, type }: ArgumentDeclaration): readonly string[] {
  // Null is no value: an agent that wants one says so itself.
  if (value === undefined || value.kind === 'null' || FITS[type](value)) return [];
  return [`${showValue(value)} is not of type '${type}', which ${quote(name)} has; write one that is`];
}

const FITS: Readonly<Record<AicfTypeName, (value: Value) => boolean>> = {
  any: () => true,
  string: value => value.kind === 'text',
  number: value => value.kind === 'int' || value.kind === 'float',
  integer: value => value.kind === 'int' || (value.kind === 'float' && Number.isInteger(value.float)),
  boolean: value => value.kind === 'bool',
  object: value => value.kind === 'dict',
  // A tensor is an array of numbers, however a protocol writes it.
  array: value => value.kind === 'list' || value.kind === 'tensor',
};

function showValue(value: Value): string {
  switch (value.kind) {
    case 'text':
      return quote(value.text);
    case 'int':
      return String(value.int);
    case 'float':
      return String(value.float);
    case 'bool':
      return String(value.bool);
    case 'null':
      return 'null';
    case 'tensor':
      return 'a tensor';
    case 'list':
      return 'a list';
    case 'dict':
      return 'an object';
  }
}
