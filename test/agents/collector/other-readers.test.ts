import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { convertGenAISpanAttributesToOpenInferenceSpanAttributes as translate } from '@arizeai/openinference-genai';
import type { Attributes } from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { describe, it } from 'mocha';
import { TELEMETRY } from '../../../core/catalog/trace-names.ts';
import { parseJson } from '../../../core/text/json.ts';
import type { TraceEvent, TraceProtocol } from '../../../core/events/events.ts';
import { exportTraceText } from '../../../trace/export/export.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { importOtlp } from '../../../trace/import/otlp-json.ts';
import { readAttributes } from '../../../trace/import/otlp-attributes.ts';
import { recordTeam } from './support.ts';

const TRACE = '5b8aa5a2d2c872e8321cf37308d69df2';

interface Said {
  readonly protocol: TraceProtocol;
  readonly title: string;
  readonly asked: string;
  readonly answered: string;
  readonly status?: 'ok' | 'error';
}

/** A call with what was on its wire. */
function callOf({ protocol, title, asked, answered, status = 'ok' }: Said): readonly TraceEvent[] {
  const call = `${protocol} ${title}`;
  const wire = (at: number, direction: 'out' | 'in', text: string): TraceEvent => ({
    type: 'wire',
    call,
    at,
    direction,
    bytes: { text },
  });
  return [
    {
      type: 'call',
      call,
      trace: TRACE,
      at: 1_760_000_000_000,
      agent: `agent of ${protocol}`,
      protocol,
      title,
      session: 's1',
    },
    wire(1_760_000_000_001, 'out', asked),
    wire(1_760_000_000_002, 'in', answered),
    {
      type: 'end',
      call,
      at: 1_760_000_000_009,
      status,
      usage: { input: 120, output: 30 },
      ...(status === 'error' ? { code: '422', message: 'no room' } : {}),
    },
  ];
}

async function exported(
  events: readonly TraceEvent[],
  more: { includesContent?: boolean } = {},
): Promise<string> {
  const fold = new TraceFold();
  for (const event of events) fold.add(event);
  return exportTraceText('otlp', {
    protocols: ALL_PROTOCOLS,
    trees: fold.trees(),
    payload: async call =>
      events
        .filter(event => event.type === 'wire' || event.type === 'head')
        .filter(each => each.call === call),
    ...more,
  });
}

interface SpanText {
  readonly name: string;
  readonly attributes: unknown;
}

/** The attributes of spans in OTLP's JSON as the official SDK has them, by the names of spans. */
function attributesIn(json: string): ReadonlyMap<string, Attributes> {
  const { resourceSpans } = JSON.parse(json) as {
    readonly resourceSpans: readonly { scopeSpans: readonly { spans: readonly SpanText[] }[] }[];
  };
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(scope => scope.spans));
  return new Map(
    spans.map(({ name, attributes }) => [
      name,
      Object.fromEntries(readAttributes(attributes).map(each => [each.name, valueOf(each.json)])),
    ]),
  );
}

function valueOf(json: string): string | number | boolean | undefined {
  const value = parseJson(json);
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? value : json;
}

const TOOL = {
  protocol: 'mcp',
  title: 'trip',
  asked:
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"trip","arguments":{"to":"Oslo"},"_meta":{"progressToken":1}}}',
  answered: '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"booked"}]}}',
} as const satisfies Said;

const AGENT = {
  protocol: 'agent-api',
  title: 'plan a trip',
  asked: '{"input":[{"role":"user","content":[{"type":"text","text":"plan a trip"}]}],"stream":false}',
  answered: JSON.stringify({
    object: 'response',
    status: 'completed',
    output: [
      { type: 'reasoning', role: 'assistant', content: [{ type: 'text', text: 'where to?' }] },
      {
        type: 'plugin_call',
        role: 'assistant',
        content: [{ type: 'data', data: { name: 'book', arguments: '{"to":"Oslo"}', call_id: 'c1' } }],
      },
      { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Oslo it is' }] },
    ],
  }),
} as const satisfies Said;

const TOKENS = {
  'llm.token_count.completion': 30,
  'llm.token_count.prompt': 120,
  'llm.token_count.total': 150,
};
const AGENT_SHOWN = { ...TOKENS, 'agent.name': 'agent of agent-api', 'openinference.span.kind': 'AGENT' };
const TOOL_SHOWN = {
  ...TOKENS,
  'agent.name': 'agent of mcp',
  'openinference.span.kind': 'TOOL',
  'tool.name': 'trip',
};

describe("spans of ours, by other people's readers", () => {
  it('have no attribute that the conventions do not name, but for ours', async () => {
    const official = new Set<unknown>(Object.values(conventions));
    const reported = importOtlp([
      parseJson(new TextDecoder().decode(JsonTraceSerializer.serializeRequest(await recordTeam()))),
    ]);
    const protocols = ['aicl', 'aicf', 'aio', 'a2a', 'responses', 'json-rpc', 'other'] as const;
    const events = [
      ...callOf(TOOL),
      ...callOf(AGENT),
      ...protocols.flatMap(protocol =>
        callOf({ protocol, title: 'x', asked: 'CALL|x|1', answered: 'OK|2', status: 'error' }),
      ),
      ...(reported.ok ? reported.events : []),
    ];
    const spans = attributesIn(await exported(events, { includesContent: true }));
    const names = new Set([...spans.values()].flatMap(Object.keys));
    const ofTheAgent = new Set([
      'text',
      'empty',
      'whole',
      'negative',
      'half',
      'yes',
      'list',
      'numbers',
      'host.cpus',
    ]);
    assert.deepEqual([...names].filter(name => !official.has(name) && !ofTheAgent.has(name)).sort(), [
      TELEMETRY.added,
      TELEMETRY.call,
    ]);
    // As many as were written have been looked at.
    assert.deepEqual([...names].filter(name => name.startsWith('gen_ai.')).sort(), [
      'gen_ai.agent.name',
      'gen_ai.conversation.id',
      'gen_ai.input.messages',
      'gen_ai.operation.name',
      'gen_ai.output.messages',
      'gen_ai.request.model',
      'gen_ai.tool.call.arguments',
      'gen_ai.tool.call.result',
      'gen_ai.tool.name',
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.output_tokens',
    ]);
  });

  it('have the names of the conventions that are read of the spans of others', () => {
    const official = new Set<unknown>(Object.values(conventions));
    const ours: ReadonlySet<string> = new Set([TELEMETRY.call, TELEMETRY.added, TELEMETRY.chunks]);
    assert.deepEqual(
      Object.values(TELEMETRY).filter(name => !official.has(name) && !ours.has(name)),
      [],
    );
  });

  it('show as tools and agents in Phoenix, with input, output and tokens', async () => {
    const spans = attributesIn(
      await exported([...callOf(TOOL), ...callOf(AGENT)], { includesContent: true }),
    );
    const input = '[{"role":"user","parts":[{"type":"text","content":"plan a trip"}]}]';
    const parts = [
      { type: 'reasoning', content: 'where to?' },
      { type: 'tool_call', name: 'book', arguments: { to: 'Oslo' } },
      { type: 'text', content: 'Oslo it is' },
    ];
    assert.deepEqual([...spans.values()].map(translate), [
      {
        ...AGENT_SHOWN,
        'input.mime_type': 'application/json',
        'input.value': input,
        'llm.input_messages.0.message.contents.0.message_content.text': 'plan a trip',
        'llm.input_messages.0.message.contents.0.message_content.type': 'text',
        'llm.input_messages.0.message.role': 'user',
        'llm.output_messages.0.message.contents.0.message_content.text': 'where to?',
        'llm.output_messages.0.message.contents.0.message_content.type': 'reasoning',
        'llm.output_messages.0.message.contents.1.message_content.text': 'Oslo it is',
        'llm.output_messages.0.message.contents.1.message_content.type': 'text',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"to":"Oslo"}',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'book',
        'output.mime_type': 'application/json',
        'output.value': JSON.stringify([{ role: 'assistant', parts, finish_reason: 'stop' }]),
      },
      {
        ...TOOL_SHOWN,
        'input.mime_type': 'application/json',
        'input.value': '{"to":"Oslo"}',
        'output.mime_type': 'text/plain',
        'output.value': 'booked',
        'tool.parameters': '{"to":"Oslo"}',
      },
    ]);
  });

  it('say nothing of what was asked and answered unless they should', async () => {
    const text = await exported([...callOf(TOOL), ...callOf(AGENT)]);
    assert.deepEqual(
      ['Oslo', 'booked', 'where to?'].filter(said => text.includes(said)),
      [],
    );
    assert.deepEqual([...attributesIn(text).values()].map(translate), [AGENT_SHOWN, TOOL_SHOWN]);
  });

  for (const [protocol, asked, input] of [
    ['aicf', 'CALL|trip|Oslo|2', '["Oslo","2"]'],
    [
      'json-rpc',
      '{"jsonrpc":"2.0","id":1,"method":"aip.tool.invoke","params":{"tool":"trip","arguments":{"n":12345678901234567890}}}',
      '{"n":12345678901234567890}',
    ],
    ['aio', '{"method":"booker::trip","params":{"to":"Oslo"},"id":7,"trace_id":"x"}', '{"to":"Oslo"}'],
  ] as const)
    it(`tell the arguments of a tool that was called in ${protocol}`, async () => {
      const spans = attributesIn(
        await exported(callOf({ protocol, title: 'trip', asked, answered: 'no reply of any protocol' }), {
          includesContent: true,
        }),
      );
      const [span = {}] = spans.values();
      assert.deepEqual(
        [span['gen_ai.tool.call.arguments'], span['gen_ai.tool.call.result']],
        [input, 'no reply of any protocol'],
      );
    });

  for (const [protocol, asked] of [
    [
      'a2a',
      '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"role":"user","parts":[{"kind":"text","text":"do it"}],"messageId":"1"}}}',
    ],
    ['responses', '{"model":"large","input":"do it"}'],
    [
      'aicl',
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:a],[s:msg_type]:[s:task_request],[s:task]:[s:do it]]',
    ],
    ['other', 'do it'],
  ] as const)
    it(`tell what an agent was asked in ${protocol}`, async () => {
      const spans = attributesIn(
        await exported(callOf({ protocol, title: 'x', asked, answered: '', status: 'error' }), {
          includesContent: true,
        }),
      );
      const [span = {}] = spans.values();
      assert.equal(
        span['gen_ai.input.messages'],
        '[{"role":"user","parts":[{"type":"text","content":"do it"}]}]',
      );
    });

  it('tell the result of a tool alone, not what came on the way to it', async () => {
    const events = callOf({
      ...TOOL,
      asked: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}\n${TOOL.asked}\n`,
      answered: [
        '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"x"}}}',
        '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1,"message":"half"}}',
        TOOL.answered,
        '',
      ].join('\n'),
    });
    const [span = {}] = attributesIn(await exported(events, { includesContent: true })).values();
    assert.deepEqual(
      [span['gen_ai.tool.call.arguments'], span['gen_ai.tool.call.result']],
      ['{"to":"Oslo"}', 'booked'],
    );
  });

  it('tell a tool that is called without arguments, and the beginning of a long message', async () => {
    const output = [
      { type: 'function_call', id: 'f1', call_id: 'c1', name: 'now' },
      {
        type: 'message',
        id: 'm1',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'x'.repeat(20_100) }],
      },
    ];
    const answered = JSON.stringify({ object: 'response', status: 'completed', output });
    const spans = attributesIn(
      await exported(callOf({ ...AGENT, protocol: 'responses', answered }), { includesContent: true }),
    );
    const [span = {}] = spans.values();
    assert.deepEqual(JSON.parse(String(span['gen_ai.output.messages'])), [
      {
        role: 'assistant',
        parts: [
          { type: 'tool_call', name: 'now', arguments: '' },
          { type: 'text', content: `${'x'.repeat(20_000)} … (100 more characters are left out)` },
        ],
        finish_reason: 'stop',
      },
    ]);
  });

  it('tell the beginning of what is long, and how much more there was', async () => {
    const long = 'é'.repeat(50_000);
    const spans = attributesIn(
      await exported(callOf({ protocol: 'other', title: 'x', asked: long, answered: long }), {
        includesContent: true,
      }),
    );
    const reported = `${'é'.repeat(20_000)} … (30000 more characters are left out)`;
    const message = (role: string, more: object): string =>
      JSON.stringify([{ role, parts: [{ type: 'text', content: reported }], ...more }]);
    const [span = {}] = spans.values();
    assert.deepEqual(
      [span['gen_ai.input.messages'], span['gen_ai.output.messages']],
      [message('user', {}), message('assistant', { finish_reason: 'stop' })],
    );
  });

  it('say of the spans of others what those said', async () => {
    const spans = await recordTeam();
    const reported = importOtlp([
      parseJson(new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans))),
    ]);
    const again = attributesIn(await exported(reported.ok ? reported.events : [], { includesContent: true }));
    assert.deepEqual(
      spans.map(({ name }) => [name, translate(again.get(name) ?? {})]),
      spans.map(({ name, attributes }) => [name, translate(attributes)]),
    );
  });
});
