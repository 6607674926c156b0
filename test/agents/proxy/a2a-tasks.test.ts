import { OPEN } from '../support/open-options.ts';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, it } from 'mocha';
import { parseAgentsFile } from '../../../agents/config/agents-file.ts';
import { openAgent } from '../../../agents/open-agent.ts';
import { closeProxies, converse, lineOf, record, Tape } from './support.ts';

const FIRST = '4b2f0e1a-6a53-4c36-9d0e-5d8f1c7e2a01';
const SECOND = '9d6c1b7e-20c8-4f0b-8a54-3e1f7c5b9d02';

/** An agent of A2A that answers a message by a new task, the others by the task that they ask for. */
function answer(body: string): string {
  const { id, method, params } = JSON.parse(body) as {
    id: number;
    method: string;
    params: {
      id?: string;
      contextId?: string;
      message?: {
        contextId?: string;
        taskId?: string;
        referenceTaskIds?: readonly string[];
        parts: { text: string }[];
      };
    };
  };
  const asked = params.id ?? params.message?.taskId ?? params.message?.parts[0]?.text ?? '';
  const contextId = params.contextId ?? params.message?.contextId ?? 'talk';
  const task = { kind: 'task', id: asked, contextId, status: { state: 'working' } };
  if (method !== 'message/stream') return JSON.stringify({ jsonrpc: '2.0', id, result: task });
  const update = {
    kind: 'status-update',
    taskId: asked,
    contextId,
    status: { state: 'completed' },
    final: true,
  };
  return [task, update].map(result => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`).join('');
}

describe('a recording of an A2A agent', () => {
  let agent: Server;
  let origin = '';
  before(async () => {
    agent = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        // It has no card.
        if (request.method === 'GET') return void response.writeHead(404).end();
        const body = Buffer.concat(pieces).toString();
        const type = body.includes('message/stream') ? 'text/event-stream' : 'application/json';
        response.setHeader('content-type', type).end(answer(body));
      });
    });
    await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
  });
  after(() => void agent.close());
  afterEach(closeProxies);

  /** Sends requests one after the other; answers what the traces are, each a list of its calls. */
  async function send(
    requests: readonly (readonly [method: string, params: unknown])[],
  ): Promise<string[][]> {
    const tape = new Tape();
    const proxy = await record(`${origin}/`, tape);
    for (const [index, [method, params]] of requests.entries()) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: index + 1, method, params });
      await (await fetch(proxy.address, { method: 'POST', body })).text();
    }
    await proxy.close();
    return tape.trees().map(tree => tree.roots.map(lineOf));
  }

  const message = (text: string, more: object = {}): object => ({
    message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text }], ...more },
  });

  it('has all calls about one task in one trace, side by side', async () => {
    assert.deepEqual(
      await send([
        ['message/send', message(FIRST)],
        ['message/stream', message(SECOND)],
        ['tasks/get', { id: FIRST }],
        ['message/send', message('go on', { taskId: FIRST })],
        ['tasks/get', { id: SECOND }],
        ['tasks/cancel', { id: FIRST }],
      ]),
      [
        [
          'a2a · message/send · ok',
          `a2a · tasks/get ${FIRST} · ok`,
          'a2a · message/send · ok',
          `a2a · tasks/cancel ${FIRST} · ok`,
        ],
        ['a2a · message/stream · ok', `a2a · tasks/get ${SECOND} · ok`],
      ],
    );
  });

  it('has what we send ourselves in the trace of its task, also where it passes no recording', async () => {
    const tape = new Tape();
    const config = { type: 'http', protocol: 'a2a', url: `${origin}/` };
    const { agents } = parseAgentsFile(JSON.stringify({ agents: { planner: config } }));
    const planner = agents.get('planner');
    assert.ok(planner);
    const variables = {
      env: () => undefined,
      demo: () => undefined,
      input: () => undefined,
      secret: () => undefined,
      workspaceFolder: () => undefined,
    };
    const agent = await openAgent(planner, variables, event => tape.take(event), {
      ...OPEN,
    });
    assert.ok(agent.ok);
    const settings = { url: 'http://client.example/hook', token: 'hook-token-1' };
    const quiet = {
      head: () => undefined,
      bytes: () => undefined,
      note: () => undefined,
      progress: () => undefined,
    };
    const asked = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: FIRST } };
    for (const request of [
      {
        ...asked,
        method: 'message/stream',
        params: { ...message(FIRST), configuration: { pushNotificationConfig: settings } },
      },
      { ...asked, params: { id: SECOND } },
    ])
      await agent.send(
        { wireText: JSON.stringify(request), title: request.method },
        quiet,
        new AbortController().signal,
      ).reply;
    await agent.close();
    const proxy = await record(`${origin}/`, tape);
    for (const id of [FIRST, SECOND])
      await (
        await fetch(proxy.address, { method: 'POST', body: JSON.stringify({ ...asked, params: { id } }) })
      ).text();
    await proxy.close();
    assert.deepEqual(
      tape.trees().map(tree => tree.roots.map(({ call }) => `${call.agent} ${call.title}`)),
      [
        ['planner message/stream', `agent tasks/get ${FIRST}`],
        ['planner tasks/get', `agent tasks/get ${SECOND}`],
      ],
    );
    assert.equal(JSON.stringify(tape.events).includes(settings.token), false);
  });

  it('records no credential for push notifications after a long message', async () => {
    const tape = new Tape();
    const proxy = await record(`${origin}/`, tape, { protocol: 'a2a' });
    const token = 'hook-token-1';
    const params = {
      ...message(FIRST, { metadata: { long: 'x'.repeat(80_000) } }),
      configuration: { pushNotificationConfig: { url: 'http://client.example/', token } },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params });
    const head = `POST / HTTP/1.1\r\nHost: localhost:${proxy.port}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { end } = await converse(proxy.port, [head + body.slice(0, 70_000), body.slice(70_000)]);
    await proxy.close();
    assert.equal(end, 'ended');
    assert.deepEqual(tape.calls().map(lineOf), ['a2a · message/send · ok']);
    assert.equal(JSON.stringify(tape.events).includes(token), false);
  });

  it('has a task that refers to others in their trace', async () => {
    assert.deepEqual(
      await send([
        ['message/send', message(FIRST)],
        ['message/send', message(SECOND, { referenceTaskIds: [FIRST] })],
      ]),
      [['a2a · message/send · ok', 'a2a · message/send · ok']],
    );
  });

  it('has tasks with short ids in one trace by the ids of their contexts', async () => {
    const [context, other] = [FIRST, SECOND];
    assert.deepEqual(
      await send([
        ['message/send', message('1', { contextId: context })],
        ['message/send', message('1', { contextId: other })],
        ['message/send', message('go on', { taskId: '1', contextId: context })],
        ['message/send', message('2', { contextId: context })],
        ['tasks/get', { id: '1', contextId: other }],
      ]),
      [
        ['a2a · message/send · ok', 'a2a · message/send · ok'],
        ['a2a · message/send · ok', 'a2a · tasks/get 1 · ok'],
        ['a2a · message/send · ok'],
      ],
    );
  });

  it('joins nothing by an id that may be that of several agents', async () => {
    assert.deepEqual(
      await send([
        ['message/send', message('1')],
        ['tasks/get', { id: '1' }],
      ]),
      [['a2a · message/send · ok'], ['a2a · tasks/get 1 · ok']],
    );
  });
});
