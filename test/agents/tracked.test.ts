import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { parseAgentsFile } from '../../agents/src/config/agents-file.ts';
import type { Variables } from '../../agents/src/config/variables.ts';
import { openAgent } from '../../agents/src/open-agent.ts';
import { trackConnection } from '../../agents/src/tracked.ts';
import { Redactor } from '../../protocol/src/trace/redact.ts';
import type { TraceEvent, WireEvent } from '../../protocol/src/trace/events.ts';
import { closeRawAgents, reply, startRawAgent } from './support/raw-agent.ts';
import { agentAt, connectTo, sendTo } from './support/send.ts';

const VARIABLES: Variables = {
  env: () => undefined,
  input: () => undefined,
  secret: name => (name === 'key' ? 's3cr/t "x"' : undefined),
  demo: () => undefined,
  workspaceFolder: () => undefined,
};

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
          direction: 'out',
          line: `POST ${agent.origin}/x?key=[redacted]`,
          headers: [],
        },
        // `AUTH:` is a credential only in the last field, which this one is not.
        { type: 'wire', call, at: 1002, direction: 'out', bytes: { text: 'CALL|boom|AUTH:tok|en' } },
        { type: 'head', call, at: 1003, direction: 'in', line: '200 OK', headers: [] },
        { type: 'wire', call, at: 1004, direction: 'in', bytes: { text: 'ERR|500|kaput' } },
        { type: 'end', call, at: 1005, status: 'error', code: '500', message: 'kaput' },
      ],
    );
    assert.deepEqual(
      heads[0]?.headers.filter(header => /trace/.test(header.name)),
      [
        { name: 'x-openstarry-trace-id', value: 'a'.repeat(32) },
        { name: 'traceparent', value: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
      ],
    );
    assert.match(agent.requests[0] ?? '', /traceparent: 00-a{32}-b{16}-01/);
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
    const opened = await openAgent(config, VARIABLES, event => void events.push(event));
    assert.ok(opened.ok);
    const sent = await sendTo(opened.connection, 'CALL|login|AUTH:tok\\|en');
    const shown = JSON.stringify([events, sent]);
    for (const hidden of [...echoes, 'tok\\|en', 'tok|en', 'c=1', 'queried']) {
      assert.ok(!shown.includes(JSON.stringify(hidden).slice(1, -1)), `${hidden} shows`);
    }
    assert.equal(sent.reply.message, 'not [redacted]');
    assert.match(sent.reply.text, /^STREAM\|\[redacted\] "\[redacted\]" \[redacted\] \[redacted\] /);
    assert.equal(sent.progress.at(-1), sent.reply.text);
    assert.deepEqual(
      events.find((event): event is WireEvent => event.type === 'wire'),
      {
        ...events.find(event => event.type === 'wire'),
        bytes: { text: 'CALL|login|AUTH:[redacted]' },
        redacted: [{ at: 16, length: 7 }],
      },
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
});
