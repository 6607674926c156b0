import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { ConversionName } from '../../../../core/catalog/conversions.ts';
import { convertText } from '../../../../protocols/convert/convert.ts';
import { newParts, oldParts } from '../../../../protocols/a2a/part-codec.ts';
import { aioParts } from '../../../../protocols/aio/part-codec.ts';
import { decodeParts, encodeParts } from '../../../../protocols/content/codec.ts';
import { inputParts } from '../../../../protocols/content/items.ts';
import { mcpParts } from '../../../../protocols/mcp/part-codec.ts';
import { parse } from '../../../support/shape-examples.ts';
import { runs } from '../../../support/size.ts';

const RPC = { jsonrpc: '2.0', id: 1 };
const PNG = 'iVBORw0KGgo=';

const BLOCKS = [
  { type: 'text', text: 'a' },
  { type: 'image', data: PNG, mimeType: 'image/png' },
  { type: 'resource_link', uri: 'https://x/a.pdf', name: 'a.pdf' },
];
const VALUES = [
  { type: 'text', value: 'a' },
  { type: 'image', value: PNG },
  { type: 'video', value: 'https://x/v.mp4' },
];
const PARTS = [
  { text: 'a' },
  { raw: PNG, mediaType: 'image/png', filename: 'a.png' },
  { data: { t: 22 } },
  { url: 'https://x/v.mp4', mediaType: 'video/mp4' },
];

const mcp = (content: readonly object[]): object => ({ ...RPC, result: { content } });
const aio = (outputs: readonly object[]): object => ({ ...RPC, outputs });
const a2a = (parts: readonly object[]): object => ({
  ...RPC,
  result: { message: { messageId: 'msg-1', role: 'ROLE_AGENT', parts } },
});

interface Example {
  readonly it: string;
  readonly from: ConversionName;
  readonly text: object;
  readonly to: ConversionName;
  readonly result: object;
}

const EXAMPLES: readonly Example[] = [
  {
    it: 'blocks of MCP are values of AIO',
    from: 'mcp',
    text: mcp(BLOCKS),
    to: 'aio',
    result: aio([
      { type: 'text', value: 'a' },
      { type: 'image', value: PNG, mimeType: 'image/png' },
      { type: 'file', value: 'https://x/a.pdf', parley: { type: 'resource_link', name: 'a.pdf' } },
    ]),
  },
  {
    it: 'blocks of MCP are parts of A2A',
    from: 'mcp',
    text: mcp(BLOCKS),
    to: 'a2a',
    result: a2a([
      { text: 'a' },
      { raw: PNG, mediaType: 'image/png' },
      {
        url: 'https://x/a.pdf',
        filename: 'a.pdf',
        metadata: { parley: { type: 'resource_link', name: 'a.pdf' } },
      },
    ]),
  },
  {
    it: 'values of AIO are blocks of MCP',
    from: 'aio',
    text: aio(VALUES),
    to: 'mcp',
    result: mcp([
      { type: 'text', text: 'a' },
      { type: 'image', data: PNG, mimeType: 'image/png', _meta: { parley: {} } },
      { type: 'resource_link', uri: 'https://x/v.mp4', name: 'v.mp4', _meta: { parley: { type: 'video' } } },
    ]),
  },
  {
    it: 'values of AIO are parts of A2A',
    from: 'aio',
    text: aio(VALUES),
    to: 'a2a',
    result: a2a([
      { text: 'a' },
      { raw: PNG, mediaType: 'image/png', metadata: { parley: {} } },
      { url: 'https://x/v.mp4', metadata: { parley: { type: 'video' } } },
    ]),
  },
  {
    it: 'parts of A2A are blocks of MCP',
    from: 'a2a',
    text: a2a(PARTS),
    to: 'mcp',
    result: mcp([
      { type: 'text', text: 'a' },
      { type: 'image', data: PNG, mimeType: 'image/png', name: 'a.png' },
      { type: 'text', text: '{"t":22}', _meta: { parley: { type: 'data' } } },
      {
        type: 'resource_link',
        uri: 'https://x/v.mp4',
        name: 'v.mp4',
        mimeType: 'video/mp4',
        _meta: { parley: { type: 'video', mimeType: 'video/mp4' } },
      },
    ]),
  },
  {
    it: 'parts of A2A are values of AIO',
    from: 'a2a',
    text: a2a(PARTS),
    to: 'aio',
    result: aio([
      { type: 'text', value: 'a' },
      { type: 'image', value: PNG, mimeType: 'image/png', name: 'a.png' },
      { type: 'text', value: '{"t":22}', parley: { type: 'data' } },
      { type: 'video', value: 'https://x/v.mp4', mimeType: 'video/mp4' },
    ]),
  },
  {
    it: 'a picture that is asked about in Responses is a part of A2A',
    from: 'responses',
    text: {
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'what is this?' },
            { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
          ],
        },
      ],
    },
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
        message: {
          messageId: 'msg-1',
          role: 'ROLE_USER',
          parts: [{ text: 'Which tools do you have?' }],
          metadata: { parley: { kind: 'list' } },
        },
      },
    },
  },
];

const CODECS = { mcp: mcpParts, aio: aioParts, 'A2A 1.0': newParts, 'A2A 0.3': oldParts, input: inputParts };

describe('parts of a content', () => {
  for (const example of EXAMPLES)
    it(`${example.it}, and back`, () => {
      const there = convertText(JSON.stringify(example.text), { ...example, layout: 'compact' });
      assert.deepEqual(there.text, `${JSON.stringify(example.result)}\n`);
      assert.deepEqual(there.losses, []);
      const back = convertText(there.text, { from: example.to, to: example.from, layout: 'compact' });
      assert.equal(back.text, `${JSON.stringify(example.text)}\n`);
      assert.deepEqual(back.losses, []);
    });

  const anyText = fc.constantFrom('', 'a', PNG, 'https://x/a', 'data:image/png;base64,aGk=', '{"a":1}', '5');
  const anyKey = fc.constantFrom(
    ...[
      'type',
      'text',
      'data',
      'url',
      'uri',
      'raw',
      'value',
      'kind',
      'file',
      'mimeType',
      'mediaType',
      'name',
    ],
    ...[
      'filename',
      'metadata',
      'parley',
      '_meta',
      'as',
      'image_url',
      'file_data',
      'resource',
      'blob',
      'bytes',
    ],
  );
  const anyType = fc.constantFrom(
    ...[
      'text',
      'image',
      'audio',
      'video',
      'file',
      'data',
      'resource',
      'resource_link',
      'input_text',
      'is',
      'odd',
    ],
  );
  const anyPart = fc.letrec<{ any: unknown }>(tie => ({
    any: fc.oneof(
      { depthSize: 'small' },
      anyText,
      anyType,
      fc.constantFrom(null, 5, true, []),
      fc.dictionary(anyKey, tie('any'), { maxKeys: 4 }),
      fc
        .tuple(anyType, anyKey, anyText, fc.dictionary(anyKey, tie('any'), { maxKeys: 2 }))
        .map(([type, key, held, more]) => ({ type, [key]: held, ...more })),
    ),
  })).any;

  for (const [name, codec] of Object.entries(CODECS))
    it(`come back from those of ${name}, whatever they are`, () => {
      fc.assert(
        fc.property(fc.array(anyPart, { maxLength: 3 }), parts => {
          const given = parse(JSON.stringify(parts));
          assert.deepEqual(decodeParts(encodeParts(given, codec), codec), given);
          const read = decodeParts(given, codec);
          assert.deepEqual(decodeParts(encodeParts(read, codec), codec), read);
        }),
        { numRuns: runs(500) },
      );
    });
});
