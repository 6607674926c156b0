import { message, type Message } from '../../core/message/message.ts';
import { quote } from '../../core/text/quote.ts';
import { findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import type { ServerCodec } from './codec.ts';

/** A request for a call of one tool, in a protocol whose requests are items of a conversation. */
export interface ToolChoice {
  readonly choice: Value;
  readonly tools: Value | undefined;
  readonly input: Value | undefined;
}

export type ChosenCall =
  | { readonly ok: true; readonly message: Message }
  /** What is wrong, the member that it is in, and a sentence that says what to send. */
  | {
      readonly ok: false;
      readonly param: 'tool_choice' | 'input';
      readonly code: string;
      readonly text: string;
    };

/** Reads the call of the chosen tool, whose arguments are the last text of the user. */
export function readToolChoice({ choice, tools, input }: ToolChoice, codec: ServerCodec): ChosenCall {
  const tool = nameOf(choice);
  if (textIn(findEntry(choice, 'type')) !== 'function' || tool === undefined)
    return {
      ok: false,
      param: 'tool_choice',
      code: 'unsupported_value',
      text: `The agent chooses its tools itself: leave out 'tool_choice', or call one tool with {"type":"function","name":"…"}`,
    };
  const listed = tools?.kind === 'list' ? tools.items : [];
  if (listed.length > 0 && !listed.some(each => nameOf(each) === tool))
    return {
      ok: false,
      param: 'tool_choice',
      code: 'invalid_value',
      text: `The tool ${quote(tool)} of 'tool_choice' is not in 'tools'`,
    };
  const text = lastTextOf(input);
  const parsed = text === undefined ? undefined : codec.parse(text);
  if (parsed?.kind !== 'dict') {
    const advice = `A call of the tool ${quote(tool)} needs its arguments: the last text of the user must be their JSON object, such as {"city":"Lisbon"}`;
    const fault = codec.describeFault(text ?? '', advice);
    return { ok: false, param: 'input', code: 'invalid_arguments', text: fault };
  }
  return { ok: true, message: message('call', { tool: textValue(tool), arguments: parsed }) };
}

/** The name of a tool as Responses or the Agent API has it. */
function nameOf(tool: Value): string | undefined {
  return textIn(findEntry(tool, 'name')) ?? textIn(findEntry(findEntry(tool, 'function'), 'name'));
}

/** The last text of the user in an input. */
function lastTextOf(input: Value | undefined): string | undefined {
  if (input?.kind === 'text') return input.text;
  const items = input?.kind === 'list' ? input.items : [];
  const last = items.findLast(item => textIn(findEntry(item, 'role')) === 'user');
  const content = findEntry(last, 'content');
  if (content?.kind === 'text') return content.text;
  const parts = content?.kind === 'list' ? content.items : [];
  const texts = parts.flatMap(part => textIn(findEntry(part, 'text')) ?? []);
  return texts.at(-1);
}
