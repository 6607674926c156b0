import assert from 'node:assert/strict';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, it } from 'mocha';
import { LISTENING } from '../../../core/catalog/protocols.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { readParts } from '../../../protocols/reply-parts/parts-reader.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { until } from '../support/raw-agent.ts';
import { closeProxies, closeServers, lineOf, observe, record, serve, Tape } from './support.ts';

/** What the client says (`>`) and the server (`<`), in order; `<=` is said before the message is accepted. */
type Line = `${'>' | '<' | '<='}${string}`;

const rpc = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
const call = (id: number, name: string): Line =>
  `>${rpc({ id, method: 'tools/call', params: { name, _meta: { progressToken: `p${id}` } } })}`;
const ping = (id: number): Line => `>${rpc({ id, method: 'ping' })}`;
const log = (data: string): Line =>
  `<${rpc({ method: 'notifications/message', params: { level: 'info', data } })}`;
const ask = (id: string, method: string): Line => `<${rpc({ id, method, params: {} })}`;
const told = (id: string): Line => `>${rpc({ id, result: { action: 'decline' } })}`;
const done = (id: number): Line => `<${rpc({ id, result: { content: [{ type: 'text', text: `${id}` }] } })}`;
const early = (line: Line): Line => `<=${line.slice(1)}`;
const progress = (id: number): Line =>
  `<${rpc({ method: 'notifications/progress', params: { progressToken: `p${id}`, progress: 1, total: 2 } })}`;

async function readAll(stream: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of stream) text += String(piece);
  return text;
}

/** Records the conversation over a process. */
function overStdio(lines: readonly Line[]): Promise<Tape> {
  return Promise.resolve(observe(...lines.map((line): Line => line.replace(/^<=/, '<') as Line)));
}

/** Records the conversation over the stream and the posts of 2024-11-05. */
async function overHttp(lines: readonly Line[]): Promise<Tape> {
  let stream: ServerResponse | undefined;
  const afterwards = new Map<string, readonly string[]>();
  const origin = await serve((message, reply) => {
    if (message.method === 'GET') {
      stream = reply.setHeader('content-type', 'text/event-stream');
      reply.write('event: endpoint\ndata: /messages?sessionId=s\n\n');
      return;
    }
    void readAll(message).then(async body => {
      for (const text of afterwards.get(body) ?? []) await say(text);
      reply.writeHead(202).end('Accepted');
    });
  });
  const tape = new Tape();
  let came = '';
  const say = async (text: string): Promise<void> => {
    stream?.write(`data: ${text}\n\n`);
    await until('the client has it', () => came.includes(text));
  };
  const proxy = await record(`${origin}/sse`, tape, { protocol: 'mcp' });
  const asked = get(proxy.address, { agent: false, headers: { accept: 'text/event-stream' } }, reply => {
    reply.on('error', () => undefined).on('data', piece => (came += String(piece)));
  });
  asked.on('error', () => undefined);
  await until('the stream is open', () => came.includes('sessionId'));
  const address = new URL('/messages?sessionId=s', proxy.address).href;
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('<=')) continue;
    const text = line.slice(1);
    if (line.startsWith('<')) {
      await say(text);
      continue;
    }
    const next = lines.slice(at + 1);
    const end = next.findIndex(each => !each.startsWith('<='));
    afterwards.set(
      text,
      next.slice(0, end < 0 ? undefined : end).map(each => each.slice(2)),
    );
    await (await fetch(address, { method: 'POST', body: text })).text();
  }
  asked.destroy();
  await closeProxies();
  return tape;
}

/** A call in a line with its parts and notes, and those below it. */
function describeNode(node: CallNode): unknown {
  const parts = readParts(ALL_PROTOCOLS.find('mcp'), node.payload, 'ended').parts;
  return {
    call: lineOf(node),
    parts: parts.map(({ kind, title, text }) => [kind, title, text].filter(Boolean).join(' ')),
    notes: node.notes.filter(note => !note.startsWith('Its answer came over')),
    ...(node.children.length === 0 ? {} : { below: node.children.map(child => lineOf(child)) }),
  };
}

const NEWEST =
  'The agent does not say to which open call its logs and questions belong; with several, the newest is assumed';

describe('what an MCP server of 2024-11-05 logs and asks without naming a call', () => {
  afterEach(async () => {
    await closeProxies();
    await closeServers();
  });

  for (const [way, run] of [
    ['a process', overStdio],
    ['its stream', overHttp],
  ] as const) {
    /** The calls of tools. */
    const tools = async (...lines: readonly Line[]): Promise<unknown> =>
      (await run(lines))
        .calls()
        .filter(({ call: { title } }) => title.startsWith('tool'))
        .map(describeNode);

    it(`over ${way} belongs to the call that runs, and not to a ping during it`, async () => {
      assert.deepEqual(
        await tools(
          call(1, 'tool-a'),
          ping(2),
          log('still here'),
          ask('q', 'sampling/createMessage'),
          done(2),
          told('q'),
          done(1),
        ),
        [
          {
            call: 'mcp · tool-a · ok',
            parts: ['log info still here', 'request sampling/createMessage {}', 'result 1'],
            notes: [],
            below: ['mcp · sampling/createMessage · ok'],
          },
        ],
      );
    });

    it(`over ${way} belongs to the newest of several calls, with a note, and progress to its own`, async () => {
      assert.deepEqual(
        await tools(
          call(1, 'tool-a'),
          log('one'),
          call(2, 'tool-b'),
          log('two'),
          log('three'),
          progress(1),
          ask('r', 'roots/list'),
          told('r'),
          done(2),
          log('four'),
          ask('e', 'elicitation/create'),
          told('e'),
          done(1),
        ),
        [
          {
            call: 'mcp · tool-a · ok',
            parts: [
              'log info one',
              'progress 1 of 2',
              'log info four',
              'request elicitation/create {}',
              'result 1',
            ],
            notes: [],
            below: ['mcp · elicitation/create · ok'],
          },
          {
            call: 'mcp · tool-b · ok',
            parts: ['log info two', 'log info three', 'request roots/list {}', 'result 2'],
            notes: [NEWEST],
            below: ['mcp · roots/list · ok'],
          },
        ],
      );
    });

    it(`over ${way} belongs to its call also if it comes before that is accepted`, async () => {
      assert.deepEqual(
        await tools(
          call(1, 'tool-a'),
          early(log('at once')),
          early(progress(1)),
          early(ask('q', 'roots/list')),
          told('q'),
          done(1),
        ),
        [
          {
            call: 'mcp · tool-a · ok',
            parts: ['log info at once', 'progress 1 of 2', 'request roots/list {}', 'result 1'],
            notes: [],
            below: ['mcp · roots/list · ok'],
          },
        ],
      );
    });

    it(`over ${way} is no call's if none is open`, async () => {
      const tape = await run([call(1, 'tool-a'), done(1), log('idle'), ask('q', 'roots/list'), told('q')]);
      const find = (title: string): CallNode | undefined =>
        tape.calls().find(({ call }) => call.title === title);
      const [tool, question] = [find('tool-a'), find('roots/list')];
      assert.deepEqual(tool && describeNode(tool), {
        call: 'mcp · tool-a · ok',
        parts: ['result 1'],
        notes: [],
      });
      assert.deepEqual(
        [question && lineOf(question), question?.parent?.call.title],
        ['mcp · roots/list · ok', way === 'a process' ? undefined : LISTENING],
      );
    });
  }
});
