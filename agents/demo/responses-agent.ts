import { message, type Message } from '../../core/message/message.ts';
import { listValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { printForAgent } from '../../language/values/json-printer.ts';
import type { CallOptions, ServedReply } from '../../protocols/serving/serving.ts';
import { RESPONSES } from '../../protocols/responses/protocol.ts';
import { startServedDemo, type DemoHost } from './demo-host.ts';
import { reply, sayWords, serveDemo, toValue } from './served.ts';

/**
 * Starts the demo agent `oracle`: it uses OpenAI's Responses, answers in riddles, and asks for approval before it looks
 * into the future.
 */
export function startResponsesAgent(): Promise<DemoHost> {
  const offer = { name: 'oracle-1', description: 'Answers in riddles', takesTasks: true };
  return startServedDemo(RESPONSES, 'oracle', serveDemo(RESPONSES, offer, predict));
}

async function predict(asked: Message, options: CallOptions, signal: AbortSignal): Promise<ServedReply> {
  options.begun?.();
  const { task, content, items } = asked.fields;
  const said = textIn(task) ?? printForAgent(items ?? content ?? textValue(''));
  const isAnswer = said.includes('"mcp_approval_response"');
  if (!isAnswer && /future|tomorrow/i.test(said))
    return reply(message('result', { items: listValue([APPROVAL]) }));
  const isApproved = said.includes('"approve":true');
  const text = isAnswer
    ? isApproved
      ? 'It will rain, and then it will not.'
      : 'Then it stays in the dark.'
    : 'What you look for is in the line above the one that you read.';
  return sayWords(text, options, signal);
}

const APPROVAL: Value = toValue({
  id: 'mcpr_1',
  type: 'mcp_approval_request',
  name: 'look_ahead',
  server_label: 'future',
  arguments: '{"days":1}',
});
