import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connectA2a, DEFAULT_A2A_LIMITS, type A2aLimits } from '../../../agents/a2a/connection.ts';
import { askIn } from '../../../agents/converting/converting-connection.ts';
import type { ResolvedHttpAgent } from '../../../agents/config/resolve-agent.ts';
import type { Connection, Reply, WireListener } from '../../../agents/connection.ts';
import { KnownTools } from '../../../agents/capabilities/known-tools.ts';
import { itAtFullSize } from '../../support/size.ts';
import { closeA2aAgents, startA2aAgent, type A2aAgent, type A2aVersion } from '../support/a2a-agent.ts';
import { closeRawAgents, reply, startRawAgent, until } from '../support/raw-agent.ts';
import { agentAt, sendTo, type Sent } from '../support/send.ts';
import { shownPeer } from '../support/shown-peer.ts';

const FORMS = [
  { version: '1.0', streaming: true },
  { version: '1.0', streaming: false },
  { version: '0.3', streaming: true },
  { version: '0.3', streaming: false },
] as const;

const SENDS: Readonly<Record<A2aVersion, readonly [string, string]>> = {
  '1.0': ['SendStreamingMessage', 'SendMessage'],
  '0.3': ['message/stream', 'message/send'],
};

function connect(
  url: string,
  limits: Partial<A2aLimits> = {},
  more: Partial<ResolvedHttpAgent> = {},
): Connection {
  return connectA2a(agentAt('a2a', url, more), { ...DEFAULT_A2A_LIMITS, firstPause: 10, ...limits });
}

function say(text: string, more: object = {}): string {
  const message = { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ text }], ...more };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } });
}

async function sendWith(
  connection: Connection,
  headers: ReadonlyMap<string, string>,
): Promise<{ readonly reply: Reply }> {
  const quiet = (): void => undefined;
  const listener = { head: quiet, bytes: quiet, note: quiet, progress: quiet };
  const request = { wireText: say('say hi'), headers };
  return { reply: await connection.send(request, listener, new AbortController().signal) };
}

/** Whatever an agent makes up, and is not the same twice. */
function withoutIds(text: string): string {
  const ids: string[] = [];
  return text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, id => {
    if (!ids.includes(id)) ids.push(id);
    return `#${ids.indexOf(id)}`;
  });
}

const notesOf = ({ observed }: Sent): readonly string[] =>
  observed.filter(each => each.startsWith('note: ')).map(each => withoutIds(each.slice(6)));
const postsOf = ({ requests }: A2aAgent): readonly string[] =>
  requests
    .filter(each => !each.startsWith('GET '))
    .map(each => String((JSON.parse(each) as { readonly method: unknown }).method));
const bodyOf = ({ observed }: Sent): string =>
  observed
    .filter(each => each.startsWith('in: '))
    .map(each => Buffer.from(each.slice(4), 'latin1').toString())
    .slice(-1)
    .join('');

afterEach(async () => {
  await closeA2aAgents();
  await closeRawAgents();
});

describe('an A2A agent of the official library', () => {
  for (const form of FORMS) {
    const name = `version ${form.version}, ${form.streaming ? 'with streams' : 'without streams'}`;
    const [stream, plain] = SENDS[form.version];
    const method = form.streaming ? stream : plain;

    it(`${name}: answers with what came, to the letter`, async () => {
      const agent = await startA2aAgent(form);
      const connection = connect(agent.origin);
      for (const text of ['say hi', 'work']) {
        const sent = await sendTo(connection, say(text));
        assert.deepEqual(sent.reply, { status: 'ok', text: bodyOf(sent), isProtocol: true });
        assert.deepEqual(sent.progress.join(''), form.streaming ? sent.reply.text : '');
      }
      assert.deepEqual(
        [shownPeer(connection.peer), postsOf(agent)],
        [{ version: form.version, name: 'Planner 2.1.0', capabilities: ['Plan trips'] }, [method, method]],
      );
      assert.equal(agent.headers()['a2a-version'], form.version);
    });

    it(`${name}: is asked in AICL and AICF, and gets numbers as they are written`, async () => {
      const agent = await startA2aAgent(form);
      const options = { protocols: ALL_PROTOCOLS, tools: new KnownTools(), warningPolicy: 'send' } as const;
      const aicf = askIn(connect(agent.origin), { language: 'aicf', ...options });
      await sendTo(aicf, 'CALL|echo|{"n":9007199254740993,"f":1.0}');
      assert.match(
        agent.requests.at(-1) ?? '',
        /"data":\{"tool":"echo","arguments":\{"n":9007199254740993,"f":1\.0\}\}/,
      );
      const aicl = askIn(connect(agent.origin), { language: 'aicl', ...options });
      const { reply: reported } = await sendTo(
        aicl,
        '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:trip],[s:msg_type]:[s:task_request],[s:task]:[s:work]]',
      );
      const said = form.streaming
        ? '[s:data]:[s:Day 1: Louvre]'
        : '[s:content]:[l:\n    [d:[s:type]:[s:text],[s:text]:[s:Day 1: ]],\n    [d:[s:type]:[s:text],[s:text]:[s:Louvre]]\n  ]';
      assert.ok(reported.text.includes(said), reported.text);
      assert.ok(reported.text.includes('[s:session_id]:[s:trip]'), reported.text);
    });

    it(`${name}: a task that failed is an error in the agent's words`, async () => {
      const agent = await startA2aAgent(form);
      const { reply: reported } = await sendTo(connect(agent.origin), say('fail'));
      assert.deepEqual(
        [reported.status, reported.message, reported.isProtocol],
        ['error', 'no trains run', true],
      );
    });

    it(`${name}: a task that asks for more says so, and the next message of its session answers it`, async () => {
      const agent = await startA2aAgent(form);
      const options = {
        protocols: ALL_PROTOCOLS,
        language: 'aicl',
        tools: new KnownTools(),
        warningPolicy: 'send',
      } as const;
      const connection = askIn(connect(agent.origin), options);
      const ask = (task: string): Promise<Sent> =>
        sendTo(
          connection,
          `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:trip],[s:msg_type]:[s:task_request],[s:task]:[s:${task}]]`,
        );
      const asked = await ask('ask');
      assert.equal(asked.reply.status, 'ok');
      assert.equal(asked.reply.text.split('[s:Which city?]').length, 2, asked.reply.text);
      assert.ok(
        notesOf(asked).includes(
          "The agent needs more input to continue its task: 'Which city?'; answer it in the same session",
        ),
      );
      const answered = await ask('Paris');
      assert.ok(answered.reply.text.includes('[s:data]:[s:Then it is Paris]'), answered.reply.text);
      assert.equal(notesOf(answered)[0], "The message continues the task '#0', which is waiting for input");
    });

    it(`${name}: a task that goes on after its reply is waited for`, async () => {
      const agent = await startA2aAgent(form);
      const sending = sendTo(connect(agent.origin), say('break'));
      const gets = form.version === '1.0' ? 'GetTask' : 'tasks/get';
      await until('the task was asked for', () => postsOf(agent).includes(gets));
      await agent.release();
      const sent = await sending;
      assert.equal(sent.reply.status, 'ok');
      assert.match(sent.reply.text, /(?:COMPLETED|completed)"[^\n]*"Done at last"/);
      assert.match(
        notesOf(sent).at(-1) ?? '',
        /^The task '#0' is still running; Parley polls the agent until it ends$/,
      );
    });

    it(`${name}: a call that is stopped or takes too long cancels its task`, async () => {
      const agent = await startA2aAgent(form);
      const connection = connect(agent.origin);
      const request = { wireText: say(form.streaming ? 'wait' : 'break') };
      const controller = new AbortController();
      const notes: string[] = [];
      let came = '';
      const listener: WireListener = {
        head: () => undefined,
        bytes(direction, bytes) {
          if (direction === 'in') came += Buffer.from(bytes).toString();
          if (/working/i.test(came)) controller.abort();
        },
        note: text => void notes.push(withoutIds(text)),
        progress: () => undefined,
      };
      const stopped = await connection.send(request, listener, controller.signal);
      const late = await connection.send(
        { ...request, timeout: 300 },
        listener,
        new AbortController().signal,
      );
      assert.deepEqual(
        [stopped.status, stopped.code, late.status, late.code],
        ['cancelled', 'CANCELLED', 'incomplete', 'TIMEOUT'],
      );
      const cancel = form.version === '1.0' ? 'CancelTask' : 'tasks/cancel';
      assert.equal(postsOf(agent).filter(each => each === cancel).length, 2);
      assert.deepEqual(
        notes.filter(each => each.includes('cancel')),
        ["A request to cancel the task '#0' was sent", "A request to cancel the task '#0' was sent"],
      );
    });
  }

  it('that has not named its task when the call is stopped may go on, which is noted', async () => {
    const agent = await startA2aAgent({ version: '1.0', streaming: false });
    const controller = new AbortController();
    const notes: string[] = [];
    const listener: WireListener = {
      head: () => undefined,
      bytes: direction => void (direction === 'out' && setTimeout(() => controller.abort(), 50)),
      note: text => void notes.push(text),
      progress: () => undefined,
    };
    const stopped = await connect(agent.origin).send({ wireText: say('wait') }, listener, controller.signal);
    assert.equal(stopped.code, 'CANCELLED');
    assert.match(notes.join('\n'), /not reported the id of its task .* may still be running$/);
  });

  it('a task that is polled does not prevent closing the connection', async () => {
    const agent = await startA2aAgent(FORMS[1]);
    // Nobody asks for the task before the test would have ended.
    const connection = connect(agent.origin, { firstPause: 3_600_000, goodbye: 300 });
    let waits = false;
    const listener: WireListener = {
      head: () => undefined,
      bytes: () => undefined,
      note: text => void (waits ||= text.includes('is still running')),
      progress: () => undefined,
    };
    const sending = connection.send({ wireText: say('break') }, listener, new AbortController().signal);
    await until('the task goes on', () => waits);
    await connection.close();
    assert.equal((await sending).status, 'cancelled');
  });

  it('is found below its url, at its origin, by its card, and by the endpoint that the card names', async () => {
    for (const [card, url, path] of [
      ['/team/.well-known/agent-card.json', '/team', '/a2a'],
      ['/.well-known/agent-card.json', '/a2a', '/a2a'],
      ['/.well-known/agent.json', '', '/rpc'],
      ['/cards/planner.json', '/cards/planner.json', '/a2a'],
    ] as const) {
      const agent = await startA2aAgent({ version: '1.0', streaming: false, card, path });
      const { reply: reported } = await sendTo(connect(`${agent.origin}${url}`), say('say hi'));
      assert.deepEqual([reported.status, postsOf(agent)], ['ok', ['SendMessage']], card);
    }
  });

  it('without a card is asked at its url, and gets other requests as they are written', async () => {
    const agent = await startA2aAgent({ version: '0.3', streaming: false, card: undefined, path: '/a2a' });
    const connection = connect(`${agent.origin}/a2a`);
    const text =
      '{"jsonrpc": "2.0", "id": "mine", "method": "message/send", "params": {"message": {"kind":"message","role":"user","messageId":"m","parts":[{"kind":"text","text":"say hi"}]}}}';
    const sent = await sendTo(connection, text);
    assert.deepEqual([sent.reply.status, agent.requests.at(-1)], ['ok', text]);
    assert.deepEqual(notesOf(sent), [
      'The agent has no card at its address, so the request was sent to its url in version 1.0 of A2A',
    ]);
    assert.equal(connection.peer, undefined);
  });

  it('gets the headers of its agent, and those of the call', async () => {
    const agent = await startA2aAgent({ version: '1.0', streaming: true });
    const connection = connect(agent.origin, {}, { headers: new Map([['Authorization', 'Bearer t0ken']]) });
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const { reply: reported } = await sendWith(connection, new Map([['traceparent', traceparent]]));
    const { authorization, traceparent: came } = agent.headers();
    assert.deepEqual([reported.status, authorization, came], ['ok', 'Bearer t0ken', traceparent]);
  });
});

describe('an A2A agent that does not keep to it', () => {
  const card = (more: object): string =>
    JSON.stringify({
      name: 'x',
      capabilities: { streaming: true },
      supportedInterfaces: [{ url: '/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      ...more,
    });

  /** An agent whose card is this, and that answers each POST with these bytes. */
  async function serve(cardText: string, body: string | Buffer): Promise<string> {
    const raw = await startRawAgent((socket, index) => {
      const isCard = raw.requests[index]?.startsWith('GET ');
      socket.end(isCard ? reply(cardText, '200 OK', 'application/json') : body);
    });
    return raw.origin;
  }

  it('names another origin, or offers no JSON-RPC: nothing is sent there', async () => {
    const other = [{ url: 'https://example.org/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
    const grpc = [{ url: '/', protocolBinding: 'GRPC', protocolVersion: '1.0' }];
    for (const [interfaces, message] of [
      [
        other,
        "Not sent: the agent card at ORIGIN/.well-known/agent-card.json names the address 'https://example.org/a2a', which is at another origin than the agent's url; put that address into the agent's url if you trust it",
      ],
      [
        grpc,
        "The agent card at ORIGIN/.well-known/agent-card.json offers 'GRPC' but not JSON-RPC, the only A2A binding that Parley supports; use an agent that offers it",
      ],
    ] as const) {
      const origin = await serve(card({ supportedInterfaces: interfaces }), '');
      const { reply: reported, observed } = await sendTo(connect(origin), say('hi'));
      assert.deepEqual(
        { ...reported, message: reported.message?.replace(origin, 'ORIGIN') },
        { status: 'error', code: 'NOT_SENT', message, text: '', isProtocol: false },
      );
      assert.deepEqual(
        observed.filter(each => each.startsWith('out head: POST')),
        [],
      );
    }
  });

  it('names this computer in another way: its url counts', async () => {
    const raw = await startRawAgent((socket, index) => {
      const url = `http://0.0.0.0:${raw.port}/a2a`;
      const interfaces = [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
      const isCard = raw.requests[index]?.startsWith('GET ');
      const body = isCard ? card({ supportedInterfaces: interfaces }) : '{}';
      socket.end(reply(body, '200 OK', 'application/json'));
    });
    await sendTo(connect(raw.origin), say('hi'));
    assert.match(raw.requests.at(-1) ?? '', /^POST \/a2a /);
  });

  it('answers with a page, with an error, or breaks off: one sentence, and the received part is stored', async () => {
    const page = reply('<html><title>Gone</title></html>', '502 Bad Gateway', 'text/html');
    const error = '{"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"no streams today"}}';
    const event =
      'data: {"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"text":"half"}]}}}}\n\n';
    const cut = `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9999\r\n\r\n${event}`;
    const replies = [];
    for (const body of [page, reply(error, '200 OK', 'application/json'), cut]) {
      const origin = await serve(card({}), body);
      const { reply: reported } = await sendTo(connect(origin), say('hi'));
      replies.push({ ...reported, message: reported.message?.replaceAll(origin, 'ORIGIN') });
    }
    assert.deepEqual(replies, [
      {
        status: 'error',
        code: 'HTTP 502',
        message:
          "Tried POST ORIGIN/: 502 Bad Gateway came with an HTML page ('Gone') and no Agent2Agent (A2A) reply; check that an agent of Agent2Agent (A2A) runs at this address",
        text: '<html><title>Gone</title></html>',
        isProtocol: false,
      },
      { status: 'error', code: '-32004', message: 'no streams today', text: error, isProtocol: true },
      {
        status: 'incomplete',
        code: 'ECONNRESET',
        message: `Tried POST ORIGIN/: 200 OK and ${event.length} bytes came, then the connection was lost; the received part is stored, send again for the rest`,
        text: event,
        isProtocol: true,
      },
    ]);
  });

  const readsEvent = (length: number) => async (): Promise<void> => {
    const text = 'x'.repeat(length);
    const result = { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] } };
    const event = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`;
    const origin = await serve(card({}), reply(event, '200 OK', 'text/event-stream'));
    const { reply: reported } = await sendTo(connect(origin), say('hi'));
    assert.deepEqual([reported.status, reported.text === event], ['ok', true]);
  };
  it('sends a long event: it is read whole', readsEvent(50_000));
  itAtFullSize(
    'sends an event that is longer than the library takes: it is read all the same',
    readsEvent(5_000_000),
  );

  it('is not there, or redirects its card', async () => {
    const raw = await startRawAgent(() => undefined);
    await raw.close();
    const { reply: gone } = await sendTo(connect(raw.origin), say('hi'));
    assert.deepEqual([gone.status, gone.code], ['error', 'ECONNREFUSED']);
    const away = await startRawAgent(socket => {
      socket.end('HTTP/1.1 302 Found\r\nLocation: http://example.org/\r\nContent-Length: 0\r\n\r\n');
    });
    const { reply: reported } = await sendTo(connect(away.origin), say('hi'));
    assert.deepEqual([reported.status, reported.code], ['error', 'HTTP 302']);
  });

  it('is not asked what is no request, and nothing goes on after the connection was closed', async () => {
    const raw = await startRawAgent(() => undefined);
    const connection = connect(raw.origin);
    assert.equal((await sendTo(connection, 'LIST')).reply.code, 'NOT_SENT');
    const sending = sendTo(connection, say('hi'));
    await until('the card was asked for', () => raw.requests.length === 1);
    await connection.close();
    assert.equal((await sending).reply.status, 'cancelled');
    await until('the socket was closed', () => raw.countSockets() === 0);
  });
});
