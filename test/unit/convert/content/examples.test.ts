import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConversionName } from '../../../../core/catalog/conversions.ts';
import { convertText } from '../../../../protocols/convert/convert.ts';

const RPC = { jsonrpc: '2.0', id: 1 };
const PNG = 'iVBORw0KGgo=';

const mcp = (content: readonly object[], more: object = {}): object => ({
  ...RPC,
  result: { content, ...more },
});
const aio = (outputs: readonly object[]): object => ({ ...RPC, outputs });
const a2a = (parts: readonly object[]): object => ({
  ...RPC,
  result: { message: { messageId: 'msg-1', role: 'ROLE_AGENT', parts } },
});
const agentApi = (content: readonly object[]): object => ({
  ...{ object: 'response', status: 'completed', error: null, id: 'response_1', created_at: 0 },
  completed_at: null,
  output: [
    {
      ...{ object: 'message', id: 'msg_1', status: 'completed', type: 'message', role: 'assistant' },
      content,
    },
  ],
  ...{ usage: null, session_id: null },
});
const question = (role: string, content: readonly object[], more: object = {}): object => ({
  input: [{ type: 'message', role, content }],
  ...more,
});

interface Example {
  readonly it: string;
  readonly from: ConversionName;
  readonly text: object;
  readonly to: ConversionName;
  readonly result: object;
  /** What the report says, each with the kind of loss and its place. */
  readonly losses: readonly string[];
}

const BLOCKS = [
  { type: 'text', text: 'a' },
  { type: 'image', data: PNG, mimeType: 'image/png' },
  { type: 'resource_link', uri: 'https://x/a.pdf', name: 'a.pdf' },
];
const PARTS = [
  { text: 'a' },
  { raw: PNG, mediaType: 'image/png', filename: 'a.png' },
  { data: { t: 22 } },
  { url: 'https://x/v.mp4', mediaType: 'video/mp4' },
];
const OUTPUT = [
  { type: 'text', text: 'a' },
  { type: 'image', image_url: 'https://x/i.png' },
  { type: 'audio', data: 'AAAA', format: 'wav' },
  { type: 'data', data: { t: 22 } },
  { type: 'refusal', refusal: 'no' },
];

const EXAMPLES: readonly Example[] = [
  {
    it: 'blocks of MCP are values of AIO',
    from: 'mcp',
    text: mcp(BLOCKS),
    to: 'aio',
    result: aio([
      { type: 'text', value: 'a' },
      { type: 'image', value: PNG, mimeType: 'image/png' },
      { type: 'file', value: 'https://x/a.pdf', name: 'a.pdf' },
    ]),
    losses: ['moved content[1]', 'moved content[2]'],
  },
  {
    it: 'blocks of MCP are parts of A2A',
    from: 'mcp',
    text: mcp(BLOCKS),
    to: 'a2a',
    result: a2a([
      { text: 'a' },
      { raw: PNG, mediaType: 'image/png' },
      { url: 'https://x/a.pdf', filename: 'a.pdf' },
    ]),
    losses: [],
  },
  {
    it: 'parts of A2A are blocks of MCP',
    from: 'a2a',
    text: a2a(PARTS),
    to: 'mcp',
    result: mcp(
      [
        { type: 'text', text: 'a' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        { type: 'text', text: '{"t":22}' },
        { type: 'resource_link', uri: 'https://x/v.mp4', name: 'https://x/v.mp4', mimeType: 'video/mp4' },
      ],
      { structuredContent: { t: 22 } },
    ),
    losses: ['moved content[3]', 'dropped content[1].name'],
  },
  {
    it: 'parts of A2A are content of the Agent API',
    from: 'a2a',
    text: a2a(PARTS),
    to: 'agent-api',
    result: agentApi([
      { type: 'text', text: 'a' },
      { type: 'image', image_url: `data:image/png;base64,${PNG}` },
      { type: 'data', data: { t: 22 } },
      { type: 'video', video_url: 'https://x/v.mp4' },
    ]),
    losses: ['dropped content[1].name', 'dropped content[3].mimeType'],
  },
  {
    it: 'content of the Agent API is parts of A2A',
    from: 'agent-api',
    text: {
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', role: 'assistant', content: OUTPUT }],
    },
    to: 'a2a',
    result: a2a([
      { text: 'a' },
      { url: 'https://x/i.png' },
      { raw: 'AAAA', mediaType: 'audio/wav' },
      { data: { t: 22 } },
      { text: 'no' },
    ]),
    losses: ['moved content[4]', 'moved content[1]'],
  },
  {
    it: 'a picture that is asked about in Responses is a part of A2A',
    from: 'responses',
    text: question('user', [
      { type: 'input_text', text: 'what is this?' },
      { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
    ]),
    to: 'a2a',
    result: {
      ...RPC,
      method: 'SendMessage',
      params: {
        message: {
          messageId: 'msg-1',
          role: 'ROLE_USER',
          parts: [{ text: 'what is this?' }, { raw: PNG, mediaType: 'image/png' }],
        },
      },
    },
    losses: [],
  },
  {
    it: 'a question about tools is a question in A2A',
    from: 'mcp',
    text: { ...RPC, method: 'tools/list' },
    to: 'a2a',
    result: {
      ...RPC,
      method: 'SendMessage',
      params: {
        message: { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ text: 'Which tools do you have?' }] },
      },
    },
    losses: ['moved '],
  },
  {
    it: 'an empty reply of Responses is a result of a tool in MCP, which requires content',
    from: 'responses',
    text: { id: 'resp_1', object: 'response', status: 'completed', output: [] },
    to: 'mcp',
    result: mcp([]),
    losses: [],
  },
  {
    it: 'an empty reply of Responses is an empty value in A2A, whatever else is reported',
    from: 'responses',
    text: { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output: [] },
    to: 'a2a',
    result: a2a([{ data: {} }]),
    losses: ['dropped model', 'guessed data'],
  },
];

describe('content of several kinds', () => {
  for (const { it: title, from, to, text, result, losses } of EXAMPLES)
    it(title, () => {
      const there = convertText(JSON.stringify(text), {
        protocols: ALL_PROTOCOLS,
        from,
        to,
        layout: 'compact',
      });
      assert.deepEqual(JSON.parse(there.text), result);
      assert.deepEqual(
        there.losses.map(({ kind, path }) => `${kind} ${path}`),
        losses,
      );
      // What another protocol wrote is read there as its own.
      const again = convertText(there.text, { protocols: ALL_PROTOCOLS, from: to, to, layout: 'compact' });
      assert.deepEqual([JSON.parse(again.text), again.losses], [result, []]);
    });
});
