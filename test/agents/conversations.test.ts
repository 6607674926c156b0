import { OPEN } from './support/open-options.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { askIn } from '../../agents/converting/converting-connection.ts';
import { parseAgentsFile } from '../../agents/config/agents-file.ts';
import { connectAgent } from '../../agents/all.ts';
import type { Connection, Sender } from '../../agents/connection.ts';
import { ConnectionPool } from '../../agents/connection-pool.ts';
import { KnownTools } from '../../agents/capabilities/known-tools.ts';
import { openAgent } from '../../agents/open-agent.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import type { ProtocolName } from '../../core/catalog/protocols.ts';
import { closeRawAgents, reply, startRawAgent, type RawAgent } from './support/raw-agent.ts';
import { agentAt, sendTo, senderOf, type Sent } from './support/send.ts';

/** An agent that answers requests with these bodies, one after the other, and tells its card. */
async function serve(bodies: readonly string[]): Promise<RawAgent> {
  let next = 0;
  const agent = await startRawAgent((socket, index) => {
    const request = agent.requests[index] ?? '';
    if (request.includes('[s:query]:[s:tools]')) {
      socket.end(reply('[d:[s:msg_type]:[s:error],[s:code]:[i:3001],[s:reason]:[s:no]]'));
      return;
    }
    const isCard = request.startsWith('GET ');
    const type = /^(?:data|event):/.test(bodies[next] ?? '') ? 'text/event-stream' : 'application/json';
    const card = `{"protocolVersion":"0.3.0","name":"h","description":"","url":"${agent.origin}/","version":"1","capabilities":{},"skills":[],"defaultInputModes":["text"],"defaultOutputModes":["text"]}`;
    socket.end(
      isCard ? reply(card, '200 OK', 'application/json') : reply(bodies[next++] ?? '', '200 OK', type),
    );
  });
  return agent;
}

/** The requests that the agent got, without those that ask for its card and its tools. */
const bodiesOf = ({ requests }: RawAgent): readonly string[] =>
  requests
    .filter(each => !each.startsWith('GET ') && !each.includes('[s:query]:[s:tools]'))
    .map(each => Buffer.from(each.slice(each.indexOf('\r\n\r\n') + 4), 'latin1').toString());

const open = new Set<Connection>();

function ask(protocol: ProtocolName, agent: RawAgent, language: LanguageId): Sender {
  const connection = connectAgent(agentAt(protocol, agent.origin, { quirks: 'off' }));
  open.add(connection);
  return askIn(connection, {
    protocols: ALL_PROTOCOLS,
    language,
    tools: new KnownTools(),
    warningPolicy: 'send',
  });
}

const task = (text: string, session = 'mine'): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:${session}],[s:msg_type]:[s:task_request],[s:task]:[s:${text}],[s:constraints]:[l:]]`;
const said = (session: string): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:${session}],[s:msg_type]:[s:result],[s:data]:[s:x]]`;
const notesOf = ({ observed }: Sent): readonly string[] => observed.filter(each => each.startsWith('note: '));

/** Two replies of an agent and, of each of three requests, what continues the conversation. */
interface Row {
  readonly protocol: ProtocolName;
  readonly replies: readonly string[];
  readonly find: (body: string) => unknown;
  /** Of three requests in AICF: the first says nothing of the conversation. */
  readonly carried: readonly unknown[];
}

const run = (session: string): string =>
  `data: {"object":"response","id":"r","status":"completed","error":null,"session_id":"${session}","output":[]}\n\n`;
const response = (id: string, status: string): string =>
  `data: {"type":"response.${status}","sequence_number":0,"response":{"id":"${id}","object":"response","status":"${status}","output":[]}}\n\n`;
const a2aTask = (id: string, state: string): string =>
  `{"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"${id}","contextId":"ctx","status":{"state":"${state}"}}}`;

const ROWS: readonly Row[] = [
  {
    protocol: 'aicl',
    replies: [said('theirs'), said('theirs'), said('theirs')],
    find: body => /\[s:session_id\]:\[s:([^\]]*)\]/.exec(body)?.[1],
    carried: ['session', 'theirs', 'theirs'],
  },
  {
    protocol: 'agent-api',
    replies: [run('one'), run('two'), run('two')],
    find: body => (JSON.parse(body) as { readonly session_id?: string }).session_id,
    carried: [undefined, 'one', 'two'],
  },
  {
    protocol: 'responses',
    replies: [response('r1', 'completed'), response('r2', 'failed'), response('r3', 'completed')],
    find: body => (JSON.parse(body) as { readonly previous_response_id?: string }).previous_response_id,
    carried: [undefined, 'r1', 'r1'],
  },
  {
    protocol: 'a2a',
    replies: [a2aTask('t1', 'input-required'), a2aTask('t1', 'completed'), a2aTask('t2', 'completed')],
    find: body => {
      const { params } = JSON.parse(body) as {
        readonly params: { readonly message: Record<string, unknown> };
      };
      return [params.message['contextId'], params.message['taskId']];
    },
    carried: [
      [undefined, undefined],
      ['ctx', 't1'],
      ['ctx', undefined],
    ],
  },
];

describe('# @session', () => {
  afterEach(async () => {
    await Promise.all([...open].map(each => each.close()));
    open.clear();
    await closeRawAgents();
  });

  for (const { protocol, replies, find, carried } of ROWS) {
    it(`${protocol}: what a reply calls the conversation goes into the next request`, async () => {
      const agent = await serve(replies);
      const connection = ask(protocol, agent, 'aicf');
      for (const word of ['a', 'b', 'c'])
        await sendTo(connection, `CALL|do|{"x":"${word}"}`, { session: 'trip' });
      assert.deepEqual(bodiesOf(agent).map(find), carried);
    });

    it(`${protocol}: without it, and under another name, nothing is carried`, async () => {
      const agent = await serve(replies);
      const connection = ask(protocol, agent, 'aicf');
      await sendTo(connection, 'CALL|do|{"x":"a"}', { session: 'trip' });
      await sendTo(connection, 'CALL|do|{"x":"b"}');
      await sendTo(connection, 'CALL|do|{"x":"c"}', { session: 'other' });
      const [first] = carried;
      assert.deepEqual(bodiesOf(agent).map(find), [first, first, first]);
    });
  }

  it('a message of AICL goes on in the session that its agent named, and keeps one that it names anew', async () => {
    const agent = await serve([said('theirs'), said('theirs'), said('new'), said('new')]);
    const connection = ask('aicl', agent, 'aicl');
    const sent: Sent[] = [];
    for (const session of ['mine', 'mine', 'new', 'new'])
      sent.push(await sendTo(connection, task('go', session), { session: 'trip' }));
    assert.deepEqual(bodiesOf(agent), [
      task('go', 'mine'),
      task('go', 'theirs'),
      task('go', 'new'),
      task('go', 'new'),
    ]);
    assert.deepEqual(sent.map(notesOf), [
      [],
      ["note: The request goes on in the agent's session 'theirs'"],
      [
        "note: The request names the session 'new' and the one before it 'mine', so it begins a new conversation",
      ],
      [],
    ]);
  });

  it('tells that the signature of a message no longer fits in the session of its agent', async () => {
    const agent = await serve([said('theirs'), said('theirs')]);
    const connection = ask('aicl', agent, 'aicl');
    const signed = task('go').replace(/]$/, ',[s:signature]:[s:abc]]');
    await sendTo(connection, signed, { session: 'trip' });
    assert.deepEqual(notesOf(await sendTo(connection, signed, { session: 'trip' })), [
      "note: The request goes on in the agent's session 'theirs'; its signature no longer fits",
    ]);
  });

  it('a message of AICL goes on in a conversation of another protocol', async () => {
    const agent = await serve([run('one'), run('one'), run('two')]);
    const connection = ask('agent-api', agent, 'aicl');
    for (const session of ['mine', 'mine', 'other'])
      await sendTo(connection, task('go', session), { session: 'trip' });
    const named = bodiesOf(agent).map(
      body => (JSON.parse(body) as { readonly session_id: string }).session_id,
    );
    assert.deepEqual(named, ['mine', 'one', 'other']);
  });

  it('is reported as without effect if a protocol has no conversations', async () => {
    const agent = await serve(['OK|1', 'OK|2']);
    for (const language of ['aicf', 'aicl'] as const) {
      const request = language === 'aicf' ? 'CALL|do|{"x":1}' : task('go');
      const sent = await sendTo(ask('aicf', agent, language), request, { session: 'trip' });
      assert.equal(
        notesOf(sent)
          .filter(note => note.includes("'# @session'"))
          .join(),
        "note: AICF-RPC 1.0 cannot continue a conversation: '# @session' has no effect",
      );
    }
    assert.equal(bodiesOf(agent)[0], 'CALL|do|{"x":1}');
  });

  it('a reply that is not a message of the protocol leaves the conversation as it is', async () => {
    const agent = await serve([run('one'), '<html>no</html>', run('one')]);
    const connection = ask('agent-api', agent, 'aicf');
    for (const word of ['a', 'b', 'c'])
      await sendTo(connection, `CALL|do|{"x":"${word}"}`, { session: 'trip' });
    const named = bodiesOf(agent).map(
      body => (JSON.parse(body) as { readonly session_id?: string }).session_id ?? null,
    );
    assert.deepEqual(named, [null, 'one', 'one']);
  });

  it('continues from call to call of a reused agent, and ends with its connection', async () => {
    const agent = await serve([run('one'), run('one'), run('one')]);
    const stored = new ConnectionPool(connectAgent);
    const file = parseAgentsFile(
      JSON.stringify({ agents: { tester: { protocol: 'agent-api', type: 'http', url: agent.origin } } }),
    );
    const config = file.agents.get('tester');
    assert.ok(config);
    const variables = {
      env: () => undefined,
      input: () => undefined,
      secret: () => undefined,
      demo: () => Promise.resolve(undefined),
      workspaceFolder: () => undefined,
    };
    const send = async (): Promise<void> => {
      const options = {
        language: 'aicf',
        ...OPEN,
        warningPolicy: 'send',
        pooled: (resolved: Parameters<typeof stored.connect>[1]) => stored.connect('tester', resolved),
      } as const;
      const opened = await openAgent(config, variables, () => undefined, options);
      assert.ok(opened.ok);
      await sendTo(senderOf(opened), 'CALL|do|{"x":1}', { session: 'trip' });
    };
    await send();
    await send();
    await stored.disconnect('tester');
    await send();
    await stored.close();
    const named = bodiesOf(agent).map(
      body => (JSON.parse(body) as { readonly session_id?: string }).session_id ?? null,
    );
    assert.deepEqual(named, [null, 'one', null]);
  });
});
