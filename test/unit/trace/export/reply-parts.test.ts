import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TraceFormat } from '../../../../trace/export/trace-formats.ts';
import type { TraceEvent, TraceProtocol } from '../../../../core/events/events.ts';
import { exportTraceText } from '../../../../trace/export/export.ts';
import { TraceFold } from '../../../../trace/fold/fold.ts';
import { importTrace } from '../../../../trace/import/import.ts';
import type { TraceTree } from '../../../../trace/fold/tree.ts';

/** A call whose reply came in these pieces. */
function recordCall(protocol: TraceProtocol, pieces: readonly string[]): readonly TraceEvent[] {
  const own = { call: 'c', at: 1000 } as const;
  return [
    { ...own, type: 'call', trace: 't', agent: 'bot', protocol, title: 'ask' },
    { ...own, type: 'wire', direction: 'out', bytes: { text: '{"ask":1}' } },
    ...pieces.map((text, index) => ({
      ...own,
      ...({ type: 'wire', at: 1001 + index, direction: 'in', bytes: { text } } as const),
    })),
    { ...own, type: 'end', at: 1010, status: 'ok' },
  ];
}

function foldAll(events: readonly TraceEvent[]): readonly TraceTree[] {
  const fold = new TraceFold();
  for (const event of events) fold.add(event);
  return fold.trees();
}

function print(format: TraceFormat, events: readonly TraceEvent[]): Promise<string> {
  const trees = foldAll(events);
  const payload = trees[0]?.roots[0]?.payload ?? [];
  return exportTraceText(format, {
    protocols: ALL_PROTOCOLS,
    trees,
    payload: () => Promise.resolve(payload),
  });
}

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** A thought, a call of a tool with its output, and a text that comes in two pieces. */
const AGENT = recordCall('agent-api', [
  event({ object: 'message', id: 'm1', type: 'reasoning', status: 'in_progress' }) +
    event({
      object: 'content',
      type: 'text',
      index: 0,
      delta: true,
      msg_id: 'm1',
      text: 'Let me see.\nYes.',
    }) +
    event({ object: 'message', id: 'm1', type: 'reasoning', status: 'completed' }),
  event({
    ...{ object: 'message', id: 'm2', type: 'plugin_call', status: 'completed' },
    content: [{ type: 'data', data: { call_id: 'k', name: 'weather', arguments: '{"city":"Oslo"}' } }],
  }),
  event({
    ...{ object: 'message', id: 'm3', type: 'plugin_call_output', status: 'completed' },
    content: [{ type: 'data', data: { call_id: 'k', name: 'weather', output: 'rain' } }],
  }),
  event({ object: 'message', id: 'm4', type: 'message', status: 'in_progress' }) +
    event({ object: 'content', type: 'text', index: 0, delta: true, msg_id: 'm4', text: 'Take `an' }),
  event({ object: 'content', type: 'text', index: 0, delta: true, msg_id: 'm4', text: ' umbrella`.' }) +
    event({ object: 'message', id: 'm4', type: 'message', status: 'completed' }) +
    event({ object: 'response', status: 'completed' }),
]);

describe('the parts of a reply in exports', () => {
  it('stand in Markdown as they read, and not as the wire has them', async () => {
    const text = await print('markdown', AGENT);
    assert.equal(
      text.slice(text.indexOf('Reply, ')),
      [
        'Reply, in 4 parts:',
        '',
        '```',
        'Reasoning: Let me see.',
        '  Yes.',
        'Tool call weather: {"city":"Oslo"}',
        'Tool output weather: rain',
        'Message: Take `an umbrella`.',
        '```',
        '',
      ].join('\n'),
    );
  });

  it('are left to a reply that is one message', async () => {
    const text = await print('markdown', recordCall('aicf', ['OK|{"sum":3}']));
    assert.equal(text.slice(text.indexOf('Reply:')), 'Reply:\n\n```\nOK|{"sum":3}\n```\n');
    const graph = await print('aio', recordCall('aicf', ['OK|{"sum":3}']));
    assert.doesNotMatch(graph, /"reply"/);
  });

  it('stand in an AIO graph beside its one output, and load again to the same trace', async () => {
    const graph = await print('aio', AGENT);
    const { calls } = JSON.parse(graph) as { calls: readonly { parley: { reply: readonly object[] } }[] };
    assert.deepEqual(calls[0]?.parley.reply, [
      { kind: 'reasoning', text: 'Let me see.\nYes.', status: 'ok', at: 1001 },
      { kind: 'tool', title: 'weather', text: '{"city":"Oslo"}', status: 'ok', at: 1002 },
      { kind: 'output', title: 'weather', text: 'rain', status: 'ok', at: 1003 },
      { kind: 'message', text: 'Take `an umbrella`.', status: 'ok', at: 1004 },
    ]);
    const loaded = importTrace(graph, ALL_PROTOCOLS);
    assert.ok(loaded.ok);
    const [before, after] = [AGENT, loaded.events].map(events =>
      foldAll(events).map(({ trace, roots }) => ({
        trace,
        calls: roots.map(({ call, status, notes }) => ({ call, status, notes })),
      })),
    );
    assert.deepEqual(after, before);
  });
});
