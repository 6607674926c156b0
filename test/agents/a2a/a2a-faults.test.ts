import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connectA2a } from '../../../agents/a2a/connection.ts';
import type { Reply } from '../../../agents/connection.ts';
import { closeRawAgents, reply, startRawAgent } from '../support/raw-agent.ts';
import { agentAt, sendTo } from '../support/send.ts';

const REQUEST = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendMessage',
  params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } },
});

/** Asks an agent that answers a message with this body; ID is replaced by the id of the request. */
async function sendMessage(
  body: string,
  type: 'application/json' | 'text/event-stream' | 'Text/Event-Stream; charset=utf-8',
  status = '200 OK',
): Promise<{ readonly reply: Reply; readonly notes: readonly string[]; readonly text: string }> {
  let text = '';
  const agent = await startRawAgent((socket, index) => {
    const request = agent.requests[index] ?? '';
    if (request.startsWith('GET ')) return void socket.end(reply(CARD, '200 OK', 'application/json'));
    text = body.replaceAll('ID', /"id":("[^"]*"|\d+)/.exec(request)?.[1] ?? 'null');
    socket.end(reply(text, status, type));
  });
  const sent = await sendTo(connectA2a(agentAt('a2a', agent.origin)), REQUEST);
  const message = sent.reply.message?.replace(agent.origin, 'ORIGIN');
  return {
    reply: { ...sent.reply, ...(message === undefined ? {} : { message }) },
    notes: sent.observed.filter(each => each.startsWith('note: ')).map(each => each.slice(6)),
    text,
  };
}

const CARD = JSON.stringify({
  name: 'x',
  capabilities: { streaming: true },
  supportedInterfaces: [{ url: '/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
});

const MESSAGE = '{"message":{"messageId":"m2","role":"ROLE_AGENT","parts":[{"text":"hello"}]}}';
const answer = (result: string, id = 'ID'): string => `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
const events = (...data: readonly string[]): string => data.map(each => `data: ${each}\n\n`).join('');

describe('wrong answers of an A2A agent are reported', () => {
  afterEach(closeRawAgents);

  it('JSON that breaks off, as a body and in a stream', async () => {
    const cut = answer(MESSAGE).slice(0, -12);
    const update = answer('{"statusUpdate":{"taskId":"t","contextId":"c"}}');
    for (const [body, type, notes] of [
      [cut, 'application/json', []],
      [events(update, cut), 'text/event-stream', ['An event of the stream is not a JSON-RPC message']],
    ] as const) {
      const sent = await sendMessage(body, type);
      assert.deepEqual(
        [sent.reply, sent.notes],
        [
          {
            status: 'incomplete',
            message:
              'Tried POST ORIGIN/: 200 OK came, but the JSON of the reply is incomplete; the received part is stored, send again for the rest',
            text: sent.text,
            isProtocol: true,
          },
          notes,
        ],
      );
    }
  });

  it('a message with a status of failure, which is an error and shows the message', async () => {
    const sent = await sendMessage(answer(MESSAGE), 'application/json', '500 Internal Server Error');
    assert.deepEqual(sent.reply, {
      status: 'error',
      code: 'HTTP 500',
      message:
        "Tried POST ORIGIN/: 500 Internal Server Error came with a reply of Agent2Agent (A2A), and this status means failure; look at the reply and at the agent's own log",
      text: sent.text,
      isProtocol: true,
    });
  });

  it('the answer to another request', async () => {
    for (const [body, type] of [
      [answer(MESSAGE, '77'), 'application/json'],
      [events(answer(MESSAGE, '77')), 'text/event-stream'],
    ] as const) {
      const { reply: reported, notes, text } = await sendMessage(body, type);
      assert.deepEqual(reported, { status: 'ok', text, isProtocol: true });
      assert.equal(notes.length, 1);
      assert.match(
        notes[0] ?? '',
        /^The reply names the id '77', and the request has '[^']+'; it was treated as the reply anyway$/,
      );
    }
  });

  it('results that are neither a task nor a message', async () => {
    for (const result of ['{}', '{"text":"hello"}', '"hello"', 'null', '[]'])
      for (const [body, type] of [
        [answer(result), 'application/json'],
        [events(answer(result)), 'text/event-stream'],
      ] as const) {
        const sent = await sendMessage(body, type);
        assert.deepEqual(
          [sent.reply, sent.notes],
          [
            {
              status: 'error',
              code: 'INVALID_ANSWER',
              message:
                'Tried POST ORIGIN/: 200 OK came with a result that is neither a task nor a message, as A2A requires; check that an A2A agent runs at this address',
              text: sent.text,
              isProtocol: false,
            },
            [],
          ],
          `${type} ${result}`,
        );
      }
  });

  it('such results among others: they are counted', async () => {
    // Case counts for nothing in the name of a type.
    for (const type of ['text/event-stream', 'Text/Event-Stream; charset=utf-8'] as const) {
      const { reply: reported, notes } = await sendMessage(
        events(answer('{"x":1}'), answer('7'), answer(MESSAGE)),
        type,
      );
      assert.equal(reported.status, 'ok');
      assert.deepEqual(notes, [
        "2 of the stream's results are neither a task nor a message; they are only in the raw reply",
      ]);
    }
  });
});
