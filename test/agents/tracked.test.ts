import { OPEN } from './support/open-options.ts';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { parseAgentsFile } from '../../agents/config/agents-file.ts';
import type { Variables } from '../../agents/config/variables.ts';
import { openAgent } from '../../agents/open-agent.ts';
import { HttpConnection } from '../../agents/http/http-connection.ts';
import { A2A } from '../../protocols/a2a/protocol.ts';
import { AIO } from '../../protocols/aio/protocol.ts';
import type { Reply } from '../../agents/connection.ts';
import type { Tracking } from '../../agents/tracked.ts';
import { Redactor } from '../../core/secrets/redact.ts';
import type { TraceEvent, WireEvent } from '../../core/events/events.ts';
import { closeRawAgents, reply, startRawAgent } from './support/raw-agent.ts';
import { agentAt, connectTo, sendTo, senderOf, trackConnection } from './support/send.ts';
import { sized } from '../support/size.ts';

const VARIABLES: Variables = {
  env: () => undefined,
  input: () => undefined,
  secret: name => (name === 'key' ? 's3cr/t "x"' : undefined),
  demo: () => undefined,
  workspaceFolder: () => undefined,
};

/** Tracking that stores the events, with a stopped clock. */
function trackTo(events: TraceEvent[], redactor: Redactor): Tracking {
  return {
    emit: event => void events.push(event),
    now: () => 1,
    ids: { newTrace: () => 'a'.repeat(32), newCall: () => 'b'.repeat(16) },
    redactor,
  };
}

/** The most bytes of a request that are searched for secrets in one turn of the event loop. */
const PIECE = 2 ** 18;

describe('a tracked connection', () => {
  afterEach(closeRawAgents);

  it('tells each step with its time, in order, and names the trace on the wire', async () => {
    const agent = await startRawAgent(socket => void socket.end(reply('ERR|500|kaput')));
    const events: TraceEvent[] = [];
    let time = 1000;
    const connection = trackConnection(connectTo(agentAt('aicf', `${agent.origin}/x?key=abc`)), {
      emit: event => void events.push(event),
      now: () => time++,
      ids: { newTrace: () => 'a'.repeat(32), newCall: () => 'b'.repeat(16) },
      redactor: new Redactor([]),
    });
    const call = 'b'.repeat(16);
    const source = { uri: 'file:///hello.aicf', line: 3 };
    await connection.send(
      { wireText: 'CALL|boom|AUTH:tok|en', title: 'boom', source },
      { head: () => undefined, bytes: () => undefined, note: () => undefined, progress: () => undefined },
      new AbortController().signal,
    );
    const heads = events.filter(event => event.type === 'head');
    assert.deepEqual(
      events.map(event => (event.type === 'head' ? { ...event, headers: [] } : event)),
      [
        {
          type: 'call',
          call,
          trace: 'a'.repeat(32),
          at: 1000,
          agent: 'tester',
          protocol: 'aicf',
          title: 'boom',
          source,
        },
        {
          type: 'head',
          call,
          at: 1001,
          seq: 1,
          direction: 'out',
          line: `POST ${agent.origin}/x?key=[redacted]`,
          headers: [],
        },
        // `AUTH:` is a credential only in the last field, which this one is not.
        { type: 'wire', call, at: 1002, seq: 2, direction: 'out', bytes: { text: 'CALL|boom|AUTH:' } },
        { type: 'wire', call, at: 1003, seq: 3, direction: 'out', bytes: { text: 'tok|en' }, count: 0 },
        { type: 'head', call, at: 1004, seq: 4, direction: 'in', line: '200 OK', headers: [] },
        { type: 'wire', call, at: 1005, seq: 5, direction: 'in', bytes: { text: 'ERR|500|kaput' } },
        { type: 'end', call, at: 1006, seq: 6, status: 'error', code: '500', message: 'kaput' },
      ],
    );
    assert.deepEqual(
      heads[0]?.headers.filter(header => /trace/.test(header.name)),
      [
        // Only protocols with call chains also get the names of OpenStarry.
        { name: 'traceparent', value: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
      ],
    );
    assert.match(agent.requests[0] ?? '', /traceparent: 00-a{32}-b{16}-01/);
  });

  it('ends a request that was not sent as one that was stopped, not as an error', async () => {
    const events: TraceEvent[] = [];
    const held: Reply = { status: 'error', code: 'NOT_SENT', message: 'no', text: '', isProtocol: false };
    const inner = { ...connectTo(agentAt('aicf', 'http://127.0.0.1:9/')), send: () => Promise.resolve(held) };
    const sent = await trackConnection(inner, trackTo(events, new Redactor([]))).send(
      { wireText: 'LIST' },
      { head: () => undefined, bytes: () => undefined, note: () => undefined, progress: () => undefined },
      new AbortController().signal,
    );
    const end = events.find(event => event.type === 'end');
    assert.deepEqual([sent.status, end?.status, end?.code], ['error', 'cancelled', 'NOT_SENT']);
  });

  it('tells what a message says of its place itself, and the tokens that the reply counts', async () => {
    const answer = '{"jsonrpc":"2.0","id":7,"result":{"usage":{"input_tokens":3,"output_tokens":4}}}';
    const agent = await startRawAgent(socket => void socket.end(reply(answer)));
    const events: TraceEvent[] = [];
    const connection = trackConnection(
      new HttpConnection(agentAt('aio', agent.origin), AIO),
      trackTo(events, new Redactor([])),
    );
    await sendTo(
      connection,
      '{"jsonrpc":"2.0","id":7,"method":"tester::plan","params":{},"trace_id":"AIO-TR-20300101-0001"}',
    );
    const names = [{ scheme: 'aio', trace: 'AIO-TR-20300101-0001', id: '7' }];
    assert.deepEqual(
      events.filter(event => event.type === 'identity'),
      [{ type: 'identity', call: 'b'.repeat(16), at: 1, seq: 3, names }],
    );
    const end = events.at(-1);
    assert.deepEqual(end?.type === 'end' && end.usage, { input: 3, output: 4 });
  });

  it('adds up what its connection reports of several exchanges', async () => {
    const events: TraceEvent[] = [];
    const connection = trackConnection(
      {
        agent: 'tester',
        protocol: AIO,
        send: (_request, listener) => {
          listener.learn?.({ usage: { input: 1, output: 2 } });
          listener.learn?.({ session: 's' });
          listener.learn?.({ usage: { input: 3 } });
          return Promise.resolve({ status: 'ok', text: '', isProtocol: true });
        },
        close: () => Promise.resolve(),
      },
      trackTo(events, new Redactor([])),
    );
    await sendTo(connection, '{}');
    const end = events.at(-1);
    assert.deepEqual(end?.type === 'end' && end.usage, { input: 3, output: 2 });
  });

  it('tells the session that an agent begins in its reply', async () => {
    const events: TraceEvent[] = [];
    const answer =
      '{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","contextId":"c-1","role":"ROLE_AGENT","parts":[]}}}';
    const agent = await startRawAgent(socket => void socket.end(reply(answer, '200 OK', 'application/json')));
    const connection = trackConnection(
      new HttpConnection(agentAt('a2a', agent.origin), A2A),
      trackTo(events, new Redactor([])),
    );
    await sendTo(connection, '{}');
    const sessions = events.flatMap(event => (event.type === 'identity' && event.session) || []);
    assert.deepEqual(sessions, ['c-1']);
  });

  it('tells the session that a message names', async () => {
    const agent = await startRawAgent(socket => void socket.end(reply('[d:[s:msg_type]:[s:result]]')));
    const events: TraceEvent[] = [];
    const tracking = trackTo(events, new Redactor(['hush']));
    const text =
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:a hush],[s:msg_type]:[s:data_query],[s:query]:[s:x]]';
    await sendTo(trackConnection(connectTo(agentAt('aicl', agent.origin)), tracking), text);
    assert.deepEqual(
      events.filter(event => event.type === 'identity'),
      [{ type: 'identity', call: 'b'.repeat(16), at: 1, seq: 3, session: 'a [redacted]' }],
    );
  });

  it('records a long request piece by piece, other work in between, with a secret on the seam replaced', async () => {
    const start =
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:long],[s:msg_type]:[s:data_query],[s:query]:[s:';
    const before = start + 'x'.repeat(PIECE - start.length - 2);
    const wireText = `${before}hush${'y'.repeat(2 * PIECE)}]]`;
    let body = '';
    const server = createServer((request, answer) => {
      request.setEncoding('utf8').on('data', (text: string) => void (body += text));
      request.on('end', () => answer.end('[d:[s:msg_type]:[s:result]]'));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    let turns = 0;
    const count = (): void => {
      turns++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const events: (TraceEvent & { readonly turn: number })[] = [];
    const tracking: Tracking = {
      ...trackTo([], new Redactor(['hush'])),
      emit: event => void events.push({ ...event, turn: turns }),
    };
    const agent = agentAt('aicl', `http://127.0.0.1:${port}`);
    const { reply: came } = await sendTo(trackConnection(connectTo(agent), tracking), wireText);
    clearImmediate(counting);
    server.closeAllConnections();
    server.close();
    const out = events.filter(event => event.type === 'wire' && event.direction === 'out');
    const said = out.map(event => ('bytes' in event && 'text' in event.bytes ? event.bytes.text : ''));
    assert.equal(came.status, 'ok');
    assert.ok(body === wireText, 'the agent did not get the request as it was sent');
    assert.ok(said.join('') === wireText.replace('hush', '[redacted]'), 'the trace has another request');
    assert.ok(Math.max(...said.map(text => text.length)) <= PIECE + '[redacted]'.length);
    assert.equal(new Set(out.map(event => event.turn)).size, out.length);
    const named = events.find(event => event.type === 'identity');
    assert.equal(named && 'session' in named && named.session, 'long');
    assert.ok(
      events.findIndex(event => event.type === 'identity') >
        events.findLastIndex(event => out.includes(event)),
    );
  });

  it('lets no secret into events, notes, progress or the reply, and all of it onto the wire', async () => {
    const secret = 's3cr/t "x"';
    const echoes = [
      secret,
      JSON.stringify(secret),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(`me:${secret}!`).toString('base64'),
      Buffer.from(`you:${secret}!!`).toString('base64url'),
    ];
    const body = `STREAM|${echoes.join(' ')} tok\\|en\nERR|500|not ${secret}\n`;
    const bytes = reply(body);
    const agent = await startRawAgent(async socket => {
      socket.setNoDelay(true);
      for (let at = 0; at < bytes.length; at += 3) {
        socket.write(bytes.subarray(at, at + 3));
        await new Promise(resolve => setImmediate(resolve));
      }
      socket.end();
    });
    const file = parseAgentsFile(
      JSON.stringify({
        agents: {
          a: {
            protocol: 'aicf',
            url: `${agent.origin}/?token=queried`,
            headers: { 'X-Own': 'Basic ${secret:key}', Cookie: 'c=1' },
          },
        },
      }),
    );
    const config = file.agents.get('a');
    assert.ok(config);
    const events: TraceEvent[] = [];
    const opened = await openAgent(config, VARIABLES, event => void events.push(event), {
      ...OPEN,
    });
    assert.ok(opened.ok);
    const sent = await sendTo(senderOf(opened), 'CALL|login|AUTH:tok\\|en');
    const shown = JSON.stringify([events, sent]);
    for (const hidden of [...echoes, 'tok\\|en', 'tok|en', 'c=1', 'queried']) {
      assert.ok(!shown.includes(JSON.stringify(hidden).slice(1, -1)), `${hidden} shows`);
    }
    assert.equal(sent.reply.message, 'not [redacted]');
    assert.match(sent.reply.text, /^STREAM\|\[redacted\] "\[redacted\]" \[redacted\] \[redacted\] /);
    assert.equal(sent.progress.join(''), sent.reply.text);
    assert.deepEqual(
      events.find((event): event is WireEvent => event.type === 'wire'),
      {
        ...events.find(event => event.type === 'wire'),
        bytes: { text: 'CALL|login|AUTH:' },
      },
    );
    // What may be a credential is held back until the request is whole.
    const [, credential] = events.filter((event): event is WireEvent => event.type === 'wire');
    assert.deepEqual(
      [credential?.bytes, credential?.redacted],
      [{ text: '[redacted]' }, [{ at: 0, length: 7 }]],
    );
    const out = events.find(event => event.type === 'head');
    assert.deepEqual(out?.type === 'head' && out.headers.filter(header => header.redacted !== undefined), [
      { name: 'x-own', value: '[redacted]', redacted: 16 },
      { name: 'cookie', value: '[redacted]', redacted: 3 },
    ]);
    assert.match(
      agent.requests[0] ?? '',
      /^POST \/\?token=queried [^]*x-own: Basic s3cr\/t "x"[^]*AUTH:tok\\\|en$/,
    );
  });

  it('shortens no secret: nothing of it is in a message, a code or a note', async () => {
    const half = 'sk-0123456789abcdefghijklmnopqr';
    const secret = `${half}-ABCDEFGHIJKLMNOPQRSTUVWXYZ0123`;
    const says = async (protocol: 'aicf' | 'aicl', bytes: Buffer, request = 'LIST'): Promise<unknown> => {
      const agent = await startRawAgent(socket => void socket.end(bytes));
      const events: TraceEvent[] = [];
      const connection = trackConnection(
        connectTo(agentAt(protocol, `${agent.origin}/aip/v1/aicf`)),
        trackTo(events, new Redactor([secret])),
      );
      const sent = await sendTo(connection, request);
      const shown = JSON.stringify([events, sent]);
      assert.ok(!shown.includes(half.slice(0, 8)), shown);
      assert.ok(!shown.includes(secret.slice(-8)), shown);
      const { code, message } = sent.reply;
      const end = events.at(-1);
      assert.deepEqual(end?.type === 'end' && [end.code, end.message], [code, message]);
      const notes = events.flatMap(event => (event.type === 'note' ? [event.text] : []));
      return [code, message?.replace(/^Tried POST \S+: /, '').replaceAll(agent.origin, 'ORIGIN'), ...notes];
    };
    const advice = 'check that an AICF-RPC server runs at this address';
    const foreign = (body: string): string => `200 OK came with ${body} and no AICF-RPC 1.0 reply; ${advice}`;
    assert.deepEqual(await says('aicf', reply(`token ${secret} rejected`)), [
      'HTTP 200',
      foreign("the text 'token [redacted] rejected'"),
    ]);
    const padded = `${' '.repeat(100_000 - 40)}${secret}`;
    assert.deepEqual(await says('aicf', reply(padded)), ['HTTP 200', foreign('an empty body')]);
    assert.deepEqual(await says('aicf', reply(`<html><pre a=1>no ${secret}</pre>`)), [
      'HTTP 200',
      foreign("an HTML page ('no [redacted]')"),
    ]);
    const spelt = [...secret].map(each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    // The reply's own text keeps the spelling; the sentence about it does not undo it.
    assert.deepEqual(await says('aicf', reply(`{"error":"no ${spelt}"}`)), [
      'HTTP 200',
      "200 OK came with JSON ('no [redacted]') and no AICF-RPC 1.0 reply; this server answers JSON here; its JSON-RPC endpoint would be ORIGIN/aip/v1/rpc, AICF it seems not to speak",
    ]);
    const redirect = `HTTP/1.1 302 Found\r\nLocation: http://other/${secret}/x\r\nContent-Length: 0\r\n\r\n`;
    assert.deepEqual(await says('aicf', Buffer.from(redirect)), [
      'HTTP 302',
      "302 Found came with an empty body and no AICF-RPC 1.0 reply; it redirects to 'http://other/[redacted]/x', and redirects are not followed; put that address into the agent's url if you trust it",
    ]);
    const busy = `HTTP/1.1 429 Slow\r\nRetry-After: ${secret}\r\nContent-Length: 0\r\n\r\n`;
    assert.deepEqual(await says('aicf', Buffer.from(busy)), [
      'HTTP 429',
      "429 Slow came with an empty body and no AICF-RPC 1.0 reply; it accepts no more requests for now; try again after '[redacted]'",
    ]);
    assert.deepEqual(await says('aicf', Buffer.from(busy.replace(secret, '7'))), [
      'HTTP 429',
      '429 Slow came with an empty body and no AICF-RPC 1.0 reply; it accepts no more requests for now; try again in 7 s',
    ]);
    assert.deepEqual(await says('aicf', reply(`OK|1\nOK|${secret}`)), [
      undefined,
      undefined,
      'Text came after the end of the reply',
    ]);
    assert.deepEqual(await says('aicf', reply(`TOOL|a\n${secret}`)), [
      undefined,
      undefined,
      'A line without a command has no data before it',
    ]);
    assert.deepEqual(await says('aicf', reply(`ERR|${secret}|no`)), ['[redacted]', 'no']);
    assert.deepEqual(
      await says('aicl', reply(`[d:[s:msg_type]:[s:error],[s:code]:[s:${secret}],[s:reason]:[s:no]]`)),
      ['[redacted]', 'no'],
    );
    // A credential of the request itself, which no list of secrets names.
    assert.deepEqual(await says('aicf', reply(`bad ${half}xyz${half}!`), `CALL|t|AUTH:${half}xyz${half}`), [
      'HTTP 200',
      foreign("the text 'bad [redacted]!'"),
    ]);
  });

  it('keeps a code and a message short enough to show, and the whole of them in the reply', async () => {
    const secret = 'abcdefghij';
    const events: TraceEvent[] = [];
    const body = `ERR|${'4'.repeat(39)}${secret}|${'x'.repeat(997)}😀${secret.repeat(sized(100_000))}`;
    const agent = await startRawAgent(socket => void socket.end(reply(body)));
    const tracking = trackTo(events, new Redactor([secret]));
    const sent = await sendTo(trackConnection(connectTo(agentAt('aicf', agent.origin)), tracking), 'LIST');
    assert.deepEqual(sent.reply, {
      status: 'error',
      isProtocol: true,
      code: `${'4'.repeat(39)}[…`,
      message: `${'x'.repeat(997)}😀[…`,
      text: body.replaceAll(secret, '[redacted]'),
    });
    assert.equal(events.filter(event => event.type === 'end')[0]?.message, sent.reply.message);
  });

  it('tells a long stream once, piece by piece', async () => {
    const body = `${`STREAM|${'x'.repeat(1015)}\n`.repeat(sized(32 * 1024, 128))}END\n`;
    const agent = await startRawAgent(socket => void socket.end(reply(body)));
    for (const secrets of [[], ['not in there']]) {
      const events: TraceEvent[] = [];
      const tracking = trackTo(events, new Redactor(secrets));
      const sent = await sendTo(trackConnection(connectTo(agentAt('aicf', agent.origin)), tracking), 'LIST');
      // Not assert.equal: a difference so long is not to be printed.
      assert.ok(sent.reply.text === body);
      assert.ok(sent.progress.join('') === body);
      const wire = events.flatMap(event =>
        event.type === 'wire' && event.direction === 'in' && 'text' in event.bytes ? [event.bytes.text] : [],
      );
      assert.ok(wire.join('') === body);
    }
  });
});
