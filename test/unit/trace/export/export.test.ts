import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TraceEvent } from '../../../../core/events/events.ts';
import { exportTraceText } from '../../../../trace/export/export.ts';
import type { TraceFormat } from '../../../../trace/export/trace-formats.ts';
import { TraceFold } from '../../../../trace/fold/fold.ts';
import { importTrace } from '../../../../trace/import/import.ts';
import { importOtlp } from '../../../../trace/import/otlp-json.ts';
import { sized } from '../../../support/size.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const AIO = 'AIO-TR-20251009-0001';

/** A planner that asks a booker, as envelopes say it. */
const PLANNER = {
  call: {
    call: '00f067aa0ba902b7',
    trace: TRACE,
    at: 1760000000000.5,
    agent: 'planner',
    protocol: 'mcp',
    title: 'trip',
    session: 's1',
  },
  answered: 1760000000031,
  end: { at: 1760000000041.5, status: 'ok', usage: { input: 12, output: 3 } },
} as const;
const BOOKER = {
  call: {
    call: 'booking',
    trace: TRACE,
    parent: '00f067aa0ba902b7',
    at: 1760000000010,
    agent: 'booker',
    protocol: 'aio',
    title: 'book',
    names: [{ scheme: 'aio', trace: AIO, id: '7' }],
  },
  answered: 1760000000012,
  end: { at: 1760000000020, status: 'incomplete', code: 'CUT', message: 'The reply was cut' },
  notes: ['It broke off'],
} as const;

/** A planner that asks a booker; the booker fails in the middle of its stream. */
const EVENTS: readonly TraceEvent[] = [
  { type: 'call', ...PLANNER.call },
  {
    type: 'head',
    call: '00f067aa0ba902b7',
    at: 1760000000001,
    direction: 'out',
    line: 'POST http://127.0.0.1:3000/mcp?a=b&token=[redacted]',
    headers: [{ name: 'authorization', value: '[redacted]', redacted: 13 }],
  },
  {
    type: 'wire',
    call: '00f067aa0ba902b7',
    at: 1760000000001,
    direction: 'out',
    bytes: { text: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"trip"}}' },
  },
  {
    type: 'head',
    call: '00f067aa0ba902b7',
    at: 1760000000031,
    direction: 'in',
    line: '200 OK',
    headers: [{ name: 'content-type', value: 'application/octet-stream' }],
  },
  { type: 'wire', call: '00f067aa0ba902b7', at: 1760000000032, direction: 'in', bytes: { base64: '/w==' } },
  { type: 'end', call: PLANNER.call.call, ...PLANNER.end },
  { type: 'call', ...BOOKER.call },
  {
    type: 'wire',
    call: 'booking',
    at: 1760000000010,
    direction: 'out',
    bytes: { text: `{"method":"booker::book","params":{"to":"Oslo"},"id":7,"trace_id":"${AIO}"}` },
  },
  { type: 'wire', call: 'booking', at: 1760000000012, direction: 'in', bytes: { text: 'half of' } },
  { type: 'wire', call: 'booking', at: 1760000000013, direction: 'in', bytes: { text: ' a reply' } },
  { type: 'note', call: 'booking', at: 1760000000014, text: BOOKER.notes[0] },
  { type: 'end', call: BOOKER.call.call, ...BOOKER.end },
];

async function write(
  format: TraceFormat,
  events: readonly TraceEvent[] = EVENTS,
  countTokens?: (text: string) => number,
): Promise<string> {
  const fold = new TraceFold();
  for (const event of events) fold.add(event);
  const payloads = Map.groupBy(
    events.filter(event => event.type === 'head' || event.type === 'wire'),
    event => event.call,
  );
  return exportTraceText(format, {
    protocols: ALL_PROTOCOLS,
    trees: fold.trees(),
    payload: async call => payloads.get(call) ?? [],
    countTexts: countTokens && (async texts => texts.map(countTokens)),
  });
}

describe('an export to AIO', () => {
  it('is the graph of the document, with what it has no word for beside', async () => {
    assert.deepEqual(JSON.parse(await write('aio')), {
      trace_id: AIO,
      calls: [
        {
          id: 1,
          protocol: 'mcp',
          agent: 'planner',
          method: 'tools/call',
          input: { name: 'trip' },
          output: { base64: '/w==' },
          status: 'ok',
          parley: { ...PLANNER, method: 'tools/call' },
        },
        {
          id: 7,
          parent: 1,
          protocol: 'aio',
          agent: 'booker',
          method: 'book',
          input: { to: 'Oslo' },
          output: 'half of a reply',
          status: 'error',
          partial: true,
          parley: BOOKER,
        },
      ],
    });
  });

  it('has the kind of the agent from a graph that was imported', async () => {
    const attribute = (name: string, json: string): TraceEvent => ({
      type: 'attributes',
      call: BOOKER.call.call,
      at: 1,
      attributes: [{ name, json }],
    });
    const graphs = await Promise.all(
      [attribute('type', '"mcp"'), attribute('type', '"hotel"')].map(event =>
        write('aio', [...EVENTS, event]),
      ),
    );
    assert.deepEqual(
      graphs.map(graph => (JSON.parse(graph) as { calls: { type?: string }[] }).calls.map(call => call.type)),
      [
        [undefined, 'mcp'],
        [undefined, undefined],
      ],
    );
  });

  it('is a list for several traces', async () => {
    const other = { ...PLANNER.call, type: 'call', call: 'x', trace: 'u', protocol: 'mcp' } as const;
    const graphs = JSON.parse(await write('aio', [...EVENTS, other])) as readonly { trace_id: string }[];
    assert.deepEqual(
      graphs.map(graph => graph.trace_id),
      [AIO, 'u'],
    );
    assert.deepEqual(JSON.parse(await write('aio', [])), []);
  });

  it('has what was said as it was written: every digit, the order of members, twins', async () => {
    const asked = '{"id":12345678901234567890,"2":1.0,"1":-0,"1":1e400,"t":"a \\u00e9 b"}';
    const call = { ...PLANNER.call, type: 'call', protocol: 'json-rpc' } as const;
    const said = (direction: 'out' | 'in', text: string): TraceEvent => ({
      type: 'wire',
      call: call.call,
      at: call.at,
      direction,
      bytes: { text },
    });
    const printed = await write('aio', [
      call,
      said('out', `{"jsonrpc":"2.0","id":1,"method":"add","params": ${asked.replaceAll(',', ' ,\n ')} }`),
      said('in', 'data: {"jsonrpc":"2.0","id":1,"result":9007199254740993}\n\n'),
    ]);
    assert.ok(printed.includes(`"input":${asked},"output":9007199254740993,`), printed);
    const read = importTrace(printed, ALL_PROTOCOLS);
    assert.deepEqual(read.ok && read.events.flatMap(event => (event.type === 'wire' ? [event.bytes] : [])), [
      { text: asked },
      { text: '9007199254740993' },
    ]);
  });
});

describe('an export to OTLP', () => {
  const text = (key: string, stringValue: string): object => ({ key, value: { stringValue } });
  const whole = (key: string, intValue: string): object => ({ key, value: { intValue } });
  const added = (...names: readonly string[]): object => ({
    key: 'parley.added',
    value: { arrayValue: { values: names.map(stringValue => ({ stringValue })) } },
  });

  it('has spans of the services that made the calls', async () => {
    const scope = { name: 'parley', version: '0.1.0' };
    assert.deepEqual(JSON.parse(await write('otlp')), {
      resourceSpans: [
        {
          resource: { attributes: [text('service.name', 'parley')] },
          scopeSpans: [
            {
              scope,
              spans: [
                {
                  traceId: TRACE,
                  spanId: '00f067aa0ba902b7',
                  name: 'tools/call trip',
                  kind: 3,
                  startTimeUnixNano: '1760000000000500000',
                  endTimeUnixNano: '1760000000041500000',
                  attributes: [
                    text('gen_ai.agent.name', 'planner'),
                    text('gen_ai.operation.name', 'execute_tool'),
                    text('gen_ai.tool.name', 'trip'),
                    text('mcp.method.name', 'tools/call'),
                    text('mcp.session.id', 's1'),
                    whole('gen_ai.usage.input_tokens', '12'),
                    whole('gen_ai.usage.output_tokens', '3'),
                    whole('http.request.body.size', '71'),
                    whole('http.response.body.size', '1'),
                    added(
                      'gen_ai.agent.name',
                      'gen_ai.operation.name',
                      'gen_ai.tool.name',
                      'mcp.method.name',
                      'mcp.session.id',
                      'gen_ai.usage.input_tokens',
                      'gen_ai.usage.output_tokens',
                      'http.request.body.size',
                      'http.response.body.size',
                    ),
                    text('parley.call', JSON.stringify(PLANNER)),
                  ],
                  events: [],
                  status: {},
                },
              ],
            },
          ],
        },
        {
          resource: { attributes: [text('service.name', 'planner')] },
          scopeSpans: [
            {
              scope,
              spans: [
                {
                  traceId: TRACE,
                  spanId: '52c3f8cbd05004ac',
                  parentSpanId: '00f067aa0ba902b7',
                  name: 'execute_tool book',
                  kind: 3,
                  startTimeUnixNano: '1760000000010000000',
                  endTimeUnixNano: '1760000000020000000',
                  attributes: [
                    text('gen_ai.agent.name', 'booker'),
                    text('gen_ai.operation.name', 'execute_tool'),
                    text('gen_ai.tool.name', 'book'),
                    text('error.type', 'CUT'),
                    whole('http.request.body.size', '89'),
                    whole('http.response.body.size', '15'),
                    whole('parley.chunks', '2'),
                    added(
                      'gen_ai.agent.name',
                      'gen_ai.operation.name',
                      'gen_ai.tool.name',
                      'error.type',
                      'http.request.body.size',
                      'http.response.body.size',
                      'parley.chunks',
                    ),
                    text('parley.call', JSON.stringify(BOOKER)),
                  ],
                  events: [
                    {
                      timeUnixNano: '1760000000010000000',
                      name: 'parley.note',
                      attributes: [text('message', 'It broke off')],
                    },
                    { timeUnixNano: '1760000000012000000', name: 'parley.chunk' },
                    { timeUnixNano: '1760000000013000000', name: 'parley.chunk' },
                  ],
                  status: { code: 2, message: 'The reply was cut' },
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('ends a call that goes on with what came of it last, and says that it goes on', async () => {
    const begun = EVENTS.filter(({ type, call }) => call === '00f067aa0ba902b7' && type !== 'end');
    const printed = JSON.parse(await write('otlp', begun)) as {
      resourceSpans: [{ scopeSpans: [{ spans: [Record<string, unknown>] }] }];
    };
    const { startTimeUnixNano, endTimeUnixNano, status, events } =
      printed.resourceSpans[0].scopeSpans[0].spans[0];
    assert.deepEqual(
      [startTimeUnixNano, endTimeUnixNano, status, events],
      [
        '1760000000000500000',
        '1760000000032000000',
        {},
        [{ timeUnixNano: '1760000000032000000', name: 'parley.open' }],
      ],
    );
  });

  it('keeps every integer and every time within what OpenTelemetry has numbers for', async () => {
    const call = { ...PLANNER.call, type: 'call', at: -5, protocol: 'mcp' } as const;
    const attributes = [
      { name: 'n', json: '9007199254740993' },
      { name: 'f', json: '1.5' },
      { name: 'deep', json: `${'['.repeat(80)}${']'.repeat(80)}` },
      { name: 'long', json: '9223372036854775808' },
      { name: 'least', json: '-9223372036854775808' },
      { name: 'huge', json: '1e999' },
      { name: 'inner', json: '[1e999]' },
      { name: 'none', json: '0x10' },
    ];
    const printed = JSON.parse(
      await write('otlp', [
        call,
        { type: 'attributes', call: call.call, at: 1, attributes },
        { type: 'end', call: call.call, at: 1e300, status: 'ok' },
      ]),
    ) as {
      resourceSpans: [{ scopeSpans: [{ spans: [Record<string, unknown> & { attributes: unknown[] }] }] }];
    };
    const span = printed.resourceSpans[0].scopeSpans[0].spans[0];
    assert.deepEqual(
      [span['startTimeUnixNano'], span['endTimeUnixNano'], span.attributes.slice(0, attributes.length)],
      [
        '0',
        '18446744073709551615',
        [
          whole('n', '9007199254740993'),
          { key: 'f', value: { doubleValue: 1.5 } },
          text('deep', attributes[2]?.json ?? ''),
          text('long', '9223372036854775808'),
          whole('least', '-9223372036854775808'),
          text('huge', '1e999'),
          { key: 'inner', value: { arrayValue: { values: [{ stringValue: 'Infinity' }] } } },
          text('none', '0x10'),
        ],
      ],
    );
  });
});

describe('an export to OTLP of reported spans', () => {
  const span = (spanId: string, more: object): object => ({
    traceId: TRACE,
    spanId,
    name: `span ${spanId}`,
    startTimeUnixNano: '1760000000000000000',
    endTimeUnixNano: '1760000000041000000',
    attributes: [],
    events: [],
    status: {},
    ...more,
  });
  const [root, inner, remote] = ['a'.repeat(16), 'b'.repeat(16), 'c'.repeat(16)];
  const exported = {
    resourceSpans: [
      ['weather', span(root, { kind: 2 }), span(inner, { kind: 1, parentSpanId: root })] as const,
      ['planner', span(remote, { kind: 3, parentSpanId: 'd'.repeat(16) })] as const,
    ].map(([service, ...spans]) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
      scopeSpans: [{ scope: { name: 'x' }, spans }],
    })),
  };

  /** Of each span what says where it belongs and what kind it is, and its attributes of generative AI. */
  const outline = (text: string): unknown =>
    (JSON.parse(text) as typeof exported).resourceSpans.map(({ resource, scopeSpans }) => [
      resource,
      scopeSpans[0]?.spans.map(each => {
        const { traceId, spanId, parentSpanId, name, kind, attributes } = each as Record<string, unknown>;
        return [traceId, spanId, parentSpanId, name, kind, JSON.stringify(attributes).match(/gen_ai[.\w]*/g)];
      }),
    ]);

  for (const from of ['file', 'backend', 'program'] as const)
    it(`keeps their ids, services and kinds, and adds no other sense, where they came from a ${from}`, async () => {
      const imported = importOtlp([exported], from);
      assert.ok(imported.ok);
      assert.deepEqual(outline(await write('otlp', imported.events)), outline(JSON.stringify(exported)));
    });

  it('gives them another id if a recorded call has theirs', async () => {
    const imported = importOtlp([exported], 'program');
    assert.ok(imported.ok);
    const observed = { ...PLANNER.call, type: 'call', call: root, protocol: 'mcp' } as const;
    const ids = [
      ...(await write('otlp', [observed, ...imported.events])).matchAll(/"(s|parentS)panId":"(\w+)"/g),
    ];
    assert.deepEqual(
      ids.map(([, kind, id]) => `${kind} ${id}`),
      [
        `s ${remote}`,
        `parentS ${'d'.repeat(16)}`,
        `s ${root}`,
        's 9e69734b433b495f',
        `parentS ${root}`,
        `s ${inner}`,
        `parentS ${root}`,
      ],
    );
  });
});

describe('an export to HAR', () => {
  it('has the exchanges over HTTP, and says how many calls are not there', async () => {
    assert.deepEqual(JSON.parse(await write('har')), {
      log: {
        version: '1.2',
        creator: { name: 'Parley', version: '0.1.0' },
        entries: [
          {
            startedDateTime: '2025-10-09T08:53:20.001Z',
            time: 31,
            request: {
              method: 'POST',
              url: 'http://127.0.0.1:3000/mcp?a=b&token=[redacted]',
              httpVersion: 'HTTP/1.1',
              cookies: [],
              headers: [{ name: 'authorization', value: '[redacted]', _redacted: 13 }],
              queryString: [
                { name: 'a', value: 'b' },
                { name: 'token', value: '[redacted]' },
              ],
              postData: {
                mimeType: '',
                text: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"trip"}}',
              },
              headersSize: -1,
              bodySize: 71,
            },
            response: {
              status: 200,
              statusText: 'OK',
              httpVersion: 'HTTP/1.1',
              cookies: [],
              headers: [{ name: 'content-type', value: 'application/octet-stream' }],
              content: { size: 1, mimeType: 'application/octet-stream', text: '/w==', encoding: 'base64' },
              redirectURL: '',
              headersSize: -1,
              bodySize: 1,
            },
            cache: {},
            timings: { send: 0, wait: 30, receive: 1 },
            _parley: { ...PLANNER, at: 1760000000001 },
          },
        ],
        comment: 'Left out because they do not use HTTP: 1 of 2 calls',
      },
    });
  });
});

/** Calls whose every text is made to break out of its context. */
function hostile(text: string): readonly TraceEvent[] {
  const begun = {
    type: 'call',
    call: 'c',
    trace: text,
    at: 0,
    agent: text,
    protocol: 'aicl',
    title: text,
  } as const;
  return [
    begun,
    { type: 'wire', call: 'c', at: 1, direction: 'in', bytes: { text } },
    { type: 'note', call: 'c', at: 2, text },
    { type: 'end', call: 'c', at: 3, status: 'error', code: text, message: text },
  ];
}

describe('an export to Mermaid', () => {
  it('has beginnings and ends in the order of their times', async () => {
    assert.equal(
      await write('mermaid'),
      [
        'sequenceDiagram',
        '  participant p0 as client',
        '  participant p1 as planner',
        '  participant p2 as booker',
        '  p0->>p1: trip',
        '  p1->>p2: book',
        '  p2--xp1: incomplete CUT · 10 ms',
        '  p1-->>p0: ok · 41 ms',
        '',
      ].join('\n'),
    );
  });

  it('lets no text end its line, begin markup, or close the diagram', async () => {
    const printed = await write('mermaid', hostile('end; <b>#\n  p9->>p9: "x" %% é'));
    const words = '#101;nd#59; #60;b#62;#35;#9166;  p9-#62;#62;p9#58; #34;x#34; #37;#37; é';
    assert.equal(
      printed,
      [
        'sequenceDiagram',
        '  participant p0 as client',
        `  participant p1 as ${words}`,
        `  p0->>p1: ${words}`,
        `  p1--xp0: error ${words} · 3 ms`,
        '',
      ].join('\n'),
    );
  });
});

describe('an export to Markdown', () => {
  it('counts one call as one', async () => {
    const fold = new TraceFold();
    const usage = { input: 1, output: 1 };
    fold.add({ type: 'call', call: 'a', trace: 't', at: 1, agent: 'a', protocol: 'aicf', title: 'one' });
    fold.add({ type: 'end', call: 'a', at: 2, status: 'ok', usage });
    const source = { trees: fold.trees(), payload: () => Promise.resolve([]), protocols: ALL_PROTOCOLS };
    const markdown = await exportTraceText('markdown', source);
    assert.ok(markdown.includes('\n1 call to 1 agent, 0 failed, 1 token in and 1 out. '), markdown);
    assert.ok(markdown.includes(': ok · 1 ms, 1 token in, 1 out\n'), markdown);
    const har = JSON.parse(await exportTraceText('har', source)) as { log: { comment?: string } };
    assert.equal(har.log.comment, 'Left out because they do not use HTTP: 1 of 1 call');
  });

  it('has the calls, and what was said', async () => {
    assert.equal(
      await write('markdown'),
      [
        '# Trace trip',
        '',
        '2 calls to 2 agents, 0 failed, 12 tokens in and 3 out. Secrets are replaced by [redacted].',
        '',
        '## Calls',
        '',
        '- **trip** planner: ok · 41 ms, 12 tokens in, 3 out',
        '  - **book** planner → booker: incomplete CUT · 10 ms',
        '    - The reply was cut',
        '    - It broke off',
        '',
        '## Requests and replies',
        '',
        '### book \\(booker\\), 10 ms',
        '',
        'Request:',
        '',
        '```',
        `{"method":"booker::book","params":{"to":"Oslo"},"id":7,"trace_id":"${AIO}"}`,
        '```',
        '',
        'Reply:',
        '',
        '```',
        'half of a reply',
        '```',
        '',
        '### trip \\(planner\\), 41 ms',
        '',
        'Request:',
        '',
        '```',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"trip"}}',
        '```',
        '',
        'Reply:',
        '',
        '1 byte of binary data.',
        '',
      ].join('\n'),
    );
  });

  it('lets no text begin markup or close its fence', async () => {
    const printed = await write('markdown', hostile('<img src=x onerror=1>\n```\n# [a](javascript:x)'));
    assert.deepEqual(
      [
        /<img[^\n]*\n```\n/.test(printed),
        printed.includes('````\n<img'),
        /^# \[a\]/m.test(printed.replace(/````[^]*?````/g, '')),
      ],
      [true, true, false],
    );
  });

  it('says what is cut, and how much', async () => {
    const long = 'x'.repeat(5_000);
    const printed = await write('markdown', hostile(long));
    assert.deepEqual(
      [...printed.matchAll(/… \\?\(?(\d+) more characters/g)].map(([, count]) => count),
      ['4500', '4500', '4500', '4513', '4500', '4500', '9503', '3000'],
    );
  });
});

describe('an export to CSV', () => {
  it('has a row a call', async () => {
    const [head, ...rows] = (await write('csv')).split('\r\n');
    assert.equal(
      head,
      'trace,call,parent,parentage,depth,caller,agent,protocol,title,status,code,message,start_ms,duration_ms,first_reply_ms,input_tokens,output_tokens,cached_tokens,reasoning_tokens,model,bytes_out,bytes_in,session,cycle,notes',
    );
    assert.deepEqual(rows, [
      `${TRACE},00f067aa0ba902b7,,root,0,,planner,mcp,trip,ok,,,1760000000000.5,41,30.5,12,3,,,,71,1,s1,,`,
      `${TRACE},booking,00f067aa0ba902b7,named,1,planner,booker,aio,book,incomplete,CUT,The reply was cut,1760000000010,10,2,,,,,,89,15,,,It broke off`,
      '',
    ]);
  });

  for (const [text, cell] of [
    ['=1+1', "'=1+1"],
    [' @SUM(A1)', "' @SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['-2+3', "'-2+3"],
    ['\t=1', "'\t=1"],
    ['a,"b"\nc', '"a,""b""\nc"'],
    ['=a,b', '"\'=a,b"'],
    ['a\n=1\r\n -2', '"a\n\'=1\r\n\' -2"'],
    ['a\u001b[2J\u202eb', 'aU+001B[2JU+202Eb'],
    ['a\rb', 'aU+000Db'],
  ] as const)
    it(`has no formula of ${JSON.stringify(text)}`, async () => {
      assert.ok((await write('csv', hostile(text))).includes(`,${cell},aicl,${cell},error,${cell},${cell},`));
    });
});

describe('an export of totals', () => {
  it('has a row for each agent of a task, and one for the trace', async () => {
    assert.deepEqual((await write('totals')).split('\r\n'), [
      'trace,task,agent,calls,ok,errors,pending,duration_ms,own_ms,waiting_ms,input_tokens,output_tokens,counted_input_tokens,counted_output_tokens,uncounted_calls,server_calls,server_ms,caller_ms,bytes_out,bytes_in',
      `${TRACE},${AIO},planner,1,1,0,0,41,31,10,12,3,,,,,,,71,1`,
      `${TRACE},${AIO},booker,1,0,1,0,10,10,0,,,,,,,,,89,15`,
      `${TRACE},${AIO},,2,1,1,0,51,41,10,12,3,,,,,,,160,16`,
      '',
    ]);
  });
});

describe('an export of totals that counts', () => {
  const long = 'x'.repeat(1_500_000);
  const wire = (call: string, direction: 'out' | 'in', text: string): TraceEvent => ({
    type: 'wire',
    call,
    at: 2,
    direction,
    bytes: { text },
  });
  const call = (
    id: string,
    usage: { input?: number; output?: number } | undefined,
  ): readonly TraceEvent[] => [
    { type: 'call', call: id, trace: 't', at: 1, agent: id, protocol: 'other', title: 'x' },
    wire(id, 'out', 'four'),
    ...(id === 'streams' ? [wire(id, 'in', 'se'), wire(id, 'in', 'ven b')] : [wire(id, 'in', long)]),
    { type: 'end', call: id, at: 3, status: 'ok', ...(usage ? { usage } : {}) },
  ];

  it('counts what agents do not report, and of a long message a part', async () => {
    const events = [
      ...call('streams', undefined),
      ...call('reports', { input: 70, output: 80 }),
      ...call('half', { input: 90 }),
    ];
    const counted: number[] = [];
    const text = await write('totals', events, said => {
      counted.push(said.length);
      return said.length * 2;
    });
    const rows = text.split('\r\n').map(line => line.split(',').slice(10, 14).join());
    assert.deepEqual(rows, [
      'input_tokens,output_tokens,counted_input_tokens,counted_output_tokens',
      '90,,,3000000',
      '70,80,,',
      ',,8,14',
      '160,80,8,3000014',
      '',
    ]);
    assert.deepEqual(counted, [1_000_000, 4, 7]);
  });
});

describe('exports of what no engine prints at once', () => {
  const CALLS = sized(100_000);
  const chain = Array.from({ length: CALLS }, (_, index): readonly TraceEvent[] => [
    {
      type: 'call',
      call: `c${index}`,
      trace: 't',
      at: index,
      agent: 'a',
      protocol: 'other',
      title: 'x',
      ...(index === 0 ? {} : { parent: `c${index - 1}` }),
    },
  ]).flat();

  for (const format of ['agenttrace', 'otlp', 'mermaid', 'markdown', 'csv', 'totals'] as const)
    it(`writes a chain of ${CALLS} calls as ${format}`, async () => {
      assert.ok((await write(format, chain.slice(0, 1))).length < (await write(format, chain)).length);
    });
});
