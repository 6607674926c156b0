import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import type { ResolvedAgent } from '../../agents/config/resolve-agent.ts';
import { connectAgent } from '../../agents/all.ts';
import type { Connection } from '../../agents/connection.ts';
import { startDemoAgents, type DemoAgents } from '../../agents/demo/start.ts';
import type { ProtocolName } from '../../core/catalog/protocols.ts';
import { TraceFold } from '../../trace/fold/fold.ts';
import type { TracePart } from '../../protocols/reply-parts/part.ts';
import { readParts } from '../../protocols/reply-parts/parts-reader.ts';
import { Redactor } from '../../core/secrets/redact.ts';
import { call, connect as connectMcp, EVERYTHING, mcpProgram } from './mcp/support.ts';
import { closeA2aAgents, startA2aAgent } from './support/a2a-agent.ts';
import { startHandAgent, type HandScript } from './support/hand-agents.ts';
import { HAND_SCRIPTS } from './support/hand-scripts.ts';
import { closeRawAgents } from './support/raw-agent.ts';
import { agentAt, sendTo, trackConnection } from './support/send.ts';

/** Asks an agent, and tells the parts of its reply as the trace of that has them: `kind [title] status xPIECES "text" {notes}`, with … for long JSON. */
async function partsOf(
  agent: ResolvedAgent,
  request: string,
  connect: (agent: ResolvedAgent) => Connection = connectAgent,
): Promise<readonly string[]> {
  const fold = new TraceFold();
  const connection = trackConnection(connect(agent), {
    emit: event => void fold.add(event),
    now: () => performance.timeOrigin + performance.now(),
    ids: { newTrace: () => 'a'.repeat(32), newCall: () => 'b'.repeat(16) },
    redactor: new Redactor([]),
  });
  await sendTo(connection, request);
  await connection.close();
  const node = fold.find('b'.repeat(16));
  assert.ok(node);
  const payload = [...node.heads, ...node.wire].toSorted((one, other) => (one.seq ?? 0) - (other.seq ?? 0));
  const { parts, notes } = readParts(
    ALL_PROTOCOLS.find(node.call.protocol),
    payload,
    node.status === 'open' ? 'open' : 'ended',
  );
  const describePart = (part: TracePart, indent: string): readonly string[] => {
    // Its pieces came one after the other, after the call began.
    const times = [node.call.at, part.at, ...part.ticks, part.until];
    assert.deepEqual(
      times,
      times.toSorted((one, other) => one - other),
    );
    const { kind, title, status, pieces, text, notes: own, children } = part;
    const words = [
      kind,
      title && `[${title}]`,
      status,
      `x${pieces}`,
      text === undefined ? '' : text.length > 100 && text.startsWith('{') ? '…' : JSON.stringify(text),
    ];
    const line = [...words, ...own.map(note => `{${note}}`)]
      .filter(Boolean)
      .join(' ')
      .replace(/took \d+ s/, 'took N s');
    return [`${indent}${line}`, ...children.flatMap(child => describePart(child, `${indent}  `))];
  };
  return [...parts.flatMap(part => describePart(part, '')), ...notes.map(note => `— ${note}`)];
}

describe('the parts of what agents answer', () => {
  let demo: DemoAgents;
  before(async () => {
    demo = await startDemoAgents();
  });
  after(() => demo.close());
  afterEach(async () => {
    await closeRawAgents();
    await closeA2aAgents();
  });

  const demoAt = (protocol: ProtocolName, name: string): ResolvedAgent =>
    agentAt(protocol, demo.addresses.get(name) ?? '');

  it('Agent API: thoughts, a tool call with its output, a text and an image', async () => {
    const asked =
      '{"input":[{"role":"user","type":"message","content":[{"type":"text","text":"The sky?"}]}]}';
    assert.deepEqual(await partsOf(demoAt('agent-api', 'storyteller'), asked), [
      'reasoning ok x15 "Somebody wants to know: \\"The sky?\\". I look at the sky first."',
      'tool [weather.forecast] ok x5 "{\\"city\\":\\"Lisbon\\",\\"days\\":1}"',
      'output [weather.forecast] ok x3 "{\\"city\\":\\"Lisbon\\",\\"unit\\":\\"celsius\\",\\"days\\":[{\\"day\\":1,\\"sky\\":\\"clear\\",\\"high\\":16,\\"low\\":6}]}"',
      'message ok x16 "You asked: \\"The sky?\\". Here is the sky over Lisbon, in one picture."',
      'media [image] ok x3',
      `status [completed] ok x1 "took N s by the agent's clock (created_at to completed_at)"`,
    ]);
  });

  it("OpenAI's Responses", async () => {
    assert.deepEqual(
      await partsOf(demoAt('responses', 'oracle'), '{"input":"Why?","model":"oracle-1","stream":true}'),
      [
        'message ok x19 "What you look for is in the line above the one that you read."',
        `status [completed] ok x1 "took N s by the agent's clock (created_at to completed_at)"`,
      ],
    );
  });

  it('AICF: a stream', async () => {
    assert.deepEqual(await partsOf(demoAt('aicf', 'toolbox'), 'CALL|slow.count|2'), [
      // A connection asks first how the server escapes.
      'exchange [200 OK] ok x1',
      '  error [404] error x1 "Tool not found: a\\nb; LIST names the tools of toolbox"',
      'stream ok x3 "1 2"',
    ]);
  });

  it('A2A of the official library: a task and an artifact that grows', async () => {
    const agent = await startA2aAgent({ version: '1.0', streaming: true });
    const asked =
      '{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"count"}]}}}';
    assert.deepEqual(await partsOf(agentAt('a2a', `${agent.origin}/`), asked), [
      'exchange [200 OK] ok x1',
      '  data [agent card] ok x1 …',
      'status [working] ok x1',
      // The library's agent adds to an artifact from its first piece on, and says of each that it is the last one.
      'artifact [plan] ok x2 "one two " {Its beginning did not arrive: the first chunk appends to it} {More of it arrived after its last chunk}',
      'status [completed] ok x1',
    ]);
  });

  it('MCP of the reference server: progress', async () => {
    const asked = call('trigger-long-running-operation', { duration: 0.2, steps: 2 });
    const lines = await partsOf(mcpProgram([EVERYTHING, 'stdio']), asked, connectMcp);
    // The server's own notifications, requests and log messages arrive at any time.
    const own = lines.filter(line => !/^(?:notice|request|log|— .*\(roots\))/.test(line));
    assert.deepEqual(own, [
      'exchange [server/discover] error x1 "Method not found"',
      'exchange [initialize] ok x1 …',
      'progress [2 of 2] ok x2',
      'result ok x1 "Long running operation completed. Duration: 0.2 seconds, Steps: 2."',
    ]);
  });

  const BY_HAND = {
    aicl: ['stream [x] ok x2 "12"', '  chunk [1 of 2] ok x1 "1"', '  chunk [2 of 2] ok x1 "2"'],
    'agent-api': ['message ok x2 "12" {It has no end of its own}'],
    responses: ['message ok x2 "12" {It has no end of its own}'],
    a2a: [
      'exchange [200 OK] ok x1',
      '  data [agent card] ok x1 …',
      'status [working] ok x1',
      'artifact [a] ok x2 "12" {Its beginning did not arrive: the first chunk appends to it}',
      'status [completed] ok x1',
    ],
    mcp: [
      'exchange [server/discover] error x1 "Method not found"',
      'exchange [initialize] ok x1 …',
      'progress [2 of 2] ok x2',
      'result ok x1 "counted"',
    ],
    aio: [
      'exchange [tester::help] ok x1 "{\\"type\\":\\"stdio\\",\\"name\\":\\"worker\\"}"',
      'result ok x1 "hi"',
    ],
  } as const;
  for (const protocol of ['aicl', 'agent-api', 'responses', 'a2a', 'mcp', 'aio'] as const)
    it(`${protocol}, by hand`, async () => {
      const script: HandScript = HAND_SCRIPTS[protocol];
      const agent = await startHandAgent(script);
      const { request } = script.stream ?? script.call;
      assert.deepEqual(await partsOf(agentAt(protocol, `${agent.origin}/`), request), BY_HAND[protocol]);
    });
});
