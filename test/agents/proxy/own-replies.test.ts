import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, it } from 'mocha';
import { rewriteCard } from '../../../agents/proxy/http/agent-card.ts';
import { writeGuardReply } from '../../../agents/proxy/guard-reply.ts';
import { recogniseRequest } from '../../../protocols/recognise/request.ts';
import { closeRawAgents, startRawAgent } from '../support/raw-agent.ts';
import { closeProxies, converse, record, Tape } from './support.ts';

const WHY = 'Too deep | really]';

describe('what a recording says in the place of an agent', () => {
  const rows: readonly (readonly [request: string, line: string, body: string])[] = [
    ['CALL|a', '200 OK', 'ERR|500|Too deep \\| really]'],
    [
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:9],[s:msg_type]:[s:tool_call],[s:tool]:[s:a],[s:params]:[d:]]',
      '200 OK',
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:9],[s:msg_type]:[s:error],[s:code]:[i:5005],[s:reason]:[s:RECURSION_GUARD],[s:detail]:[s:Too deep | really\\u005D]]',
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
      const sign = recogniseRequest({ method: 'POST', path: '/', headers: [], text: request }, ALL_PROTOCOLS);
      const reply = writeGuardReply(ALL_PROTOCOLS, sign, { text: request, why: WHY });
      assert.deepEqual([reply.line, reply.body], [line, body]);
    });
  }
});

describe('an agent card that names the recording', () => {
  const agent = new URL('http://localhost:8080/a2a');
  const reply = (body: string, more = `Content-Length: ${body.length}\r\n`): Buffer =>
    Buffer.from(`HTTP/1.1 200 OK\r\n${more}X: http://localhost:8080/\r\n\r\n${body}`);

  const card =
    '{"url":"http://127.0.0.1:8080/a2a","other":"http://localhost:80801/","also":"http://localhost:8080","escaped":"http:\\/\\/localhost:8080\\/"}';
  const written =
    '{"url":"http://127.0.0.1:7/a2a","other":"http://localhost:80801/","also":"http://127.0.0.1:7","escaped":"http:\\/\\/localhost:8080\\/"}';
  const next = 'HTTP/1.1 200 OK\r\n\r\n';
  const DONE =
    'The addresses of the agent in its card were replaced by http://127.0.0.1:7; the original card is recorded here';
  const rewritten = `HTTP/1.1 200 OK\r\nX: http://localhost:8080/\r\nContent-Length: ${written.length}\r\n\r\n${written}`;

  /** A reply with a body of these bytes, and what may come behind it. */
  const packed = (body: Buffer, more: string): Buffer =>
    Buffer.concat([
      Buffer.from(`HTTP/1.1 200 OK\r\n${more}X: http://localhost:8080/\r\n\r\n`),
      body,
      Buffer.from(next),
    ]);
  const sized = (body: Buffer, coding: string): Buffer =>
    packed(body, `Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n`);
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
  const chunked = Buffer.from(`${chunk(card.slice(0, 30))}${chunk(card.slice(30))}0\r\n\r\n`);

  const rows: readonly (readonly [what: string, given: Buffer, before?: string])[] = [
    [
      'has it in every address of the agent, whatever that calls itself',
      Buffer.concat([reply(card), Buffer.from(next)]),
    ],
    ['has it where it is compressed by gzip', sized(gzipSync(card), 'gzip')],
    ['has it where it is compressed by brotli', sized(brotliCompressSync(card), 'br')],
    ['has it where it comes in chunks', packed(chunked, 'Transfer-Encoding: chunked\r\n')],
    [
      'has it behind an interim reply',
      Buffer.concat([
        Buffer.from('HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n'),
        reply(card),
        Buffer.from(next),
      ]),
      'HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n',
    ],
  ];
  for (const [what, given, before = ''] of rows) {
    it(what, () => {
      const { bytes, note } = rewriteCard(given, agent, 'http://127.0.0.1:7');
      assert.deepEqual([bytes.toString('latin1'), note], [before + rewritten + next, DONE]);
    });
  }

  const left: readonly (readonly [what: string, given: Buffer, note: string | undefined])[] = [
    ['says nothing where it names no address of the agent', reply('{"url":"http://other:8080/"}'), undefined],
    [
      'says nothing where it is no card',
      Buffer.from('HTTP/1.1 404 Not Found\r\nContent-Length: 24\r\n\r\n"http://localhost:8080/x"'),
      undefined,
    ],
    [
      'says that it was left where its compression is not known',
      sized(Buffer.from('??'), 'own'),
      'The agent card was forwarded unchanged, with the addresses of the agent: its reply is compressed as own, which cannot be read',
    ],
    [
      'says that it was left where trailers follow it',
      packed(Buffer.from(`${chunk(card)}0\r\nSum: 1\r\n\r\n`), 'Transfer-Encoding: chunked\r\n'),
      'The agent card was forwarded unchanged, with the addresses of the agent: its reply ends with trailers, which would be lost',
    ],
  ];
  for (const [what, given, note] of left) {
    it(what, () => {
      const card = rewriteCard(given, agent, 'http://127.0.0.1:7');
      assert.deepEqual([card.bytes.toString('latin1'), card.note], [given.toString('latin1'), note]);
    });
  }

  it('leads past the recording by no address that was replaced', async () => {
    const raw = await startRawAgent(socket => {
      const card = `{"skills":[],"url":"${raw.origin}/","supportedInterfaces":[{"url":"http://other.example/"}]}`;
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Length: ${card.length}\r\nContent-Type: application/json\r\n\r\n${card}`,
      );
    });
    const tape = new Tape();
    const proxy = await record(raw.origin, tape, { rewritesCards: true });
    await (await fetch(`${proxy.address}/.well-known/agent-card.json`)).text();
    await closeProxies();
    await closeRawAgents();
    assert.deepEqual(
      tape.calls().flatMap(({ notes }) => notes),
      [
        `The addresses of the agent in its card were replaced by ${proxy.address}; the original card is recorded here`,
        "The agent card leads to 'http://other.example/': requests sent there bypass the recording",
      ],
    );
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
