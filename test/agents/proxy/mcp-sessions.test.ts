import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer, type EventStore, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { afterEach, describe, it } from 'mocha';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { readParts } from '../../../protocols/reply-parts/parts-reader.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { until } from '../support/raw-agent.ts';
import { closeProxies, closeServers, lineOf, record, serve, Tape, wireOf } from './support.ts';

async function startAgent(
  answer: (message: IncomingMessage, body: string, reply: ServerResponse) => void,
): Promise<string> {
  return serve((message, reply) => {
    void readAll(message).then(body => answer(message, body, reply));
  });
}

async function readAll(stream: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of stream) text += String(piece);
  return text;
}

/** A message of a client; answers the status and what came. */
async function post(url: string, message: object, session?: string): Promise<string> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-06-18',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  return `${reply.status} ${await reply.text()}`;
}

function toolCall(id: number, name: string): object {
  return { id, method: 'tools/call', params: { name, arguments: {} } };
}

function event(message: object): string {
  return `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
}

/** A stream that a client listens to, and the endpoint that it named first. */
interface Listening {
  readonly endpoint: string;
  close(): void;
}

function listenTo(url: string): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { agent: false, headers: { accept: 'text/event-stream' } }, stream => {
      let text = '';
      stream.on('error', () => undefined);
      stream.on('data', piece => {
        text += String(piece);
        const endpoint = /data: (.*)\n\n/.exec(text)?.[1];
        if (endpoint !== undefined) resolve({ endpoint, close: () => asked.destroy() });
      });
    });
    asked.on('error', reject);
  });
}

function describeCall(node: CallNode): readonly (string | undefined)[] {
  return [lineOf(node), node.message, node.call.session];
}

describe('calls of several sessions of one MCP server', () => {
  afterEach(async () => {
    await closeProxies();
    await closeServers();
  });

  it('have their own answers over the streams of 2024-11-05, also with the same ids', async () => {
    const streams = new Map<string, ServerResponse>();
    const asked = new Map<string, string>();
    const origin = await startAgent((message, body, reply) => {
      const session = new URL(message.url ?? '', 'http://x').searchParams.get('sessionId') ?? '';
      if (message.method === 'GET') {
        const id = `s${streams.size + 1}`;
        streams.set(id, reply.setHeader('content-type', 'text/event-stream'));
        reply.write(`event: endpoint\ndata: /messages?sessionId=${id}\n\n`);
        return;
      }
      reply.writeHead(202).end('Accepted');
      asked.set(session, body);
      // The last one that asked is answered first.
      if (asked.size === 2)
        for (const each of ['s2', 's1']) {
          const text = `answer for ${each}`;
          const usage = { input_tokens: 7, output_tokens: 2 };
          const result = { content: [{ type: 'text', text }], _meta: { usage } };
          streams.get(each)?.write(event({ id: 1, result }));
        }
    });
    const tape = new Tape();
    const proxy = await record(`${origin}/sse`, tape);
    const [first, second] = [await listenTo(proxy.address), await listenTo(proxy.address)];
    for (const [index, { endpoint }] of [first, second].entries())
      await post(new URL(endpoint, proxy.address).href, toolCall(1, `tool-${index + 1}`));
    const listCalls = (): readonly CallNode[] => tape.calls().filter(({ call }) => /^tool/.test(call.title));
    await until('both have an answer', () => listCalls().every(({ status }) => status !== 'open'));
    first.close();
    second.close();
    await closeProxies();
    assert.deepEqual(
      listCalls().map(node => [lineOf(node), /answer for s\d/.exec(wireOf(node, 'in'))?.[0], node.usage]),
      [
        ['mcp · tool-1 · ok', 'answer for s1', { input: 7, output: 2 }],
        ['mcp · tool-2 · ok', 'answer for s2', { input: 7, output: 2 }],
      ],
    );
  });

  it('have their own progress over the streams of 2024-11-05', async () => {
    let stream: ServerResponse | undefined;
    const origin = await startAgent((message, body, reply) => {
      if (message.method === 'GET') {
        stream = reply.setHeader('content-type', 'text/event-stream');
        reply.write('event: endpoint\ndata: /messages?sessionId=s\n\n');
        return;
      }
      reply.writeHead(202).end('Accepted', () =>
        setTimeout(() => {
          for (const [progressToken, progress] of [
            ['b', 1],
            ['a', 2],
            ['other', 3],
          ] as const)
            stream?.write(
              event({ method: 'notifications/progress', params: { progressToken, progress, total: 4 } }),
            );
          if (body.includes('"b"'))
            for (const id of [2, 1])
              stream?.write(event({ id, result: { content: [{ type: 'text', text: `answer ${id}` }] } }));
        }, 50),
      );
    });
    const tape = new Tape();
    const proxy = await record(`${origin}/sse`, tape);
    const listening = await listenTo(proxy.address);
    const address = new URL(listening.endpoint, proxy.address).href;
    for (const [id, progressToken] of [
      [1, 'a'],
      [2, 'b'],
    ] as const)
      await post(address, {
        id,
        method: 'tools/call',
        params: { name: `tool-${id}`, _meta: { progressToken } },
      });
    const listCalls = (): readonly CallNode[] => tape.calls().filter(({ call }) => /^tool/.test(call.title));
    await until(
      'both have an answer',
      () => listCalls().length === 2 && listCalls().every(({ status }) => status !== 'open'),
    );
    listening.close();
    await closeProxies();
    const parts = listCalls().map(node =>
      readParts(ALL_PROTOCOLS.find('mcp'), node.payload, 'ended').parts.map(({ kind, title, text }) => [
        kind,
        title || text,
      ]),
    );
    assert.deepEqual(
      parts.map(each => each.at(-1)),
      [
        ['result', 'answer 1'],
        ['result', 'answer 2'],
      ],
    );
    assert.deepEqual(parts[1], [
      ['progress', '1 of 4'],
      ['result', 'answer 2'],
    ]);
    assert.ok(parts[0]?.some(([kind, title]) => kind === 'progress' && title === '2 of 4'));
  });

  it('end with the stream of their own session, and no other', async () => {
    const streams: ServerResponse[] = [];
    const origin = await startAgent((message, _, reply) => {
      if (message.method !== 'GET') return void reply.writeHead(202).end('Accepted');
      streams.push(reply.setHeader('content-type', 'text/event-stream'));
      reply.write(`event: endpoint\ndata: /messages?sessionId=s${streams.length}\n\n`);
    });
    const tape = new Tape();
    const proxy = await record(`${origin}/sse`, tape);
    const [first, second] = [await listenTo(proxy.address), await listenTo(proxy.address)];
    for (const [index, { endpoint }] of [first, second].entries())
      await post(new URL(endpoint, proxy.address).href, toolCall(1, `tool-${index + 1}`));
    streams[1]?.end();
    const find = (title: string): CallNode | undefined =>
      tape.calls().find(({ call }) => call.title === title);
    await until('the second one ended', () => find('tool-2')?.status === 'incomplete');
    assert.equal(find('tool-1')?.status, 'open');
    assert.equal(find('tool-2')?.message, "The server's stream ended before the answer came over it");
    streams[0]?.write(event({ id: 1, result: {} }));
    await until('the first one is answered', () => find('tool-1')?.status === 'ok');
    first.close();
    second.close();
  });

  it('have their own questions to the caller, also with the same ids', async () => {
    const open = new Map<string, () => void>();
    const origin = await startAgent((message, body, reply) => {
      const session = String(message.headers['mcp-session-id']);
      const { id, method } = JSON.parse(body) as { readonly id: number; readonly method?: string };
      if (method === undefined) {
        reply.writeHead(202).end();
        open.get(session)?.();
        return;
      }
      reply.setHeader('content-type', 'text/event-stream');
      reply.write(event({ id: 0, method: 'elicitation/create', params: { message: session } }));
      open.set(session, () => reply.end(event({ id, result: { content: [] } })));
    });
    const tape = new Tape();
    const proxy = await record(`${origin}/mcp`, tape);
    const calls = ['A', 'B'].map(session => post(proxy.address, toolCall(5, `tool-${session}`), session));
    await until('both asked', () => open.size === 2);
    await post(proxy.address, { id: 0, error: { code: -1, message: 'The user said no' } }, 'B');
    await post(proxy.address, { id: 0, result: { action: 'accept', content: {} } }, 'A');
    await Promise.all(calls);
    await closeProxies();
    const questions = tape.calls().filter(({ call }) => call.title.startsWith('tool-'));
    assert.deepEqual(
      questions
        .map(node => [lineOf(node), ...node.children.map(child => [lineOf(child), child.message].join(' '))])
        .sort(),
      [
        ['mcp · tool-A · ok', 'mcp · elicitation/create · ok '],
        ['mcp · tool-B · ok', 'mcp · elicitation/create · error · -1 The user said no'],
      ],
    );
    assert.deepEqual(
      questions.flatMap(({ children }) => children.flatMap(child => child.children.map(lineOf))),
      ['mcp · answer to elicitation/create · ok', 'mcp · answer to elicitation/create · ok'],
    );
  });

  it('that a server lets its client poll are answered where the client asks for the rest', async () => {
    const mcp = new McpServer({ name: 'poller', version: '1.0.0' });
    mcp.registerTool('slow', { description: 'Answers later' }, ctx => {
      ctx.http?.closeSSE?.();
      return new Promise(
        resolve =>
          void resumed.then(() =>
            resolve({ content: [{ type: 'text', text: 'late' }], _meta: { usage: { input_tokens: 3 } } }),
          ),
      );
    });
    let resume: () => void = () => undefined;
    const resumed = new Promise<void>(resolve => (resume = resolve));
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: keepEvents(),
      retryInterval: 1,
    });
    await mcp.connect(transport);
    const origin = await serve((message, reply) => {
      if (message.headers['last-event-id'] !== undefined) resume();
      void transport.handleRequest(message, reply);
    });
    const tape = new Tape();
    const proxy = await record(`${origin}/mcp`, tape);
    const client = new Client({ name: 'client', version: '1.0.0' });
    const way = new StreamableHTTPClientTransport(new URL(proxy.address));
    await client.connect(way);
    const result = await client.callTool({ name: 'slow', arguments: {} });
    await way.terminateSession();
    await client.close();
    await mcp.close();
    await closeProxies();
    assert.deepEqual(result.content, [{ type: 'text', text: 'late' }]);
    const slow = tape.calls().find(({ call }) => call.title === 'slow');
    assert.deepEqual(
      [slow && lineOf(slow), slow?.message, slow?.notes, slow && /"text":"late"/.test(wireOf(slow, 'in'))],
      [
        'mcp · slow · ok',
        undefined,
        ["Its answer came over the server's stream; it is recorded there as well"],
        true,
      ],
    );
    // The answer is an event like those before it, and its tokens count once.
    const payload = tape.events.filter(event => event.type === 'head' || event.type === 'wire');
    const events = payload.filter(({ call }) => call === slow?.call.call);
    const { parts, notes } = readParts(ALL_PROTOCOLS.find('mcp'), events, 'ended');
    assert.deepEqual([parts.map(part => [part.kind, part.text]), notes], [[['result', 'late']], []]);
    assert.deepEqual(
      tape.events.flatMap(event => (event.type === 'end' && event.usage) || []),
      [{ input: 3 }],
    );
  });

  it('that are not fetched again are incomplete once the session is over', async () => {
    const origin = await startAgent((message, _, reply) => {
      if (message.method === 'DELETE') return void reply.writeHead(405).end();
      reply.setHeader('content-type', 'text/event-stream');
      reply.end('id: 7\nretry: 10\ndata: \n\n');
    });
    const tape = new Tape();
    const proxy = await record(`${origin}/mcp`, tape);
    await post(proxy.address, toolCall(1, 'left'), 'A');
    await post(proxy.address, toolCall(1, 'other'), 'B');
    await until('both are told', () => tape.calls().length === 2);
    await fetch(proxy.address, { method: 'DELETE', headers: { 'mcp-session-id': 'A' } });
    await until('the session is over', () => tape.calls()[0]?.status !== 'open');
    assert.deepEqual(tape.calls().map(describeCall), [
      ['mcp · left · incomplete', 'The stream ended before the answer came', 'A'],
      ['mcp · other · open', undefined, 'B'],
      ['mcp · end session · ok', undefined, 'A'],
    ]);
    await closeProxies();
    assert.deepEqual(describeCall(tape.calls()[1] as CallNode), [
      'mcp · other · incomplete',
      'The stream ended before the answer came',
      'B',
    ]);
  });

  it('that their caller takes back are cancelled, with the reason, whether the server ends their stream or not', async () => {
    const open = new Map<string, (text?: string) => void>();
    const origin = await startAgent((message, body, reply) => {
      const { method, params } = JSON.parse(body) as {
        readonly method: string;
        readonly params: { readonly name?: string; readonly requestId?: number };
      };
      const session = String(message.headers['mcp-session-id']);
      if (method === 'notifications/cancelled') {
        reply.writeHead(202).end();
        if (params.requestId === 7) open.get(session)?.();
        return;
      }
      reply.setHeader('content-type', 'text/event-stream');
      if (params.name === 'polled') return void reply.end('id: 1\ndata: \n\n');
      reply.write(': open\n\n');
      open.set(session, text => reply.end(text));
    });
    const tape = new Tape();
    const proxy = await record(`${origin}/mcp`, tape);
    const streamed = post(proxy.address, toolCall(7, 'streamed'), 'A');
    await until('it is told', () => tape.calls().length === 1);
    await post(proxy.address, toolCall(8, 'polled'), 'A');
    const other = post(proxy.address, toolCall(7, 'same id'), 'B');
    await until('all are told', () => tape.calls().length === 3 && open.size === 2);
    const cancel = (requestId: number, reason?: string): Promise<string> =>
      post(proxy.address, { method: 'notifications/cancelled', params: { requestId, reason } }, 'A');
    await cancel(8);
    await cancel(7, 'The user stopped it');
    await streamed;
    open.get('B')?.(event({ id: 7, result: {} }));
    await other;
    await closeProxies();
    assert.deepEqual(tape.calls().slice(0, 3).map(describeCall), [
      ['mcp · streamed · cancelled · CANCELLED', 'Its caller cancelled it: The user stopped it', 'A'],
      ['mcp · polled · cancelled · CANCELLED', 'Its caller cancelled it', 'A'],
      ['mcp · same id · ok', undefined, 'B'],
    ]);
  });
});

/** Keeps events for clients that ask again, in memory. */
function keepEvents(): EventStore {
  const stored: { readonly id: string; readonly stream: string; readonly message: JSONRPCMessage }[] = [];
  return {
    storeEvent(stream, message) {
      const id = `${stream}_${stored.length}`;
      stored.push({ id, stream, message });
      return Promise.resolve(id);
    },
    async replayEventsAfter(lastId, { send }) {
      const from = stored.findIndex(({ id }) => id === lastId);
      const stream = stored[from]?.stream ?? '';
      for (const each of stored.slice(from + 1))
        if (each.stream === stream) await send(each.id, each.message);
      return stream;
    },
  };
}
