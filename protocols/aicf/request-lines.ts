import { findCredential } from '../../language/aicf/call.ts';
import { readLine } from '../../language/aicf/parse.ts';
import type { AicfTypeName } from '../../core/catalog/aicf.ts';
import type { ToolDeclaration } from '../../language/tools.ts';
import type { Value } from '../../core/values/value.ts';
import { joinPath } from '../../core/message/report.ts';
import { findTool, hasNames, placeArguments } from '../tools/arguments.ts';
import type { LineWriter, RawField } from './line-writer.ts';
import { writeArgument } from './value.ts';

/** Writes a call: the tool, and its arguments by place. */
export function writeCallLine(lines: LineWriter): void {
  const given = lines.fields.take('arguments');
  const declared = findTool(lines.conversion.tools, lines.fields.peek('tool'));
  const tool = lines.takeTool();
  const written = argumentFields(lines, given, declared);
  if (!given && tool.length > 0)
    lines.lose('guessed', 'arguments', 'AICF cannot tell no arguments from an empty list of them');
  const isNameless = tool.length === 0 && written.length > 0;
  if (isNameless) lines.lose('guessed', 'tool', 'A call in AICF names its tool; the empty name is a guess');
  const line = [...(isNameless ? [{ raw: '' }] : tool), ...written];
  tellCredential(lines, line);
  lines.write('CALL', line);
}

function argumentFields(
  lines: LineWriter,
  given: Value | undefined,
  tool: ToolDeclaration | undefined,
): readonly RawField[] {
  if (given && given.kind !== 'dict' && given.kind !== 'list')
    lines.lose('moved', 'arguments', 'Arguments that are neither named nor listed are written as one', given);
  const items = placeArguments(given, tool, lines.conversion);
  const isList = given?.kind === 'list';
  const isNamed = tool && hasNames(tool) && items.length <= tool.arguments.length;
  if (isList && items.length > 0 && isNamed)
    lines.lose(
      'moved',
      'arguments',
      'Arguments by place come back by the names that the tool declares',
      given,
    );
  return items.map((value, index) => {
    const declared = tool?.arguments[index];
    const type = declared?.type ?? 'any';
    if (!value) return gapField(lines, type, declared?.name ?? '');
    const key = given?.kind === 'dict' && declared ? declared.name : index;
    // An empty field of arguments by place is read as null.
    if (!isNamed && value.kind === 'null' && !hasEmptyText(type)) return { raw: '', value };
    return argumentField(lines, value, type, joinPath('arguments', key));
  });
}

function gapField(lines: LineWriter, type: AicfTypeName, name: string): RawField {
  if (hasEmptyText(type))
    lines.lose(
      'guessed',
      joinPath('arguments', name),
      'The argument is not given, but others stand after it; it is written empty, which is the empty text',
    );
  return { raw: '' };
}

function argumentField(lines: LineWriter, value: Value, type: AicfTypeName, path: string): RawField {
  const { raw, isSame } = writeArgument(value, type);
  if (!isSame) lines.lose('moved', path, describeArgument(value, type), value);
  return { raw, value, path };
}

/** An argument that looks like a credential would be taken for one. */
function tellCredential(lines: LineWriter, fields: readonly RawField[]): void {
  if (!fields.at(-1)?.raw.startsWith('AUTH:') || fields.length < 2) return;
  const line = `CALL|${fields.map(field => field.raw).join('|')}`;
  if (findCredential(line, readLine(line)) !== undefined)
    lines.lose(
      'moved',
      'arguments',
      "The last argument begins with 'AUTH:', which AICF takes for a credential",
      fields.at(-1)?.value,
    );
}

/** What AICF has no command for is a call of a tool by that name, with what it says as its arguments. */
export function writeNearestLine(lines: LineWriter, kind: 'task' | 'query' | 'negotiate'): void {
  lines.lose(
    'moved',
    '',
    `AICF has no ${kind}; it is written as a call of a tool '${kind}', which the agent may not have`,
  );
  const names = ['task', 'content', 'items', 'query', 'supported'] as const;
  const name = names.find(field => lines.fields.peek(field) !== undefined);
  const value = name && lines.fields.take(name);
  const said = value ? [{ raw: writeArgument(value, 'any').raw, value }] : [];
  lines.write('CALL', [{ raw: kind }, ...said]);
}

/** True for the types of which an empty field is the empty text; of others it is absent. */
function hasEmptyText(type: AicfTypeName): boolean {
  return type === 'string' || type === 'any';
}

function describeArgument(value: Value, type: AicfTypeName): string {
  const kind = KIND_WORDS[value.kind];
  if (type === 'any') return `AICF has no type for this argument, so ${kind} is read otherwise here`;
  return `The tool declares ${type}, and as that ${kind} is read otherwise`;
}

const KIND_WORDS: Readonly<Record<Value['kind'], string>> = {
  text: 'this text',
  int: 'an integer',
  float: 'a number',
  bool: 'a truth value',
  null: 'null',
  tensor: 'a tensor',
  list: 'this list',
  dict: 'this dictionary',
};
