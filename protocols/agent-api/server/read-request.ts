import type { Message } from '../../../core/message/message.ts';
import { dictValue, findEntry, textIn, type DictValue } from '../../../core/values/value.ts';
import type { ServerCodec } from '../../serving/codec.ts';
import { readToolChoice } from '../../serving/tool-choice.ts';
import { checkRequest } from '../request-check.ts';

/** A request for an agent, as its server reads it. */
export interface AgentRequest {
  /** The task or the call for the agent. */
  readonly asked: Message;
  readonly isStream: boolean;
  readonly session: string | undefined;
  /** The id of the response that it continues. */
  readonly previous: string | undefined;
}

export type ReadAgentRequest =
  | { readonly ok: true; readonly request: AgentRequest }
  /** What is wrong, as a sentence. */
  | { readonly ok: false; readonly isStream: boolean; readonly error: string };

/** Members about the connection, which the agent does not receive. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['stream', 'session_id', 'response_id', 'tool_choice']);

const NO_OBJECT = 'The request is not a JSON object: send {"input":[…]}';

export function readAgentRequest(body: string, codec: ServerCodec): ReadAgentRequest {
  const value = codec.parse(body);
  const stream = findEntry(value, 'stream');
  const isStream = !(stream?.kind === 'bool' && !stream.bool);
  const refuse = (error: string): ReadAgentRequest => ({ ok: false, isStream, error });
  if (value?.kind !== 'dict') return refuse(codec.describeFault(body, NO_OBJECT));
  const faults = checkRequest(value);
  if (faults.length > 0) return refuse(`The request cannot be read: ${faults.join('; ')}`);
  const input = findEntry(value, 'input');
  if (input?.kind === 'list' && input.items.length === 0)
    return refuse('The input is empty: send at least one message');
  const asked = readAsked(value, codec);
  if (typeof asked === 'string') return refuse(asked);
  const session = textIn(findEntry(value, 'session_id')) || undefined;
  const previous = textIn(findEntry(value, 'response_id')) || undefined;
  return { ok: true, request: { asked, isStream, session, previous } };
}

/** The message for the agent, or what is wrong. */
function readAsked(value: DictValue, codec: ServerCodec): Message | string {
  const choice = findEntry(value, 'tool_choice');
  if (choice && choice.kind !== 'null') {
    const read = readToolChoice(
      { choice, tools: findEntry(value, 'tools'), input: findEntry(value, 'input') },
      codec,
    );
    return read.ok ? read.message : read.text;
  }
  const own = dictValue(value.entries.filter(({ key }) => !OF_CONNECTION.has(key)));
  return codec.read(own) ?? 'The request has no messages that can be read: send {"input":[…]}';
}
