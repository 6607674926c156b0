import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { isRecord } from '../../../core/guard.ts';
import { parseJson } from '../../../core/text/json.ts';

/** A small agent of one protocol, written by hand: it does what a word says, as a tool or as a task. */
export interface Target {
  readonly url: string;
  /** The number of calls that wait, and of those that their caller left. */
  waiting(): number;
  left(): number;
  /** Answers the calls that were held. */
  release(): void;
  close(): Promise<void>;
}

/** What agents do: `say` answers, `fail` fails, `wait` never answers, `hold` answers later, `count` streams where the protocol can. */
const WORDS = ['say', 'fail', 'wait', 'hold', 'count'] as const;
type Word = (typeof WORDS)[number];

const COUNTED = ['one ', 'two ', 'three'];
const SAID = 'said it';
const BROKEN = 'it broke';

/** A request as an agent of a protocol reads it: what it asks for, or the reply to anything else. */
type Asked = { readonly does: Word; readonly id?: unknown } | { readonly replies: string };

interface Speech {
  readonly path: string;
  read(body: string, request: IncomingMessage): Asked;
  said(id: unknown): string;
  failed(id: unknown): string;
  /** The pieces of a streamed reply; the whole reply in a protocol without streams. */
  counted(id: unknown, body: string): readonly string[];
  readonly type: string;
  /** The type of a streamed reply. */
  readonly streamType?: string;
}

const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';
const TEXT = 'text/plain; charset=utf-8';

function print(value: unknown): string {
  return JSON.stringify(value);
}

function event(value: unknown): string {
  return `data: ${print(value)}\n\n`;
}

function wordIn(text: string): Word {
  return WORDS.find(word => text.includes(word)) ?? 'say';
}

function fieldsOf(body: string): Record<string, unknown> {
  const value = parseJson(body);
  return isRecord(value) ? value : {};
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((holder, key) => (isRecord(holder) ? holder[key] : undefined), value);
}

const TOOLS = WORDS.map(name => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
}));

function result(id: unknown, value: unknown): string {
  return print({ jsonrpc: '2.0', id, result: value });
}

function fault(id: unknown, code: number, message: string): string {
  return print({ jsonrpc: '2.0', id, error: { code, message } });
}

function aicl(type: string, ...fields: readonly string[]): string {
  const header = ['[s:protocol]:[s:LightAICL]', '[s:session_id]:[s:s1]', `[s:msg_type]:[s:${type}]`];
  return `[d:${[...header, ...fields].join(',')}]`;
}

const SPEECHES: Readonly<Record<ProtocolName, Speech>> = {
  aicf: {
    path: '/aip/v1/aicf',
    type: TEXT,
    read(body) {
      const [command = '', tool = ''] = body.trim().split('|');
      if (command === 'LIST') return { replies: `TOOLS|${WORDS.join('|')}` };
      if (command === 'INFO')
        return {
          replies: TOOLS.some(({ name }) => name === tool)
            ? `TOOL|${tool}|Does ${tool}|text:string?`
            : 'ERR|404|Tool not found',
        };
      return { does: wordIn(tool) };
    },
    said: () => `OK|${SAID}`,
    failed: () => `ERR|500|${BROKEN}`,
    counted: () => [...COUNTED.map(piece => `STREAM|${piece}\n`), 'END\n'],
  },
  'json-rpc': {
    path: '/aip/v1/rpc',
    type: JSON_TYPE,
    read(body) {
      const { id, method, params } = fieldsOf(body);
      if (method === 'aip.handshake') return { replies: result(id, { version: '1.0.0' }) };
      if (method === 'aip.capabilities.list') return { replies: result(id, { tools: TOOLS }) };
      return { does: wordIn(String(at(params, 'tool'))), id };
    },
    said: id => result(id, { success: true, data: SAID }),
    failed: id => result(id, { success: false, error: BROKEN }),
    counted: id => [result(id, { success: true, data: COUNTED.join('') })],
  },
  aicl: {
    path: '/',
    type: TEXT,
    read(body) {
      if (/\[s:query\]:\[s:tools\]/.test(body)) {
        const tools = WORDS.map(word => `[d:[s:name]:[s:${word}],[s:description]:[s:Does it]]`).join(',');
        return { replies: aicl('result', `[s:data]:[l:${tools}]`) };
      }
      return { does: wordIn(/\[s:(?:tool|task)\]:\[s:([^\]]*)\]/.exec(body)?.[1] ?? '') };
    },
    said: () => aicl('result', `[s:data]:[s:${SAID}]`),
    failed: () => aicl('error', '[s:error_code]:[i:5000]', `[s:reason]:[s:${BROKEN}]`),
    counted: () =>
      COUNTED.map(
        (piece, index) =>
          `${aicl('result', `[s:data]:[s:${piece}]`, `[s:stream_id]:[s:c_${index + 1}/3]`, `[s:is_final]:[b:${index === 2}]`)}\n`,
      ),
  },
  aio: {
    path: '/',
    type: JSON_TYPE,
    read(body) {
      const { id, method, params } = fieldsOf(body);
      const name = String(method).replace(/^.*::/, '');
      const methods = ['help', 'input', 'tools.list', 'tools.call'];
      if (name === 'help')
        return {
          replies: result(id, {
            name: 'small',
            version: '1',
            type: 'http',
            methods,
            modalities: ['text'],
            mcp: { tools: true },
          }),
        };
      if (name === 'tools.list') return { replies: result(id, { tools: TOOLS }) };
      return { does: wordIn(name === 'tools.call' ? String(at(params, 'tool')) : print(params)), id };
    },
    said: id => result(id, { type: 'text', value: SAID }),
    failed: id => fault(id, -32603, BROKEN),
    counted: id => [result(id, { type: 'text', value: COUNTED.join('') })],
  },
  mcp: {
    path: '/mcp',
    type: JSON_TYPE,
    streamType: EVENTS,
    read(body) {
      const { id, method, params } = fieldsOf(body);
      const serverInfo = { name: 'small', version: '1' };
      if (method === 'initialize')
        return {
          replies: result(id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }),
        };
      if (method === 'tools/list') return { replies: result(id, { tools: TOOLS }) };
      if (method === 'tools/call') return { does: wordIn(String(at(params, 'name'))), id };
      return { replies: id === undefined ? '' : fault(id, -32601, 'Method not found') };
    },
    said: id => result(id, { content: [{ type: 'text', text: SAID }] }),
    failed: id => result(id, { content: [{ type: 'text', text: BROKEN }], isError: true }),
    counted(id, body) {
      const progressToken = at(fieldsOf(body), 'params', '_meta', 'progressToken');
      const steps = COUNTED.map((message, index) =>
        event({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress: index + 1, message },
        }),
      );
      const content = [{ type: 'text', text: COUNTED.join('') }];
      return [...(progressToken === undefined ? [] : steps), `data: ${result(id, { content })}\n\n`];
    },
  },
  'agent-api': {
    path: '/process',
    type: EVENTS,
    read: body => ({ does: wordIn(body) }),
    said: () => agentApi([SAID]).join(''),
    failed: () =>
      event({
        object: 'response',
        id: 'response_1',
        status: 'failed',
        error: { code: '500', message: BROKEN },
      }),
    counted: () => agentApi(COUNTED),
  },
  responses: {
    path: '/v1/responses',
    type: JSON_TYPE,
    streamType: EVENTS,
    read: body => ({ does: wordIn(print(at(fieldsOf(body), 'input'))) }),
    said: () => print(response('completed', { output: [messageOf(SAID)] })),
    failed: () => print(response('failed', { output: [], error: { code: 'server_error', message: BROKEN } })),
    counted: () => [
      event({
        type: 'response.created',
        sequence_number: 0,
        response: response('in_progress', { output: [] }),
      }),
      ...COUNTED.map((delta, index) =>
        event({
          type: 'response.output_text.delta',
          sequence_number: index + 1,
          item_id: 'msg_1',
          output_index: 0,
          content_index: 0,
          delta,
        }),
      ),
      event({
        type: 'response.completed',
        sequence_number: 9,
        response: response('completed', { output: [messageOf(COUNTED.join(''))] }),
      }),
    ],
  },
  a2a: {
    path: '/a2a',
    type: JSON_TYPE,
    streamType: EVENTS,
    read(body) {
      const { id, params } = fieldsOf(body);
      return { does: wordIn(print(at(params, 'message', 'parts'))), id };
    },
    said: id =>
      result(id, { kind: 'message', messageId: 'm1', role: 'agent', parts: [{ kind: 'text', text: SAID }] }),
    failed: id =>
      result(id, {
        ...TASK,
        status: {
          state: 'failed',
          message: {
            kind: 'message',
            messageId: 'm2',
            role: 'agent',
            parts: [{ kind: 'text', text: BROKEN }],
          },
        },
      }),
    counted: id => [
      ...COUNTED.map(
        (text, index) =>
          `data: ${result(id, { kind: 'artifact-update', taskId: 't1', contextId: 'c1', append: index > 0, artifact: { artifactId: 'a', parts: [{ kind: 'text', text }] } })}\n\n`,
      ),
      `data: ${result(id, { kind: 'status-update', taskId: 't1', contextId: 'c1', status: { state: 'completed' }, final: true })}\n\n`,
    ],
  },
};

const TASK = { kind: 'task', id: 't1', contextId: 'c1' };

function messageOf(text: string): object {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
}

function response(status: string, more: object): object {
  return { id: 'resp_1', object: 'response', created_at: 1, status, ...more };
}

function agentApi(pieces: readonly string[]): readonly string[] {
  return [
    event({ object: 'response', id: 'response_1', status: 'in_progress' }),
    event({ object: 'message', id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress' }),
    ...pieces.map(text =>
      event({
        object: 'content',
        type: 'text',
        msg_id: 'msg_1',
        index: 0,
        status: 'in_progress',
        delta: true,
        text,
      }),
    ),
    event({
      object: 'content',
      type: 'text',
      msg_id: 'msg_1',
      index: 0,
      status: 'completed',
      text: pieces.join(''),
    }),
    event({ object: 'message', id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' }),
    event({ object: 'response', id: 'response_1', status: 'completed' }),
  ];
}

/** Starts the agent of a protocol. `change` changes each piece of its replies. */
export async function startTarget(
  protocol: ProtocolName,
  change: (piece: string) => string = piece => piece,
): Promise<Target> {
  const speech = SPEECHES[protocol];
  let origin = '';
  let waiting = 0;
  let left = 0;
  const held: (() => void)[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then(async body => {
      if (request.method === 'GET') return answerGet(response, `${origin}${speech.path}`);
      const asked = speech.read(body, request);
      if ('replies' in asked)
        return void response
          .writeHead(asked.replies === '' ? 202 : 200, { 'content-type': speech.type })
          .end(asked.replies);
      const { does, id } = asked;
      if (does === 'wait' || does === 'hold') {
        waiting++;
        response.on('close', () => (left += response.writableFinished ? 0 : 1));
        const { promise, resolve } = Promise.withResolvers<void>();
        if (does === 'hold') held.push(resolve);
        await promise;
      }
      const type = does === 'count' ? (speech.streamType ?? speech.type) : speech.type;
      response.writeHead(200, { 'content-type': type });
      const pieces =
        does === 'count' ? speech.counted(id, body) : [does === 'fail' ? speech.failed(id) : speech.said(id)];
      for (const piece of pieces) {
        response.write(change(piece));
        await new Promise(resolve => setTimeout(resolve, 5));
      }
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    url: `${origin}${speech.path}`,
    waiting: () => waiting,
    left: () => left,
    release: () => held.splice(0).forEach(answer => answer()),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of request) body += String(piece);
  return body;
}

/** The card of the A2A agent; others have nothing to read. */
function answerGet(response: ServerResponse, url: string): void {
  if (!url.endsWith('/a2a')) return void response.writeHead(405).end();
  const card = {
    protocolVersion: '0.3.0',
    name: 'small',
    description: 'Does little',
    version: '1',
    url,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'say', name: 'say', description: 'Says it', tags: [] }],
  };
  response.writeHead(200, { 'content-type': JSON_TYPE }).end(print(card));
}
