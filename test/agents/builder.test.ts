import { protocolOf } from '../support/protocol.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { printEvent, type AgentApiEvent, type JsonObject } from '../../protocols/agent-api/builder/events.ts';
import { ResponseBuilder } from '../../protocols/agent-api/builder/response-builder.ts';
import { ReplyReader } from '../../protocols/convert/calls/reply-reader.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { NO_TOOLS } from '../../protocols/convert/read-text.ts';
import { Report } from '../../core/message/report.ts';
import { findEntry, NULL } from '../../core/values/value.ts';

/** The members of an event that say something. */
function said(event: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null));
}

function begun(): ResponseBuilder {
  const response = new ResponseBuilder();
  response.created();
  response.inProgress();
  return response;
}

/** What a client makes of events: the output of the response, and what it notes. */
function fold(events: readonly AgentApiEvent[]): readonly unknown[] {
  const report = new Report();
  const reader = new ReplyReader(protocolOf('agent-api'), NO_TOOLS, report);
  reader.push(events.map(printEvent).join(''));
  reader.end();
  const output = compactJson(findEntry(reader.response, 'output') ?? NULL);
  return [JSON.parse(output), report.notes.map(note => note.message)];
}

describe('the builder of the Agent API', () => {
  it('generates the sequence of the document, with all members of the running server', () => {
    let now = 100;
    const response = new ResponseBuilder({ id: 'r', sessionId: 'session_123', now: () => now++ });
    const events = [...response.generateStreamingResponse(['Hello', ' World'])];
    const place = { type: 'text', index: 0, msg_id: 'r_msg_1' };
    const content = { object: 'content', ...place };
    const whole = {
      object: 'message',
      status: 'completed',
      id: 'r_msg_1',
      type: 'message',
      role: 'assistant',
    };
    const text = {
      ...content,
      status: 'completed',
      delta: false,
      error: null,
      sequence_number: null,
      text: 'Hello World',
    };
    const message = { ...whole, content: [text] };
    const output = {
      ...message,
      sequence_number: null,
      error: null,
      code: null,
      message: null,
      usage: null,
      metadata: null,
    };
    assert.deepEqual(events.map(said), [
      {
        sequence_number: 0,
        object: 'response',
        status: 'created',
        id: 'r',
        created_at: 100,
        session_id: 'session_123',
      },
      {
        sequence_number: 1,
        object: 'response',
        status: 'in_progress',
        id: 'r',
        created_at: 100,
        session_id: 'session_123',
      },
      { ...whole, sequence_number: 2, status: 'created' },
      { ...content, sequence_number: 3, status: 'in_progress', delta: true, text: 'Hello' },
      { ...content, sequence_number: 4, status: 'in_progress', delta: true, text: ' World' },
      { ...content, sequence_number: 5, status: 'completed', delta: false, text: 'Hello World' },
      { ...message, sequence_number: 6 },
      {
        sequence_number: 7,
        object: 'response',
        status: 'completed',
        id: 'r',
        created_at: 100,
        completed_at: 101,
        session_id: 'session_123',
        output: [output],
      },
    ]);
    assert.deepEqual(Object.keys(events[0] ?? {}), [
      'sequence_number',
      'object',
      'status',
      'error',
      'id',
      'created_at',
      'completed_at',
      'output',
      'usage',
      'session_id',
    ]);
    assert.equal(printEvent({ a: null }), 'data: {"a":null}\n\n');
  });

  it('builds every content, and a client folds the events into what was built', () => {
    const response = new ResponseBuilder();
    const events = [response.created(), response.inProgress()];
    const message = response.createMessageBuilder();
    events.push(message.created());
    const text = message.createContentBuilder('text', 0);
    text.setText('This is an image:');
    const image = message.createContentBuilder('image', 1);
    image.setImageUrl('https://example.com/image.jpg');
    const audio = message.createContentBuilder('audio');
    audio.setAudio('UklG', 'wav');
    const file = message.createContentBuilder('file');
    file.setFile({ url: 'https://example.com/a.txt', name: 'a.txt' });
    const refusal = message.createContentBuilder('refusal');
    refusal.setRefusal('No');
    const video = message.createContentBuilder('video');
    video.setVideoUrl('https://example.com/v.mp4');
    for (const each of [text, image, audio, file, refusal, video]) events.push(each.complete());
    const call = response.createMessageBuilder({ type: 'plugin_call' });
    events.push(message.complete(), call.created());
    const data = call.createContentBuilder('data');
    events.push(
      data.addDataDelta({ call_id: 'c', name: 'get_weather', arguments: '{"city":' }),
      data.addDataDelta({ arguments: ' "Beijing"}', list: [1], inner: { a: 'x' } }),
      data.addDataDelta({ list: [2], inner: { a: 'y', b: true } }),
    );
    const cut = [...events];
    events.push(data.complete(), call.complete(), response.completed({ output_tokens: 3 }));
    const built = events.at(-1)?.['output'];
    assert.deepEqual(fold(events), [built, []]);
    const [folded] = fold(cut);
    assert.deepEqual((folded as readonly { readonly content: unknown }[])[1]?.content, [
      {
        type: 'data',
        data: {
          call_id: 'c',
          name: 'get_weather',
          arguments: '{"city": "Beijing"}',
          list: [1, 2],
          inner: { a: 'xy', b: true },
        },
      },
    ]);
  });

  it('ends a response that did not complete with what there is of it', () => {
    const response = begun();
    const message = response.createMessageBuilder();
    message.created();
    message.createContentBuilder().addTextDelta('So f');
    const end = response.ended('failed', { code: '500', message: 'no more' });
    const [first] = end['output'] as readonly {
      readonly status: string;
      readonly content: readonly JsonObject[];
    }[];
    assert.deepEqual(
      [end.status, end['error'], first?.status, first?.content.map(each => [each['status'], each['text']])],
      ['failed', { code: '500', message: 'no more' }, 'incomplete', [['incomplete', 'So f']]],
    );
  });

  const wrong: readonly (readonly [call: () => unknown, message: string])[] = [
    [
      () => new ResponseBuilder().inProgress(),
      'ResponseBuilder.inProgress(): the response is not created yet; call created() before it, and each of them once',
    ],
    [
      () => begun().created(),
      'ResponseBuilder.created(): the response is in progress already; it stands first, and once',
    ],
    [
      () => new ResponseBuilder().createMessageBuilder(),
      'ResponseBuilder.createMessageBuilder(): the response is not created yet; a response takes messages between inProgress() and its end',
    ],
    [
      () => {
        const response = begun();
        response.createMessageBuilder().created();
        response.completed();
      },
      'ResponseBuilder.completed(): message 1 is still open; call its complete() first',
    ],
    [
      () => {
        const response = begun();
        response.completed();
        response.ended('canceled');
      },
      'ResponseBuilder.ended(): the response is over; end one that was created, and once',
    ],
    [
      () => begun().ended('failed'),
      'ResponseBuilder.ended(): a response that failed says why; give it an error with code and message',
    ],
    [
      () => begun().createMessageBuilder().createContentBuilder(),
      'MessageBuilder.createContentBuilder(): the message is not created yet; a message takes contents between created() and complete()',
    ],
    [
      () => {
        const message = begun().createMessageBuilder();
        message.created();
        message.createContentBuilder('text', 1);
      },
      'MessageBuilder.createContentBuilder(): the next content has the index 0, not 1',
    ],
    [
      () => {
        const message = begun().createMessageBuilder();
        message.created();
        message.createContentBuilder().addTextDelta('a');
        message.complete();
      },
      'MessageBuilder.complete(): content 0 is still open; call its complete() first',
    ],
    [
      () => textContent().complete(),
      'ContentBuilder.complete(): the content is empty; give it a piece or set it first',
    ],
    [
      () => textContent().setImageUrl('x'),
      'ContentBuilder.setImageUrl(): the content is of the type text, not image',
    ],
    [
      () => {
        const content = textContent();
        content.addTextDelta('a');
        content.setText('b');
      },
      'ContentBuilder.setText(): pieces of the content were sent already; add more of them',
    ],
    [
      () => {
        const content = textContent();
        content.setText('b');
        content.addTextDelta('a');
      },
      'ContentBuilder.addTextDelta(): the whole content was set already; add pieces to a new one',
    ],
    [
      () => {
        const content = textContent();
        content.addTextDelta('a');
        content.complete();
        content.addTextDelta('b');
      },
      'ContentBuilder.addTextDelta(): the content is complete; begin a new one',
    ],
  ];
  for (const [call, message] of wrong) it(`rejects: ${message}`, () => assert.throws(call, { message }));
});

function textContent(): ReturnType<
  ReturnType<ResponseBuilder['createMessageBuilder']>['createContentBuilder']
> {
  const message = begun().createMessageBuilder();
  message.created();
  return message.createContentBuilder();
}
