import {
  showSignature,
  type ArgumentDeclaration,
  type ToolDeclaration,
  type ToolTable,
} from '../../../language/tools.ts';
import type { Protocol } from '../../protocol.ts';
import type { Message } from '../../../core/message/message.ts';
import { textIn, type Value } from '../../../core/values/value.ts';
import { quote } from '../../../core/text/quote.ts';
import { findSimilar } from '../../../core/text/similar.ts';
import { findTool, hasNames } from '../../tools/arguments.ts';
import { fitsType } from '../../tools/fits-type.ts';

/**
 * The faults of a call that an agent would reject, as far as its declared tools show: an unknown tool (404), and
 * arguments that are superfluous, missing, or of other names or types (422). Each is a sentence without a full stop.
 */
export function listCallFaults({ kind, fields }: Message, to: Protocol, tools: ToolTable): readonly string[] {
  const name = textIn(fields.tool);
  if (kind !== 'call' || name === undefined) return [];
  const tool = findTool(tools, fields.tool);
  if (tool) return listArgumentFaults(fields.arguments, tool, to);
  if (!tools.isComplete || tools.tools.has(name)) return [];
  const similar = findSimilar(name, [...tools.tools.keys()]);
  const advice = similar === undefined ? 'LIST shows the available ones' : `did you mean ${quote(similar)}?`;
  return [`the agent lists no tool ${quote(name)}; ${advice}`];
}

/** The maximum length of a signature in a sentence. */
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
  // A schema without properties does not restrict the arguments, nor does one that allows others.
  const isOpen = names.length === 0 || tool.schema?.isOpen === true;
  const strange = isOpen ? [] : [...values.keys()].filter(name => !names.includes(name));
  const missing = requiredOf(tool, to).filter(({ name }) => !values.has(name));
  return [
    ...strange.map(name => describeStrange(name, names, shown)),
    ...(missing.length === 0
      ? []
      : [
          `the call lacks ${missing.map(({ name }) => quote(name)).join(', ')}, and ${shown} requires ${missing.length === 1 ? 'it' : 'them'}`,
        ]),
    ...tool.arguments.flatMap(argument => describeMisfit(values.get(argument.name), argument)),
  ];
}

function listPlaceFaults(items: readonly Value[], tool: ToolDeclaration, shown: string): readonly string[] {
  const { length } = tool.arguments;
  if (items.length > 0 && length === 0 && tool.schema?.isOpen)
    return [
      `${shown} declares no order of its arguments; give them by name in one object, such as {"name":"value"}`,
    ];
  if (items.length > length)
    return [`the call has ${count(items.length)}, and ${shown} takes ${length}; remove the others`];
  return tool.arguments.flatMap((argument, index) => describeMisfit(items[index], argument));
}

function count(number: number): string {
  return number === 1 ? '1 argument' : `${number} arguments`;
}

function describeStrange(name: string, names: readonly string[], shown: string): string {
  // Names of two letters are too short for suggestions: any two would be similar.
  const similar = name.length > 2 ? findSimilar(name, names) : undefined;
  const advice = similar === undefined ? 'remove it' : `did you mean ${quote(similar)}?`;
  return `${shown} takes no argument ${quote(name)}; ${advice}`;
}

/**
 * The required arguments. AICF only marks optional ones; a tool without any such mark does not say which are
 * required (reading of AICF-RPC 2.2).
 */
function requiredOf(tool: ToolDeclaration, to: Protocol): readonly ArgumentDeclaration[] {
  const required = tool.arguments.filter(argument => !argument.isOptional);
  return to.calls.hidesRequired && required.length === tool.arguments.length ? [] : required;
}

function describeMisfit(value: Value | undefined, { name, type }: ArgumentDeclaration): readonly string[] {
  if (value === undefined || fitsType(value, type)) return [];
  return [`${showValue(value)} is not of type '${type}', which ${quote(name)} has; write one that is`];
}

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
