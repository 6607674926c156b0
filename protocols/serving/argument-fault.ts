import type { ArgumentDeclaration } from '../../language/tools.ts';
import type { Message } from '../../core/message/message.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import { hasNames } from '../tools/arguments.ts';
import { readDeclaration } from '../tools/tool-schema.ts';
import type { OfferedTool } from './serving.ts';

/** What is wrong with the arguments of a call, as a sentence; undefined if they fit what the tool declares. */
export function findArgumentFault({ kind, fields }: Message, tool: OfferedTool): string | undefined {
  const declared = readDeclaration(tool.value);
  if (kind !== 'call' || !declared || !hasNames(declared) || declared.arguments.length === 0)
    return undefined;
  const given = fields.arguments;
  const most = declared.arguments.length;
  if (given?.kind === 'list') return `${tool.name} takes ${most} arguments, not ${given.items.length}`;
  for (const argument of declared.arguments) {
    const value = findEntry(given, argument.name);
    if (!value && !argument.isOptional) return `Missing required argument: ${argument.name}`;
    if (value && !fits(value, argument))
      return `Argument ${argument.name} should be of type ${argument.type}`;
  }
  return undefined;
}

function fits(value: Value, { type }: ArgumentDeclaration): boolean {
  switch (type) {
    case 'string':
      return value.kind === 'text';
    case 'number':
      return value.kind === 'int' || value.kind === 'float';
    case 'integer':
      return value.kind === 'int' || (value.kind === 'float' && Number.isInteger(value.float));
    case 'boolean':
      return value.kind === 'bool';
    case 'object':
      return value.kind === 'dict' || value.kind === 'tensor';
    case 'array':
      return value.kind === 'list';
    case 'any':
      return true;
  }
}
