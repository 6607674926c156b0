import assert from 'node:assert/strict';
import { SendMessageRequest, type AgentCard, type StreamResponse, type Task } from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type Client,
} from '@a2a-js/sdk/client';
import { after, before, describe, it } from 'mocha';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import { closeA2aAgents, startA2aAgent } from '../support/a2a-agent.ts';
import { until } from '../support/raw-agent.ts';
import { agentOf, bridge, showTrees, type TestBridge } from './support.ts';

const VERSIONS = ['1.0', '0.3'] as const;
type Version = (typeof VERSIONS)[number];

async function readCard(bridged: TestBridge): Promise<AgentCard> {
  return new DefaultAgentCardResolver({ legacyCompat: { enabled: true } }).resolve(bridged.address);
}

/** The official client, which chooses the interface of a version. */
async function connect(bridged: TestBridge, version: Version, binding = 'JSONRPC'): Promise<Client> {
  const card = await readCard(bridged);
  const supportedInterfaces = card.supportedInterfaces.filter(
    each => each.protocolVersion === version && each.protocolBinding === binding,
  );
  const transports = [
    new JsonRpcTransportFactory({ legacyCompat: { enabled: true } }),
    new RestTransportFactory(),
  ];
  return new ClientFactory({ transports }).createFromAgentCard({ ...card, supportedInterfaces });
}

function say(parts: readonly object[], more: object = {}, configuration: object = {}): SendMessageRequest {
  return SendMessageRequest.fromJSON({
    message: { messageId: 'message-1', role: 'ROLE_USER', parts, ...more },
    configuration,
  });
}

function call(tool: string, given: object): SendMessageRequest {
  return say([{ data: { tool, arguments: given } }]);
}

/** A task as text: its state, what its artifacts hold, and what the agent says about it. */
function show(task: Task): string {
  const parts = task.artifacts.flatMap(artifact => artifact.parts);
  const said = task.status?.message?.parts ?? [];
  const held = [...parts, ...said].map(part => JSON.stringify(part.content?.value));
  return [STATES[task.status?.state ?? 0], ...held].join(' ');
}

const STATES = ['?', 'submitted', 'working', 'completed', 'failed', 'canceled', 'input-required', 'rejected'];

async function send(client: Client, request: SendMessageRequest): Promise<Task> {
  const result = await client.sendMessage(request);
  assert.ok('status' in result, 'the result is a task');
  return result;
}

async function stream(client: Client, request: SendMessageRequest): Promise<readonly StreamResponse[]> {
  const events: StreamResponse[] = [];
  for await (const event of client.sendMessageStream(request)) events.push(event);
  return events;
}

function stateOf(event: StreamResponse | undefined): string | undefined {
  const payload = event?.payload;
  if (payload?.$case !== 'task' && payload?.$case !== 'statusUpdate') return undefined;
  return STATES[payload.value.status?.state ?? 0];
}

interface Answer {
  readonly result?: {
    readonly task?: { readonly id: string };
    readonly tasks?: unknown;
    readonly nextPageToken?: string;
  };
}

async function post(
  bridged: TestBridge,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(bridged.address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return (await response.json()) as Answer;
}

function request(method: string, params: object): object {
  return { jsonrpc: '2.0', id: 1, method, params };
}

function sending(parts: readonly object[], more: object = {}): object {
  return request('SendMessage', { message: { messageId: 'message-1', role: 'ROLE_USER', parts, ...more } });
}

describe('an agent served as A2A', () => {
  let demo: DemoAgents;
  const open: TestBridge[] = [];
  before(async () => {
    demo = await startDemoAgents();
  });
  after(async () => {
    await Promise.all(open.map(each => each.close()));
    await demo.close();
  });

  const serve = async (protocol: string, name: string): Promise<TestBridge> => {
    const url = demo.addresses.get(name)?.replace(protocol === 'json-rpc' ? /aicf$/ : /$^/, 'rpc');
    const bridged = await bridge(agentOf({ protocol, type: 'http', url }, name), 'a2a');
    open.push(bridged);
    return bridged;
  };

  for (const version of VERSIONS) {
    it(`gives tasks and calls to agents of every protocol (${version})`, async () => {
      for (const [protocol, name, task, sum] of ANSWERS) {
        const bridged = await serve(protocol, name);
        const client = await connect(bridged, version);
        assert.match(show(await send(client, say([{ text: 'Tell me a story' }]))), task, name);
        assert.match(show(await send(client, call('math.add', { a: 1, b: 2 }))), sum, name);
      }
    });

    it(`streams the reply as one artifact that grows (${version})`, async () => {
      const client = await connect(await serve('responses', 'oracle'), version);
      const events = await stream(client, say([{ text: 'What do I look for?' }]));
      const updates = events.flatMap(({ payload }) =>
        payload?.$case === 'artifactUpdate' ? [payload.value] : [],
      );
      const whole = await send(client, say([{ text: 'What do I look for?' }]));
      const texts = updates.map(({ artifact }) => String(artifact?.parts[0]?.content?.value));
      assert.equal(`completed ${JSON.stringify(texts.join(''))}`, show(whole));
      assert.deepEqual(
        updates.map(({ append, lastChunk }) => [append, lastChunk]),
        updates.map((_update, index) => [index > 0, index === updates.length - 1]),
      );
      assert.ok(updates.length > 5);
      assert.deepEqual(
        [events[0], events.at(-1)].map(event => [event?.payload?.$case, stateOf(event)]),
        [
          ['task', 'working'],
          ['statusUpdate', 'completed'],
        ],
      );
    });

    it(`follows, gets and cancels a task that the caller does not wait for (${version})`, async () => {
      const bridged = await serve('a2a', 'herald');
      const client = await connect(bridged, version);
      const long = [{ text: 'on and '.repeat(500) }];
      const begun = await send(client, say(long, {}, { returnImmediately: true }));
      assert.equal(show(begun), 'working');
      const events: StreamResponse[] = [];
      for await (const event of client.resubscribeTask({ id: begun.id, tenant: '' })) {
        const isFirst = !events.some(each => each.payload?.$case === 'artifactUpdate');
        events.push(event);
        if (isFirst && event.payload?.$case === 'artifactUpdate')
          await client.cancelTask({ id: begun.id, tenant: '', metadata: undefined });
      }
      assert.equal(stateOf(events.at(-1)), 'canceled');
      const got = await client.getTask({ id: begun.id, tenant: '', historyLength: 0 });
      assert.match(show(got), /^canceled "Hear (?:ye! )?/);
      assert.deepEqual(got.history, []);
      await assert.rejects(
        client.cancelTask({ id: begun.id, tenant: '', metadata: undefined }),
        /has ended \(canceled\), so it cannot be cancelled/,
      );
    });
  }

  for (const version of VERSIONS)
    it(`passes a question of the agent on, and the answer back (agent of ${version})`, async () => {
      const agent = await startA2aAgent({ version, streaming: version === '1.0' });
      const bridged = await bridge(agentOf({ protocol: 'a2a', type: 'http', url: agent.origin }), 'a2a');
      open.push(bridged);
      const client = await connect(bridged, version);
      const asked = await send(client, say([{ text: 'ask' }]));
      assert.equal(show(asked), 'input-required "Which city?"');
      const done = await send(client, say([{ text: 'Paris' }], { taskId: asked.id }));
      assert.equal(done.id, asked.id);
      assert.equal(show(done), 'completed "Then it is Paris"');
      assert.deepEqual(
        done.history.map(({ role, parts }) => [role, parts[0]?.content?.value as unknown]),
        [
          [1, 'ask'],
          [2, 'Which city?'],
          [1, 'Paris'],
        ],
      );
      await assert.rejects(
        send(client, say([{ text: 'Rome' }], { taskId: asked.id })),
        /has ended \(completed\)/,
      );
      await closeA2aAgents();
    });

  it('answers over HTTP+JSON as well, as values, streams and errors', async () => {
    const bridged = await serve('mcp', 'librarian');
    const client = await connect(bridged, '1.0', 'HTTP+JSON');
    const sum = await send(client, call('math.add', { a: 1, b: 2 }));
    assert.equal(show(sum), 'completed {"sum":3}');
    const events = await stream(client, call('math.add', { a: 1, b: 2 }));
    assert.deepEqual(
      events.map(({ payload }) => payload?.$case),
      ['task', 'artifactUpdate', 'statusUpdate'],
    );
    const got = await client.getTask({ id: sum.id, tenant: '', historyLength: 0 });
    assert.deepEqual([show(got), got.history], ['completed {"sum":3}', []]);
    await assert.rejects(
      client.getTask({ id: 'nothing', tenant: '', historyLength: 0 }),
      /no task 'nothing'/,
    );
    await assert.rejects(client.cancelTask({ id: sum.id, tenant: '', metadata: undefined }), /has ended/);
    assert.equal((await fetch(`${bridged.address}/message:send`, { method: 'POST', body: '{' })).status, 400);
  });

  it('asks its caller what an MCP server asks while a tool runs', async () => {
    const bridged = await serve('mcp', 'librarian');
    const client = await connect(bridged, '1.0');
    for (const [answer, expected] of [
      [{ data: { days: 5 } }, /^completed .*5 days/],
      [{ text: '7' }, /^completed .*7 days/],
    ] as const) {
      const asked = await send(client, call('book.borrow', { title: 'Emma' }));
      assert.match(show(asked), /^input-required ".*" \{"schema":\{.*"days"/);
      const done = await send(client, say([answer], { taskId: asked.id }));
      assert.match(show(done), expected);
      assert.equal(done.id, asked.id);
    }
    const declined = await send(client, call('book.borrow', { title: 'Emma' }));
    const received = await send(client, say([{ text: 'decline' }], { taskId: declined.id }));
    assert.doesNotMatch(show(received), /input-required|days/);
    const left = await send(client, call('book.borrow', { title: 'Emma' }));
    const cancelled = await client.cancelTask({ id: left.id, tenant: '', metadata: undefined });
    assert.equal(show(cancelled), 'canceled');
  });

  it('passes on a query of an AICL agent with its data, and data as the answer', async () => {
    const client = await connect(await serve('aicl', 'analyst'), '1.0');
    const asked = await send(client, say([{ text: 'Write a report' }]));
    assert.match(show(asked), /^input-required "The agent waits for .*'temperatures'" \{"query":/);
    const next = await send(client, say([{ data: [12, 15, 12] }], { taskId: asked.id }));
    assert.match(
      show(next),
      /^input-required .* \{"tool":"stats\.mean","arguments":\{"values":\[12,15,12\]\}\}$/,
    );
    const done = await send(client, say([{ data: 13 }], { taskId: asked.id }));
    assert.equal(show(done), 'completed {"report":"3 temperatures with a mean of 13 degrees","mean":13}');
    const refused = await send(client, call('fail.always', { reason: 'No paper' }));
    assert.match(show(refused), /^failed ".*No paper/);
    assert.match(JSON.stringify(refused.status?.message?.metadata), /"protocol":"aicl","code":5000/);
  });

  it('carries pictures, files and data of a message, and notes what the reply cannot carry', async () => {
    const bridged = await serve('aio', 'courier');
    const client = await connect(bridged, '1.0');
    const parts = [
      { text: 'Look' },
      { raw: 'iVBORw0KGgo=', mediaType: 'image/png' },
      { url: 'https://example.org/a.pdf', mediaType: 'application/pdf' },
    ];
    assert.match(show(await send(client, say(parts))), /I have read Look, an image \(8 bytes\), a file/);
    const old = await connect(await serve('aicl', 'analyst'), '0.3');
    const described = show(await send(old, call('stats.describe', { values: [1, 2, 3] })));
    assert.match(described, /^completed \{.*"mean":2/);
  });

  it('ends the call of a caller that goes before it knows its task, and stays up', async () => {
    const bridged = await serve('mcp', 'librarian');
    const stop = new AbortController();
    const body = JSON.stringify(sending([{ data: { tool: 'slow.count', arguments: { seconds: 50 } } }]));
    const left = fetch(bridged.address, { method: 'POST', body, signal: stop.signal });
    await until('the call', () => showTrees(bridged.events).some(tree => tree.includes('slow.count')));
    stop.abort();
    await assert.rejects(left);
    const ended = () => bridged.events.filter(each => each.type === 'end' && each.status === 'cancelled');
    await until('the end of both calls', () => ended().length >= 2);
    const listed = await post(bridged, request('ListTasks', {}));
    assert.match(JSON.stringify(listed), /"state":"TASK_STATE_CANCELED"/);
  });

  it('answers for an agent that is down with the reason', async () => {
    const gone = agentOf({ protocol: 'aicf', type: 'http', url: 'http://127.0.0.1:9/' }, 'gone');
    const bridged = await bridge(gone, 'a2a');
    open.push(bridged);
    const card = await fetch(new URL('/.well-known/agent-card.json', bridged.address));
    assert.equal(card.status, 502);
    const answered = await post(bridged, sending([{ text: 'Hello' }]));
    assert.match(JSON.stringify(answered), /"state":"TASK_STATE_FAILED".*127\.0\.0\.1:9/);
  });

  it('describes the tools as skills, with their schemas and an example', async () => {
    const card = await readCard(await serve('mcp', 'librarian'));
    const skill = card.skills.find(({ id }) => id === 'math.add');
    assert.deepEqual(skill?.examples, ['{"tool":"math.add","arguments":{"a":1,"b":1}}']);
    assert.match(skill.description, /^Adds two numbers\n\nCall it with a data part .*"type":"object"/s);
    assert.deepEqual(
      card.supportedInterfaces.map(each => [each.protocolBinding, each.protocolVersion]),
      [
        ['JSONRPC', '1.0'],
        ['HTTP+JSON', '1.0'],
        ['JSONRPC', '0.3'],
      ],
    );
    const old = await fetch(new URL('/.well-known/agent.json', card.supportedInterfaces[0]?.url));
    assert.match(await old.text(), /"protocolVersion":"0\.3\.0","url":"http:\/\/127\.0\.0\.1:\d+\/a2a"/);
  });

  it('lists the tasks of a context, the latest first', async () => {
    const bridged = await serve('mcp', 'librarian');
    const texts = ['one', 'two', 'three'];
    for (const text of texts)
      await post(
        bridged,
        sending([{ data: { tool: 'text.reverse', arguments: { text } } }], { contextId: 'c' }),
      );
    await post(bridged, sending([{ data: { tool: 'text.reverse', arguments: { text: 'other' } } }]));
    const query = { contextId: 'c', pageSize: 2, includeArtifacts: true };
    const first = await post(bridged, request('ListTasks', query));
    assert.deepEqual(JSON.stringify(first.result?.tasks).match(/eerht|owt|eno|rehto/g), ['eerht', 'owt']);
    const next = await post(
      bridged,
      request('ListTasks', { ...query, pageToken: first.result?.nextPageToken }),
    );
    assert.deepEqual(JSON.stringify(next.result?.tasks).match(/eerht|owt|eno|rehto/g), ['eno']);
    assert.equal(next.result?.nextPageToken, '');
  });

  it('says what is wrong with a request that it cannot answer', async () => {
    const bridged = await serve('mcp', 'librarian');
    const done = await post(bridged, sending([{ data: { tool: 'text.reverse', arguments: { text: 'x' } } }]));
    const ended = done.result?.task?.id;
    for (const [body, headers, expected] of [
      ['{', {}, /-32700.*not JSON/],
      ['[]', {}, /-32600.*no batches/],
      [{ method: 'SendMessage' }, {}, /-32600.*'jsonrpc'/],
      [{ jsonrpc: '2.0', method: 'SendMessage' }, {}, /-32600.*needs an 'id'/],
      [request('tools/call', {}), {}, /-32601.*no method 'tools\/call'/],
      [request('message/send', {}), { 'a2a-version': '1.0' }, /-32601.*call 'SendMessage'/],
      [request('GetTask', {}), { 'a2a-version': '2.0' }, /-32009.*send 1\.0 or 0\.3/],
      [request('SendMessage', {}), {}, /-32602.*no message/],
      [sending([]), {}, /-32602.*one or more parts/],
      [sending([{ nothing: 1 }]), {}, /-32602.*Part 1 of the message is none of A2A 1\.0/],
      [sending([{ text: 'x' }], { role: 'user' }), {}, /-32602.*'ROLE_USER', not 'user'/],
      [sending([{ text: 'x' }], { taskId: 'nothing' }), {}, /-32001.*no task 'nothing'.*latest 1000 tasks/],
      [sending([{ text: 'x' }], { taskId: ended }), {}, /-32004.*has ended \(completed\)/],
      [request('GetTask', { id: 'nothing' }), {}, /-32001/],
      [request('GetTask', { id: ended, historyLength: -1 }), {}, /-32602.*from 0/],
      [request('SubscribeToTask', { id: ended }), {}, /-32004.*get it instead/],
      [request('tasks/pushNotificationConfig/set', {}), {}, /-32003.*no push notifications/],
      [request('GetExtendedAgentCard', {}), {}, /-32007/],
      [request('ListTasks', { pageSize: 1000 }), {}, /-32602.*1 to 100/],
      [request('ListTasks', { pageToken: 'x' }), {}, /-32602.*pageToken/],
    ] as const)
      assert.match(JSON.stringify(await post(bridged, body, headers)), expected);
    const elsewhere = await fetch(new URL('/elsewhere', bridged.address), { method: 'POST', body: '{}' });
    assert.deepEqual(
      [elsewhere.status, (await elsewhere.text()).slice(0, 21)],
      [404, 'There is nothing here'],
    );
  });

  it('has one tree for the caller and the agent, and forwards nothing that names the task of the caller', async () => {
    const bridged = await serve('a2a', 'herald');
    await post(bridged, sending([{ text: 'Hello' }], { contextId: 'mine', metadata: { mood: 'fine' } }));
    assert.deepEqual(showTrees(bridged.events), ['SendMessage (herald as A2A, ok) [task (herald, ok)]']);
    const sent = JSON.stringify(
      bridged.events.filter(event => event.type === 'wire' && event.direction === 'out'),
    );
    assert.equal(sent.split('mine').length, 2);
    assert.equal(sent.split('message-1').length, 2);
    assert.equal(sent.split('mood').length, 3);
  });
});

/** For each demo agent, what it says to a task and to a call. */
const ANSWERS = [
  [
    'mcp',
    'librarian',
    /^rejected "The agent 'librarian' takes no tasks: call one of its tools/,
    /^completed \{"sum":3\}$/,
  ],
  ['aicf', 'toolbox', /^rejected "The agent 'toolbox' takes no tasks/, /^completed \{"sum":3\}$/],
  ['aicl', 'analyst', /^completed \{"task":"Tell me a story"/, /^rejected .*give it a task in words"$/],
  ['a2a', 'herald', /^completed "Hear ye! Tell me a story"$/, /^rejected .*give it a task in words"$/],
  ['agent-api', 'storyteller', /^completed "You asked: \\"Tell me a story\\"/, /^rejected .*give it a task/],
  ['responses', 'oracle', /^completed "/, /^rejected .*give it a task in words"$/],
  ['aio', 'courier', /^input-required "I have read Tell me a story\."$/, /^completed \{"sum":3\}$/],
  ['aio', 'curator', /^input-required "I have read Tell me a story\."$/, /^completed \{"sum":3\}$/],
  ['json-rpc', 'toolbox', /^rejected .*takes no tasks/, /^completed .*\{"sum":3\}/],
] as const;
