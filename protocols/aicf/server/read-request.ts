import { fieldSource } from '../../../language/aicf/ast.ts';
import { readLine } from '../../../language/aicf/parse.ts';
import type { ToolDeclaration, ToolTable } from '../../../language/tools.ts';
import { trimEndOf } from '../../../core/text/trim.ts';
import { message, type Message } from '../../../core/message/message.ts';
import { Report } from '../../../core/message/report.ts';
import { textIn } from '../../../core/values/value.ts';
import type { MessageProtocols } from '../../protocol.ts';
import type { OfferedTool } from '../../serving/serving.ts';
import { readDeclaration } from '../../tools/tool-schema.ts';
import { readAicfLine } from '../reader.ts';
import { readArgument } from '../value.ts';

const REQUESTS: ReadonlySet<string> = new Set(['CALL', 'LIST', 'INFO']);

/** The line of a request's body: without a byte order mark and its line end. */
export function lineOf(body: string): string {
  return trimEndOf(body.replace(/^\u{feff}/u, ''), '\r\n');
}

/** A request, or undefined for a line that is none. */
export interface ReadRequest {
  readonly asked: Message | undefined;
  /** What was not read, as sentences. */
  readonly notes: readonly string[];
}

/** Reads a request: its arguments have the names and types that the tools declare. */
export function readRequest(
  line: string,
  tools: readonly OfferedTool[],
  protocols: MessageProtocols,
): ReadRequest {
  const tree = readLine(line);
  // A command in another case is none.
  const isRequest = REQUESTS.has(line.slice(tree.word.start, tree.word.end));
  if (/[\r\n]/.test(line) || !isRequest || (tree.command !== 'LIST' && tree.pipes.length === 0))
    return { asked: undefined, notes: [] };
  const report = new Report();
  const table = tableOf(tools);
  const asked = readAicfLine(line, 'the request', { report, protocols, tools: table });
  const notes = report.losses.map(loss => loss.message);
  const declared = asked && table.tools.get(textIn(asked.fields.tool) ?? '');
  return { asked: asked && declared ? withNamed(asked, line, declared) : asked, notes };
}

function tableOf(tools: readonly OfferedTool[]): ToolTable {
  const declared = tools.map(({ name, value }) => [name, readDeclaration(value)] as const);
  return { isComplete: false, tools: new Map(declared) };
}

/**
 * A call whose only field is a JSON object that cannot be the first argument, because that has another type or other
 * arguments are required: its members are the arguments.
 */
function withNamed(asked: Message, line: string, tool: ToolDeclaration): Message {
  const given = asked.fields.arguments;
  const isOne = given?.kind === 'dict' ? given.entries.length === 1 : false;
  const [first, ...others] = tool.arguments;
  const mayBeFirst = first && (first.type === 'string' || first.type === 'object' || first.type === 'any');
  if (asked.kind !== 'call' || !isOne || (mayBeFirst && others.every(({ isOptional }) => isOptional)))
    return asked;
  const { value } = readArgument(fieldSource(line, readLine(line), 1), 'any');
  const names = new Set(tool.arguments.map(({ name }) => name));
  const isNamed =
    value?.kind === 'dict' && value.entries.length > 0 && value.entries.every(({ key }) => names.has(key));
  return isNamed ? message('call', { ...asked.fields, arguments: value }) : asked;
}
