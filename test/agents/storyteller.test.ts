import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { connectAgent } from '../../agents/all.ts';
import { askIn } from '../../agents/converting/converting-connection.ts';
import { KnownTools } from '../../agents/capabilities/known-tools.ts';
import { startAgentApiAgent } from '../../agents/demo/agent-api-agent.ts';
import { AGENT_API_PATH } from '../../protocols/agent-api/protocol.ts';
import type { HttpHost } from '../../agents/serving/http-host.ts';
import { CONTENT_TYPES, MESSAGE_TYPES } from '../../protocols/agent-api/builder/events.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { agentAt } from './support/send.ts';

interface Event {
  readonly object: string;
  readonly status: string;
  readonly type?: string;
  readonly error?: { readonly code: string; readonly message: string } | null;
}

/** The note on a reply with a bracket in a text. */
const ESCAPES = [
  'A text holds a bracket or a carriage return, written \\u005D or \\u000D; a receiver that knows the whitepaper alone shows these letters',
];

describe('the demo agent storyteller', () => {
  let agent: HttpHost;
  before(async () => (agent = await startAgentApiAgent()));
  after(() => agent.close());

  async function post(text: string, more: object = {}): Promise<Response> {
    const input = [{ role: 'user', type: 'message', content: [{ type: 'text', text }] }];
    return fetch(`${agent.origin}${AGENT_API_PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ input, ...more }),
    });
  }

  async function events(text: string): Promise<readonly Event[]> {
    const body = await (await post(text)).text();
    return [...body.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Event);
  }

  /** Sends a task in AICL, as a user does, and returns status and code of the reply. */
  async function send(task: string, constraints = '', end = ']'): Promise<readonly (string | undefined)[]> {
    const connection = connectAgent(agentAt('agent-api', `${agent.origin}${AGENT_API_PATH}`));
    const sender = askIn(connection, {
      protocols: ALL_PROTOCOLS,
      language: 'aicl',
      tools: new KnownTools(),
      warningPolicy: 'hold',
    });
    const notes: string[] = [];
    const reply = await sender.send(
      {
        wireText: `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:task_request],[s:task]:[s:${task}],[s:constraints]:[d:${constraints}${end}]`,
      },
      {
        head: () => undefined,
        bytes: () => undefined,
        note: text => void notes.push(text),
        progress: () => undefined,
      },
      new AbortController().signal,
    );
    await connection.close();
    return [reply.status, reply.code, /\[s:data\]:\[s:([^\]]*)/.exec(reply.text)?.[1], ...notes];
  }

  it('shows every type of message and of content', async () => {
    const all = await events('show: everything');
    const typesOf = (object: string): readonly string[] => [
      ...new Set(all.filter(event => event.object === object).map(event => event.type ?? '')),
    ];
    assert.deepEqual(typesOf('message'), MESSAGE_TYPES);
    assert.deepEqual(typesOf('content').toSorted(), [...CONTENT_TYPES].toSorted());
    assert.deepEqual(
      all.filter(({ object }) => object === 'response').map(({ status }) => status),
      ['created', 'queued', 'in_progress', 'completed'],
    );
  });

  it('shows the types that are named', async () => {
    const shown = await events('Please show: mcp_call, error. Thanks');
    assert.deepEqual(
      shown
        .filter(({ object, status }) => object === 'message' && status === 'completed')
        .map(({ type }) => type),
      ['mcp_call', 'error'],
    );
  });

  for (const [end, statuses, seen] of [
    ['created', ['created'], ['incomplete', undefined]],
    ['queued', ['created', 'queued'], ['incomplete', undefined]],
    ['in_progress', ['created', 'in_progress'], ['incomplete', undefined]],
    ['failed', ['created', 'in_progress', 'failed'], ['error', 'MODEL_TIMEOUT']],
    ['rejected', ['created', 'rejected'], ['error', 'CONTENT_POLICY']],
    ['canceled', ['created', 'in_progress', 'canceled'], ['cancelled', 'canceled']],
    ['incomplete', ['created', 'in_progress', 'incomplete'], ['incomplete', 'incomplete']],
    ['unknown', ['created', 'in_progress', 'unknown'], ['incomplete', undefined]],
    ['completed', ['created', 'in_progress', 'completed'], ['ok', undefined]],
  ] as const)
    it(`ends ${end}`, async () => {
      const responses = (await events(`end: ${end}`)).filter(({ object }) => object === 'response');
      const [status, code] = await send(`end: ${end}`);
      assert.deepEqual([responses.map(each => each.status), [status, code]], [statuses, seen]);
    });

  for (const [text, message] of [
    ['show: dances', `There is no message type 'dances'; ask for one of heartbeat, reasoning`],
    ['end: well', `There is no status 'well'; ask for one of completed, created`],
    ['show: constructor', `There is no message type 'constructor'; ask for one of heartbeat`],
  ] as const)
    it(`rejects '${text}'`, async () => {
      const last = (await events(text)).at(-1);
      assert.deepEqual([last?.status, last?.error?.code], ['rejected', 'UNKNOWN_NAME']);
      assert.equal(last?.error?.message.slice(0, message.length), message);
    });

  it('replies with one body for `stream: false`, which is read', async () => {
    const response = await post('The sky?', { stream: false });
    const whole = (await response.json()) as Event & { readonly output: readonly Event[] };
    assert.deepEqual(
      [response.headers.get('content-type'), whole.status, whole.output.map(({ type }) => type)],
      [
        'application/json; charset=utf-8',
        'completed',
        ['reasoning', 'plugin_call', 'plugin_call_output', 'message', 'message'],
      ],
    );
    const [status, code, text, ...notes] = await send(
      'The sky?',
      '[s:stream]:[b:false],[s:temperature]:[f:0.2],[s:model]:[s:m]',
    );
    assert.deepEqual(
      [status, code, text?.split('\n')[0], notes],
      ['ok', undefined, 'Your parameters are {"temperature":0.2,"model":"m"}.', ESCAPES],
    );
  });

  it('gets the messages of a conversation, with roles and parameters', async () => {
    const items = ['system', 'user'].map(
      role =>
        `[d:[s:type]:[s:message],[s:role]:[s:${role}],[s:content]:[l:[d:[s:type]:[s:text],[s:text]:[s:The ${role}.]]]]`,
    );
    const [status, , text, ...notes] = await send(
      '',
      `[s:n]:[i:2],[s:seed]:[i:7]],[s:items]:[l:${items.join(',')}`,
      ']',
    );
    assert.deepEqual(
      [status, text?.split('\n'), notes],
      [
        'ok',
        [
          'Your parameters are {"n":2,"seed":7}.',
          '',
          'You asked: "The system. The user.". Here is the sky over Lisbon, in one picture.',
        ],
        ESCAPES,
      ],
    );
  });

  it('continues after an answered approval request', async () => {
    const answer = { approval_request_id: 'approval_1', approve: true };
    const input = [
      { type: 'mcp_approval_response', role: 'user', content: [{ type: 'data', data: answer }] },
    ];
    const body = await (await post('', { input })).text();
    assert.match(body, /Then I look ahead: it will rain\./);
  });

  it('says what is wrong with a request without input', async () => {
    const body = await (await post('', { input: 5 })).text();
    assert.equal(body, `data: {"error":"The request has no 'input'; send a list of messages"}\n\n`);
  });
});
