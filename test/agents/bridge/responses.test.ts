import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import OpenAI from 'openai';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { ResponsesFold } from '../../../protocols/responses/fold.ts';
import { agentOf, bridge, notesOf, showTrees, type TestBridge, readBack } from './support.ts';

/** The values of the events of a stream. */
function eventsIn(body: string): readonly Record<string, unknown>[] {
  return [...body.matchAll(/^data: (.*)$/gm)].map(
    ([, data = '']) => JSON.parse(data) as Record<string, unknown>,
  );
}

describe('an agent served as Responses', () => {
  let demo: DemoAgents;
  const open: TestBridge[] = [];
  before(async () => {
    demo = await startDemoAgents();
  });
  after(async () => {
    await Promise.all(open.map(each => each.close()));
    await demo.close();
  });

  const serve = async (protocol: ProtocolName, name: string): Promise<[TestBridge, OpenAI]> => {
    const url = (demo.addresses.get(name) ?? '').replace(/aicf$/, protocol === 'json-rpc' ? 'rpc' : 'aicf');
    const bridged = await bridge(agentOf({ protocol, type: 'http', url }, name), 'responses');
    open.push(bridged);
    return [bridged, clientOf(bridged)];
  };

  const clientOf = ({ address }: TestBridge): OpenAI =>
    new OpenAI({ apiKey: 'none', baseURL: address.replace(/\/responses$/, ''), maxRetries: 0 });

  const post = (bridged: TestBridge, body: unknown): Promise<Response> =>
    fetch(bridged.address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  const SUM = { input: '{"a":1,"b":2}', tool_choice: { type: 'function', name: 'math.add' } } as const;
  const TASK = { input: 'Tell me of the sky' } as const;
  const SKY = 'You asked: "Tell me of the sky". Here is the sky over Lisbon, in one picture.';

  for (const [protocol, name, body, text] of [
    ['aicf', 'toolbox', SUM, '{"sum":3}'],
    ['json-rpc', 'toolbox', SUM, '{"sum":3}'],
    ['mcp', 'librarian', SUM, '{"sum":3}'],
    ['aicl', 'analyst', TASK, /^\{"task":"Tell me of the sky","plan":\[/],
    ['agent-api', 'storyteller', TASK, SKY],
    ['responses', 'oracle', TASK, 'What you look for is in the line above the one that you read.'],
    ['aio', 'courier', TASK, /I have read Tell me of the sky\./],
    ['a2a', 'herald', TASK, 'Hear ye! Tell me of the sky'],
  ] as const)
    it(`answers the official client for an agent of ${protocol}, as a whole and as events`, async () => {
      const [bridged, client] = await serve(protocol, name);
      const whole = await client.responses.create({ model: name, ...body });
      const expected = typeof text === 'string' ? text : whole.output_text;
      if (typeof text !== 'string') assert.match(whole.output_text, text);
      assert.deepEqual(
        [whole.status, whole.model, whole.output_text, whole.error],
        ['completed', name, expected, null],
      );
      const stream = client.responses.stream({ model: name, ...body });
      const events: { type: string; sequence_number: number }[] = [];
      let streamed = '';
      for await (const event of stream) {
        events.push(event);
        if (event.type === 'response.output_text.delta') streamed += event.delta;
      }
      const final = await stream.finalResponse();
      assert.deepEqual([final.status, final.output_text, streamed], ['completed', expected, expected]);
      assert.deepEqual(
        events.map(event => event.sequence_number),
        events.map((_, index) => index),
      );
      assert.deepEqual(
        events.map(({ type }) => type).filter(type => /^response\.[a-z_]+$/.test(type)),
        ['response.created', 'response.in_progress', 'response.completed'],
      );
      assert.deepEqual(
        readBack(new ResponsesFold('all'), await (await post(bridged, { ...body, stream: true })).text()).map(
          read => read.replace('\n\n', ''),
        ),
        [expected],
      );
    });

  it('has the reasoning, the calls and the image of an agent as items', async () => {
    const [bridged, client] = await serve('agent-api', 'storyteller');
    const typesOf = (output: readonly { readonly type: string }[]): readonly string[] =>
      output.map(({ type }) => type);
    const whole = await client.responses.create({ model: 'storyteller', ...TASK });
    assert.deepEqual(typesOf(whole.output), [
      'reasoning',
      'plugin_call',
      'plugin_call_output',
      'message',
      'image_generation_call',
    ]);
    assert.deepEqual([whole.usage?.input_tokens, whole.usage?.total_tokens], [18, 60]);
    const body = await (await post(bridged, { ...TASK, stream: true })).text();
    const done = eventsIn(body).filter(({ type }) => type === 'response.output_item.done');
    const items = done.map(({ item }) => item as { readonly type: string });
    assert.deepEqual(typesOf(items), typesOf(whole.output));
    const last = eventsIn(body).at(-1) as { response: { output: readonly unknown[]; usage: unknown } };
    assert.deepEqual([last.response.output, last.response.usage], [items, whole.usage]);
  });

  it('takes roles, images and instructions', async () => {
    const [, client] = await serve('a2a', 'herald');
    const answered = await client.responses.create({
      model: 'herald',
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'The first' },
        { role: 'assistant', content: 'An answer' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'The second' },
            { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
          ],
        },
      ],
    });
    assert.deepEqual(
      [answered.output_text, answered.instructions],
      ['Hear ye! Be brief. The first An answer The second AAAA', 'Be brief.'],
    );
  });

  it('passes parameters on to an agent that has them, and notes what it does not receive', async () => {
    const [bridged, client] = await serve('agent-api', 'storyteller');
    const received = await client.responses.create({
      model: 'storyteller',
      input: 'Hi',
      temperature: 0.2,
      max_output_tokens: 50,
      text: { verbosity: 'low' },
    });
    assert.match(received.output_text, /^Your parameters are \{"temperature":0\.2,"max_tokens":50\}\./);
    assert.deepEqual([received.temperature, received.max_output_tokens], [0.2, 50]);
    assert.deepEqual(notesOf(bridged), ["The agent does not receive 'text.verbosity'"]);
  });

  it('asks for approval with an item, and goes on with the answer in the next request', async () => {
    const [bridged, client] = await serve('responses', 'oracle');
    const asked = await client.responses.create({ model: 'oracle', input: 'Show me the future' });
    const [item] = asked.output;
    assert.ok(item?.type === 'mcp_approval_request');
    assert.deepEqual([item.id, item.name, item.arguments], ['mcpr_1', 'look_ahead', '{"days":1}']);
    const answer = { type: 'mcp_approval_response', approval_request_id: item.id, approve: true } as const;
    const continued = { model: 'oracle', previous_response_id: asked.id, input: [answer] };
    const received = await client.responses.create(continued);
    assert.deepEqual(
      [received.output_text, received.previous_response_id],
      ['It will rain, and then it will not.', asked.id],
    );
    assert.deepEqual(showTrees(bridged.events).length, 2);
    assert.deepEqual(notesOf(bridged), [
      "The agent requests approval to run 'look_ahead', which the next request of the conversation may answer; in the editor, the user is asked",
    ]);
  });

  it('passes on what an agent asks, and the next request as its answer', async () => {
    const [bridged, client] = await serve('aicl', 'analyst');
    const texts: string[] = [];
    let previous: string | undefined;
    for (const input of ['Write a report', '[20, 22]', '21']) {
      const received = await client.responses.create({
        model: 'analyst',
        input,
        ...(previous === undefined ? {} : { previous_response_id: previous }),
      });
      texts.push(received.output_text);
      previous = received.id;
    }
    assert.deepEqual(texts, [
      "The agent waits for the answer to its query for 'temperatures': send it as the next message",
      "The agent waits for the answer to its call of 'stats.mean': send it as the next message",
      '{"report":"2 temperatures with a mean of 21 degrees","mean":21.0}',
    ]);
    assert.doesNotMatch(notesOf(bridged).join(), /has no place for a session/);
  });

  it('notes that a conversation cannot go on from an earlier response', async () => {
    const [bridged, client] = await serve('a2a', 'herald');
    const first = await client.responses.create({ model: 'herald', ...TASK });
    const next = { model: 'herald', ...TASK, previous_response_id: first.id };
    const second = await client.responses.create(next);
    assert.deepEqual(notesOf(bridged), []);
    const third = await client.responses.create(next);
    assert.deepEqual([second.status, third.status], ['completed', 'completed']);
    assert.match(notesOf(bridged).join(), /gone on since the response 'resp_\w+': the agent continues it/);
  });

  it('says where an agent cannot continue a conversation', async () => {
    const [bridged, client] = await serve('mcp', 'librarian');
    const first = await client.responses.create({ model: 'librarian', ...SUM });
    const before = notesOf(bridged).length;
    await client.responses.create({ model: 'librarian', ...SUM, previous_response_id: first.id });
    assert.deepEqual(notesOf(bridged).slice(before, -1), [
      'Model Context Protocol cannot continue a conversation: the agent receives this request alone',
    ]);
  });

  it('keeps responses, shows them, and deletes them', async () => {
    const [, client] = await serve('a2a', 'herald');
    const received = await client.responses.create({ model: 'herald', ...TASK });
    const shown = await client.responses.retrieve(received.id);
    assert.deepEqual([shown.id, shown.output], [received.id, received.output]);
    await assert.rejects(client.responses.retrieve(received.id, { stream: true }), {
      status: 400,
      param: 'stream',
    });
    await client.responses.delete(received.id);
    await assert.rejects(client.responses.retrieve(received.id), { status: 404 });
    const unstored = await client.responses.create({ model: 'herald', ...TASK, store: false });
    await assert.rejects(client.responses.retrieve(unstored.id), { status: 404 });
  });

  it('cancels a response that is running, with the call of the agent', async () => {
    const [bridged, client] = await serve('aicf', 'toolbox');
    const stream = await client.responses.create({
      model: 'toolbox',
      input: '{"seconds":30}',
      tool_choice: { type: 'function', name: 'slow.count' },
      stream: true,
    });
    const ends: string[] = [];
    for await (const event of stream) {
      if (event.type === 'response.created') {
        assert.equal((await client.responses.retrieve(event.response.id)).status, 'in_progress');
        assert.equal((await client.responses.cancel(event.response.id)).status, 'cancelled');
        await assert.rejects(client.responses.cancel('resp_unknown'), { status: 404 });
      }
      if ('response' in event) ends.push(`${event.type} ${event.response.status}`);
    }
    assert.equal(ends.at(-1), 'response.incomplete cancelled');
    assert.match(showTrees(bridged.events).join(), /slow\.count \(toolbox, cancelled\)/);
  });

  it('is one model with the name of the agent', async () => {
    const [bridged, client] = await serve('a2a', 'herald');
    const models = await client.models.list();
    assert.deepEqual(
      models.data.map(({ id, object, owned_by }) => [id, object, owned_by]),
      [['herald', 'model', 'parley']],
    );
    assert.equal((await client.models.retrieve('herald')).id, 'herald');
    await assert.rejects(client.models.retrieve('gpt-5'), { status: 404, code: 'model_not_found' });
    const other = await client.responses.create({ model: 'gpt-5', ...TASK });
    assert.equal(other.model, 'herald');
    assert.deepEqual(notesOf(bridged), ["The request names the model 'gpt-5'; the agent 'herald' answers"]);
  });
});
