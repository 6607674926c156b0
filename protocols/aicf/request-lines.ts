import { findCredential } from '../../language/aicf/ast.ts';
import { readLine } from '../../language/aicf/parse.ts';
import type { AicfTypeName } from '../../core/catalog/aicf.ts';
import type { ToolDeclaration } from '../../language/tools.ts';
import type { Value } from '../../core/values/value.ts';
import { joinPath } from '../../core/message/report.ts';
import { findTool, hasNames, placeArguments } from '../tools/arguments.ts';
import type { LineWriter, RawField } from './line-writer.ts';
import { writeArgument } from './value.ts';

/** Writes a call: the tool, and its arguments by position. */
export function writeCallLine(lines: LineWriter): void {
  const given = lines.fields.take('arguments');
  const declared = findTool(lines.conversion.tools, lines.fields.peek('tool'));
  const tool = lines.takeTool();
  const items = placeArguments(given, declared, lines.conversion);
  if (!given && tool.length > 0)
    lines.lose('guessed', 'arguments', 'AICF cannot distinguish no arguments from an empty list');
  const isNameless = tool.length === 0 && items.length > 0;
  if (isNameless) lines.lose('guessed', 'tool', 'A call in AICF names its tool; the empty name is a guess');
  if (given && given.kind !== 'dict' && given.kind !== 'list')
    lines.lose('moved', 'arguments', 'Arguments that are neither named nor listed are written as one', given);
  const name = isNameless ? [{ raw: '' }] : tool;
  const written = argumentFields(lines, { given, items, tool: declared });
  const last = items.at(-1);
  if (last?.kind !== 'text' || !last.text.startsWith(CREDENTIAL_START))
    return lines.write('CALL', concat(name, written));
  const line = [...name, ...written];
  reportCredential(lines, line);
  lines.write('CALL', line);
}

/** How a credential in the last field of a request begins. */
const CREDENTIAL_START = 'AUTH:';

function* concat(first: Iterable<RawField>, second: Iterable<RawField>): Generator<RawField, void> {
  yield* first;
  yield* second;
}

/** The arguments of a call, and the declaration of its tool. */
interface PlacedArguments {
  readonly given: Value | undefined;
  /** The arguments by position. */
  readonly items: readonly (Value | undefined)[];
  readonly tool: ToolDeclaration | undefined;
}

/** Yields the fields of the arguments one by one, because a call may have millions. */
function* argumentFields(
  lines: LineWriter,
  { given, items, tool }: PlacedArguments,
): Generator<RawField, void> {
  const isList = given?.kind === 'list';
  const isNamed = tool && hasNames(tool) && items.length <= tool.arguments.length;
  if (isList && items.length > 0 && isNamed)
    lines.lose(
      'moved',
      'arguments',
      'Arguments by place come back by the names that the tool declares',
      given,
    );
  for (const [index, value] of items.entries()) {
    const declared = tool?.arguments[index];
    const type = declared?.type ?? 'any';
    const key = given?.kind === 'dict' && declared ? declared.name : index;
    if (!value) yield gapField(lines, type, declared?.name ?? '');
    // In arguments by position, an empty field is read as null.
    else if (!isNamed && value.kind === 'null' && !hasEmptyText(type)) yield { raw: '', value };
    else yield argumentField(lines, value, type, joinPath('arguments', key));
  }
}

function gapField(lines: LineWriter, type: AicfTypeName, name: string): RawField {
  if (hasEmptyText(type))
    lines.lose(
      'guessed',
      joinPath('arguments', name),
      'The argument is not given, but others follow it; it is written empty, which is the empty text',
    );
  return { raw: '' };
}

function argumentField(lines: LineWriter, value: Value, type: AicfTypeName, path: string): RawField {
  const { raw, isSame } = writeArgument(value, type);
  if (!isSame) lines.lose('moved', path, describeArgument(value, type), value);
  return { raw, value, path };
}

/** Reports a last argument that would be read as a credential. */
function reportCredential(lines: LineWriter, fields: readonly RawField[]): void {
  if (fields.length < 2) return;
  const line = `CALL|${fields.map(field => field.raw).join('|')}`;
  if (findCredential(line, readLine(line)) !== undefined)
    lines.lose(
      'moved',
      'arguments',
      `The last argument begins with '${CREDENTIAL_START}', which AICF takes for a credential`,
      fields.at(-1)?.value,
    );
}

/** Writes a kind that AICF has no command for: as a call of a tool with the kind's name. */
export function writeNearestLine(lines: LineWriter, kind: 'task' | 'query' | 'negotiate'): void {
  lines.lose(
    'moved',
    '',
    `AICF has no ${kind}; it is written as a call of a tool '${kind}', which the agent may not have`,
  );
  const names = ['task', 'content', 'items', 'query', 'supported'] as const;
  const name = names.find(field => lines.fields.peek(field) !== undefined);
  const value = name && lines.fields.take(name);
  const stated = value ? [{ raw: writeArgument(value, 'any').raw, value }] : [];
  lines.write('CALL', [{ raw: kind }, ...stated]);
}

/** True for types whose empty field is the empty text; for others an empty field is absent. */
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
