import assert from 'node:assert/strict';
import { request as requestHttp } from 'node:http';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { diag, DiagLogLevel, SpanKind } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { afterEach, describe, it } from 'mocha';
import { OTLP_PROTOBUF } from '../../../agents/collector/otlp-messages.ts';
import {
  startOtlpReceiver,
  type OtlpReceiver,
  type Receiving,
} from '../../../agents/collector/otlp-receiver.ts';
import { connectAicl } from '../../../agents/aicl/connection.ts';
import { DEFAULT_HTTP_LIMITS } from '../../../agents/http/http-connection.ts';
import { now, RANDOM_IDS } from '../../../agents/runtime.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { Tape } from '../proxy/support.ts';
import { closeRawAgents, reply, startRawAgent } from '../support/raw-agent.ts';
import { agentAt, trackConnection } from '../support/send.ts';
import { contextOf, openSdk, recordTeam, runTeam } from './support.ts';

const running: OtlpReceiver[] = [];

async function start(tape: Tape, more: Partial<Receiving> = {}): Promise<OtlpReceiver> {
  const started = await startOtlpReceiver(0, { emit: event => tape.take(event), ...more });
  if (!started.ok) throw new Error(started.message);
  running.push(started.receiver);
  return started.receiver;
}

/** The content of a tree: agents, titles, outcomes and child calls. */
function draw(node: CallNode): unknown {
  const { call, status, usage, code, message, children } = node;
  const below = children.map(draw);
  return [
    `${call.agent}: ${call.title}`,
    status,
    ...[usage, code, message].filter(each => each !== undefined),
    ...below,
  ];
}

const TEAM = [
  'weather: invoke_agent planner',
  'ok',
  ['large: chat large', 'ok', { input: 120, output: 30 }],
  ['book: execute_tool book', 'error', '422', 'no room'],
];

interface Answered {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: Buffer;
}

/** One request as it is given, also with a Host header of another name. */
function post(
  { port }: OtlpReceiver,
  path: string,
  headers: Record<string, string>,
  body: Uint8Array | string,
  method = 'POST',
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = requestHttp(
      { host: '127.0.0.1', port, path, method, headers, agent: false },
      response => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'],
            body: Buffer.concat(pieces),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };
const PROTOBUF = { 'content-type': 'application/x-protobuf' };

describe('the receiver of telemetry', () => {
  afterEach(async () => {
    for (const receiver of running.splice(0)) await receiver.close();
    await closeRawAgents();
    diag.disable();
  });

  it('takes what the official SDK exports', async () => {
    const tape = new Tape();
    const counts: number[] = [];
    const receiver = await start(tape, { received: spans => counts.push(spans) });
    const warnings: string[] = [];
    const warn = (text: string): void => void warnings.push(text);
    diag.setLogger(
      { error: warn, warn, info: () => undefined, debug: () => undefined, verbose: () => undefined },
      DiagLogLevel.WARN,
    );
    const { tracer, close } = openSdk(new OTLPTraceExporter({ url: `${receiver.address}/v1/traces` }));
    runTeam(tracer);
    await close();
    assert.deepEqual(
      [tape.trees().map(tree => tree.roots.map(draw)), counts.at(-1), warnings],
      [[[TEAM]], 3, []],
    );
  });

  it('takes what it compresses', async () => {
    const tape = new Tape();
    const receiver = await start(tape);
    const body = gzipSync(ProtobufTraceSerializer.serializeRequest(await recordTeam()) ?? '');
    const answered = await post(receiver, '/v1/traces', { ...PROTOBUF, 'content-encoding': 'gzip' }, body);
    assert.deepEqual(
      [answered, tape.trees().map(tree => tree.roots.map(draw))],
      [{ status: 200, type: 'application/x-protobuf', body: Buffer.alloc(0) }, [[TEAM]]],
    );
  });

  it('takes JSON, and the same spans twice are the same tree', async () => {
    const tape = new Tape();
    const receiver = await start(tape);
    const body = JsonTraceSerializer.serializeRequest(await recordTeam()) ?? '';
    const first = await post(receiver, '/v1/traces', JSON_TYPE, body);
    await post(receiver, '/v1/traces', JSON_TYPE, body);
    assert.deepEqual(
      [first.status, first.type, first.body.toString(), tape.trees().map(tree => tree.roots.map(draw))],
      [200, 'application/json', '{}', [[TEAM]]],
    );
  });

  it('puts what an agent tells below the call that we sent it', async () => {
    const tape = new Tape();
    const receiver = await start(tape);
    const { tracer, close } = openSdk(new OTLPTraceExporter({ url: `${receiver.address}/v1/traces` }));
    const agent = await startRawAgent((socket, index) => {
      const traceparent = /^traceparent: (.*)\r$/im.exec(agent.requests[index] ?? '')?.[1] ?? '';
      const span = tracer.startSpan('POST /ask', { kind: SpanKind.SERVER }, contextOf(traceparent));
      span.end();
      socket.end(reply('[d:[s:type]:[s:result]]'));
    });
    const connection = trackConnection(connectAicl(agentAt('aicl', agent.origin), DEFAULT_HTTP_LIMITS), {
      emit: event => tape.take(event),
      now,
      ids: RANDOM_IDS,
      redactor: new Redactor([]),
    });
    const listener = {
      head: () => undefined,
      bytes: () => undefined,
      note: () => undefined,
      progress: () => undefined,
    };
    await connection.send(
      { wireText: '[d:[s:type]:[s:task_request]]', title: 'ask' },
      listener,
      new AbortController().signal,
    );
    await connection.close();
    await close();
    assert.deepEqual(
      tape.trees().map(tree => tree.roots.map(draw)),
      [[['tester: ask', 'ok', ['weather: POST /ask', 'ok']]]],
    );
  });

  it('says how many spans it could not take, and why', async () => {
    const tape = new Tape();
    const receiver = await start(tape);
    const spans = [
      {
        name: 'whole',
        traceId: 'a'.repeat(32),
        spanId: 'b'.repeat(16),
        startTimeUnixNano: '1',
        endTimeUnixNano: '2',
      },
      { name: 'no ids', startTimeUnixNano: '1' },
    ];
    const value = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
    const asJson = await post(receiver, '/v1/traces', JSON_TYPE, JSON.stringify(value));
    const asBytes = await post(receiver, '/v1/traces', PROTOBUF, OTLP_PROTOBUF.encode('Export', value));
    const read = ProtobufTraceSerializer.deserializeResponse(asBytes.body);
    const errorMessage = "A span without ids or times was left out: 'name, startTimeUnixNano'";
    assert.deepEqual(
      [
        JSON.parse(asJson.body.toString()),
        Number(read.partialSuccess?.rejectedSpans),
        tape.calls().map(({ call }) => call.title),
      ],
      [{ partialSuccess: { rejectedSpans: '1', errorMessage } }, 1, ['whole']],
    );
  });

  it('lets logs and metrics go, and says so', async () => {
    const receiver = await start(new Tape());
    const logs = await post(receiver, '/v1/logs', JSON_TYPE, '{"resourceLogs":[]}');
    const metrics = await post(receiver, '/v1/metrics', PROTOBUF, Buffer.from('0a00', 'hex'));
    assert.deepEqual(
      [
        logs.status,
        JSON.parse(logs.body.toString()),
        metrics.status,
        OTLP_PROTOBUF.decode('Answer', metrics.body),
      ],
      [
        200,
        {
          partialSuccess: {
            errorMessage:
              'Parley reads traces only; these logs were dropped. Turn their exporter off with OTEL_LOGS_EXPORTER=none',
          },
        },
        200,
        {
          ok: true,
          value: {
            partialSuccess: {
              errorMessage:
                'Parley reads traces only; these metrics were dropped. Turn their exporter off with OTEL_METRICS_EXPORTER=none',
            },
          },
        },
      ],
    );
  });

  it('refuses what is no export, in a sentence, and takes nothing of it', async () => {
    const tape = new Tape();
    const receiver = await start(tape, { limits: { packed: 2000, unpacked: 4000 } });
    const asked: readonly (readonly [
      Parameters<typeof post>[1],
      Record<string, string>,
      Buffer | string,
      string?,
    ])[] = [
      ['/v1/traces', JSON_TYPE, '[]'],
      ['/v1/traces', JSON_TYPE, '{"resourceSpans":'],
      ['/v1/traces', { 'content-type': 'text/plain' }, '{}'],
      ['/v1/traces', { ...JSON_TYPE, 'content-encoding': 'gzip' }, 'not packed'],
      ['/v1/traces', { ...JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync('x'.repeat(4001))],
      ['/v1/traces', { ...JSON_TYPE, 'content-encoding': 'br' }, '{}'],
      ['/v1/traces', { ...JSON_TYPE, 'transfer-encoding': 'chunked' }, 'x'.repeat(2001)],
      ['/v1/traces', JSON_TYPE, 'x'.repeat(2001)],
      ['/elsewhere', JSON_TYPE, '{}'],
      ['/v1/traces', JSON_TYPE, '', 'GET'],
      ['/v1/traces', { ...JSON_TYPE, host: 'evil.example' }, '{}'],
      ['/v1/traces', { ...JSON_TYPE, origin: 'https://evil.example' }, '{}'],
    ];
    const answers = [];
    for (const [path, headers, body, method] of asked) {
      const { status, body: said } = await post(receiver, path, headers, body, method);
      answers.push([
        status,
        (JSON.parse(said.toString()) as { message: string }).message.replaceAll(/\d{5}/g, 'PORT'),
      ]);
    }
    const NOT_JSON = 'The body is not the JSON of an export, an object with "resourceSpans"';
    assert.deepEqual(
      [answers, tape.events],
      [
        [
          [400, NOT_JSON],
          [400, NOT_JSON],
          [415, 'Content-Type should be application/x-protobuf or application/json'],
          [400, 'The body does not match its Content-Encoding, gzip'],
          [413, 'A request may have 4000 bytes after decompression; let the exporter send smaller batches'],
          [415, 'Content-Encoding br is not supported; send gzip, or no encoding'],
          [413, 'A request may have 2000 bytes; let the exporter send smaller batches'],
          [413, 'A request may have 2000 bytes; let the exporter send smaller batches'],
          [404, 'Send traces to /v1/traces'],
          [405, 'Send traces with POST'],
          [403, 'This receiver accepts requests for 127.0.0.1:PORT and localhost:PORT only'],
          [403, 'This receiver accepts no requests from web pages'],
        ],
        [],
      ],
    );
  });

  it('refuses bytes that are no protocol buffer, as one', async () => {
    const receiver = await start(new Tape());
    const { status, type, body } = await post(receiver, '/v1/traces', PROTOBUF, '{"resourceSpans":[]}');
    assert.deepEqual(
      [status, type, OTLP_PROTOBUF.decode('RpcStatus', body)],
      [
        400,
        'application/x-protobuf',
        {
          ok: true,
          value: {
            code: 3,
            message: 'The body is not a valid OTLP protocol buffer: it is cut off or broken, at byte 1',
          },
        },
      ],
    );
  });

  it('says that its port is taken, and names a free one', async () => {
    const other = createServer();
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const started = await startOtlpReceiver(port, { emit: () => undefined });
    await new Promise(resolve => other.close(resolve));
    const free = started.ok ? undefined : started.freePort;
    assert.deepEqual(started, {
      ok: false,
      message: `Port ${port} is taken by another program; port ${free} is free`,
      freePort: free,
    });
    assert.notEqual(free, undefined);
  });

  it('lets no sender speak in the name of a call that is known', async () => {
    const tape = new Tape();
    const receiver = await start(tape);
    const forged = JSON.stringify({
      call: { call: 'known', trace: 'a'.repeat(32), at: 1, agent: 'bank', protocol: 'mcp', title: 'pay' },
      end: { at: 2, status: 'error' },
    });
    tape.take({
      type: 'call',
      call: 'known',
      trace: 'a'.repeat(32),
      at: 1,
      agent: 'bank',
      protocol: 'mcp',
      title: 'pay',
    });
    await post(receiver, '/v1/traces', JSON_TYPE, exportOf([['parley.call', forged]]));
    assert.deepEqual(
      tape.trees().flatMap(tree => tree.roots.map(({ call, status }) => [call.call, call.title, status])),
      [
        ['known', 'pay', 'open'],
        [`reported:${'1'.repeat(16)}`, 'work', 'ok'],
      ],
    );
  });

  it('keeps a span with the id of a call that we sent apart from it', async () => {
    const tape = new Tape();
    const receiver = await start(tape);
    const known = '1'.repeat(16);
    tape.take({
      type: 'call',
      call: known,
      trace: 'b'.repeat(32),
      at: 1,
      agent: 'bank',
      protocol: 'mcp',
      title: 'pay',
    });
    await post(receiver, '/v1/traces', JSON_TYPE, exportOf([]));
    const [root] = tape.trees().flatMap(tree => tree.roots);
    assert.deepEqual(
      [root, ...(root?.children ?? [])].map(node => [node?.call.call, node?.call.title, node?.status]),
      [
        [known, 'pay', 'open'],
        [`reported:${known}`, 'work', 'ok'],
      ],
    );
  });

  it('stores no known secret, nor a credential by its name or in an address, wherever it occurs', async () => {
    const tape = new Tape();
    const receiver = await start(tape, { redactor: () => new Redactor(['hunter22', '4711007']) });
    const attributes: readonly (readonly [string, string])[] = [
      ['prompt', 'say hunter22 "twice": hunter22'],
      ['nested.api_key', 'abc'],
      ['http.request.header.authorization', 'Bearer x'],
      ['target', 'http://me:pass@host/?token=t1&a=b'],
      ['plain', 'stays'],
    ];
    await post(receiver, '/v1/traces', JSON_TYPE, exportOf(attributes, 'work hunter22', 4711007));
    const [node] = tape.trees().flatMap(tree => tree.roots);
    assert.deepEqual(
      [node?.call.title, node?.notes, node?.attributes?.map(({ name, json }) => [name, json])],
      [
        'work [redacted]',
        ['event [redacted]'],
        [
          ['prompt', '"say [redacted] \\"twice\\": [redacted]"'],
          ['nested.api_key', '"[redacted]"'],
          ['http.request.header.authorization', '"[redacted]"'],
          ['target', '"http://[redacted]@host/?token=[redacted]&a=b"'],
          ['plain', '"stays"'],
          ['number', '"[redacted]"'],
        ],
      ],
    );
  });
});

/** An export of one span with these attributes, texts all of them but for one number. */
function exportOf(
  attributes: readonly (readonly [string, string])[],
  name = 'work',
  number?: number,
): string {
  const span = {
    traceId: 'b'.repeat(32),
    spanId: '1'.repeat(16),
    name,
    startTimeUnixNano: '2000000',
    endTimeUnixNano: '3000000',
    attributes: [
      ...attributes.map(([key, stringValue]) => ({ key, value: { stringValue } })),
      ...(number === undefined ? [] : [{ key: 'number', value: { intValue: String(number) } }]),
    ],
    events: number === undefined ? [] : [{ name: 'event hunter22', timeUnixNano: '2000000' }],
  };
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
}
