import {
  MESSAGE_TYPES,
  ResponseBuilder,
  type AgentApiEvent,
  type JsonObject,
  type MessageBuilder,
  type Role,
} from '../../npm/agent-api/index.ts';
import { TOOLBOX } from './tools.ts';

/** A request for the storyteller. */
export interface StoryRequest {
  readonly question: string;
  readonly sessionId: string | undefined;
  /** The parameters of the request, as JSON; undefined if it has none. */
  readonly parameters: string | undefined;
}

type Events = Generator<AgentApiEvent, void>;

/** Statuses that can be asked for with `end: STATUS`, with how the response reaches them. */
const ENDINGS: Readonly<Record<string, (response: ResponseBuilder) => Events>> = {
  created: function* (response) {
    yield response.created();
  },
  queued: function* (response) {
    yield response.created();
    yield response.queued();
  },
  in_progress: tellHalf,
  failed: function* (response) {
    yield* tellHalf(response);
    yield response.ended('failed', { code: 'MODEL_TIMEOUT', message: 'The storyteller lost the thread' });
  },
  rejected: function* (response) {
    yield response.created();
    const error = { code: 'CONTENT_POLICY', message: 'The storyteller does not tell such stories' };
    yield response.ended('rejected', error);
  },
  canceled: function* (response) {
    yield* tellHalf(response);
    yield response.ended('canceled');
  },
  incomplete: function* (response) {
    yield* tellHalf(response);
    yield response.ended('incomplete');
  },
  unknown: function* (response) {
    yield* tellHalf(response);
    yield response.ended('unknown');
  },
};

/**
 * The events of the storyteller's response: its reasoning, a tool call with its output, its answer word by word, and an
 * image. `show: TYPE, …` in the question asks for messages of these types instead, `show: everything` for one of each;
 * `end: STATUS` for a response that ends so.
 */
export function* tellStory(request: StoryRequest): Events {
  const { question, sessionId } = request;
  const response = new ResponseBuilder({ sessionId });
  const end = /\bend:\s*(\w+)/i.exec(question)?.[1]?.toLowerCase() ?? 'completed';
  const named = /\bshow:\s*([\w, ]+)/i.exec(question)?.[1]?.toLowerCase().split(',');
  const shown = named?.map(name => /\w+/.exec(name)?.[0] ?? '');
  const types = shown?.includes('everything') ? MESSAGE_TYPES : shown;
  const stranger = types?.find(type => !Object.hasOwn(MESSAGES, type));
  if (stranger !== undefined)
    return yield* reject(response, `message type '${stranger.slice(0, 40)}'`, MESSAGES);
  if (end !== 'completed')
    return Object.hasOwn(ENDINGS, end)
      ? yield* ENDINGS[end]?.(response) ?? []
      : yield* reject(response, `status '${end.slice(0, 40)}'`, { completed: true, ...ENDINGS });
  yield response.created();
  if (types) yield response.queued();
  yield response.inProgress();
  if (types) for (const type of types) yield* MESSAGES[type]?.(response) ?? [];
  else yield* tellOfSky(response, request);
  yield response.completed({ input_tokens: question.length, output_tokens: 42 });
}

function* reject(response: ResponseBuilder, what: string, known: object): Events {
  yield response.created();
  const message = `There is no ${what}; ask for one of ${Object.keys(known).join(', ')}`;
  yield response.ended('rejected', { code: 'UNKNOWN_NAME', message });
}

function* tellOfSky(response: ResponseBuilder, { question, parameters }: StoryRequest): Events {
  if (question.includes('"approval_request_id"')) return yield* answerApproval(response, question);
  yield* say(response, 'reasoning', `Somebody wants to know: "${question}". I look at the sky first.`);
  yield* lookAtSky(response);
  if (parameters !== undefined) yield* say(response, 'message', `Your parameters are ${parameters}.`);
  yield* say(response, 'message', `You asked: "${question}". Here is the sky over Lisbon, in one picture.`);
  yield* tell(response, 'message', 'assistant', [{ type: 'image', image_url: SKY }]);
}

/** The continuation after the user answered an approval request. */
function answerApproval(response: ResponseBuilder, answer: string): Events {
  const isApproved = answer.includes('"approve":true');
  return say(response, 'message', isApproved ? 'Then I look ahead: it will rain.' : 'Then I do not look.');
}

/** A response that has begun, with half of a message. */
function* tellHalf(response: ResponseBuilder): Events {
  yield response.created();
  yield response.inProgress();
  const message = response.createMessageBuilder();
  yield message.created();
  yield message.createContentBuilder('text').addTextDelta('Once upon a time ');
}

/** A message with one text that arrives word by word. */
function* say(response: ResponseBuilder, messageType: string, text: string): Events {
  const message = response.createMessageBuilder({ messageType });
  yield message.created();
  const content = message.createContentBuilder('text');
  for (const word of text.match(/\S+\s*/g) ?? []) yield content.addTextDelta(word);
  yield content.complete();
  yield message.complete();
}

/** A message with whole contents. */
function* tell(
  response: ResponseBuilder,
  messageType: string,
  role: Role,
  contents: readonly JsonObject[],
): Events {
  yield* fill(response.createMessageBuilder({ messageType, role }), contents);
}

function* fill(message: MessageBuilder, contents: readonly JsonObject[]): Events {
  yield message.created();
  for (const content of contents) yield message.addContent(content);
  yield message.complete();
}

/** A tool call with its arguments in pieces, and its output. */
function* lookAtSky(response: ResponseBuilder): Events {
  const name = 'weather.forecast';
  const call = response.createMessageBuilder({ messageType: 'plugin_call' });
  yield call.created();
  const data = call.createContentBuilder('data');
  yield data.addDataDelta({ call_id: 'call_1', name, arguments: '{"city":' });
  yield data.addDataDelta({ arguments: '"Lisbon","days":1}' });
  yield data.complete();
  yield call.complete();
  yield* tellData(response, 'plugin_call_output', 'tool', {
    call_id: 'call_1',
    name,
    output: JSON.stringify(forecast(name)),
  });
}

function tellData(response: ResponseBuilder, type: string, role: Role, data: JsonObject): Events {
  return tell(response, type, role, [{ type: 'data', data }]);
}

/** A message of each type of the document. */
const MESSAGES: Readonly<Record<string, (response: ResponseBuilder) => Events>> = {
  heartbeat: response => tell(response, 'heartbeat', 'assistant', []),
  reasoning: response => say(response, 'reasoning', 'I think of a story about the sky.'),
  function_call: response => tellData(response, 'function_call', 'assistant', callOf('function')),
  function_call_output: response => tellData(response, 'function_call_output', 'tool', outputOf('function')),
  plugin_call: response => tellData(response, 'plugin_call', 'assistant', callOf('plugin')),
  plugin_call_output: response => tellData(response, 'plugin_call_output', 'tool', outputOf('plugin')),
  component_call: response => tellData(response, 'component_call', 'assistant', callOf('component')),
  component_call_output: response =>
    tellData(response, 'component_call_output', 'tool', outputOf('component')),
  mcp_list_tools: response =>
    tellData(response, 'mcp_list_tools', 'assistant', {
      server_label: 'sky',
      tools: [{ name: 'look_ahead', description: 'Looks ahead', input_schema: { type: 'object' } }],
    }),
  mcp_approval_request: response =>
    tellData(response, 'mcp_approval_request', 'assistant', { id: 'approval_1', ...LOOK_AHEAD }),
  mcp_approval_response: response =>
    tellData(response, 'mcp_approval_response', 'user', {
      approval_request_id: 'approval_1',
      approve: true,
    }),
  mcp_call: response =>
    tellData(response, 'mcp_call', 'assistant', { call_id: 'mcp_1', ...LOOK_AHEAD, output: 'Rain' }),
  message: response =>
    tell(response, 'message', 'assistant', [
      { type: 'text', text: 'The sky, in every type of content.' },
      { type: 'data', data: { sky: 'clear' } },
      { type: 'image', image_url: SKY },
      { type: 'audio', data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=', format: 'wav' },
      { type: 'file', file_id: 'file_sky', filename: 'sky.txt' },
      { type: 'refusal', refusal: 'I do not tell how it ends.' },
      { type: 'video', video_url: 'https://example.com/sky.mp4' },
    ]),
  *error(response) {
    const error = { code: 'NO_STARS', message: 'The stars are not out yet' };
    yield* fill(response.createMessageBuilder({ messageType: 'error', error }), []);
  },
};

const LOOK_AHEAD = { name: 'look_ahead', server_label: 'sky', arguments: '{"days":1}' };

function callOf(kind: string): JsonObject {
  return { call_id: `${kind}_1`, name: 'weather.forecast', arguments: '{"city":"Lisbon","days":1}' };
}

function outputOf(kind: string): JsonObject {
  return { call_id: `${kind}_1`, name: 'weather.forecast', output: 'clear' };
}

function forecast(name: string): unknown {
  const given = new Map<string, string | number>([
    ['city', 'Lisbon'],
    ['days', 1],
  ]);
  const outcome = TOOLBOX.find(tool => tool.name === name)?.run(given, new AbortController().signal);
  return outcome?.kind === 'value' ? outcome.value : null;
}

/** A PNG of 8 by 8 pixels: a sky that gets darker towards its top. */
const SKY =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAOElEQVR42mOwqTiBFTEEtJ/HihhSpl3Dihgqlt7Fihh6tjzBihgWHH6NFTFsufQJK2I48fAnVgQAALqDwcqqar0AAAAASUVORK5CYII=';
