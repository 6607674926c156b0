import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { importTrace } from '../../../../trace/import/import.ts';
import { foldTrace } from '../../../support/at-once.ts';
import { outline } from '../support/picture.ts';

const TRACE = '5b8efff798038103d269b633813fc60c';

/** The example of the OTLP specification, with a tool call below it, as its JSON mapping says. */
const CAMEL = {
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'my.service' } }] },
      scopeSpans: [
        {
          scope: { name: 'my.library', version: '1.0.0' },
          spans: [
            {
              traceId: '5B8EFFF798038103D269B633813FC60C',
              spanId: 'EEE19B7EC3C1B174',
              parentSpanId: '',
              name: 'invoke_agent planner',
              startTimeUnixNano: '1544712660000000000',
              endTimeUnixNano: '1544712661250000000',
              kind: 2,
              attributes: [{ key: 'my.span.attr', value: { intValue: '9007199254740993' } }],
              status: {},
            },
            {
              traceId: '5B8EFFF798038103D269B633813FC60C',
              spanId: 'EEE19B7EC3C1B173',
              parentSpanId: 'EEE19B7EC3C1B174',
              name: 'execute_tool weather',
              startTimeUnixNano: '1544712660300000000',
              endTimeUnixNano: '1544712660300500250',
              kind: 3,
              attributes: [
                { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
                { key: 'gen_ai.tool.name', value: { stringValue: 'weather' } },
                { key: 'gen_ai.usage.input_tokens', value: { intValue: '12' } },
                { key: 'gen_ai.usage.output_tokens', value: { intValue: '3' } },
                { key: 'error.type', value: { stringValue: 'timeout' } },
                { key: 'http.request.header.authorization', value: { stringValue: 'Bearer abcdef' } },
              ],
              events: [
                {
                  timeUnixNano: '1544712660300400000',
                  name: 'exception',
                  attributes: [{ key: 'exception.message', value: { stringValue: 'too late' } }],
                },
              ],
              status: { code: 2, message: 'too late' },
            },
          ],
        },
      ],
    },
  ],
};

const EVENTS = [
  {
    type: 'call',
    call: 'eee19b7ec3c1b174',
    trace: TRACE,
    at: 1544712660000,
    agent: 'my.service',
    protocol: 'other',
    title: 'invoke_agent planner',
    seen: 'callee',
    reported: true,
  },
  {
    type: 'attributes',
    call: 'eee19b7ec3c1b174',
    at: 1544712660000,
    attributes: [
      { name: 'my.span.attr', json: '9007199254740993' },
      { name: 'service.name', json: '"my.service"' },
    ],
  },
  { type: 'end', call: 'eee19b7ec3c1b174', at: 1544712661250, status: 'ok' },
  {
    type: 'call',
    call: 'eee19b7ec3c1b173',
    trace: TRACE,
    parent: 'eee19b7ec3c1b174',
    at: 1544712660300,
    agent: 'weather',
    from: 'my.service',
    protocol: 'other',
    title: 'execute_tool weather',
    reported: true,
  },
  {
    type: 'attributes',
    call: 'eee19b7ec3c1b173',
    at: 1544712660300,
    attributes: [
      { name: 'gen_ai.operation.name', json: '"execute_tool"' },
      { name: 'gen_ai.tool.name', json: '"weather"' },
      { name: 'gen_ai.usage.input_tokens', json: '12' },
      { name: 'gen_ai.usage.output_tokens', json: '3' },
      { name: 'error.type', json: '"timeout"' },
      { name: 'http.request.header.authorization', json: '"[redacted]"' },
      { name: 'service.name', json: '"my.service"' },
    ],
  },
  {
    type: 'note',
    call: 'eee19b7ec3c1b173',
    at: 1544712660300.4,
    text: 'exception: exception.message "too late"',
  },
  {
    type: 'end',
    call: 'eee19b7ec3c1b173',
    at: 1544712660300.50025,
    status: 'error',
    code: 'timeout',
    message: 'too late',
    usage: { input: 12, output: 3 },
  },
];

/** The same by other printers of the same messages. */
function rewrite(change: (text: string) => string): string {
  return change(JSON.stringify(CAMEL));
}

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
const snake = (text: string): string =>
  text.replace(
    /"([a-z]+(?:[A-Z][a-z]+)+)":/g,
    (_, name: string) => `"${name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)}":`,
  );

const SPELLINGS: readonly (readonly [name: string, text: string])[] = [
  ['the mapping of the specification', rewrite(text => text)],
  ['names with underscores', rewrite(snake)],
  [
    'ids as Base64 and kinds and statuses by name, as protobuf prints JSON',
    rewrite(text =>
      text
        .replace(/Id":"([\dA-F]{16,32})"/g, (_, hex: string) => `Id":"${base64(hex)}"`)
        .replace('"kind":2', '"kind":"SPAN_KIND_SERVER"')
        .replace('"kind":3', '"kind":"SPAN_KIND_CLIENT"')
        .replace('"code":2', '"code":"STATUS_CODE_ERROR"'),
    ),
  ],
  [
    'times in two halves, as old exporters of JavaScript write them',
    rewrite(text =>
      text.replace(/"(\d{19})"/g, (_, digits: string) => {
        const number = BigInt(digits);
        return `{"low":${Number(BigInt.asIntN(32, number))},"high":${Number(number >> 32n)}}`;
      }),
    ),
  ],
  ['the older name of scopes', rewrite(text => text.replace('scopeSpans', 'instrumentationLibrarySpans'))],
  [
    'one export a line, as a collector writes its file',
    `${JSON.stringify({ resourceSpans: [] })}\n${JSON.stringify(CAMEL)}\n`,
  ],
  ['a list of exports, after a byte order mark', `\u{feff}${JSON.stringify([CAMEL])}`],
];

describe('spans of OTLP', () => {
  for (const [name, text] of SPELLINGS)
    it(`are read in ${name}`, () => {
      assert.deepEqual(importTrace(text, ALL_PROTOCOLS), { ok: true, events: EVENTS, notes: [] });
    });

  it('are read where times are numbers, as exactly as numbers are', () => {
    const text = rewrite(json => json.replace(/"(\d{19})"/g, '$1'));
    const imported = importTrace(text, ALL_PROTOCOLS);
    const times = imported.ok
      ? imported.events.flatMap(event => (event.type === 'end' ? [event.at] : []))
      : [];
    assert.deepEqual(times, [1544712661249.9998, 1544712660300.5002]);
  });

  it('keep every kind of value', () => {
    const values: readonly (readonly [object, string])[] = [
      [{ stringValue: 'a"b' }, '"a\\"b"'],
      [{ boolValue: false }, 'false'],
      [{ intValue: '-9223372036854775808' }, '-9223372036854775808'],
      [{ intValue: 5 }, '5'],
      [{ doubleValue: 1 }, '1.0'],
      [{ doubleValue: 'NaN' }, '"NaN"'],
      [{ bytesValue: 'AQI=' }, '"AQI="'],
      [{ arrayValue: { values: [{ intValue: '1' }, { stringValue: 'x' }] } }, '[1,"x"]'],
      [{ kvlistValue: { values: [{ key: '__proto__', value: { boolValue: true } }] } }, '{"__proto__":true}'],
      [{}, 'null'],
      [{ string_value: 'snake' }, '"snake"'],
    ];
    const attributes = values.map(([value], index) => ({ key: `k${index}`, value }));
    const span = { traceId: TRACE, spanId: 'a'.repeat(16), startTimeUnixNano: '1', attributes };
    const imported = importTrace(
      JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
      ALL_PROTOCOLS,
    );
    const read =
      imported.ok && imported.events[1]?.type === 'attributes' ? imported.events[1].attributes : [];
    assert.deepEqual(
      read.map(({ json }) => json),
      values.map(([, json]) => json),
    );
  });

  it('tell what could not be read', () => {
    const spans = [{ traceId: TRACE, name: 'x' }, { traceId: TRACE, spanId: '0000000000000000' }, 7];
    const text = `${JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })}\n{"resourceSpans":[{"sco`;
    assert.deepEqual(importTrace(text, ALL_PROTOCOLS), {
      ok: true,
      events: [],
      notes: [
        "A span without ids or times was left out: 'traceId, name'",
        "A span without ids or times was left out: 'traceId, spanId'",
        "A span without ids or times was left out: 'number'",
        '1 value or line is of another kind or incomplete; left out',
      ],
    });
  });

  it('join the call that led to them by trace id', () => {
    const imported = importTrace(
      rewrite(text => text.replace('"parentSpanId":""', '"parentSpanId":"00f067aa0ba902b7"')),
      ALL_PROTOCOLS,
    );
    const sent = {
      type: 'call',
      call: '00f067aa0ba902b7',
      trace: TRACE,
      at: 1544712659000,
      agent: 'my.service',
      protocol: 'mcp',
      title: 'plan',
    } as const;
    assert.equal(
      outline(foldTrace([sent, ...(imported.ok ? imported.events : [])])),
      `${TRACE}: 00f067aa0ba902b7(=eee19b7ec3c1b174(eee19b7ec3c1b173{exception: exception.message "too late"}))`,
    );
  });
});
