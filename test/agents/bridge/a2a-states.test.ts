import assert from 'node:assert/strict';
import { ListTasksRequest } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, RestTransportFactory } from '@a2a-js/sdk/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { after, before, describe, it } from 'mocha';
import { parseJson } from '../../../core/text/json.ts';
import { agentOf, at, bridge, notesOf, startListener, type TestBridge } from './support.ts';

const PICTURE = { kind: 'file', file: { mimeType: 'image/png', bytes: 'iVBORw0KGgo=' } };
const THOUGHTS = ['one', 'two'];

/** What an A2A agent does for a word: the events of its task. */
function eventsFor(words: string): readonly object[] {
  const update = (state: string, text?: string): object => ({
    kind: 'status-update',
    ...TASK,
    status: text === undefined ? { state } : { state, message: saying(text) },
    final: state !== 'working',
  });
  if (words.includes('"task-1"')) return [update('completed', 'signed in')];
  const word = /"text":"([^"]*)"/.exec(words)?.[1] ?? '';
  if (word !== 'draw') return [update(word, `I am ${word}`)];
  const artifact = { artifactId: 'picture', parts: [PICTURE] };
  return [
    ...THOUGHTS.map(text => update('working', text)),
    { kind: 'artifact-update', ...TASK, artifact, lastChunk: true },
    update('completed'),
  ];
}

const TASK = { taskId: 'task-1', contextId: 'context-1' };

function saying(text: string): object {
  return { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text }] };
}

describe('the task of a caller of an A2A agent that is served as A2A', () => {
  let agent: Awaited<ReturnType<typeof startListener>>;
  let bridged: TestBridge;
  before(async () => {
    agent = await startListener((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      request.on('end', () => {
        if (request.method === 'GET') {
          const card = { protocolVersion: '0.3.0', name: 'a', description: 'd', version: '1' };
          const capabilities = { streaming: true };
          const rest = { url: agent.address, capabilities, skills: [], preferredTransport: 'JSONRPC' };
          return response.end(JSON.stringify({ ...card, ...rest }));
        }
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const id = at(parseJson(body), 'id');
        for (const result of eventsFor(JSON.stringify(at(parseJson(body), 'params', 'message'))))
          response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
        return response.end();
      });
    });
    bridged = await bridge(agentOf({ protocol: 'a2a', type: 'http', url: agent.address }), 'a2a');
  });
  after(async () => {
    await bridged.close();
    await agent.close();
  });

  const post = async (method: string, parts: readonly object[], more: object = {}): Promise<string> => {
    const message = { kind: 'message', messageId: 'm1', role: 'user', parts, ...more };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message } });
    return (await fetch(bridged.address, { method: 'POST', body })).text();
  };
  const send = async (text: string, more: object = {}): Promise<unknown> =>
    at(parseJson(await post('message/send', [{ kind: 'text', text }], more)), 'result');

  for (const state of ['rejected', 'canceled', 'failed', 'input-required'])
    it(`is ${state} as that of the agent`, async () => {
      const task = await send(state);
      assert.equal(at(task, 'status', 'state'), state);
      assert.equal(at(task, 'status', 'message', 'parts', 0, 'text'), `I am ${state}`);
      assert.equal(at(task, 'artifacts'), undefined);
    });

  it('waits for its caller where the agent wants a sign-in, and goes on with the next message', async () => {
    const task = await send('auth-required');
    assert.equal(at(task, 'status', 'state'), 'input-required');
    assert.equal(at(task, 'status', 'message', 'parts', 0, 'text'), 'I am auth-required');
    const signedIn = await send('done', { taskId: at(task, 'id') });
    assert.equal(at(signedIn, 'status', 'state'), 'completed');
    assert.equal(at(signedIn, 'artifacts', 0, 'parts', 0, 'text'), 'signed in');
  });

  it('has the parts of the agent alone, and an id for each message', async () => {
    assert.deepEqual(at(await send('draw'), 'artifacts', 0, 'parts'), [PICTURE]);
    const streamed = await post('message/stream', [{ kind: 'text', text: 'draw' }]);
    const events = [...streamed.matchAll(/^data: (.*)$/gm)].map(([, data = '']) =>
      at(parseJson(data), 'result'),
    );
    const said = events.flatMap(event => at(event, 'status', 'message') ?? []);
    assert.deepEqual(
      said.map(message => at(message, 'parts', 0, 'text')),
      THOUGHTS,
    );
    assert.equal(new Set(said.map(message => at(message, 'messageId'))).size, THOUGHTS.length);
    const parts = events.flatMap(event => at(event, 'artifact', 'parts') ?? []);
    assert.deepEqual(parts, [PICTURE]);
  });

  it('has what the agent says while it works as steps for callers of MCP', async () => {
    const served = await bridge(agentOf({ protocol: 'a2a', type: 'http', url: agent.address }), 'mcp');
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(served.address)));
    const steps: unknown[] = [];
    await client.callTool(
      { name: 'ask', arguments: { task: 'draw' } },
      { onprogress: ({ progress, message }) => void steps.push([progress, message]) },
    );
    await client.close();
    await served.close();
    assert.deepEqual(steps, [
      [1, 'one'],
      [2, 'two'],
    ]);
  });

  it('has a note of what callers of Responses do not receive', async () => {
    const served = await bridge(agentOf({ protocol: 'a2a', type: 'http', url: agent.address }), 'responses');
    await fetch(served.address, {
      method: 'POST',
      body: JSON.stringify({ model: 'target', input: 'draw' }),
    });
    const notes = notesOf(served).filter(note => note.includes('progress'));
    await served.close();
    assert.deepEqual(notes, ['The agent reports its progress, which the caller does not receive']);
  });

  it('is refused over HTTP+JSON with the status that official servers name', async () => {
    for (const [path, status, name, reason] of [
      ['tasks/none', 404, 'NOT_FOUND', 'TASK_NOT_FOUND'],
      ['tasks?pageSize=0', 400, 'INVALID_ARGUMENT', 'INVALID_PARAMS'],
      ['extendedAgentCard', 400, 'FAILED_PRECONDITION', 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'],
    ] as const) {
      const response = await fetch(`${bridged.address}/${path}`);
      assert.equal(response.status, status);
      const error = at(parseJson(await response.text()), 'error');
      assert.deepEqual([at(error, 'status'), at(error, 'details', 0, 'reason')], [name, reason]);
    }
    const card = await new DefaultAgentCardResolver().resolve(bridged.address);
    const supportedInterfaces = card.supportedInterfaces.filter(each => each.protocolBinding === 'HTTP+JSON');
    const client = await new ClientFactory({
      transports: [new RestTransportFactory()],
    }).createFromAgentCard({ ...card, supportedInterfaces });
    await assert.rejects(client.listTasks(ListTasksRequest.fromJSON({ pageSize: 101 })), {
      name: 'RequestMalformedError',
      message: "'pageSize' is a whole number from 1 to 100",
    });
  });

  it('takes a file without a media type that its first bytes show', async () => {
    const { kind, file } = PICTURE;
    const named = await post('message/send', [
      { kind: 'text', text: 'draw' },
      { kind, file: { bytes: file.bytes } },
    ]);
    assert.equal(at(parseJson(named), 'result', 'status', 'state'), 'completed');
  });
});
