import type { ConversionName } from '../../core/catalog/conversions.ts';
import type { ToolDeclaration, ToolTable } from '../../language/tools.ts';
import { message, type Message } from '../../core/message/message.ts';
import { dictValue, textIn, type Entry, type ListValue, type Value } from '../../core/values/value.ts';
import { joinPath, type Report } from '../../core/message/report.ts';
import { ownMethod } from '../message/rest.ts';
import type { Conversion } from '../message/shape.ts';

/** The tool that a message names, as it is declared; undefined for one that is not known. */
export function findTool(tools: ToolTable, tool: Value | undefined): ToolDeclaration | undefined {
  const name = textIn(tool);
  return name === undefined ? undefined : tools.tools.get(name);
}

/**
 * A call whose arguments have names. Arguments by place get those that the tool declares, else `arg1`, `arg2` and so on,
 * which is a guess and told. Any other message is as it was, and so is one that came by a method of the protocol itself.
 */
export function named(given: Message, to: ConversionName, conversion: Conversion): Message {
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
  const most = Math.max(declared.length, MOST_GUESSED);
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
  else report.lose('moved', 'arguments', 'The arguments stand by the names that the tool declares', given);
  return dictValue(entries);
}

/** So many arguments get names that are a guess: a call with more is none that a tool takes. */
const MOST_GUESSED = 10_000;

/** A name by the place of an argument, which no other place gives; `taken` are the declared ones. */
function freshName(taken: ReadonlySet<string>, index: number): string {
  let name = `arg${index + 1}`;
  while (taken.has(name)) name += '_';
  return name;
}

/**
 * The arguments of a call by place, for AICF: in the order in which the tool declares them. Without a declaration the
 * names are dropped and their order is kept, which is told. Undefined for one that is not given.
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
      'AICF gives arguments by place, and nothing declares their order; the names are dropped and their order is kept',
      given,
    );
  return given.entries.map(entry => entry.value);
}

/** False for a tool that declares two arguments by one name: its arguments have places only. */
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
    // What came by a place past the last one goes back there.
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
    report.lose('moved', 'arguments', `The arguments stand in the order in which ${tool.name} declares them`);
  return items;
}
