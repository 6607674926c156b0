import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as built from '../../../npm/agent-api/index.ts';
import { ResponseBuilder, type AgentApiEvent, type JsonObject } from '../../../npm/agent-api/index.ts';
import { compactJson } from '../../../language/values/json-printer.ts';
import { findEntry, NULL } from '../../../core/values/value.ts';
import { readJsonPieces } from '../../../language/values/json-reader.ts';
import { AgentApiFold } from '../../../protocols/agent-api/fold.ts';
import { DOCUMENT_EXAMPLES, EXPECTED, summarize } from '../../npm/document-examples.ts';

function begin(): ResponseBuilder {
  const response = new ResponseBuilder();
  response.created();
  response.inProgress();
  return response;
}

function beginMessage(): built.MessageBuilder {
  const message = begin().createMessageBuilder();
  message.created();
  return message;
}

/** The output that a client folds from events, and its notes. */
function fold(events: readonly AgentApiEvent[]): readonly unknown[] {
  const folded = new AgentApiFold('all');
  for (const { value } of readJsonPieces(events.map(built.printEvent).join('')).pieces) folded.push(value);
  const output = compactJson(findEntry(folded.whole(), 'output') ?? NULL);
  return [JSON.parse(output), folded.notes];
}

/** The members of an event that have a value. */
function stated(event: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null));
}

describe('the builder of the Agent API', () => {
  for (const [name, example] of Object.entries(DOCUMENT_EXAMPLES))
    it(`runs the document's example "${name}"`, () => {
      const events = example(built);
      assert.deepEqual(events.map(summarize), EXPECTED[name]);
      assert.deepEqual(
        events.map(event => event.sequence_number),
        [...events.keys()],
      );
      assert.deepEqual(fold(events), [events.at(-1)?.['output'], []]);
    });

  it('sends all members of the runtime, and ids and times of its options', () => {
    let time = 100;
    let id = 0;
    const response = new ResponseBuilder({
      sessionId: 's',
      now: () => time++,
      newId: prefix => `${prefix}${++id}`,
    });
    const events = [...response.generateStreamingResponse({ textTokens: ['Hi'], role: 'tool' })];
    const text = { object: 'content', type: 'text', index: 0, msg_id: 'msg_2', text: 'Hi' };
    const whole = { ...text, status: 'completed', delta: false };
    const message = { object: 'message', id: 'msg_2', type: 'message', role: 'tool' };
    const done = {
      ...message,
      status: 'completed',
      content: [{ sequence_number: null, error: null, ...whole }],
    };
    const empty = { sequence_number: null, error: null, code: null, message: null, usage: null };
    const state = { object: 'response', id: 'response_1', created_at: 100, session_id: 's' };
    assert.deepEqual(events.map(stated), [
      { sequence_number: 0, ...state, status: 'created' },
      { sequence_number: 1, ...state, status: 'in_progress' },
      { sequence_number: 2, ...message, status: 'created' },
      { sequence_number: 3, ...text, status: 'in_progress', delta: true },
      { sequence_number: 4, ...whole },
      { sequence_number: 5, ...done },
      {
        sequence_number: 6,
        ...state,
        status: 'completed',
        completed_at: 101,
        output: [{ ...empty, metadata: null, ...done }],
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
  });

  it('makes ids that are unique, and times in seconds, by itself', () => {
    const [one, other] = [new ResponseBuilder(), new ResponseBuilder()];
    assert.match(one.id, /^response_[0-9a-f-]{36}$/);
    assert.notEqual(one.id, other.id);
    assert.equal(new Date(Number(one.created()['created_at']) * 1000).getUTCFullYear() > 2024, true);
  });

  it('builds each type of content, as a client folds it', () => {
    const response = begin();
    const events: AgentApiEvent[] = [];
    const message = response.createMessageBuilder();
    events.push(message.created());
    message.createContentBuilder('audio').setAudio('UklG', 'wav');
    const file = message.createContentBuilder('file');
    file.setFile({ id: 'file_7', name: 'a.txt' });
    const refusal = message.createContentBuilder('refusal', 3);
    refusal.setRefusal('No');
    const video = message.createContentBuilder('video', 2);
    video.setVideoUrl('https://example.com/v.mp4');
    for (const each of [file, video, refusal]) events.push(each.complete());
    const end = response.ended('incomplete');
    const [first] = end['output'] as readonly { readonly content: readonly JsonObject[] }[];
    assert.deepEqual(
      first?.content.map(each => [each['type'], each['index'], each['status']]),
      [
        ['audio', 0, 'incomplete'],
        ['file', 1, 'completed'],
        ['video', 2, 'completed'],
        ['refusal', 3, 'completed'],
      ],
    );
    assert.deepEqual(fold([...events, end]), [end['output'], []]);
  });

  it('merges deltas of data as AgentScope does', () => {
    const data = beginMessage().createContentBuilder('data');
    data.setData({ text: 'a', list: [1], count: 1, inner: { text: 'x' }, state: true });
    data.addDataDelta({ text: 'b', list: [2], count: 2, inner: { text: 'y' }, state: null });
    data.addDataDelta(JSON.parse('{"__proto__":{"text":"z"}}') as JsonObject);
    assert.deepEqual(
      data.complete()['data'],
      JSON.parse(
        '{"text":"ab","list":[1,2],"count":3,"inner":{"text":"xy"},"state":null,"__proto__":{"text":"z"}}',
      ),
    );
  });

  it('ends a response that is not completed with what it has', () => {
    const response = begin();
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

  it('takes 100,000 deltas with work that is linear in them', () => {
    const content = beginMessage().createContentBuilder('data');
    for (let each = 0; each < 100_000; each++) content.addDataDelta({ list: [each], text: 'x' });
    const { list, text } = content.complete()['data'] as { list: readonly number[]; text: string };
    assert.deepEqual([list.length, text.length], [100_000, 100_000]);
  });

  const wrong: readonly (readonly [call: () => unknown, message: string])[] = [
    [
      () => new ResponseBuilder().inProgress(),
      'ResponseBuilder.inProgress(): the response is not created yet; call created() before it, and each of them once',
    ],
    [
      () => begin().created(),
      'ResponseBuilder.created(): the response is in progress; call it first, and once',
    ],
    [
      () => begin().queued(),
      'ResponseBuilder.queued(): the response is in progress; call it between created() and inProgress()',
    ],
    [
      () => new ResponseBuilder().createMessageBuilder(),
      'ResponseBuilder.createMessageBuilder(): the response is not created yet; a response takes messages between inProgress() and its end',
    ],
    [
      () => {
        const response = begin();
        response.createMessageBuilder().created();
        response.completed();
      },
      'ResponseBuilder.completed(): message 1 is not complete; call its complete() first',
    ],
    [
      () => {
        const response = begin();
        response.completed();
        response.ended('canceled');
      },
      'ResponseBuilder.ended(): the response has ended; end a response that was created, and end it once',
    ],
    [
      () => begin().ended('failed'),
      'ResponseBuilder.ended(): a response that failed says why; give an error with code and message',
    ],
    [
      () => begin().ended('lost' as 'failed'),
      "ResponseBuilder.ended(): this must be one of failed, rejected, canceled, incomplete, unknown, and is 'lost'",
    ],
    [
      () => begin().createMessageBuilder({ role: 'robot' as 'tool' }),
      "ResponseBuilder.createMessageBuilder(): role: this must be one of assistant, user, system, tool, and is 'robot'",
    ],
    [
      () => {
        const message = beginMessage();
        message.created();
      },
      'MessageBuilder.created(): the message was created before; call it once, and first',
    ],
    [
      () => {
        const message = beginMessage();
        message.createContentBuilder('text', 1).setText('a');
        message.createContentBuilder('text', 1);
      },
      'MessageBuilder.createContentBuilder(): the message has a content with the index 1 already',
    ],
    [
      () => {
        const message = beginMessage();
        const content = message.createContentBuilder('text', 1);
        content.setText('a');
        content.complete();
        message.complete();
      },
      'MessageBuilder.complete(): there is no content with the index 0; add it, or count from 0',
    ],
    [
      () => beginMessage().createContentBuilder('text', -1),
      'MessageBuilder.createContentBuilder(): an index is a whole number from 0',
    ],
    [
      () => beginMessage().createContentBuilder('picture' as 'image'),
      "MessageBuilder.createContentBuilder(): this must be one of text, data, image, audio, file, refusal, video, and is 'picture'",
    ],
    [
      () => {
        const message = beginMessage();
        message.createContentBuilder().addTextDelta('a');
        message.complete();
      },
      'MessageBuilder.complete(): content 0 is not complete; call its complete() first',
    ],
    [
      () => {
        const message = beginMessage();
        message.complete();
        message.addContent({ type: 'text', text: 'late' });
      },
      'MessageBuilder.addContent(): the message is complete; begin a new one',
    ],
    [
      () => beginMessage().addContent({ text: 'a' }),
      'MessageBuilder.addContent(): type: this must be one of text, data, image, audio, file, refusal, video, and is undefined',
    ],
    [
      () => beginMessage().createContentBuilder().complete(),
      'ContentBuilder.complete(): the content is empty; give it a delta or set it first',
    ],
    [
      () => beginMessage().createContentBuilder().setImageUrl('x'),
      'ContentBuilder.setImageUrl(): the content has the type text, not image',
    ],
    [
      () => {
        const content = beginMessage().createContentBuilder();
        content.addTextDelta('a');
        content.setText('b');
      },
      'ContentBuilder.setText(): the deltas that were sent make another text; add the rest as a delta',
    ],
    [
      () => {
        const content = beginMessage().createContentBuilder();
        content.setText('b');
        content.addTextDelta('a');
      },
      'ContentBuilder.addTextDelta(): the whole text was set before; add deltas to a new content',
    ],
    [
      () => {
        const content = beginMessage().createContentBuilder();
        content.addTextDelta('a');
        content.complete();
        content.addTextDelta('b');
      },
      'ContentBuilder.addTextDelta(): the content is complete; begin a new content',
    ],
    [
      () =>
        beginMessage()
          .createContentBuilder()
          .addTextDelta(5 as unknown as string),
      'ContentBuilder.addTextDelta(): this must be a text, and is number',
    ],
    [
      () =>
        beginMessage()
          .createContentBuilder('data')
          .setData([] as unknown as JsonObject),
      'ContentBuilder.setData(): this must be an object, and is list',
    ],
  ];
  for (const [call, message] of wrong) it(`rejects: ${message}`, () => assert.throws(call, { message }));
});
