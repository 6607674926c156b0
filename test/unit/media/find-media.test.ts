import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { encodeField } from '../../../language/aicf/codec.ts';
import { escapeText } from '../../../language/aicl/escapes.ts';
import { findMedia, MAX_MEDIA } from '../../../language/media/find-media.ts';
import type { Medium } from '../../../language/media/media.ts';
import { sized } from '../../support/size.ts';

/** A PNG of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const URL = `data:image/png;base64,${PNG}`;
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

/** What is found, each as `kind type name: text`. */
function found(text: string, language?: LanguageId): readonly string[] {
  return findMedia(text, language).media.map(medium => {
    const { kind, mediaType, name, span } = medium;
    return `${kind} ${mediaType ?? '?'} ${name ?? '-'}: ${shorten(text.slice(span.start, span.end))}`;
  });
}

function shorten(text: string): string {
  return text.replaceAll(URL, 'URL').replaceAll(PNG, 'PNG').replaceAll(WAV, 'WAV');
}

function contentOf({ content }: Medium): string {
  return 'base64' in content ? content.base64 : content.address;
}

describe('media in JSON of every protocol', () => {
  const cases: readonly (readonly [name: string, value: unknown, ...expected: readonly string[]])[] = [
    ['an image of MCP', { type: 'image', data: PNG, mimeType: 'image/png' }, 'image image/png -: PNG'],
    ['a sound of MCP', { type: 'audio', data: WAV, mimeType: 'audio/wav' }, 'audio audio/wav -: WAV'],
    [
      'a resource of MCP',
      { type: 'resource', resource: { uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: 'JVBERi0x' } },
      'file application/pdf -: JVBERi0x',
    ],
    [
      'a link of MCP',
      { type: 'resource_link', uri: 'https://a.example/b.png', name: 'b.png', mimeType: 'image/png' },
      'image image/png b.png: https://a.example/b.png',
    ],
    [
      'values of AIO',
      [
        { type: 'image', value: PNG },
        { type: 'video', value: 'https://a.example/v' },
        { type: 'file', value: 'aGVsbG8=' },
        { type: 'text', value: PNG },
      ],
      'image image/png -: PNG',
      'video ? -: https://a.example/v',
      'file ? -: aGVsbG8=',
    ],
    [
      'contents of the Agent API',
      [
        { object: 'content', type: 'image', index: null, image_url: URL },
        { object: 'content', type: 'audio', data: WAV, format: 'wav' },
        { object: 'content', type: 'video', video_url: 'https://a.example/v.mp4' },
        { object: 'content', type: 'file', file_url: null, filename: 'a.csv', file_data: 'YSxi' },
        { object: 'content', type: 'data', data: { a: 1 } },
      ],
      'image image/png -: URL',
      'audio audio/wav -: WAV',
      'video ? -: https://a.example/v.mp4',
      'file ? a.csv: YSxi',
    ],
    [
      'parts of Responses',
      [
        { type: 'input_image', image_url: URL },
        { type: 'input_file', file_data: 'data:application/pdf;base64,JVBERi0x', filename: 'a.pdf' },
        { type: 'image_generation_call', result: PNG },
        { type: 'function_call', result: PNG },
      ],
      'image image/png -: URL',
      'file application/pdf a.pdf: data:application/pdf;base64,JVBERi0x',
      'image image/png -: PNG',
    ],
    [
      'parts of chat completions',
      [
        { type: 'image_url', image_url: { url: 'https://a.example/i' } },
        { type: 'input_audio', input_audio: { data: WAV, format: 'wav' } },
      ],
      'image ? -: https://a.example/i',
      'audio audio/wav -: WAV',
    ],
    [
      'parts of A2A 1.0',
      [
        { raw: PNG, mediaType: 'image/png', filename: 'sky.png' },
        { url: 'https://a.example/d', mediaType: 'application/pdf' },
        { data: { a: 'b' }, mediaType: 'application/json' },
        { text: 'raw', mediaType: 'text/plain' },
      ],
      'image image/png sky.png: PNG',
      'file application/pdf -: https://a.example/d',
    ],
    [
      'parts of A2A 0.3',
      [
        { kind: 'file', file: { bytes: PNG, mimeType: 'image/png', name: 'a.png' } },
        { kind: 'file', file: { uri: 'https://a.example/x', mimeType: 'video/mp4' } },
      ],
      'image image/png a.png: PNG',
      'video video/mp4 -: https://a.example/x',
    ],
    [
      'what is none',
      [
        { type: 'string', data: 'hello', mimeType: 'text/plain' },
        { name: 'agent', url: 'https://a.example' },
        { type: 'file', value: 'a report, in words' },
        { uri: 'file:///a', mimeType: 'text/plain', text: 'x' },
        { image_url: null, file_url: '' },
        'image',
      ],
    ],
  ];
  for (const [name, value, ...expected] of cases)
    it(name, () => {
      assert.deepEqual(found(JSON.stringify(value)), expected);
      assert.deepEqual(found(JSON.stringify(value, undefined, 2)), expected);
      const raw = `OK|${encodeField(JSON.stringify(value))}\nOK|done`;
      assert.deepEqual(found(raw, 'aicf'), expected, 'in a field');
      const inText = `[d:[s:data]:[s:${escapeText(JSON.stringify(value))}]]`;
      assert.deepEqual(found(inText, 'aicl'), expected, 'in a text');
    });
});

describe('media in messages', () => {
  it('are dictionaries and data URLs of LightAICL', () => {
    const text = `# [d:[s:type]:[s:image],[s:value]:[s:${PNG}]]
[d:
  [s:protocol]:[s:LightAICL],
  [s:data]:[t:uint8:1:00],
  [s:content]:[l:
    [d:[s:type]:[s:input_image],[s:image_url]:[s:${URL}]],
    [d:[s:mimeType]:[s:image/png],[s:filename]:[s:a\\u005D.png],[s:data]:[s:${PNG}]],
    [s:before ${URL} after]
  ]
]`;
    assert.deepEqual(found(text, 'aicl'), [
      'image image/png -: URL',
      'image image/png a].png: PNG',
      'image image/png -: URL',
    ]);
  });

  it('are found in a message that is not whole, and in the one below it', () => {
    const open = `[d:[s:content]:[l:[d:[s:type]:[s:image],[s:value]:[s:${PNG}]`;
    const whole = `[d:[s:type]:[s:audio],[s:value]:[s:${WAV}]]`;
    assert.deepEqual(found(`${open}\n${whole}`, 'aicl'), ['image image/png -: PNG', 'audio ? -: WAV']);
    assert.deepEqual(found(`{"type":"image","data":"${PNG}`), ['image image/png -: PNG']);
    assert.deepEqual(found(`data: {"a":"b\n{"type":"image","data":"${PNG}"}`), ['image image/png -: PNG']);
  });

  it('are found in events, and behind the escapes of PHP', () => {
    const escaped = URL.replaceAll('/', '\\/');
    const text = `event: x\ndata: {"type":"image","image_url":"${escaped}"}\n\n`;
    const { media } = findMedia(text, undefined);
    assert.deepEqual(
      media.map(medium => [medium.kind, medium.mediaType, contentOf(medium)]),
      [['image', 'image/png', PNG.replaceAll('/', '\\/')]],
    );
  });

  it('are what a field holds: a data URL, and a name with a bar in it', () => {
    const line = encodeField(JSON.stringify({ raw: PNG, filename: 'a|b "c"', mediaType: 'image/png' }));
    assert.deepEqual(found(`OK|${URL}\nOK|${line}`, 'aicf'), [
      'image image/png -: URL',
      'image image/png a|b \\"c\\": PNG',
    ]);
  });
});

describe('media of agents that mean no good', () => {
  it('have media types that are none', () => {
    for (const type of ['image/png" onerror="x', 'image/<script>', '<b>/x', 'image/', '/', 'a'.repeat(400)]) {
      const [medium] = findMedia(
        JSON.stringify({ type: 'image', data: 'AAAA', mimeType: type }),
        undefined,
      ).media;
      assert.deepEqual([medium?.kind, medium?.mediaType], ['image', undefined], type);
    }
    assert.deepEqual(found(`data:image/<script>alert(1)</script>;base64,${PNG}`), [
      'image image/png -: data:image/<script>alert(1)</script>;base64,PNG',
    ]);
    assert.deepEqual(found('data:text/html,<script>alert(1)</script>'), []);
  });

  it('are ten megabytes, in one piece', () => {
    const data = 'A'.repeat(10_000_000);
    const [medium, ...more] = findMedia(`{"type":"image","data":"${data}"}`, undefined).media;
    assert.deepEqual([medium && contentOf(medium).length, more.length], [10_000_000, 0]);
  });

  it('are so many that the first thousand are listed', () => {
    const one = `{"type":"image","data":"${PNG}"},`;
    const { media, isCut } = findMedia(one.repeat(MAX_MEDIA + 1), undefined);
    assert.deepEqual([media.length, isCut], [MAX_MEDIA, true]);
    assert.deepEqual(findMedia(one.repeat(MAX_MEDIA), undefined).isCut, false);
  });

  it('stand in brackets that do not fit, in any number', () => {
    const count = sized(50_000, 2_000);
    const noise = ['['.repeat(count), ']}'.repeat(count), '{"a":'.repeat(count), '[d:[s:a]:'.repeat(count)];
    for (const language of ['aicl', 'aicf', undefined] as const)
      for (const text of [...noise, '"\\'.repeat(count), 'data:;base64,'.repeat(999), '[s:\\]'.repeat(count)])
        assert.equal(findMedia(`${text}\n${URL}`, language).media.length, text.startsWith('data:') ? 500 : 1);
  });
});
