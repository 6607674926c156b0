import { protocolRow, type ProtocolName } from '../../../core/catalog/protocols.ts';
import { message, type Message } from '../../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  intValue,
  listValue,
  textIn,
  textValue,
  type Value,
} from '../../../core/values/value.ts';
import { quote } from '../../../core/text/quote.ts';
import { findSimilar } from '../../../core/text/similar.ts';
import type { Report } from '../../../core/message/report.ts';

/**
 * The answer to what a tool is, from a list of all tools: protocols that describe no tool alone answer with that. The answer
 * to which tools there are, from the `help` of an AIO agent, and from the data of an AICL agent. Any other message is as it was. Where several tools have the
 * name that was asked for, the report says so.
 */
export function pickTool(
  asked: Message,
  answered: Message,
  protocol: ProtocolName,
  report?: Report,
): Message {
  const read = FINDERS[protocol]?.(asked, answered) ?? answered;
  const { tools } = read.fields;
  if (asked.kind !== 'describe' || read.kind !== 'result' || tools?.kind !== 'list') return read;
  const name = textIn(asked.fields.tool) ?? '';
  const [found, ...others] = tools.items.filter(tool => nameOf(tool) === name);
  if (others.length > 0)
    report?.note(
      `the agent lists ${others.length + 1} tools of the name ${quote(name)}, and this is the first of them; which one a call reaches is its own choice`,
    );
  if (found) return message('result', { ...read.fields, tools: undefined, declaration: found });
  const similar = findSimilar(name, tools.items.map(nameOf));
  const text = `${protocolRow(protocol).title}: there is no tool ${quote(name)}${similar ? `; did you mean '${similar}'?` : ''}`;
  return message('error', { protocol: textValue('aicf'), code: intValue(404), text: textValue(text) });
}

/** The methods of an AIO agent are its tools: `help` lists them, by name alone or with what they take. */
function listMethods(asked: Message, read: Message): Message {
  const methods = findEntry(read.fields.data, 'methods');
  if ((asked.kind !== 'list' && asked.kind !== 'describe') || methods?.kind !== 'list') return read;
  const tools = methods.items.map(each =>
    each.kind === 'text' ? dictValue([{ key: 'name', value: each }]) : each,
  );
  return message('result', { ...read.fields, data: undefined, tools: listValue(tools) });
}

/** AICL has no message about tools: what an agent answers to a query for them are values with names (MCP's form of a tool). */
function readToolData(asked: Message, read: Message): Message {
  const { data } = read.fields;
  if (read.kind !== 'result' || !data) return read;
  const isTool = (value: Value): boolean => nameOf(value) !== '';
  if (asked.kind === 'describe' && data.kind === 'dict' && nameOf(data) === textIn(asked.fields.tool))
    return message('result', { ...read.fields, data: undefined, declaration: data });
  const isAsked = asked.kind === 'list' || asked.kind === 'describe';
  if (!isAsked || data.kind !== 'list' || !data.items.every(isTool)) return read;
  return message('result', { ...read.fields, data: undefined, tools: data });
}

const FINDERS: Readonly<Partial<Record<ProtocolName, (asked: Message, read: Message) => Message>>> = {
  aio: listMethods,
  aicl: readToolData,
};

function nameOf(tool: Value): string {
  return textIn(findEntry(tool, 'name')) ?? textIn(tool) ?? '';
}
