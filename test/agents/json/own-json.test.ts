import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import type { ResolvedAgent } from '../../../agents/config/resolve-agent.ts';
import type { Connection, Sender } from '../../../agents/connection.ts';
import { askIn } from '../../../agents/converting/converting-connection.ts';
import { KnownTools } from '../../../agents/capabilities/known-tools.ts';
import { NOT_SENT } from '../../../core/events/events.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { EVERYTHING, mcpProgram } from '../mcp/support.ts';
import { closeA2aAgents, startA2aAgent, type A2aVersion } from '../support/a2a-agent.ts';
import { closeRawAgents, reply, startRawAgent, type RawAgent } from '../support/raw-agent.ts';
import { agentAt, sendTo, type Sent } from '../support/send.ts';

const open = new Set<Connection>();

function ask(agent: ResolvedAgent): Sender {
  const connection = connectAgent(agent);
  open.add(connection);
  const tools = new KnownTools();
  return askIn(connection, {
    protocols: ALL_PROTOCOLS,
    language: 'agent-json',
    tools,
    warningPolicy: 'hold',
  });
}

const notesOf = ({ observed }: Sent): readonly string[] => observed.filter(each => each.startsWith('note: '));

async function serve(body: string): Promise<RawAgent> {
  return startRawAgent(socket => {
    socket.end(reply(body, '200 OK', 'application/json'));
  });
}

const bodyOf = (request = ''): string => request.slice(request.indexOf('\r\n\r\n') + 4);

describe('requests in the JSON of their agent', () => {
  afterEach(async () => {
    await Promise.all([...open].map(connection => connection.close()));
    open.clear();
    await Promise.all([closeA2aAgents(), closeRawAgents()]);
  });

  it('call a tool of the official MCP server, with a note on what was added', async () => {
    const text = '{"method":"tools/call","params":{"name":"echo","arguments":{"message":"hi"}}}';
    const sent = await sendTo(ask(mcpProgram([EVERYTHING, 'stdio'])), text);
    assert.equal(sent.reply.status, 'ok');
    assert.match(sent.reply.text, /"Echo: hi"/);
    assert.deepEqual(notesOf(sent).slice(0, 1), ['note: Added to the request: "jsonrpc":"2.0"']);
  });

  it('say that an id of the file has no effect on MCP', async () => {
    const text = '{"jsonrpc":"2.0","id":7,"method":"tools/list"}';
    const sent = await sendTo(ask(mcpProgram([EVERYTHING, 'stdio'])), text);
    assert.deepEqual(notesOf(sent).slice(0, 1), [
      "note: The 'id' of the request is replaced: on MCP the connection numbers its requests",
    ]);
  });

  for (const [version, method, message] of [
    ['1.0', 'SendMessage', '{"role":"ROLE_USER","parts":[{"text":"Rome"}]}'],
    [
      '0.3',
      'message/send',
      '{"role":"user","kind":"message","messageId":"m1","parts":[{"kind":"text","text":"Rome"}]}',
    ],
  ] as const satisfies readonly (readonly [A2aVersion, string, string])[]) {
    it(`send messages of A2A ${version} and continue a conversation`, async () => {
      const agent = await startA2aAgent({ version, streaming: false });
      const sender = ask(agentAt('a2a', agent.origin));
      const text = `{"method":"${method}","params":{"message":${message}}}`;
      for (const again of [text, text.replace('m1', 'm2')]) {
        const sent = await sendTo(sender, again, { session: 'trip' });
        assert.equal(sent.reply.status, 'ok', sent.reply.message);
        assert.match(sent.reply.text, /"result"/);
      }
      const bodies = agent.requests.filter(each => each.startsWith('{'));
      const contexts = bodies.map(body => /"contextId":"([^"]+)"/.exec(body)?.[1]);
      assert.equal(contexts[0], undefined);
      assert.notEqual(contexts.at(-1), undefined);
    });
  }

  it('go out over HTTP as they are written', async () => {
    const agent = await serve('{"object":"response","id":"r1","status":"completed","output":[]}');
    const sender = ask(agentAt('responses', agent.origin));
    const text =
      '{"stream":false,"model":"m","input":"\\u00e9","temperature":1.0,"metadata":{"b":9007199254740993,"a":1e400}}';
    await sendTo(sender, text, { session: 's' });
    await sendTo(sender, text, { session: 's' });
    assert.deepEqual(agent.requests.map(bodyOf), [text, `{"previous_response_id":"r1",${text.slice(1)}`]);
  });

  it('are sent together as a batch, numbered where they have no id, and the missing answers are noted', async () => {
    const agent = await serve('[{"jsonrpc":"2.0","id":2,"result":1},{"jsonrpc":"2.0","id":7,"result":2}]');
    const sent = await sendTo(
      ask(agentAt('json-rpc', agent.origin)),
      '[{"method":"a.b","x":1.0},{"id":1,"method":"a.c"},{"method":"notifications/x"}]',
    );
    assert.equal(
      bodyOf(agent.requests.at(-1)),
      '[{"jsonrpc":"2.0","id":2,"method":"a.b","x":1.0},{"jsonrpc":"2.0","id":1,"method":"a.c"},{"jsonrpc":"2.0","method":"notifications/x"}]',
    );
    const notes = notesOf(sent).filter(note => !note.endsWith('was read as 2 messages, one after the other'));
    assert.deepEqual(notes, [
      'note: Added to the request: "jsonrpc":"2.0", "id":2',
      "note: The reply has no answer to the requests with the ids '1'",
      'note: The reply has 1 answer that belongs to no request of the batch',
    ]);
    assert.equal(sent.reply.status, 'ok', sent.reply.message);
  });

  it('name the first few of what was added to a large batch, and of the answers that are missing', async () => {
    const agent = await serve(
      '[{"jsonrpc":"2.0","id":5000,"result":1},{"jsonrpc":"2.0","id":5001,"result":1}]',
    );
    const batch = `[${Array.from({ length: 2_000 }, () => '{"method":"a"}').join(',')}]`;
    const notes = notesOf(await sendTo(ask(agentAt('json-rpc', agent.origin)), batch));
    assert.deepEqual(
      notes
        .filter(note => !note.endsWith('was read as 2 messages, one after the other'))
        .map(note => note.replace(/(?:"id":\d+, )+"id":9|'1'(?:, '\d+')+/, 'N')),
      [
        'note: Added to the request: "jsonrpc":"2.0", N and 1,991 more',
        'note: The reply has no answer to the requests with the ids N and 1,990 more',
        'note: The reply has 2 answers that belong to no request of the batch',
      ],
    );
  });

  it('are no batch for agents without batches, or where one of them is no request', async () => {
    const agent = await serve('{}');
    const refuse = async (protocol: 'mcp' | 'json-rpc', text: string): Promise<readonly unknown[]> => {
      const { reply: held } = await sendTo(ask(agentAt(protocol, agent.origin)), text);
      return [held.code, held.message];
    };
    assert.deepEqual(await refuse('mcp', '[{"method":"ping"}]'), [
      NOT_SENT,
      "Not sent: MCP has no batches; remove '// @batch', and the requests are sent one after the other",
    ]);
    assert.deepEqual(await refuse('json-rpc', '[]'), [
      NOT_SENT,
      'Not sent: a batch has at least one request, and this one is empty',
    ]);
    assert.deepEqual(await refuse('json-rpc', '[{"method":"a"},[]]'), [
      NOT_SENT,
      'Not sent: a request of JSON-RPC is one JSON object',
    ]);
    assert.deepEqual(agent.requests, []);
  });

  it('have an id unless they are notifications', async () => {
    const agent = await serve('{"jsonrpc":"2.0","id":1,"result":{}}');
    const sender = ask(agentAt('json-rpc', agent.origin));
    await sendTo(sender, '{"method":"a.b","params":[1.0]}');
    await sendTo(sender, '{"method":"notifications/x"}');
    await sendTo(sender, '{"jsonrpc":"2.0","id":"mine","method":"a.b"}');
    assert.deepEqual(
      agent.requests.map(bodyOf).filter(body => !body.includes('aip.handshake')),
      [
        '{"jsonrpc":"2.0","id":1,"method":"a.b","params":[1.0]}',
        '{"jsonrpc":"2.0","method":"notifications/x"}',
        '{"jsonrpc":"2.0","id":"mine","method":"a.b"}',
      ],
    );
  });

  it('are not sent to an agent that does not take them, with one sentence', async () => {
    const agent = await serve('{}');
    const refusals = [
      ['aicl', '{"method":"ping"}'],
      ['mcp', '{"input":"x"}'],
      ['mcp', '5'],
      ['responses', '{"method":"tools/list"}'],
    ] as const;
    const replies = await Promise.all(
      refusals.map(
        async ([protocol, text]) => (await sendTo(ask(agentAt(protocol, agent.origin)), text)).reply,
      ),
    );
    assert.deepEqual(
      replies.map(({ code, message }) => [code, message]),
      [
        'the agent speaks AICL, and the request is JSON; write it in AICL, or send it to another agent',
        `a request of MCP is JSON-RPC, as in {"method":"…","params":{…}}; this one has no 'method'`,
        'a request of MCP is one JSON object',
        "the agent speaks Responses, and 'tools/list' is a method of JSON-RPC; send it to an agent of another protocol",
      ].map(reason => [NOT_SENT, `Not sent: ${reason}`]),
    );
    assert.deepEqual(agent.requests, []);
  });
});
