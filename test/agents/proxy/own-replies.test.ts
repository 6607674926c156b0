import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rewriteCard } from '../../../agents/src/proxy/agent-card.ts';
import { writeGuardReply } from '../../../agents/src/proxy/guard-reply.ts';
import { recogniseRequest } from '../../../protocol/src/trace/recognise/request.ts';
import { closeRawAgents, startRawAgent } from '../support/raw-agent.ts';
import { closeProxies, converse, record, Tape } from './support.ts';

const WHY = 'Too deep | really]';

describe('what a recording says in the place of an agent', () => {
  const rows: readonly (readonly [request: string, line: string, body: string])[] = [
    ['CALL|a', '200 OK', 'ERR|500|Too deep \\| really]'],
    [
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:9],[s:msg_type]:[s:tool_call],[s:tool]:[s:a],[s:params]:[d:]]',
      '200 OK',
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:9],[s:msg_type]:[s:error],[s:code]:[i:5005],[s:reason]:[s:RECURSION_GUARD],[s:detail]:[s:Too deep | really\\]]]',
    ],
    [
      '{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"a"}}',
      '200 OK',
      '{"jsonrpc":"2.0","id":"x","error":{"code":-33007,"message":"Too deep | really]"}}',
    ],
    [
      '{"jsonrpc":"2.0","id":3,"method":"a::go","trace_id":"AIO-TR-20260304-0001"}',
      '200 OK',
      '{"jsonrpc":"2.0","id":3,"error":{"code":-33007,"message":"Too deep | really]"},"trace_id":"AIO-TR-20260304-0001"}',
    ],
    [
      '{"jsonrpc":"2.0","id":3,"method":"aip.tool.invoke","params":{"tool":"a"}}',
      '200 OK',
      '{"jsonrpc":"2.0","id":3,"error":{"code":500,"message":"Too deep | really]"}}',
    ],
    [
      '{"model":"m","input":"hi"}',
      '508 Loop Detected',
      '{"object":"response","status":"failed","error":{"code":"508","message":"Too deep | really]"}}',
    ],
    ['hello', '508 Loop Detected', 'Too deep | really]\n'],
  ];
  for (const [request, line, body] of rows) {
    it(`to ${request.slice(0, 50)}`, () => {
      const sign = recogniseRequest({ method: 'POST', path: '/', headers: [], text: request });
      const reply = writeGuardReply(sign, request, WHY);
      assert.deepEqual([reply.line, reply.body], [line, body]);
    });
  }
});

describe('an agent card that names the recording', () => {
  const agent = new URL('http://localhost:8080/a2a');
  const reply = (body: string, more = `Content-Length: ${body.length}\r\n`): Buffer =>
    Buffer.from(`HTTP/1.1 200 OK\r\n${more}X: http://localhost:8080/\r\n\r\n${body}`);

  it('has it in every address of the agent, whatever the agent calls itself, and in no other one', () => {
    const card =
      '{"url":"http://127.0.0.1:8080/a2a","other":"http://localhost:80801/","also":"http://localhost:8080","escaped":"http:\\/\\/localhost:8080\\/"}';
    const written =
      '{"url":"http://127.0.0.1:7/a2a","other":"http://localhost:80801/","also":"http://127.0.0.1:7","escaped":"http:\\/\\/localhost:8080\\/"}';
    const next = 'HTTP/1.1 200 OK\r\n\r\n';
    const { bytes, note } = rewriteCard(
      Buffer.concat([reply(card), Buffer.from(next)]),
      agent,
      'http://127.0.0.1:7',
    );
    assert.equal(bytes.toString(), reply(written).toString() + next);
    assert.equal(
      note,
      'The addresses of the agent in its card were replaced by http://127.0.0.1:7; what is kept here is the card as it came',
    );
  });

  it('stays as it is where its length is not known, or it is compressed', () => {
    for (const more of [
      'Transfer-Encoding: chunked\r\n',
      'Content-Encoding: gzip\r\nContent-Length: 2\r\n',
    ]) {
      const given = reply('{}', more);
      const { bytes, note } = rewriteCard(given, agent, 'http://127.0.0.1:7');
      assert.deepEqual(
        [bytes.equals(given), note],
        [true, 'The agent card could not be rewritten: its reply is compressed, or has no Content-Length'],
      );
    }
  });

  it('keeps its length where only its head is asked for', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\nConnection: close\r\n\r\n';
    const raw = await startRawAgent(socket => void socket.end(head));
    const proxy = await record(raw.origin, new Tape(), { rewritesCards: true });
    const seen = await converse(proxy.port, [
      `HEAD /.well-known/agent-card.json HTTP/1.1\r\nHost: localhost:${proxy.port}\r\n\r\n`,
    ]);
    await closeProxies();
    await closeRawAgents();
    assert.deepEqual(seen, { bytes: head, end: 'ended' });
  });
});
