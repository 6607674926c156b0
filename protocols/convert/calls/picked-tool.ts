import type { Protocol } from '../../protocol.ts';
import { message, type Message } from '../../../core/message/message.ts';
import { findEntry, intValue, textIn, textValue, type Value } from '../../../core/values/value.ts';
import { quote } from '../../../core/text/quote.ts';
import { findSimilar } from '../../../core/text/similar.ts';
import type { Report } from '../../../core/message/report.ts';

/**
 * The answer to what a tool is, from a list of all tools: protocols that describe no tool alone answer with that. Any other message is as it was. Where several tools have the
 * name that was asked for, the report says so.
 */
export function pickTool(asked: Message, answered: Message, protocol: Protocol, report?: Report): Message {
  const read = protocol.calls.readTools?.(asked, answered) ?? answered;
  const { tools } = read.fields;
  if (asked.kind !== 'describe' || read.kind !== 'result' || tools?.kind !== 'list') return read;
  const name = textIn(asked.fields.tool) ?? '';
  const [found, ...others] = tools.items.filter(tool => nameOfTool(tool) === name);
  if (others.length > 0)
    report?.note(
      `the agent lists ${others.length + 1} tools of the name ${quote(name)}, and this is the first of them; which one a call reaches is its own choice`,
    );
  if (found) return message('result', { ...read.fields, tools: undefined, declaration: found });
  const similar = findSimilar(name, tools.items.map(nameOfTool));
  const text = `${protocol.facts.title}: there is no tool ${quote(name)}${similar ? `; did you mean '${similar}'?` : ''}`;
  return message('error', { protocol: textValue('aicf'), code: intValue(404), text: textValue(text) });
}

/** What a tool in a list is called. */
export function nameOfTool(tool: Value): string {
  return textIn(findEntry(tool, 'name')) ?? textIn(tool) ?? '';
}
