import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { readParts } from '../../../protocols/reply-parts/parts-reader.ts';
import { viewReply, type ReplyPiece } from '../../../wire/reply-view.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function wire(text: string, at: number, direction: 'in' | 'out' = 'in'): WireEvent {
  return { type: 'wire', call: 'c', at, direction, bytes: { text } };
}

const sse = (event: object, at: number): WireEvent => wire(`data: ${JSON.stringify(event)}\n\n`, at);

/** The pieces of a reply as lines, those in a row indented below it. */
function list(
  protocol: ProtocolName,
  payload: readonly (HeadEvent | WireEvent)[],
  call: 'open' | 'ended' = 'ended',
) {
  const { pieces, notes } = viewReply(readParts(ALL_PROTOCOLS.find(protocol), payload, call));
  return [...pieces.flatMap(piece => print(piece, '')), ...notes.map(note => `note: ${note}`)];
}

function print(piece: ReplyPiece, indent: string): readonly string[] {
  const notes = piece.notes.map(note => `${indent}  note: ${note}`);
  switch (piece.type) {
    case 'text':
      return [`${indent}${piece.format}: ${piece.text}`, ...notes];
    case 'json':
      return [`${indent}json ${piece.title}: ${piece.text}`, ...notes];
    case 'medium': {
      const { kind, mediaType, base64, address } = piece.medium;
      const place = address ?? `${base64?.length ?? 0} digits`;
      return [`${indent}${kind} ${mediaType ?? ''}: ${place}`, ...notes];
    }
    case 'error':
      return [`${indent}error ${piece.code}: ${piece.text}`, ...notes];
    case 'heading':
      return [`${indent}heading: ${piece.text}`];
    case 'progress':
      return [`${indent}progress ${piece.share ?? '?'} ${piece.status}: ${piece.words}`, ...notes];
    case 'question':
      return [
        `${indent}question ${piece.title}`,
        ...piece.content.flatMap(each => print(each, `${indent}  `)),
      ];
    case 'row': {
      const head = `${indent}${piece.kind} ${piece.title} | ${piece.outcome}`;
      return [head, ...notes, ...piece.content.flatMap(each => print(each, `${indent}  `))];
    }
  }
}

const rpc = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });

describe('a reply as it is read', () => {
  it('is the contents of a tool of MCP: text, picture, sound, file and structured content', () => {
    const content = [
      { type: 'text', text: 'It will be **sunny**.' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'https://x.y/a.pdf', name: 'a.pdf' },
      { type: 'resource', resource: { uri: 'file:///a.md', mimeType: 'text/markdown', text: '# A' } },
    ];
    const result = { content, structuredContent: { city: 'Lisbon' } };
    assert.deepEqual(list('mcp', [wire(rpc({ id: 1, result }), 5)]), [
      'markdown: It will be **sunny**.',
      `image image/png: ${PNG.length} digits`,
      'audio audio/wav: 8 digits',
      'file : https://x.y/a.pdf',
      'markdown: # A',
      'json structured: {"city":"Lisbon"}',
    ]);
  });

  it('has the contents of a resource that was read', () => {
    const contents = [
      { uri: 'file:///a.md', text: '# A' },
      { uri: 'file:///a.png', mimeType: 'image/png', blob: PNG },
    ];
    assert.deepEqual(list('mcp', [wire(rpc({ id: 1, result: { contents } }), 5)]), [
      'markdown: # A',
      `image image/png: ${PNG.length} digits`,
    ]);
  });

  it('has progress with its share, and errors', () => {
    const progress = (done: number): string =>
      `${rpc({ method: 'notifications/progress', params: { progressToken: 1, progress: done, total: 5, message: `step ${done}` } })}\n`;
    const begun = [wire(progress(1), 1), wire(progress(2), 2)];
    assert.deepEqual(list('mcp', begun, 'open'), ['progress 0.4 open: Step 2 of 5: step 2']);
    const error = { code: -32602, message: 'Unknown tool' };
    assert.deepEqual(list('mcp', [...begun, wire(`${rpc({ id: 1, error })}\n`, 3)]), [
      'progress Step 2 of 5: step 2 | 1 ms',
      '  plain: step 1\nstep 2',
      'error -32602: Unknown tool',
    ]);
  });

  it('has a failed tool as an error with its contents', () => {
    const one = { isError: true, content: [{ type: 'text', text: 'No such city' }] };
    assert.deepEqual(list('mcp', [wire(rpc({ id: 1, result: one }), 5)]), ['error : No such city']);
  });

  it('has reasoning and tool calls as rows, each call with its own output', () => {
    const call = (id: string, city: string): object => ({
      ...{ id: `f${id}`, type: 'function_call', call_id: id, name: 'weather', status: 'completed' },
      arguments: JSON.stringify({ city }),
    });
    const output = (id: string, text: string): object => ({
      ...{ id: `o${id}`, type: 'function_call_output', call_id: id, status: 'completed', output: text },
    });
    const items = [
      {
        id: 'r',
        type: 'reasoning',
        status: 'completed',
        content: [{ type: 'reasoning_text', text: 'Two cities, two calls' }],
      },
      call('1', 'Lisbon'),
      call('2', 'Oslo'),
      output('2', '4 °C'),
      output('1', '18 °C'),
      {
        id: 'm',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Warm and *cold*' }],
      },
    ];
    const response = { object: 'response', id: 'x', status: 'completed', output: items };
    assert.deepEqual(list('responses', [wire(JSON.stringify(response), 5)]), [
      'reasoning Reasoning | 4 words',
      '  markdown: Two cities, two calls',
      'tool Called weather(city: "Lisbon") | → 18 °C',
      '  json : {"city":"Lisbon"}',
      '  plain: 18 °C',
      'tool Called weather(city: "Oslo") | → 4 °C',
      '  json : {"city":"Oslo"}',
      '  plain: 4 °C',
      'markdown: Warm and *cold*',
    ]);
  });

  it('grows with the text of a stream', () => {
    const item = { id: 'm', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
    const begun = [
      sse(
        {
          type: 'response.created',
          sequence_number: 0,
          response: { id: 'x', status: 'in_progress', output: [] },
        },
        1,
      ),
      sse({ type: 'response.output_item.added', sequence_number: 1, output_index: 0, item }, 2),
    ];
    const delta = (text: string, at: number): WireEvent =>
      sse(
        {
          type: 'response.output_text.delta',
          sequence_number: at - 1,
          output_index: 0,
          item_id: 'm',
          content_index: 0,
          delta: text,
        },
        at,
      );
    const shown = list('responses', [...begun, delta('One ', 3), delta('two', 4)], 'open');
    assert.deepEqual(shown, ['markdown: One two']);
  });

  it('has the artifacts of a task with their names, and its states as rows', () => {
    const task = {
      ...{ id: 't', contextId: 'c', kind: 'task', status: { state: 'completed' } },
      artifacts: [
        {
          artifactId: 'a',
          name: 'Plan',
          parts: [
            { kind: 'text', text: '- go' },
            { kind: 'data', data: { a: 1 } },
          ],
        },
      ],
    };
    assert.deepEqual(list('a2a', [wire(rpc({ id: 1, result: task }), 5)]), [
      'status Status completed | ',
      'heading: Plan',
      'markdown: - go',
      'json : {"a":1}',
    ]);
  });

  it('has the chunks of AICL joined, and one by one in a row', () => {
    const chunk = (k: number, text: string): string =>
      `[d:[s:protocol]:[s:LightAICL],[s:msg_type]:[s:result],[s:stream_id]:[s:s_${k}/2],[s:data]:[s:${text}]]\n`;
    const shown = list('aicl', [wire(chunk(1, 'One '), 1), wire(chunk(2, 'two'), 2)]);
    assert.deepEqual(shown, [
      'markdown: One two',
      'chunk 2 chunks | ',
      '  chunk Chunk 1 of 2 | One',
      '    markdown: One ',
      '  chunk Chunk 2 of 2 | two',
      '    markdown: two',
    ]);
  });

  it('is JSON for what an agent of AICF returns, and an error for its ERR', () => {
    assert.deepEqual(list('aicf', [wire('OK|{"city":"Lisbon"}\n', 1)]), ['json : {"city":"Lisbon"}']);
    assert.deepEqual(list('aicf', [wire('ERR|404|No such tool\n', 1)]), ['error 404: No such tool']);
  });
});
