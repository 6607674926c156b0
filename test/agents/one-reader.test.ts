import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { withSend, type Connection } from '../../agents/connection.ts';
import { Redactor } from '../../core/secrets/redact.ts';
import { connectA2a, DEFAULT_A2A_LIMITS } from '../../agents/a2a/connection.ts';
import { connectAgent } from '../../agents/all.ts';
import { KnownTools } from '../../agents/capabilities/known-tools.ts';
import { askIn } from '../../agents/converting/converting-connection.ts';
import { startDemoAgents, type DemoAgents } from '../../agents/demo/start.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import type { ProtocolName } from '../../core/catalog/protocols.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { ReplyReader } from '../../protocols/convert/calls/reply-reader.ts';
import { closeA2aAgents, startA2aAgent } from './support/a2a-agent.ts';
import {
  closeRawAgents,
  reply as httpReply,
  startRawAgent,
  until,
  type RawAgent,
} from './support/raw-agent.ts';
import { agentAt, sendTo, trackConnection } from './support/send.ts';
import { watchReading, type ReadingWatch } from './support/watch-reading.ts';

interface Case {
  readonly protocol: ProtocolName;
  readonly agent: string;
  readonly language: LanguageId;
  readonly request: string;
  /** A part of what the caller reads. */
  readonly shown: string;
}

const HEAD = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]';
const TASK = `[d:${HEAD}:[s:task_request],[s:task]:[s:The sky?]]`;

const CASES: readonly Case[] = [
  {
    protocol: 'aicf',
    agent: 'toolbox',
    language: 'aicl',
    request: `[d:${HEAD}:[s:tool_call],[s:tool]:[s:text.reverse],[s:params]:[d:[s:text]:[s:abc]]]`,
    shown: 'cba',
  },
  {
    protocol: 'aicl',
    agent: 'analyst',
    language: 'aicf',
    request: 'CALL|text.reverse|abc',
    shown: 'OK|cba',
  },
  { protocol: 'agent-api', agent: 'storyteller', language: 'aicl', request: TASK, shown: 'The sky?' },
  {
    protocol: 'responses',
    agent: 'oracle',
    language: 'aicl',
    request: TASK,
    shown: '[s:model]:[s:oracle-1]',
  },
  {
    protocol: 'mcp',
    agent: 'librarian',
    language: 'aicf',
    request: 'CALL|text.reverse|abc',
    shown: 'cba',
  },
  {
    protocol: 'aio',
    agent: 'courier',
    language: 'aicf',
    request: 'CALL|text.reverse|abc',
    shown: 'cba',
  },
  { protocol: 'a2a', agent: 'herald', language: 'aicl', request: TASK, shown: 'sky' },
];

describe('the reply to a converted request', () => {
  let demo: DemoAgents;
  const pushed = new Map<ReplyReader, string>();
  const original = Object.getOwnPropertyDescriptor(ReplyReader.prototype, 'push') ?? {};
  const counting = function (this: ReplyReader, text: string): unknown {
    pushed.set(this, (pushed.get(this) ?? '') + text);
    return Reflect.apply(original.value as (text: string) => unknown, this, [text]);
  };
  before(async () => {
    demo = await startDemoAgents();
    Object.defineProperty(ReplyReader.prototype, 'push', { ...original, value: counting });
  });
  after(async () => {
    Object.defineProperty(ReplyReader.prototype, 'push', original);
    await demo.close();
  });

  for (const { protocol, agent, language, request, shown } of CASES)
    it(`of ${protocol} has one reader, which gets each character once`, async () => {
      const connection = connectAgent(agentAt(protocol, demo.addresses.get(agent) ?? ''));
      const tools = new KnownTools();
      const sender = askIn(connection, { protocols: ALL_PROTOCOLS, language, tools, warningPolicy: 'send' });
      // The first request also causes a handshake and a list of tools.
      await sendTo(sender, request);
      pushed.clear();
      const { reply, pieces } = await sendTo(sender, request);
      await connection.close();
      assert.ok(reply.text.includes(shown), reply.text);
      const [read = '', ...others] = pushed.values();
      assert.deepEqual(others, []);
      const received = pieces.join('');
      // The client library of MCP splits the stream of events itself.
      if (protocol === 'mcp') assert.ok(read !== '' && received.includes(read));
      else assert.equal(read, received);
    });
});

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const completed = (output: readonly object[]): string =>
  event({
    type: 'response.completed',
    sequence_number: 0,
    response: { id: 'r1', object: 'response', status: 'completed', model: 'm', output },
  });
const run = (...messages: readonly object[]): string =>
  [
    { object: 'response', id: 'r1', status: 'created', session_id: 's1' },
    ...messages,
    { object: 'response', id: 'r1', status: 'completed', session_id: 's1' },
  ]
    .map(event)
    .join('');

/** Replies that name a conversation, and how the next request names it. */
const CONVERSATIONS: readonly (readonly [ProtocolName, reply: string, carried: RegExp])[] = [
  [
    'aicl',
    `[d:${HEAD.replace('[s:1]', '[s:theirs]')}:[s:result],[s:data]:[s:x]]`,
    /\[s:session_id\]:\[s:theirs\]/,
  ],
  ['agent-api', run(), /"session_id":"s1"/],
  ['responses', completed([]), /"previous_response_id":"r1"/],
  [
    'a2a',
    '{"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t1","contextId":"c1","status":{"state":"input-required"}}}',
    /"contextId":"c1"[^]*"taskId":"t1"|"taskId":"t1"[^]*"contextId":"c1"/,
  ],
];

/** Requests in the JSON of a protocol. */
const OWN: Partial<Record<ProtocolName, string>> = {
  'agent-api': '{"input":[{"role":"user","content":[{"type":"text","text":"x"}]}],"stream":true}',
  responses: '{"model":"m","input":"x"}',
  a2a: '{"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]}}}',
};

const APPROVALS: readonly (readonly [ProtocolName, reply: string])[] = [
  [
    'agent-api',
    run({
      object: 'message',
      status: 'completed',
      id: 'a1',
      type: 'mcp_approval_request',
      content: [{ type: 'data', data: { id: 'q1', name: 'rm', arguments: '{"path":"/x"}' } }],
    }),
  ],
  [
    'responses',
    event({
      type: 'response.output_item.done',
      sequence_number: 0,
      output_index: 0,
      item: { id: 'q1', type: 'mcp_approval_request', name: 'rm', arguments: '{"path":"/x"}' },
    }) + completed([]).replace('"sequence_number":0', '"sequence_number":1'),
  ],
];

/** Answers each request but those for a card with these bodies, one after the other. */
async function serve(bodies: readonly string[]): Promise<RawAgent> {
  let next = 0;
  const agent = await startRawAgent((socket, index) => {
    const isCard = agent.requests[index]?.startsWith('GET ') === true;
    const card = `{"protocolVersion":"0.3.0","name":"h","description":"","url":"${agent.origin}/","version":"1","capabilities":{},"skills":[],"defaultInputModes":["text"],"defaultOutputModes":["text"]}`;
    const body = isCard ? card : (bodies[next++] ?? '');
    const type = body.startsWith('data:') ? 'text/event-stream' : 'application/json';
    socket.end(httpReply(body, '200 OK', type));
  });
  return agent;
}

describe('a reply', () => {
  let watch: ReadingWatch;
  beforeEach(() => void (watch = watchReading()));
  afterEach(async () => {
    watch.stop();
    await closeRawAgents();
    await closeA2aAgents();
  });

  /** Sends requests as calls whose traffic is recorded. */
  const track = (connection: Connection, language: LanguageId): Connection => {
    const options = {
      protocols: ALL_PROTOCOLS,
      language,
      tools: new KnownTools(),
      warningPolicy: 'send',
    } as const;
    const sender = askIn(connection, options);
    return trackConnection(
      withSend(connection, (...request) => sender.send(...request)),
      {
        emit: () => undefined,
        now: () => 0,
        ids: { newTrace: () => 'a'.repeat(32), newCall: () => 'b'.repeat(16) },
        redactor: new Redactor([]),
      },
    );
  };
  const connect = (protocol: ProtocolName, url: string): Connection =>
    connectAgent(agentAt(protocol, url, { model: 'm' }));

  /** How often each message of a reply was read. */
  const countReads = (text: string): readonly number[] =>
    listMessages(text).map(message => watch.read.filter(each => each === message).length);

  for (const [protocol, body, carried] of CONVERSATIONS)
    for (const language of protocol === 'aicl' ? (['aicl'] as const) : (['aicf', 'agent-json'] as const))
      it(`of ${protocol} to a request in ${language} is read once, also for the conversation that it names`, async () => {
        const agent = await serve([body, body]);
        const connection = track(connect(protocol, agent.origin), language);
        const request = language === 'aicf' ? 'CALL|do|{"x":1}' : (OWN[protocol] ?? TASK);
        for (let count = 0; count < 2; count++) await sendTo(connection, request, { session: 'trip' });
        await connection.close();
        const [first = '', second = ''] = agent.requests.filter(each => !each.startsWith('GET '));
        assert.doesNotMatch(first, carried);
        assert.match(second, carried);
        assert.deepEqual(new Set(countReads(body)), new Set([2]));
      });

  it('with the tools of an agent is read once', async () => {
    const list = '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","description":"Adds"}]}}';
    const agent = await serve(['{"jsonrpc":"2.0","id":"handshake","result":{}}', list]);
    const connection = connect('json-rpc', agent.origin);
    const tools = new KnownTools();
    const listener = { head() {}, bytes() {}, note() {}, progress() {} };
    await tools.refresh(connection, {}, listener, new AbortController().signal);
    await connection.close();
    assert.deepEqual([...tools.table.tools.keys()], ['add']);
    assert.deepEqual(countReads(list), [1]);
  });

  for (const [protocol, body] of APPROVALS)
    it(`of ${protocol} that asks for approval is read once`, async () => {
      const answer = protocol === 'responses' ? completed([]) : run();
      const agent = await serve([body, answer.replaceAll('r1', 'r2')]);
      const connection = track(connect(protocol, agent.origin), 'agent-json');
      const asked: unknown[] = [];
      const questions = {
        approve: (question: unknown) => Promise.resolve(asked.push(question) > 0),
        fillForm: () => Promise.resolve({ action: 'cancel' } as const),
        openAddress: () => Promise.resolve('cancel' as const),
        writeText: () => Promise.resolve(undefined),
        listRoots: () => Promise.resolve([]),
      };
      const listener = { head() {}, bytes() {}, note() {}, progress() {} };
      const request = { wireText: OWN[protocol] ?? '', questions };
      const reply = await connection.send(request, listener, new AbortController().signal);
      await connection.close();
      assert.deepEqual(asked, [{ agent: 'tester', tool: 'rm', arguments: '{"path":"/x"}' }]);
      assert.equal(reply.status, 'ok');
      assert.deepEqual(new Set([body, answer.replaceAll('r1', 'r2')].flatMap(countReads)), new Set([1]));
    });

  for (const streaming of [true, false])
    for (const language of ['aicl', 'agent-json'] as const)
      it(`about a task of A2A that is ${streaming ? 'streamed and then ' : ''}polled is read once in ${language}`, async () => {
        const agent = await startA2aAgent({ version: '1.0', streaming });
        const limits = { ...DEFAULT_A2A_LIMITS, firstPause: 10 };
        const connection = track(connectA2a(agentAt('a2a', agent.origin), limits), language);
        const own = OWN.a2a?.replace('"x"', '"break"') ?? '';
        const sending = sendTo(connection, language === 'aicl' ? TASK.replace('The sky?', 'break') : own);
        await until(
          'the task was polled',
          () => agent.requests.filter(each => each.includes('GetTask')).length > 1,
        );
        await agent.release();
        const { reply, pieces } = await sending;
        await connection.close();
        assert.equal(reply.status, 'ok');
        assert.match(reply.text, /Done at last/);
        const messages = [...new Set(pieces.flatMap(listMessages))].filter(each =>
          each.includes('"jsonrpc"'),
        );
        assert.ok(messages.some(each => each.includes('Done at last')));
        const received = pieces.flatMap(listMessages);
        for (const message of messages)
          assert.equal(
            watch.read.filter(each => each === message).length,
            received.filter(each => each === message).length,
            message,
          );
      });
});

/** The messages in a reply. */
function listMessages(text: string): readonly string[] {
  if (!text.includes('data: ')) return [text];
  return text.split('\n').flatMap(line => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []));
}
