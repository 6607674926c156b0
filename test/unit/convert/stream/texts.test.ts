import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CONVERSIONS, type ConversionName } from '../../../../core/catalog/conversions.ts';
import { convertText } from '../../../../protocols/convert/convert.ts';

const aicl = (data: string, place: string, more = ''): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:parley],[s:msg_type]:[s:result],[s:data]:[s:${data}],[s:stream_id]:[s:stream_${place}]${more}]
`;

const agent = (...events: readonly object[]): string =>
  events.map((event, at) => `data: ${JSON.stringify({ sequence_number: at, ...event })}\n\n`).join('');

interface Typed {
  readonly type: string;
  readonly [member: string]: unknown;
}

const named = (...events: readonly Typed[]): string =>
  events
    .map(({ type, ...more }, at) => {
      const data = JSON.stringify({ type, sequence_number: at, ...more });
      return `event: ${type}\ndata: ${data}\n\n`;
    })
    .join('');

const RUN = {
  object: 'response',
  error: null,
  id: 'response_1',
  created_at: 0,
  usage: null,
  session_id: null,
};
const ITEM = { object: 'message', error: null, id: 'msg_1', role: 'assistant', ...nulls('code', 'message') };
const META = nulls('usage', 'metadata');
const PART = { object: 'content', error: null, msg_id: 'msg_1', index: 0 };

function nulls(...names: readonly string[]): object {
  return Object.fromEntries(names.map(name => [name, null]));
}

/** The runtime's stream of one message whose content comes in pieces. */
function agentStream(type: string, pieces: readonly object[], whole: object): string {
  const done = { ...PART, status: 'completed', delta: false, ...whole };
  const message = {
    ...ITEM,
    ...META,
    status: 'completed',
    type,
    content: [{ sequence_number: null, ...done }],
  };
  const last = 4 + pieces.length;
  return agent(
    { ...RUN, status: 'created', completed_at: null, output: null },
    { ...RUN, status: 'in_progress', completed_at: null, output: null },
    { ...ITEM, ...META, status: 'in_progress', type, content: null },
    ...pieces.map(piece => ({ ...PART, status: 'in_progress', delta: true, ...piece })),
    done,
    message,
    { ...RUN, status: 'completed', completed_at: 0, output: [{ sequence_number: last, ...message }] },
  );
}

const RESPONSE = {
  ...{ id: 'resp_1', object: 'response', created_at: 0, error: null, incomplete_details: null },
  ...{ instructions: null, metadata: {}, model: '', parallel_tool_calls: true, temperature: null },
  ...{ tool_choice: 'auto', tools: [], top_p: null },
};
const AT = { item_id: 'msg_1', output_index: 0, content_index: 0 };

const responsesText = (pieces: readonly string[]): string => {
  const text = pieces.join('');
  const part = (words: string): object => ({
    type: 'output_text',
    annotations: [],
    logprobs: [],
    text: words,
  });
  const item = (status: string, content: readonly object[]): object => ({
    ...{ id: 'msg_1', type: 'message', status, role: 'assistant', content },
  });
  const whole = item('completed', [part(text)]);
  return named(
    { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [] } },
    { type: 'response.in_progress', response: { ...RESPONSE, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: item('in_progress', []) },
    { type: 'response.content_part.added', ...AT, part: part('') },
    ...pieces.map(delta => ({ type: 'response.output_text.delta', ...AT, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...AT, text, logprobs: [] },
    { type: 'response.content_part.done', ...AT, part: part(text) },
    { type: 'response.output_item.done', output_index: 0, item: whole },
    { type: 'response.completed', response: { ...RESPONSE, status: 'completed', output: [whole] } },
  );
};

const responsesCall = (pieces: readonly string[]): string => {
  const given = pieces.join('');
  const item = (status: string, words: string): object => ({
    ...{ id: 'fc_1', type: 'function_call', status, call_id: 'c1', name: 'weather', arguments: words },
  });
  const at = { item_id: 'fc_1', output_index: 0 };
  const whole = item('completed', given);
  return named(
    { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [] } },
    { type: 'response.in_progress', response: { ...RESPONSE, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: item('in_progress', '') },
    ...pieces.map(delta => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    { type: 'response.function_call_arguments.done', ...at, arguments: given },
    { type: 'response.output_item.done', output_index: 0, item: whole },
    { type: 'response.completed', response: { ...RESPONSE, status: 'completed', output: [whole] } },
  );
};

/** The same stream as each protocol writes it. */
type Forms = Partial<Record<ConversionName, string>>;

const PIECES = ['Sunny, ', 'with ] and |', ''];
const ARGUMENTS = ['{"city":', '"Bern"}'];
const call = (words: string): object => ({
  type: 'data',
  data: { call_id: 'c1', name: 'weather', arguments: words },
});

const TEXT: Forms = {
  aicf: 'STREAM|Sunny, \nSTREAM|with ] and \\|\nSTREAM|\nEND\n',
  aicl:
    aicl('Sunny, ', '1/3') + aicl('with \\u005D and |', '2/3') + aicl('', '3/3', ',[s:is_final]:[b:true]'),
  'agent-api': agentStream(
    'message',
    PIECES.map(text => ({ type: 'text', text })),
    { type: 'text', text: PIECES.join('') },
  ),
  responses: responsesText(PIECES),
};

const CALL: Forms = {
  'agent-api': agentStream('function_call', ['', ...ARGUMENTS].map(call), call(ARGUMENTS.join(''))),
  responses: responsesCall(ARGUMENTS),
};

/** The lines of a text, those of data as JSON: its members have no order. */
function comparable(text: string): readonly unknown[] {
  return text
    .split('\n')
    .map(line => (line.startsWith('data: ') ? (JSON.parse(line.slice(6)) as unknown) : line));
}

describe('the text of a stream', () => {
  const streams: readonly (readonly [what: string, forms: Forms])[] = [
    ['a text', TEXT],
    ['a function call', CALL],
  ];
  for (const [what, forms] of streams)
    for (const { name: from } of CONVERSIONS)
      for (const { name: to } of CONVERSIONS) {
        const [source, expected] = [forms[from], forms[to]];
        if (source === undefined || expected === undefined) continue;
        it(`${what} from ${from} to ${to} is what ${to} streams, event by event`, () => {
          const { text, losses } = convertText(source, { to, layout: 'compact' });
          assert.deepEqual(comparable(text), comparable(expected));
          assert.deepEqual(losses, []);
        });
      }
});
