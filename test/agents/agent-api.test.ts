import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { connectAgentApi } from '../../agents/agent-api/connection.ts';
import { askIn } from '../../agents/converting/converting-connection.ts';
import type { ResolvedHttpAgent } from '../../agents/config/resolve-agent.ts';
import type { Connection, Reply } from '../../agents/connection.ts';
import type { AgentQuestions, ApprovalQuestion } from '../../core/message/message.ts';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../../agents/http/http-connection.ts';
import { KnownTools } from '../../agents/capabilities/known-tools.ts';
import { connectResponses } from '../../agents/responses/connection.ts';
import { closeRawAgents, reply, startRawAgent, until, type RawAgent } from './support/raw-agent.ts';
import { sendTo, type Sent } from './support/send.ts';
import { sized } from '../support/size.ts';

type Protocol = 'agent-api' | 'responses';

function agentAt(protocol: Protocol, url: string, more: Partial<ResolvedHttpAgent> = {}): ResolvedHttpAgent {
  return {
    type: 'http',
    name: 'tester',
    protocol,
    url: new URL(url),
    headers: new Map(),
    tls: {},
    secrets: [],
    secretHeaders: [],
    ...more,
  };
}

function connect(agent: ResolvedHttpAgent, limits: Partial<HttpLimits> = {}): Connection {
  const all = { ...DEFAULT_HTTP_LIMITS, ...limits };
  return agent.protocol === 'responses' ? connectResponses(agent, all) : connectAgentApi(agent, all);
}

const SSE_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n';

/** One run of the runtime's own runner, as it sends it. */
const RUN = [
  '{"sequence_number":0,"object":"response","status":"created","error":null,"id":"response_1","created_at":9,"completed_at":null,"output":null,"usage":null,"session_id":"s1"}',
  '{"sequence_number":1,"object":"response","status":"in_progress","error":null,"id":"response_1","created_at":9,"completed_at":null,"output":null,"usage":null,"session_id":"s1"}',
  '{"sequence_number":2,"object":"content","status":"in_progress","error":null,"type":"text","index":0,"delta":true,"msg_id":"msg_1","text":"Grüß"}',
  '{"sequence_number":3,"object":"content","status":"in_progress","error":null,"type":"text","index":0,"delta":true,"msg_id":"msg_1","text":" dich!"}',
  '{"sequence_number":4,"object":"message","status":"completed","error":null,"id":"msg_1","type":"message","role":"assistant","content":[{"sequence_number":null,"object":"content","status":"completed","error":null,"type":"text","index":0,"delta":false,"msg_id":"msg_1","text":"Grüß dich!"}],"code":null,"message":null,"usage":null,"metadata":null}',
  '{"sequence_number":5,"object":"response","status":"completed","error":null,"id":"response_1","created_at":9,"completed_at":9,"output":[{"sequence_number":4,"object":"message","status":"completed","error":null,"id":"msg_1","type":"message","role":"assistant","content":[{"sequence_number":null,"object":"content","status":"completed","error":null,"type":"text","index":0,"delta":false,"msg_id":"msg_1","text":"Grüß dich!"}],"code":null,"message":null,"usage":null,"metadata":null}],"usage":null,"session_id":"s1"}',
];

const OPENAI = [
  'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"resp_a","object":"response","status":"in_progress","model":"m","output":[]}}',
  'event: response.output_item.added\ndata: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_a","type":"message","status":"in_progress","role":"assistant","content":[]}}',
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":2,"item_id":"msg_a","output_index":0,"content_index":0,"delta":"Grüß"}',
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":3,"item_id":"msg_a","output_index":0,"content_index":0,"delta":" dich!"}',
  'event: response.completed\ndata: {"type":"response.completed","sequence_number":4,"response":{"id":"resp_a","object":"response","status":"completed","model":"m","output":[{"id":"msg_a","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Grüß dich!","annotations":[]}]}]}}',
];

const stream = (events: readonly string[]): string => events.map(event => `${event}\n\n`).join('');
const STREAMS: Readonly<Record<Protocol, string>> = {
  'agent-api': stream(RUN.map(event => `data: ${event}`)),
  responses: stream(OPENAI),
};
const REQUEST = '{"input":[{"role":"user","type":"message","content":[{"type":"text","text":"Hi"}]}]}';
const SENT: Readonly<Record<Protocol, string>> = {
  'agent-api': REQUEST,
  responses: `{"stream":true,${REQUEST.slice(1)}`,
};

/** An agent that answers each request with this body, in these pieces. */
function serve(pieces: readonly (string | Buffer)[]): Promise<RawAgent> {
  return startRawAgent(async socket => {
    socket.setNoDelay(true);
    socket.write(SSE_HEAD);
    for (const piece of pieces) {
      if (!socket.writable) return;
      await new Promise<void>(resolve => socket.write(piece, () => resolve()));
    }
    socket.end();
  });
}

function bodyOf(request: string | undefined): string {
  return request?.slice(request.indexOf('\r\n\r\n') + 4) ?? '';
}

/** What matters of a reply, without its text. */
function ended({ reply: { status, code, message, isProtocol } }: Sent): Partial<Reply> {
  return {
    status,
    isProtocol,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  };
}

for (const protocol of ['agent-api', 'responses'] as const) {
  describe(`a connection that speaks ${protocol}`, () => {
    afterEach(closeRawAgents);
    const body = STREAMS[protocol];

    it('sends one POST and answers with the exact bytes, as they come', async () => {
      const agent = await serve([body]);
      const sent = await sendTo(connect(agentAt(protocol, agent.origin)), REQUEST);
      assert.deepEqual(
        [ended(sent), sent.reply.text, sent.progress.join('')],
        [{ status: 'ok', isProtocol: true }, body, body],
      );
      const [request = ''] = agent.requests;
      assert.equal(bodyOf(request), SENT[protocol]);
      assert.match(request, /^POST \/ HTTP\/1\.1\r\n/);
      assert.match(request, /\r\naccept: text\/event-stream, application\/json;q=0\.9\r\n/);
      assert.match(request, /\r\ncontent-type: application\/json\r\n/);
    });

    it('reads it wherever it is cut, with every line end, in our languages', async () => {
      for (const end of ['\n', '\r\n', '\r']) {
        const bytes = Buffer.from(body.replaceAll('\n', end));
        const agent = await serve([...bytes].map(byte => Buffer.from([byte])));
        const options = {
          protocols: ALL_PROTOCOLS,
          language: 'aicf',
          tools: new KnownTools(),
          warningPolicy: 'send',
        } as const;
        const asked = askIn(connect(agentAt(protocol, agent.origin)), options);
        const sent = await sendTo(asked, 'CALL|greet|name');
        assert.deepEqual(
          [ended(sent), sent.reply.text],
          [{ status: 'ok', isProtocol: true }, 'OK|Grüß dich!\n'],
        );
      }
    });

    it('a stream that is cut is incomplete, with what came', async () => {
      const half = body.slice(0, body.indexOf('Grüß') + 40);
      const agent = await serve([half]);
      const sent = await sendTo(connect(agentAt(protocol, agent.origin)), REQUEST);
      assert.deepEqual(
        [ended(sent), sent.reply.text],
        [
          {
            status: 'incomplete',
            isProtocol: true,
            message:
              'The stream ended before its last event; the received part is stored, send again for the rest',
          },
          half,
        ],
      );
    });

    it('is cancelled while it streams', async () => {
      const agent = await startRawAgent(socket => void socket.write(SSE_HEAD + body.slice(0, -40)));
      const stop = new AbortController();
      const sent = await sendTo(connect(agentAt(protocol, agent.origin)), REQUEST, {
        signal: stop.signal,
        onBody: () => stop.abort(),
      });
      assert.deepEqual([sent.reply.status, sent.reply.code], ['cancelled', 'CANCELLED']);
      await until('the socket is closed', () => agent.countSockets() === 0);
    });

    it('times out between two events; a heartbeat proves life and shows nothing', async () => {
      const beat =
        'data: {"object":"message","type":"heartbeat","status":"completed","id":"h"}\n\n: beat\n\n';
      let beats = 0;
      const over = new AbortController();
      const agent = await startRawAgent(socket => {
        socket.write(SSE_HEAD + body.slice(0, body.indexOf('\n\n') + 2));
        const timer = setInterval(() => {
          socket.write(beat);
          // So long that a connection which hears nothing else would have given up.
          if (++beats > 12) over.abort();
        }, 100);
        socket.on('close', () => clearInterval(timer));
      });
      const options = {
        protocols: ALL_PROTOCOLS,
        language: 'aicl',
        tools: new KnownTools(),
        warningPolicy: 'send',
      } as const;
      const waiting = connect(agentAt(protocol, agent.origin), { idle: 1_000 });
      const beating = await sendTo(
        askIn(waiting, options),
        '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:task_request],[s:task]:[s:Hi],[s:constraints]:[d:]]',
        { signal: over.signal },
      );
      const texts = beating.progress.map(piece => /\[s:data\]:\[s:(.*?)\]/.exec(piece)?.[1]);
      // Only the end is reported: a response without content so far.
      assert.deepEqual([beating.reply.status, texts], ['cancelled', ['']]);
      const silent = await startRawAgent(socket => void socket.write(SSE_HEAD));
      const sent = await sendTo(connect(agentAt(protocol, silent.origin), { idle: 200 }), REQUEST);
      assert.deepEqual([sent.reply.status, sent.reply.code], ['incomplete', 'TIMEOUT']);
    });

    it('ends what is under way when it is closed', async () => {
      const agent = await startRawAgent(socket => void socket.write(SSE_HEAD + body.slice(0, -40)));
      const connection = connect(agentAt(protocol, agent.origin));
      const sent = await sendTo(connection, REQUEST, { onBody: () => void connection.close() });
      assert.deepEqual([sent.reply.status, sent.reply.code], ['cancelled', 'CANCELLED']);
      await until('the socket is closed', () => agent.countSockets() === 0);
    });

    it('says that the server is gone, and works again when it is back', async () => {
      const agent = await serve([body]);
      const connection = connect(agentAt(protocol, agent.origin));
      await agent.close();
      const gone = await sendTo(connection, REQUEST);
      assert.deepEqual([gone.reply.status, gone.reply.code], ['error', 'ECONNREFUSED']);
      const back = await serve([body]);
      const sent = await sendTo(connect(agentAt(protocol, back.origin)), REQUEST);
      assert.equal(sent.reply.status, 'ok');
    });

    it('names what came where it is no reply of the protocol', async () => {
      const agent = await startRawAgent(
        socket =>
          void socket.end(reply('<html><title>Not here</title></html>', '404 Not Found', 'text/html')),
      );
      const sent = await sendTo(connect(agentAt(protocol, agent.origin)), REQUEST);
      assert.deepEqual(
        [sent.reply.status, sent.reply.code, sent.reply.isProtocol],
        ['error', 'HTTP 404', false],
      );
    });

    it('a reply without end is cut where it is too long', async () => {
      const maxBytes = sized(3_000_000, 300_000);
      const line = Buffer.from(
        `data: {"object":"content","type":"text","delta":true,"index":0,"msg_id":"m","text":"${'x'.repeat(60_000)}"}\n\n`,
      );
      const flood = async (socket: Socket): Promise<void> => {
        socket.write(SSE_HEAD);
        while (socket.writable) await new Promise<void>(resolve => socket.write(line, () => resolve()));
      };
      const agent = await startRawAgent(flood);
      const sent = await sendTo(connect(agentAt(protocol, agent.origin), { maxBytes }), REQUEST);
      assert.deepEqual(
        [sent.reply.status, sent.reply.code, sent.reply.text.length],
        ['incomplete', 'TOO_LONG', maxBytes],
      );
      await until('the socket is closed', () => agent.countSockets() === 0);
    });

    it('asks for approval and sends the answer', async () => {
      const ask = approvalStream(protocol);
      const agent = await startRawAgent(
        (socket, index) => void socket.end(SSE_HEAD + (index === 0 ? ask : body)),
      );
      const connection = connect(agentAt(protocol, agent.origin, { model: 'm' }));
      const asked: ApprovalQuestion[] = [];
      const sent = await sendWith(connection, question => {
        asked.push(question);
        return Promise.resolve(true);
      });
      assert.deepEqual(asked, [{ agent: 'tester', tool: 'rm', arguments: '{"path":"/x"}' }]);
      assert.deepEqual([sent.reply.status, sent.reply.text, sent.progress], ['ok', ask + body, ask + body]);
      assert.equal(bodyOf(agent.requests[1]), ANSWERS[protocol]);
      assert.deepEqual(sent.notes, ["Approval to run 'rm' was given"]);
    });

    it('asks for approval wherever the stream is split', async () => {
      const ask = approvalStream(protocol);
      const cut = async (socket: Socket): Promise<void> => {
        socket.setNoDelay(true);
        socket.write(SSE_HEAD);
        for (let at = 0; at < ask.length; at += 7) {
          socket.write(ask.slice(at, at + 7));
          await new Promise(resolve => setTimeout(resolve, 1));
        }
        socket.end();
      };
      const agent = await startRawAgent((socket, index) =>
        index === 0 ? cut(socket) : void socket.end(SSE_HEAD + body),
      );
      const sent = await sendWith(connect(agentAt(protocol, agent.origin, { model: 'm' })), () =>
        Promise.resolve(true),
      );
      assert.deepEqual([sent.reply.status, sent.reply.text, sent.progress], ['ok', ask + body, ask + body]);
      assert.deepEqual(sent.notes, ["Approval to run 'rm' was given"]);
    });

    it('notes that an agent asks for approval if no user can answer', async () => {
      const agent = await serve([approvalStream(protocol)]);
      const sent = await sendTo(connect(agentAt(protocol, agent.origin)), REQUEST);
      assert.deepEqual(
        [sent.reply.status, sent.observed.filter(each => each.startsWith('note'))],
        [
          'ok',
          [
            "note: The agent requests approval to run 'rm', which the next request of the conversation may answer; in the editor, the user is asked",
          ],
        ],
      );
    });
  });
}

/** A response that asks for leave to run a tool, and no more. */
function approvalStream(protocol: Protocol): string {
  return protocol === 'agent-api'
    ? stream([
        'data: {"object":"response","status":"created","id":"r9"}',
        'data: {"object":"message","status":"completed","id":"a1","type":"mcp_approval_request","role":"assistant","content":[{"type":"data","data":{"id":"q1","name":"rm","arguments":"{\\"path\\":\\"/x\\"}"}}]}',
        'data: {"object":"response","status":"completed","id":"r9"}',
      ])
    : stream([
        'event: response.completed\ndata: {"type":"response.completed","sequence_number":0,"response":{"id":"r9","object":"response","status":"completed","model":"m","output":[{"id":"q1","type":"mcp_approval_request","name":"rm","server_label":"disk","arguments":"{\\"path\\":\\"/x\\"}"}]}}',
      ]);
}

const ANSWERS: Readonly<Record<Protocol, string>> = {
  'agent-api':
    '{"response_id":"r9","input":[{"type":"mcp_approval_response","role":"user","content":[{"type":"data","data":{"approval_request_id":"q1","approve":true}}]}]}',
  responses:
    '{"model":"m","stream":true,"previous_response_id":"r9","input":[{"type":"mcp_approval_response","approval_request_id":"q1","approve":true}]}',
};

interface Answered {
  readonly reply: Reply;
  readonly progress: string;
  readonly notes: readonly string[];
}

/** Sends a request for which the user is there to answer. */
async function sendWith(connection: Connection, approve: AgentQuestions['approve']): Promise<Answered> {
  const notes: string[] = [];
  let progress = '';
  const questions: AgentQuestions = {
    approve,
    fillForm: () => Promise.resolve({ action: 'cancel' }),
    openAddress: () => Promise.resolve('cancel'),
    writeText: () => Promise.resolve(undefined),
    listRoots: () => Promise.resolve([]),
  };
  const answered = await connection.send(
    { wireText: REQUEST, questions },
    {
      head: () => undefined,
      bytes: () => undefined,
      note: text => void notes.push(text),
      progress: text => void (progress += text),
    },
    new AbortController().signal,
  );
  return { reply: answered, progress, notes };
}

describe('how a response of the Agent API ends', () => {
  afterEach(closeRawAgents);
  const end = (more: string): string =>
    `data: {"object":"response","status":"created","id":"r"}\n\ndata: {"object":"response","id":"r",${more}}\n\ndata: [DONE]\n\n`;
  const cases: readonly (readonly [body: string, wanted: Partial<Reply>])[] = [
    [
      end('"status":"failed","error":{"code":"429","message":"Too much"}'),
      { status: 'error', code: '429', message: 'Too much' },
    ],
    [
      end('"status":"rejected"'),
      { status: 'error', code: 'rejected', message: 'The agent ended with the status rejected' },
    ],
    [
      end('"status":"canceled"'),
      {
        status: 'cancelled',
        code: 'canceled',
        message: 'The agent cancelled the response; the received part is stored',
      },
    ],
    [
      end('"status":"incomplete"'),
      {
        status: 'incomplete',
        code: 'incomplete',
        message: 'The agent ended the response before it was complete; the received part is stored',
      },
    ],
    ['data: {"error":"the model is away"}\n\n', { status: 'error', message: 'the model is away' }],
  ];
  for (const [body, wanted] of cases) {
    it(wanted.message ?? '', async () => {
      const agent = await serve([body]);
      const sent = await sendTo(connect(agentAt('agent-api', agent.origin)), REQUEST);
      assert.deepEqual(ended(sent), { isProtocol: true, ...wanted });
    });
  }
});

describe('an agent of the Agent API that sends too much', () => {
  afterEach(closeRawAgents);

  it('many tiny events that say nothing', async () => {
    const each = sized(50_000);
    const tiny = Buffer.from('data:1\n\n'.repeat(each));
    const agent = await serve([...Array.from({ length: 20 }, () => tiny), STREAMS['agent-api']]);
    const sent = await sendTo(connect(agentAt('agent-api', agent.origin)), REQUEST);
    assert.deepEqual(
      [ended(sent), sent.reply.text.length, sent.observed.filter(each => each.startsWith('note'))],
      [
        { status: 'ok', isProtocol: true },
        20 * each * 'data:1\n\n'.length + STREAMS['agent-api'].length,
        [`note: An event of the stream is not an object (${20 * each} times)`],
      ],
    );
  });
});

describe('a server of Responses', () => {
  afterEach(closeRawAgents);

  it('may end twice: the first end counts', async () => {
    const second = OPENAI[4]?.replace('"sequence_number":4', '"sequence_number":5').replace('Grüß', 'Ade');
    const body = stream([...OPENAI, second ?? '']);
    const agent = await startRawAgent(socket => void socket.end(reply(body, '200 OK', 'text/event-stream')));
    const options = {
      protocols: ALL_PROTOCOLS,
      language: 'aicf',
      tools: new KnownTools(),
      warningPolicy: 'send',
    } as const;
    const asked = await sendTo(
      askIn(connect(agentAt('responses', agent.origin)), options),
      'CALL|greet|name',
    );
    assert.equal(asked.reply.text, 'OK|Grüß dich!\n');
    assert.deepEqual(
      asked.observed.filter(each => each.includes('response')).filter(each => each.startsWith('note: ')),
      [
        'note: An event came after the response had ended',
        'note: The state of the response was sent again after its end: the end counts, the other is in the raw reply',
      ],
    );
  });

  it('may answer with one body', async () => {
    const whole = /"response":(\{.*\})\}$/.exec(OPENAI.at(-1) ?? '')?.[1] ?? '';
    const agent = await startRawAgent(socket => void socket.end(reply(whole, '200 OK', 'application/json')));
    const options = {
      protocols: ALL_PROTOCOLS,
      language: 'aicf',
      tools: new KnownTools(),
      warningPolicy: 'send',
    } as const;
    const sent = await sendTo(askIn(connect(agentAt('responses', agent.origin)), options), 'CALL|greet');
    assert.deepEqual([ended(sent), sent.reply.text], [{ status: 'ok', isProtocol: true }, 'OK|Grüß dich!\n']);
  });

  it('is asked with the model and the stream of the request, or else of the agent', async () => {
    const agent = await serve([STREAMS.responses]);
    const connection = connect(agentAt('responses', agent.origin, { model: 'small' }));
    for (const request of ['{"input":"x"}', '{"model":"big","input":"x","stream":false}', '{}', 'no JSON'])
      await sendTo(connection, request);
    assert.deepEqual(agent.requests.map(bodyOf), [
      '{"model":"small","stream":true,"input":"x"}',
      '{"model":"big","input":"x","stream":false}',
      '{"model":"small","stream":true}',
      'no JSON',
    ]);
  });
});
