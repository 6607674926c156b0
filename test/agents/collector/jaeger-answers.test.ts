import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { fetchJaegerTrace } from '../../../agents/collector/jaeger.ts';
import { resolveTarget } from '../../../agents/collector/target.ts';
import { importTrace } from '../../../trace/import/import.ts';
import type { ImportedTrace } from '../../../trace/import/imported.ts';
import { foldTrace } from '../../support/at-once.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';

const ID = '5b8aa5a2d2c872e8321cf37308d69df2';
const SHORT = '321cf37308d69df2';

/** A chunk of an answer of API 3 (jaeger-idl, api_v3/query_service.proto), as `jsonpb` prints it. */
function chunk(span: string, more = ''): string {
  return `{"result":{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"planner \\"}{\\\\"}}]},"scopeSpans":[{"scope":{},"spans":[{"traceId":"${ID}","spanId":"${span}","name":"span ${span.slice(-1)}","kind":2,"startTimeUnixNano":"1760000000000000000","endTimeUnixNano":"1760000000001000000"${more}}]}]}]}}`;
}

const FIRST = chunk('0000000000000001');
const SECOND = chunk('0000000000000002', ',"parentSpanId":"0000000000000001"');
const TREE = ['planner "}{\\: span 1 ok', '  planner "}{\\: span 2 ok'];

const NOT_FOUND =
  '{"data":null,"total":0,"limit":0,"offset":0,"errors":[{"code":404,"msg":"trace not found"}]}';

/** A span of Jaeger's own JSON (internal/uimodel/model.go) with what a test adds. */
function span(id: string, more: object = {}): object {
  return {
    traceID: ID,
    spanID: id,
    operationName: `span ${id}`,
    references: [],
    startTime: 1_760_000_000_000_000,
    duration: 1000,
    tags: [],
    logs: [],
    processID: 'p1',
    warnings: null,
    ...more,
  };
}

function traceOf(spans: readonly object[], more: object = {}): object {
  return {
    traceID: ID,
    spans,
    processes: { p1: { serviceName: 'planner', tags: [] } },
    warnings: null,
    ...more,
  };
}

function refer(refType: string, spanID: string, traceID = ID): object {
  return { refType, traceID, spanID };
}

/** Calls as lines, those below moved in, with what tests look at. */
function draw(nodes: readonly CallNode[], indent = ''): readonly string[] {
  return nodes.flatMap(({ call, status, notes, attributes, children }) => [
    [
      `${indent}${call.agent}: ${call.title} ${status}`,
      ...notes.map(note => `{${note}}`),
      ...attributes.filter(({ name }) => name !== 'service.name').map(({ name, json }) => `${name}=${json}`),
    ].join(' '),
    ...draw(children, `${indent}  `),
  ]);
}

function drawAll(imported: ImportedTrace): unknown {
  if (!imported.ok) return imported.error;
  return [foldTrace(imported.events).flatMap(({ roots }) => draw(roots)), imported.notes];
}

describe('answers of Jaeger', () => {
  let server: Server;
  let url: string;
  let answers: Readonly<Record<string, readonly [status: number, body: string]>> = {};

  before(async () => {
    server = createServer((request, response) => {
      const [status, body] = answers[(request.url ?? '').replace(`/traces/${ID}`, '')] ?? [
        404,
        'no such page',
      ];
      // Errors come as plain text (http_gateway.go).
      response
        .writeHead(status, { 'content-type': status === 200 ? 'application/json' : 'text/plain' })
        .end(body);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });

  async function fetchTrace(given: typeof answers): Promise<unknown> {
    answers = given;
    const none = (): undefined => undefined;
    const variables = { env: none, input: none, secret: none, demo: none, workspaceFolder: none };
    const resolved = await resolveTarget({ url, headers: new Map() }, variables);
    assert.ok(resolved.ok);
    return drawAll(await fetchJaegerTrace(resolved.target, ID, new AbortController().signal));
  }

  for (const [form, body] of [
    ['a chunk a line', `${FIRST}\n${SECOND}\n`],
    ['one chunk behind the other', `${FIRST}${SECOND}`],
    [
      'chunks over several lines',
      [FIRST, SECOND].map(each => JSON.stringify(JSON.parse(each), null, 2)).join('\n'),
    ],
    ['a list of chunks', `[${FIRST},${SECOND}]`],
    ['all spans in one', FIRST.replace(']}}', `,${SECOND.slice(SECOND.indexOf('[') + 1)}`)],
    ['ids in Base64', `${FIRST}${SECOND}`.replaceAll(`"${ID}"`, '"W4qlotLIcugyHPNzCNad8g=="')],
    ['the kind by its name', `${FIRST}${SECOND}`.replaceAll('"kind":2', '"kind":"SPAN_KIND_SERVER"')],
  ] as const)
    it(`of API 3 are read as ${form}`, async () => {
      assert.deepEqual(await fetchTrace({ '/api/v3': [200, body] }), [TREE, []]);
    });

  it('of API 3 tell what broke off, and what the server says of it', async () => {
    const error =
      '{"error":{"grpcCode":13,"httpCode":500,"message":"storage is gone","httpStatus":"Internal"}}';
    assert.deepEqual(
      [
        await fetchTrace({ '/api/v3': [200, `${FIRST}\n${error}\n`] }),
        await fetchTrace({ '/api/v3': [200, `${FIRST}\n${SECOND.slice(0, -20)}`] }),
        await fetchTrace({
          '/api/v3': [
            200,
            chunk('0000000000000001').replace('"startTimeUnixNano":"1760000000000000000",', '') + SECOND,
          ],
        }),
      ],
      [
        [TREE.slice(0, 1), ['Jaeger says: storage is gone']],
        [TREE.slice(0, 1), ["A part of Jaeger's response is incomplete; the trace may lack spans"]],
        [
          ["planner \"}{\\: span 2 ok {Its parent '0000000000000001' is not in the trace}"],
          ["A span without ids or times was left out: 'traceId, spanId, name, kind, endTimeUnixNano'"],
        ],
      ],
    );
  });

  it('that have no trace lead to the older API, whose word counts', async () => {
    const none = '{"error":{"httpCode":404,"message":"No traces found"}}';
    const gone = `${url}/ has no trace '${ID}'; check its id, and that it was sent there`;
    const legacy = JSON.stringify({ data: [traceOf([span('1')])], total: 0, errors: null });
    assert.deepEqual(
      [
        await fetchTrace({ '/api/v3': [404, none], '/api': [404, NOT_FOUND] }),
        await fetchTrace({ '/api/v3': [200, '{"result":{}}'], '/api': [200, NOT_FOUND] }),
        await fetchTrace({ '/api/v3': [200, '{"result":{}}'], '/api': [200, '{"data":[],"errors":null}'] }),
        await fetchTrace({ '/api/v3': [501, none], '/api': [200, legacy] }),
        await fetchTrace({ '/api': [200, '{"data":null,"errors":[{"code":500,"msg":"storage is gone"}]}'] }),
        await fetchTrace({ '/api': [500, '{"data":null,"errors":[{"code":500,"msg":"storage is gone"}]}'] }),
      ],
      [
        gone,
        gone,
        gone,
        [['planner: span 1 ok'], []],
        `GET ${url}/api/traces/${ID} was answered with an error: 'storage is gone'`,
        `GET ${url}/api/traces/${ID} was answered with HTTP 500: '{"data":null,"errors":[{"code":500,"msg":"storage is gone"}]}'`,
      ],
    );
  });

  it('of the older API may hold a part, several traces, and traces without spans', async () => {
    const other = { ...span('9'), traceID: SHORT };
    const body = {
      data: [
        traceOf([span('1')], { warnings: ['clock skew'] }),
        { traceID: 'x', spans: null },
        traceOf([other], { traceID: SHORT }),
      ],
      errors: [{ code: 500, msg: 'one shard is gone', traceID: ID }],
    };
    assert.deepEqual(await fetchTrace({ '/api': [200, JSON.stringify(body)] }), [
      ['planner: span 1 ok', 'planner: span 9 ok'],
      [
        'Jaeger says: one shard is gone',
        'Jaeger says: clock skew',
        'A trace without a list of spans was left out',
      ],
    ]);
  });

  it('of the older API name the caller as Jaeger understands it', async () => {
    const spans = [
      span('1'),
      span('2', { references: [refer('FOLLOWS_FROM', '1')] }),
      span('3', { references: [refer('FOLLOWS_FROM', '1'), refer('CHILD_OF', '2')] }),
      span('4', { references: [refer('CHILD_OF', '7', SHORT), refer('CHILD_OF', '3')] }),
      span('5', { references: [refer('CHILD_OF', '7', SHORT)] }),
      span('6', { parentSpanID: '4' }),
    ];
    assert.deepEqual(await fetchTrace({ '/api': [200, JSON.stringify({ data: [traceOf(spans)] })] }), [
      [
        'planner: span 1 ok',
        '  planner: span 2 ok',
        `    planner: span 3 ok {Linked with the span 0000000000000001 of the trace ${ID}}`,
        `      planner: span 4 ok {Linked with the span 0000000000000007 of the trace ${SHORT.padStart(32, '0')}}`,
        '        planner: span 6 ok',
        `planner: span 5 ok {Linked with the span 0000000000000007 of the trace ${SHORT.padStart(32, '0')}}`,
      ],
      [],
    ]);
  });

  it('of the older API keep every kind of value', async () => {
    const tags = [
      { key: 'whole', type: 'int64', value: 23456 },
      { key: 'wide', type: 'int64', value: '-9223372036854775808' },
      { key: 'double', type: 'float64', value: 72 },
      { key: 'half', type: 'float64', value: 72.5 },
      { key: 'truth', type: 'bool', value: false },
      { key: 'word of truth', type: 'bool', value: 'true' },
      { key: 'bytes', type: 'binary', value: 'AAAwOQ==' },
      { key: 'digits', type: 'string', value: '23456' },
      { key: 'list', type: 'string', value: '["a"]' },
      { key: 'none', type: 'int64', value: null },
      { key: 'untyped', value: 1 },
    ];
    assert.deepEqual(
      await fetchTrace({ '/api': [200, JSON.stringify({ data: [traceOf([span('1', { tags })])] })] }),
      [
        [
          'planner: span 1 ok whole=23456 wide=-9223372036854775808 double=72.0 half=72.5 truth=false word of truth=true bytes="AAAwOQ==" digits="23456" list="[\\"a\\"]" none=null untyped=1',
        ],
        [],
      ],
    );
  });

  it('of the older API tell where two spans share an id, and take a process in the span', async () => {
    const spans = [
      span('1', { processID: undefined, process: { serviceName: 'inner', tags: [] } }),
      span('1', { tags: [{ key: 'span.kind', type: 'string', value: 'server' }] }),
      span('2'),
      span('2'),
    ];
    const [trees, notes] = (await fetchTrace({
      '/api': [200, JSON.stringify({ data: [traceOf(spans)] })],
    })) as [readonly string[], readonly string[]];
    assert.deepEqual(
      [trees.length, notes],
      [
        2,
        [
          "Two spans have the id 0000000000000001: 'unspecified span 1' and 'server span 1'; they are shown as one",
        ],
      ],
    );
    assert.match(trees[0] ?? '', /^inner: span 1 ok/);
  });

  it('of API 3 open as files, too', () => {
    assert.deepEqual(
      [`${FIRST}\n${SECOND}\n`, `[${FIRST},${SECOND}]`].map(text =>
        drawAll(importTrace(text, ALL_PROTOCOLS)),
      ),
      [
        [TREE, []],
        [TREE, []],
      ],
    );
  });
});
