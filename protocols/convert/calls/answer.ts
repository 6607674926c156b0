import type { Protocol } from '../../protocol.ts';
import type { PublishedReader } from '../../call-rules.ts';
import { message, type Message } from '../../../core/message/message.ts';
import { findEntry, intValue, textIn, textValue, type Value } from '../../../core/values/value.ts';
import { quote } from '../../../core/text/quote.ts';
import { findSimilar } from '../../../core/text/similar.ts';
import type { Report } from '../../../core/message/report.ts';
import type { MessageKind } from '../../../core/catalog/message-kinds.ts';
import { ReplyReader, type ReplyContext } from './reply-reader.ts';

/**
 * Picks the answer to a `describe` request from a list of all tools, for protocols that cannot describe one
 * tool alone. Any other message is unchanged. If several tools have the requested name, the report says so.
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

/** The name of a tool in a list. */
export function nameOfTool(tool: Value): string {
  return textIn(findEntry(tool, 'name')) ?? textIn(tool) ?? '';
}

/**
 * True where agents of a protocol answer a request with a published document. Published tools are
 * recommendations: such an agent accepts other requests as well.
 */
export function isPublished({ calls }: Protocol, kind: MessageKind): boolean {
  return calls.publishes?.kinds.includes(kind) === true;
}

/** Opens a reader for the reply to a request of a kind. */
export function openReply(kind: MessageKind, protocol: Protocol, context: ReplyContext): PublishedReader {
  const { publishes } = protocol.calls;
  return publishes && isPublished(protocol, kind)
    ? publishes.open(context.report)
    : new ReplyReader(protocol, context);
}
