import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConversionName } from '../../../../core/catalog/conversions.ts';
import { convertText, type Converted } from '../../../../protocols/convert/convert.ts';
import { readMessages } from '../../../../protocols/convert/read-text.ts';
import { Report } from '../../../../core/message/report.ts';

const WHOLE =
  'A stream was read as one complete reply; its division into chunks and their times are not carried';

function sse(events: readonly object[]): string {
  return events
    .map((event, sequence_number) => `data: ${JSON.stringify({ sequence_number, ...event })}\n\n`)
    .join('');
}

/** A response of the runtime with all members that it writes. */
function agentResponse(status: string, more: object = {}): object {
  return {
    ...{ object: 'response', status, error: null, id: 'response_a', created_at: 9, completed_at: null },
    ...{ output: null, usage: null, session_id: null, ...more },
  };
}

/** A response of OpenAI, with what tells it from one of the runtime. */
function openaiResponse(status: string, more: object = {}): object {
  return {
    ...{ id: 'resp_a', object: 'response', created_at: 9, status, error: null, incomplete_details: null },
    ...{ model: 'm', output: [], ...more },
  };
}

/** A stream of the runtime that sends one message in pieces of its content and ends with a response. */
function agentStream(type: string, pieces: readonly object[], whole: object, last: object): string {
  const message = { object: 'message', error: null, id: 'msg_1', type, role: 'assistant' };
  const content = { object: 'content', error: null, index: 0, msg_id: 'msg_1' };
  const done = { ...content, status: 'completed', delta: false, ...whole };
  return sse([
    agentResponse('created'),
    agentResponse('in_progress'),
    { ...message, status: 'in_progress', content: null },
    ...pieces.map(piece => ({ ...content, status: 'in_progress', delta: true, ...piece })),
    done,
    { ...message, status: 'completed', content: [done] },
    last,
  ]);
}

function openaiStream(item: object, events: readonly object[], last: object): string {
  const response = openaiResponse('in_progress');
  return sse([
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    { type: 'response.output_item.added', output_index: 0, item },
    ...events,
    last,
  ]);
}

const TEXTS = ['Sunny, ', 'with ] and |', ''];
const ARGUMENTS = ['{"city":', '"Bern"}'];
const call = (words: string): object => ({
  type: 'data',
  data: { call_id: 'c1', name: 'weather', arguments: words },
});
const said = (text: string): object => ({ type: 'output_text', annotations: [], text });
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant' };
const FUNCTION_CALL = { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'weather' };
const AT = { item_id: 'msg_1', output_index: 0, content_index: 0 };

/** What each protocol sends, event by event. */
const STREAMS = {
  text: {
    'agent-api': agentStream(
      'message',
      TEXTS.map(text => ({ type: 'text', text })),
      { type: 'text', text: TEXTS.join('') },
      agentResponse('completed'),
    ),
    responses: openaiStream(
      { ...MESSAGE, status: 'in_progress', content: [] },
      [
        { type: 'response.content_part.added', ...AT, part: said('') },
        ...TEXTS.map(delta => ({ type: 'response.output_text.delta', ...AT, delta })),
        { type: 'response.output_text.done', ...AT, text: TEXTS.join('') },
      ],
      {
        type: 'response.completed',
        response: openaiResponse('completed', {
          output: [{ ...MESSAGE, status: 'completed', content: [said(TEXTS.join(''))] }],
        }),
      },
    ),
  },
  call: {
    'agent-api': agentStream(
      'function_call',
      ARGUMENTS.map(call),
      call(ARGUMENTS.join('')),
      agentResponse('completed'),
    ),
    responses: openaiStream(
      { ...FUNCTION_CALL, status: 'in_progress', arguments: '' },
      ARGUMENTS.map(delta => ({
        type: 'response.function_call_arguments.delta',
        item_id: 'fc_1',
        output_index: 0,
        delta,
      })),
      {
        type: 'response.completed',
        response: openaiResponse('completed', {
          output: [{ ...FUNCTION_CALL, status: 'completed', arguments: ARGUMENTS.join('') }],
        }),
      },
    ),
  },
};

const TEXT = TEXTS.join('');
const RPC = { jsonrpc: '2.0', id: 1 };
const ENVELOPES = {
  'agent-api': { id: 'response_a', created_at: 9 },
  responses: { id: 'resp_a', created_at: 9, model: 'm' },
};

/** What the report says that is not said of every stream. */
function notesOf({ notes }: Converted): readonly string[] {
  const all = notes.map(note => note.message);
  assert.ok(all.includes(WHOLE));
  return all.filter(note => note !== WHOLE);
}

function pathsOf({ losses }: Converted): readonly string[] {
  return losses.map(({ kind, path }) => `${kind} ${path}`);
}

describe('streams of Agent API and Responses', () => {
  for (const from of ['agent-api', 'responses'] as const) {
    const stranger = `no place for fields that only ${from === 'responses' ? 'Responses' : 'Agent API'} has: ${Object.keys(ENVELOPES[from]).join(', ')}`;
    const there: readonly (readonly [ConversionName, string])[] = [
      ['aicf', 'OK|Sunny, with ] and \\|\n'],
      ['mcp', `${JSON.stringify({ ...RPC, result: { content: [{ type: 'text', text: TEXT }] } })}\n`],
      ['aio', `${JSON.stringify({ ...RPC, result: TEXT })}\n`],
    ];
    for (const [to, expected] of there)
      it(`a text from ${from} is the reply that it amounts to in ${to}, and the frame is reported as lost`, () => {
        const found = convertText(STREAMS.text[from], { protocols: ALL_PROTOCOLS, to, layout: 'compact' });
        assert.equal(found.text, expected);
        assert.deepEqual(pathsOf(found), ['dropped ']);
        assert.ok(found.losses[0]?.message.endsWith(stranger), found.losses[0]?.message);
        assert.deepEqual(notesOf(found), []);
      });

    it(`${from} is read back as the whole response in its own protocol, without a loss`, () => {
      const found = convertText(STREAMS.text[from], {
        protocols: ALL_PROTOCOLS,
        to: from,
        layout: 'compact',
      });
      assert.deepEqual(pathsOf(found), []);
      assert.deepEqual(
        found.text,
        convertText(found.text, { protocols: ALL_PROTOCOLS, to: from, layout: 'compact' }).text,
      );
      const { object, status, id } = JSON.parse(found.text) as Record<string, unknown>;
      assert.deepEqual(
        { object, status, id },
        { object: 'response', status: 'completed', id: ENVELOPES[from].id },
      );
    });

    it(`a call from ${from} is one call with all its arguments`, () => {
      const found = convertText(STREAMS.call[from], {
        protocols: ALL_PROTOCOLS,
        to: 'responses',
        layout: 'compact',
      });
      const { output } = JSON.parse(found.text) as { output: readonly Record<string, unknown>[] };
      assert.deepEqual(
        output.map(({ type, call_id, name, arguments: given }) => [type, call_id, name, given]),
        [['function_call', 'c1', 'weather', '{"city":"Bern"}']],
      );
      assert.deepEqual(notesOf(found), []);
    });
  }

  it('two replies in one text stay two', () => {
    const { text, notes } = convertText(STREAMS.text.responses + STREAMS.call['responses'], {
      protocols: ALL_PROTOCOLS,
      to: 'aicf',
    });
    assert.deepEqual(
      text.split('\n').map(line => line.slice(0, 4)),
      ['OK|S', 'OK|[', ''],
    );
    assert.deepEqual(
      notes.map(note => note.message),
      [WHOLE],
    );
  });
});

const HI = { type: 'text', text: 'Hi' };
const endedAgent = (last: object): string => agentStream('message', [HI], HI, last);
const endedOpenai = (last: object): string =>
  openaiStream(
    { ...MESSAGE, status: 'in_progress', content: [] },
    [
      { type: 'response.content_part.added', ...AT, part: said('') },
      { type: 'response.output_text.delta', ...AT, delta: 'Hi' },
    ],
    last,
  );
const SAYS = 'The agent ended with the status';

/** A text in AICF, what is reported as lost, and what else the report says. */
function inAicf(text: string): readonly unknown[] {
  const found = convertText(text, { protocols: ALL_PROTOCOLS, to: 'aicf' });
  return [found.text, pathsOf(found), notesOf(found)];
}

describe('streams that end badly', () => {
  for (const status of ['failed', 'rejected', 'canceled'])
    it(`${status} is an error in the Agent API, and what was said before is reported as lost`, () => {
      const text = endedAgent(agentResponse(status));
      assert.deepEqual(inAicf(text), [`ERR|500|${SAYS} ${status} [agent-api]\n`, ['dropped '], []]);
      const [loss] = convertText(text, { protocols: ALL_PROTOCOLS, to: 'aicf' }).losses;
      assert.match(loss?.message ?? '', / has: .*\boutput\b/);
    });

  for (const status of ['failed', 'cancelled'])
    it(`${status} is an error in Responses, and what was said before is reported as lost`, () => {
      const type = status === 'failed' ? 'response.failed' : 'response.completed';
      const text = endedOpenai({ type, response: openaiResponse(status) });
      assert.deepEqual(inAicf(text), [`ERR|500|${SAYS} ${status} [responses]\n`, ['dropped '], []]);
      const [loss] = convertText(text, { protocols: ALL_PROTOCOLS, to: 'aicf' }).losses;
      assert.match(loss?.message ?? '', / has: .*\boutput\b/);
    });

  it('is an error if there is an error beside any status', () => {
    const last = agentResponse('completed', { error: { code: 'BUSY', message: 'slow down' } });
    assert.deepEqual(inAicf(endedAgent(last)), ['ERR|500|slow down [agent-api BUSY]\n', ['dropped '], []]);
  });

  it('is no error where the reply is incomplete, but a note says so', () => {
    const early = 'The agent ended its reply early: it is incomplete';
    const details = { incomplete_details: { reason: 'max_output_tokens' } };
    const response = openaiResponse('incomplete', details);
    assert.deepEqual(inAicf(endedOpenai({ type: 'response.incomplete', response })), [
      'OK|Hi\n',
      ['dropped '],
      ['The agent ended its reply early (max_output_tokens): it is incomplete'],
    ]);
    const cut = STREAMS.text.responses.split('\n\n').slice(0, 6).join('\n\n');
    for (const text of [endedAgent(agentResponse('incomplete')), `${cut}\n\n`])
      assert.deepEqual(inAicf(text).slice(1), [['dropped '], [early]]);
  });

  it('a text whose message was not opened is what the assistant says', () => {
    const text = ['one ', 'two']
      .map(
        delta => `data: ${JSON.stringify({ type: 'response.output_text.delta', item_id: 'i', delta })}\n\n`,
      )
      .join('');
    const { text: written } = convertText(text, {
      protocols: ALL_PROTOCOLS,
      from: 'responses',
      to: 'mcp',
      layout: 'compact',
    });
    assert.match(written, /"result":\{"content":\[\{"type":"text","text":"one two"\}\]\}/);
  });

  it('the pieces of a text of A2A with one media type are one text', () => {
    const update = (append: 'first' | 'more', ...parts: readonly object[]): object => ({
      jsonrpc: '2.0',
      id: 1,
      result: {
        artifactUpdate: {
          taskId: 't',
          contextId: 'c',
          artifact: { artifactId: 'a', parts },
          append: append === 'more',
        },
      },
    });
    const mediaType = 'text/markdown';
    const text = sse([
      update('first', { text: '# He', mediaType }),
      update('more', { text: 'llo', mediaType }),
      update('more', { text: '!', mediaType: 'text/html' }),
    ]);
    const { text: written } = convertText(text, {
      protocols: ALL_PROTOCOLS,
      from: 'a2a',
      to: 'agent-api',
      layout: 'compact',
    });
    assert.match(written, /"content":\[\{"type":"text","text":"# Hello"\},\{"type":"text","text":"!"\}\]/);
  });

  it('what the message of a failed task of A2A holds besides its text is the data of the error', () => {
    const hold = (parts: readonly object[], data: string): void => {
      const status = { state: 'TASK_STATE_FAILED', message: { messageId: 'm', role: 'ROLE_AGENT', parts } };
      const result = { task: { id: 't', contextId: 'c', status } };
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result });
      const written = convertText(text, {
        protocols: ALL_PROTOCOLS,
        from: 'a2a',
        to: 'aio',
        layout: 'compact',
      }).text;
      const own = `{"protocol":"a2a","text":"broke"${data}}`;
      assert.ok(written.includes(`"error":{"code":-32603,"message":"broke","data":${own}}`), written);
    };
    const file = { url: 'https://example.org/log.txt' };
    hold([{ text: 'broke' }], '');
    hold([{ text: 'broke' }, { data: { why: 1 } }], ',"data":{"why":1}');
    hold([{ text: 'broke' }, { data: [1] }, file], `,"data":[{"data":[1]},${JSON.stringify(file)}]`);
  });

  it('the event `error` ends a stream with an error, with and without a code', () => {
    const error = { type: 'error', code: 'server_error', message: 'kaput', param: null };
    const line = 'ERR|500|kaput [responses server_error]\n';
    assert.equal(inAicf(endedOpenai(error))[0], line);
    assert.equal(inAicf(sse([error]))[0], line);
    assert.equal(inAicf(sse([{ ...error, code: null }]))[0], 'ERR|500|kaput [responses]\n');
    const { type, ...inner } = error;
    assert.equal(inAicf(sse([{ type, error: inner }]))[0], line);
  });
});

/** Which of the lines, from 0, each message of a text stands for. */
function linesOf(lines: readonly string[]): readonly (readonly [number, number])[] {
  const starts = lines.map((_, at) => lines.slice(0, at).reduce((sum, { length }) => sum + length + 1, 0));
  const text = lines.join('\n');
  return readMessages(text, { protocols: ALL_PROTOCOLS, report: new Report() }).messages.map(({ span }) => [
    starts.indexOf(span.start),
    starts.findIndex((start, at) => start + (lines[at]?.length ?? 0) === span.end),
  ]);
}

describe('where the reply of a stream is found', () => {
  it('from its first event to its last', () => {
    const lines = STREAMS.text['agent-api']
      .split('\n\n')
      .filter(Boolean)
      .map(event => event.slice('data: '.length));
    const listed = '{"jsonrpc":"2.0","id":1,"method":"aip.capabilities.list"}';
    assert.deepEqual(linesOf(lines), [[0, lines.length - 1]]);
    assert.deepEqual(linesOf([...lines.slice(0, 2), listed]), [
      [0, 1],
      [2, 2],
    ]);
  });
});
