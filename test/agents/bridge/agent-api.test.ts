import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { AgentApiFold } from '../../../protocols/agent-api/fold.ts';
import { agentApi } from '../content/schemas.ts';
import { closeRawAgents, reply, startRawAgent } from '../support/raw-agent.ts';
import { agentOf, bridge, notesOf, showTrees, type TestBridge, readBack } from './support.ts';

interface Event {
  readonly sequence_number: number;
  readonly object: string;
  readonly status: string;
  readonly type?: string;
  readonly session_id?: string | null;
  readonly id?: string;
  readonly text?: string;
  readonly output?: readonly Event[] | null;
  readonly content?: readonly Event[] | null;
  readonly data?: Record<string, unknown>;
  readonly usage?: unknown;
  readonly error?: { readonly code: string; readonly message: string } | string | null;
}

function eventsIn(body: string): readonly Event[] {
  return [...body.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Event);
}

/** A request as clients of the runtime send it. */
function ask(text: string, more: object = {}): object {
  return { input: [{ role: 'user', type: 'message', content: [{ type: 'text', text }] }], ...more };
}

describe('an agent served as the Agent API', () => {
  let demo: DemoAgents;
  const open: TestBridge[] = [];
  before(async () => {
    demo = await startDemoAgents();
  });
  afterEach(closeRawAgents);
  after(async () => {
    await Promise.all(open.map(each => each.close()));
    await demo.close();
  });

  const serve = async (protocol: ProtocolName, name: string): Promise<TestBridge> => {
    const at = demo.addresses.get(name) ?? '';
    const url = protocol === 'json-rpc' ? at.replace(/aicf$/, 'rpc') : at;
    const bridged = await bridge(agentOf({ protocol, type: 'http', url }, name), 'agent-api');
    open.push(bridged);
    return bridged;
  };

  const post = async (bridged: TestBridge, body: unknown): Promise<string> => {
    const response = await fetch(bridged.address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    assert.equal(response.status, 200);
    return response.text();
  };

  const textOf = (response: Event): string =>
    (response.output ?? [])
      .filter(({ type }) => type === 'message')
      .flatMap(({ content }) => content ?? [])
      .map(({ text, data }) => text ?? JSON.stringify(data))
      .join('');

  const SUM = { tool_choice: { type: 'function', name: 'math.add' } };
  const SKY = 'You asked: "Tell me of the sky". Here is the sky over Lisbon, in one picture.';

  for (const [protocol, name, body, text] of [
    ['aicf', 'toolbox', ask('{"a":1,"b":2}', SUM), '{"sum":3}'],
    ['json-rpc', 'toolbox', ask('{"a":1,"b":2}', SUM), '{"sum":3}'],
    ['mcp', 'librarian', ask('{"a":1,"b":2}', SUM), '{"sum":3}'],
    ['aicl', 'analyst', ask('Tell me of the sky'), /^\{"task":"Tell me of the sky","plan":\[/],
    ['agent-api', 'storyteller', ask('Tell me of the sky'), new RegExp(`^${SKY}`)],
    ['responses', 'oracle', ask('Tell me of the sky'), /^What you look for is in the line above/],
    ['aio', 'courier', ask('Tell me of the sky'), /I have read Tell me of the sky\./],
    ['a2a', 'herald', ask('Tell me of the sky'), 'Hear ye! Tell me of the sky'],
  ] as const)
    it(`answers for an agent of ${protocol}, as one response and as events`, async () => {
      const bridged = await serve(protocol, name);
      const whole = JSON.parse(await post(bridged, { ...body, stream: false })) as Event;
      const said = textOf(whole);
      if (typeof text === 'string') assert.equal(said, text);
      else assert.match(said, text);
      assert.deepEqual([whole.object, whole.status, whole.error], ['response', 'completed', null]);
      const streamed = await post(bridged, { ...body, session_id: 's1' });
      const events = eventsIn(streamed);
      assert.deepEqual(
        events.map(event => event.sequence_number),
        events.map((_, index) => index),
      );
      assert.deepEqual(
        events.filter(({ object }) => object === 'response').map(event => [event.status, event.session_id]),
        [
          ['created', 's1'],
          ['in_progress', 's1'],
          ['completed', 's1'],
        ],
      );
      assert.equal(textOf(events.at(-1) ?? whole), said);
      const [, ...notes] = readBack(new AgentApiFold('all'), streamed);
      assert.deepEqual(notes, []);
    });

  it('passes on every type of message and of content, as the schemas of the runtime have them', async () => {
    const bridged = await serve('agent-api', 'storyteller');
    // All members of the runtime's request, those without a value as its client writes them.
    const request = {
      ...ask('show: everything', { session_id: 's1', user_id: 'user_1' }),
      ...Object.fromEntries(
        ['id', 'model', 'top_p', 'temperature', 'max_tokens', 'stop', 'seed', 'tools'].map(name => [
          name,
          null,
        ]),
      ),
      stream: true,
      n: 1,
    };
    assert.deepEqual(agentApi('AgentRequest')(request), []);
    const types = (events: readonly Event[]): readonly string[] =>
      (events.at(-1)?.output ?? []).map(({ type = '' }) => type);
    const direct = await fetch(demo.addresses.get('storyteller') ?? '', {
      method: 'POST',
      body: JSON.stringify(ask('show: everything')),
    });
    const own = eventsIn(await direct.text());
    const streamed = await post(bridged, request);
    const names: Readonly<Record<string, string>> = { response: 'AgentResponse', message: 'Message' };
    for (const event of eventsIn(streamed)) {
      const type = event.type ?? '';
      const content = `${type.slice(0, 1).toUpperCase()}${type.slice(1)}Content`;
      assert.deepEqual(agentApi(names[event.object] ?? content)(event), [], JSON.stringify(event));
    }
    const whole = JSON.parse(await post(bridged, ask('show: everything', { stream: false }))) as Event;
    assert.deepEqual(types([whole]), types(own));
    assert.deepEqual(types(eventsIn(streamed)), types(own));
    const withoutNames = (content: object): object => ({ ...content, sequence_number: null, msg_id: null });
    const contents = (response: Event | undefined): readonly object[] =>
      (response?.output ?? []).flatMap(({ content }) => content ?? []).map(content => withoutNames(content));
    assert.deepEqual(contents(whole), contents(own.at(-1)));
    assert.deepEqual(contents(eventsIn(streamed).at(-1)), contents(own.at(-1)));
    assert.deepEqual(readBack(new AgentApiFold('all'), streamed).slice(1), []);
  });

  it('asks for approval with a message, and goes on with the answer in the next request', async () => {
    const bridged = await serve('responses', 'oracle');
    const asked = eventsIn(await post(bridged, ask('Show me the future', { session_id: 'talk' })));
    const [message] = asked.at(-1)?.output ?? [];
    assert.deepEqual(
      [message?.type, message?.content?.[0]?.data],
      [
        'mcp_approval_request',
        { id: 'mcpr_1', name: 'look_ahead', server_label: 'future', arguments: '{"days":1}' },
      ],
    );
    const data = { approval_request_id: 'mcpr_1', approve: true };
    const answer = {
      input: [{ type: 'mcp_approval_response', role: 'user', content: [{ type: 'data', data }] }],
    };
    const received = JSON.parse(
      await post(bridged, { ...answer, session_id: 'talk', stream: false }),
    ) as Event;
    assert.equal(textOf(received), 'It will rain, and then it will not.');
    const again = JSON.parse(
      await post(bridged, { ...answer, response_id: received.id, stream: false }),
    ) as Event;
    assert.deepEqual([again.status, again.session_id], ['completed', 'talk']);
  });

  it('calls a tool with a message of the type function_call', async () => {
    const bridged = await serve('aicf', 'toolbox');
    const data = { call_id: 'call_1', name: 'math.add', arguments: '{"a":1,"b":2}' };
    const input = [{ type: 'function_call', role: 'assistant', content: [{ type: 'data', data }] }];
    const received = JSON.parse(await post(bridged, { input, stream: false })) as Event;
    assert.equal(textOf(received), '{"sum":3}');
    assert.deepEqual(showTrees(bridged.events).length, 1);
  });

  for (const [what, body, error] of [
    ['text that is no JSON', '{"input":', /not a JSON object/],
    ['no input', {}, /input must be a list of messages, and is missing/],
    ['an input of a wrong type', { input: 'Hi' }, /input must be a list of messages, and is 'Hi'/],
    ['an empty input', { input: [] }, /send at least one message/],
    ['a request of another protocol', { jsonrpc: '2.0', id: 1, method: 'x' }, /input must be a list/],
    [
      'contents of an unknown type',
      { input: [{ role: 'user', content: [{ type: 'dance' }] }] },
      /input\[0\]\.content\[0\]\.type must be text, data, /,
    ],
    ['a parameter out of range', ask('Hi', { n: 9 }), /n must be a whole number from 1 to 5, and is 9/],
    ['a choice of its tools', ask('Hi', { tool_choice: 'auto' }), /leave out 'tool_choice'/],
    ['an unknown response', ask('Hi', { response_id: 'response_9' }), /There is no response 'response_9'/],
  ] as const)
    it(`answers ${what} with an error before there is a response`, async () => {
      const bridged = await serve('a2a', 'herald');
      const [event, ...others] = eventsIn(await post(bridged, body));
      assert.deepEqual([Object.keys(event ?? {}), others], [['error'], []]);
      assert.match(typeof event?.error === 'string' ? event.error : '', error);
      if (typeof body === 'string') return;
      const whole = JSON.parse(await post(bridged, { ...body, stream: false })) as Event;
      assert.deepEqual(whole, event);
    });

  const lastOf = async (bridged: TestBridge, body: unknown): Promise<readonly unknown[]> => {
    const events = eventsIn(await post(bridged, body));
    const { status, error } = events.at(-1) ?? {};
    const [code, message] = typeof error === 'object' && error ? [error.code, error.message] : [];
    return [
      events.filter(({ object }) => object === 'response').map(event => event.status),
      status,
      code,
      message,
    ];
  };

  it('rejects what the agent does not take, and fails with the error of the agent', async () => {
    const toolbox = await serve('aicf', 'toolbox');
    const [statuses, , code, message] = await lastOf(toolbox, ask('Hi'));
    assert.deepEqual([statuses, code], [['created', 'rejected'], '400']);
    assert.match(String(message), /takes no tasks: call one of its tools 'text\.reverse'/);
    const failing = ask('{"reason":"No stars"}', { tool_choice: { type: 'function', name: 'fail.always' } });
    const [failed, , failure, why] = await lastOf(toolbox, failing);
    assert.deepEqual([failed, failure], [['created', 'in_progress', 'failed'], '500']);
    assert.match(String(why), /No stars/);
    const storyteller = await serve('agent-api', 'storyteller');
    assert.deepEqual(await lastOf(storyteller, ask('end: rejected')), [
      ['created', 'in_progress', 'rejected'],
      'rejected',
      'CONTENT_POLICY',
      'The storyteller does not tell such stories',
    ]);
    assert.deepEqual(await lastOf(storyteller, ask('end: failed')), [
      ['created', 'in_progress', 'failed'],
      'failed',
      'MODEL_TIMEOUT',
      'The storyteller lost the thread',
    ]);
  });

  for (const end of ['canceled', 'incomplete'] as const)
    it(`ends ${end} with what arrived`, async () => {
      const storyteller = await serve('agent-api', 'storyteller');
      for (const stream of [true, false] as const) {
        const body = await post(storyteller, ask(`end: ${end}`, { stream }));
        const last = stream ? eventsIn(body).at(-1) : (JSON.parse(body) as Event);
        assert.deepEqual([last?.status, last?.error], [end, null]);
        assert.equal(textOf(last as Event), 'Once upon a time ');
      }
    });

  it('answers for an agent that is down or too slow, and stays up', async () => {
    const agent = await startRawAgent((socket, index) => {
      if (index === 0) socket.destroy();
      else if (index === 2) socket.end(reply('<html>', '200 OK', 'text/html'));
    });
    const entry = { protocol: 'agent-api', type: 'http', url: agent.origin, timeout: 1 };
    const bridged = await bridge(agentOf(entry, 'raw'), 'agent-api');
    open.push(bridged);
    const ends: unknown[] = [];
    for (const text of ['down', 'slow', 'nonsense'])
      ends.push((await lastOf(bridged, ask(text))).slice(0, 2));
    assert.deepEqual(
      ends,
      Array.from({ length: 3 }, () => [['created', 'in_progress', 'failed'], 'failed']),
    );
  });

  it('sends reasoning, calls and images in the order of the agent while they arrive', async () => {
    const bridged = await serve('agent-api', 'storyteller');
    const types = async (more: object): Promise<readonly unknown[]> => {
      const body = await post(bridged, ask('Tell me of the sky', more));
      const whole = eventsIn(body).at(-1) ?? (JSON.parse(body) as Event);
      return (whole.output ?? []).map(({ type, content }) => [type, content?.map(each => each.type)]);
    };
    const output = await types({});
    // As a whole, the image is a message of its own, as the agent sent it.
    assert.deepEqual((await types({ stream: false })).slice(0, 3), output.slice(0, 3));
    assert.deepEqual(output, [
      ['reasoning', ['text']],
      ['plugin_call', ['data']],
      ['plugin_call_output', ['data']],
      ['message', ['text', 'image']],
    ]);
    assert.deepEqual(notesOf(bridged), []);
  });

  it('says where it answers', async () => {
    const bridged = await serve('a2a', 'herald');
    const { origin } = new URL(bridged.address);
    const [other, get] = await Promise.all([
      fetch(`${origin}/chat`, { method: 'POST', body: '{}' }),
      fetch(bridged.address),
    ]);
    assert.deepEqual([other.status, get.status], [404, 405]);
    assert.match(await other.text(), /send POST \/process/);
  });
});
