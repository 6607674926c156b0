import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connectAio } from '../../../agents/aio/connection.ts';
import { readHelp } from '../../../agents/aio/help.ts';
import { AioTraceIds } from '../../../agents/aio/trace-ids.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { readMessages } from '../../../protocols/convert/read-text.ts';
import { Report } from '../../../core/message/report.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { parseJson } from '../../../core/text/json.ts';
import { aioSteps } from '../../../trace/import/aio.ts';
import { closeRawAgents, reply, startRawAgent, type RawAgent } from '../support/raw-agent.ts';
import { readSchema, validate } from '../support/schema.ts';
import { agentAt, sendTo } from '../support/send.ts';

/** An example of AIO-MCP 1.2.1 as the document writes it. */
interface Example {
  readonly section: string;
  readonly text: string;
  readonly schema: 'aio-message' | 'aio-trace';
  /** What takes the place of the parts that the document leaves out, so that the text is JSON. */
  readonly fill?: readonly (readonly [from: string, to: string])[];
  /** The kind of message; undefined for what is no message by itself. */
  readonly kind?: string;
}

const EXAMPLES: readonly Example[] = [
  {
    section: '2. Base JSON-RPC Call Structure',
    text: '{\n  "jsonrpc": "2.0",\n  "method": "<namespace>::<method>",\n  "params": {...},\n  "id": 1,\n  "trace_id": "AIO-TR-20250326-0001"\n}',
    schema: 'aio-message',
    fill: [['{...}', '{}']],
    kind: 'call',
  },
  {
    section: '4. Communication Types',
    text: '{\n  "type": "stdio" | "http" | "mcp",\n  "methods": [...],\n  "modalities": [...],\n  "mcp": {\n    "resources": true,\n    "prompts": true,\n    "tools": true,\n    "sampling": true\n  }\n}',
    schema: 'aio-message',
    fill: [
      ['"stdio" | "http" | "mcp"', '"mcp"'],
      ['[...]', '["resources.list"]'],
      ['[...]', '["text"]'],
    ],
  },
  {
    section: '7. Trace Structure (Execution Graph)',
    text: '{\n  "trace_id": "AIO-TR-20250326-0001",\n  "calls": [\n    {\n      "id": 1,\n      "agent": "reader",\n      "method": "resources.list",\n      "input": {},\n      "output": {...},\n      "status": "ok"\n    },\n    {\n      "id": 2,\n      "agent": "reader",\n      "method": "sampling.start",\n      "input": {...},\n      "output": {...}\n    }\n  ]\n}',
    schema: 'aio-trace',
    fill: [
      ['{...}', '{}'],
      ['{...}', '{}'],
      ['{...}', '{}'],
    ],
  },
  {
    section: '8.1 resources Module, resources.list',
    text: '{\n  "method": "agent::resources.list",\n  "params": {},\n  "id": 1,\n  "trace_id": "..."\n}',
    schema: 'aio-message',
    kind: 'call',
  },
  {
    section: '8.1 resources Module, Response',
    text: '{\n  "result": {\n    "resources": [\n      { "id": "doc-001", "title": "Spec Sheet", "type": "pdf" }\n    ]\n  }\n}',
    schema: 'aio-message',
    kind: 'result',
  },
  {
    section: '8.3 tools Module, tools.call',
    text: '{\n  "method": "math_agent::tools.call",\n  "params": {\n    "tool": "calculate_area",\n    "args": { "x": 3, "y": 4 }\n  }\n}',
    schema: 'aio-message',
    kind: 'call',
  },
  {
    section: '8.4 sampling Module, sampling.start',
    text: '{\n  "method": "llm_agent::sampling.start",\n  "params": {\n    "input": {\n      "type": "text",\n      "value": "Please summarize this document..."\n    }\n  }\n}',
    schema: 'aio-message',
    kind: 'task',
  },
];

function filled({ text, fill = [] }: Example): string {
  return fill.reduce((before, [from, to]) => before.replace(from, to), text);
}

const [, HELP, GRAPH, , , TOOL, SAMPLING] = EXAMPLES;

describe('the examples of AIO-MCP 1.2.1', () => {
  afterEach(closeRawAgents);

  for (const example of EXAMPLES) {
    const { section, text, schema, fill, kind } = example;
    it(`${section}: ${fill ? 'is JSON once it is filled in, and' : ''} has no faults`, async () => {
      assert.equal(parseJson(text) === undefined, fill !== undefined);
      assert.deepEqual(await validate(filled(example), readSchema(`schemas/${schema}.schema.json`)), []);
    });
    if (kind !== undefined)
      it(`${section}: is read as a ${kind}`, () => {
        const options = { protocols: ALL_PROTOCOLS, from: 'aio', report: new Report() } as const;
        const { messages } = readMessages(filled(example), options);
        assert.deepEqual(
          messages.map(each => each.message.kind),
          [kind],
        );
      });
  }

  it('4. Communication Types: is understood as the help of an agent', () => {
    assert.ok(HELP);
    assert.deepEqual(readHelp(`{"result":${filled(HELP)}}`), {
      kind: 'mcp',
      name: undefined,
      version: undefined,
      methods: new Set(['resources.list']),
      modalities: new Set(['text']),
      modules: new Map([
        ['resources', true],
        ['prompts', true],
        ['tools', true],
        ['sampling', true],
      ]),
    });
  });

  it('7. Trace Structure: loads as a trace of two calls that are ok', () => {
    assert.ok(GRAPH);
    const imported = runAtOnce(aioSteps([filled(GRAPH)]));
    assert.ok(imported.ok);
    assert.deepEqual(
      imported.events.flatMap(event =>
        event.type === 'call' ? [event.title] : event.type === 'end' ? [event.status] : [],
      ),
      ['resources.list', 'ok', 'sampling.start', 'ok'],
    );
  });

  it('8.3 and 8.4: go out as they are written, with what they lack', async () => {
    assert.ok(TOOL && SAMPLING && HELP);
    const help = `{"result":${filled(HELP)}}`;
    const agent: RawAgent = await startRawAgent((socket, index) => {
      socket.end(reply(index === 0 ? help : '{"result":{"ok":true}}', '200 OK', 'application/json'));
    });
    let last = 0;
    const connection = connectAio(agentAt('aio', agent.origin), {
      traceIds: new AioTraceIds(() => ++last),
      now: () => new Date('2025-03-26T00:00:00Z'),
    });
    for (const { text } of [TOOL, SAMPLING])
      assert.equal((await sendTo(connection, text)).reply.status, 'ok');
    await connection.close();
    assert.deepEqual(
      agent.requests
        .slice(1)
        .map(request => JSON.parse(request.slice(request.indexOf('\r\n\r\n'))) as unknown),
      [TOOL, SAMPLING].map(({ text }, index) => ({
        jsonrpc: '2.0',
        // The request for help was the first one of its trace.
        id: index === 0 ? 2 : 1,
        ...(JSON.parse(text) as object),
        trace_id: `AIO-TR-20250326-0000000000000${index + 1}`,
      })),
    );
  });
});
