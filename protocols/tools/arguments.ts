import type { ToolDeclaration, ToolTable } from '../../language/tools.ts';
import { message, type Message } from '../../core/message/message.ts';
import { dictValue, textIn, type Entry, type ListValue, type Value } from '../../core/values/value.ts';
import { joinPath, type Report } from '../../core/message/report.ts';
import { ownMethod } from '../message/rest.ts';
import type { Conversion } from '../message/shape.ts';

/** The declaration of the tool that a message names; undefined for an unknown one. */
export function findTool(tools: ToolTable, tool: Value | undefined): ToolDeclaration | undefined {
  const name = textIn(tool);
  return name === undefined ? undefined : tools.tools.get(name);
}

/**
 * Converts a call to named arguments. Positional ones get the names that the tool declares, else `arg1`,
 * `arg2` and so on, which is reported as a guess. Any other message is unchanged, and so is one that is a
 * method of the protocol itself.
 */
export function named(given: Message, to: string, conversion: Conversion): Message {
  const { arguments: listed } = given.fields;
  if (given.kind !== 'call' || listed?.kind !== 'list' || ownMethod(given, to)) return given;
  return message('call', {
    ...given.fields,
    arguments: nameArguments(listed, given.fields.tool, conversion),
  });
}

function nameArguments(given: ListValue, tool: Value | undefined, { tools, report }: Conversion): Value {
  const found = findTool(tools, tool);
  const declared = found && hasNames(found) ? found.arguments.map(argument => argument.name) : [];
  const taken = new Set(declared);
  const most = Math.max(declared.length, MAX_GUESSED);
  const entries = given.items.slice(0, most).map((value, index): Entry => {
    const key = declared[index] ?? freshName(taken, index);
    return { key, value };
  });
  if (given.items.length > most)
    report.lose(
      'dropped',
      'arguments',
      `Nothing names more than ${most} arguments; ${given.items.length - most} more are left out`,
      given,
    );
  if (given.items.length > declared.length)
    report.lose(
      'guessed',
      'arguments',
      declared.length === 0
        ? `The names of the arguments are a guess, because nothing declares the tool ${textIn(tool) ?? ''}`.trimEnd()
        : `The tool declares ${declared.length} arguments and gets ${given.items.length}; the names of the others are a guess`,
      given,
    );
  else
    report.lose(
      'moved',
      'arguments',
      'The arguments are written with the names that the tool declares',
      given,
    );
  return dictValue(entries);
}

/** The maximum number of arguments with guessed names; no real tool takes more. */
const MAX_GUESSED = 10_000;

/** A name from the position of an argument, different from the declared ones in `taken`. */
function freshName(taken: ReadonlySet<string>, index: number): string {
  let name = `arg${index + 1}`;
  while (taken.has(name)) name += '_';
  return name;
}

/**
 * The positional arguments of a call for AICF, in the order that the tool declares; undefined for one that is
 * missing. Without a declaration, the names are dropped and the order is retained, which is reported.
 */
export function placeArguments(
  given: Value | undefined,
  tool: ToolDeclaration | undefined,
  { report }: Conversion,
): readonly (Value | undefined)[] {
  if (given?.kind === 'list') return given.items;
  if (given?.kind !== 'dict') return given ? [given] : [];
  if (tool && hasNames(tool)) return placeDeclared(given.entries, tool, report);
  if (given.entries.length > 0)
    report.lose(
      'dropped',
      'arguments',
      'AICF gives arguments by place, and nothing declares their order; the names are dropped and their order stays',
      given,
    );
  return given.entries.map(entry => entry.value);
}

/** False for a tool with two arguments of one name, whose arguments are positional only. */
export function hasNames(tool: ToolDeclaration): boolean {
  return new Set(tool.arguments.map(argument => argument.name)).size === tool.arguments.length;
}

function placeDeclared(
  entries: readonly Entry[],
  tool: ToolDeclaration,
  report: Report,
): readonly (Value | undefined)[] {
  const given = new Map(entries.map(({ key, value }) => [key, value]));
  const items = tool.arguments.map(argument => given.get(argument.name));
  while (items.length > 0 && items.at(-1) === undefined) items.pop();
  const names = new Set(tool.arguments.map(argument => argument.name));
  for (const { key, value } of entries) {
    if (names.has(key)) continue;
    // An argument that was named by its position past the declared ones goes back there.
    if (key === `arg${items.length + 1}` && items.length >= names.size && !items.includes(undefined)) {
      items.push(value);
      continue;
    }
    report.lose(
      'dropped',
      joinPath('arguments', key),
      `${tool.name} declares no argument of this name, so it has no place in AICF`,
      value,
    );
  }
  const known = entries.filter(({ key }) => names.has(key)).map(({ key }) => key);
  const placed = tool.arguments.filter(({ name }) => given.has(name)).map(({ name }) => name);
  if (known.some((key, index) => key !== placed[index]))
    report.lose(
      'moved',
      'arguments',
      `The arguments are written in the order in which ${tool.name} declares them`,
    );
  return items;
}
