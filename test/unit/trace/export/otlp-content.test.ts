import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TraceEvent } from '../../../../core/events/events.ts';
import { contentAttributes } from '../../../../trace/export/otlp-content.ts';
import { TraceFold } from '../../../../trace/fold/fold.ts';

/** The events of a reply of the Agent API that calls a tool with these arguments. */
function contentOfTool(args: string): unknown {
  const said = [
    { object: 'message', id: 'm', type: 'function_call', status: 'in_progress' },
    {
      object: 'content',
      type: 'data',
      index: 0,
      msg_id: 'm',
      delta: false,
      status: 'completed',
      data: { call_id: 'c', name: 'f', arguments: args },
    },
  ].map(event => `data: ${JSON.stringify(event)}\n\n`);
  const call = { call: 'c', trace: 't', at: 1, agent: 'a', protocol: 'agent-api', title: 'x' } as const;
  const events: readonly TraceEvent[] = [
    { type: 'call', ...call },
    { type: 'wire', call: 'c', at: 2, direction: 'in', bytes: { text: said.join('') } },
    { type: 'end', call: 'c', at: 3, status: 'ok' },
  ];
  const fold = new TraceFold();
  for (const event of events) fold.add(event);
  const node = fold.find('c');
  assert.ok(node);
  const [reported, ...others] = contentAttributes(node, node.payload, {
    operation: 'invoke_agent',
    protocols: ALL_PROTOCOLS,
  });
  assert.deepEqual([reported?.[0], others], ['gen_ai.output.messages', []]);
  return JSON.parse(reported?.[1] ?? '');
}

describe('what a span tells of a tool that an agent calls', () => {
  for (const [name, args, reported] of [
    [
      'an object',
      '{"a":[1,-2.5e3],"t":"\\u00e9 12345678901234567890"}',
      { a: [1, -2500], t: 'é 12345678901234567890' },
    ],
    ['a text where a number would be rounded', '{"id":12345678901234567890}', undefined],
    ['a text where a number is more than a double', '[1e999]', undefined],
    ['a text where it is nested deep', `${'['.repeat(9_000)}${']'.repeat(9_000)}`, undefined],
    ['a text where it is not JSON', 'to Oslo', undefined],
  ] as const)
    it(`has its arguments as ${name}`, () => {
      assert.deepEqual(contentOfTool(args), [
        {
          role: 'assistant',
          parts: [{ type: 'tool_call', name: 'f', arguments: reported ?? args }],
          finish_reason: 'stop',
        },
      ]);
    });
});
