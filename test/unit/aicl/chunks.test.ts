import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { utf8Length } from '../../../core/text/utf8.ts';
import { findEntry, type DictValue, type Value } from '../../../core/values/value.ts';
import { escapeText } from '../../../language/aicl/escapes.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { readAiclPieces } from '../../../language/values/aicl-reader.ts';
import { joinMessage, splitMessage } from '../../../protocols/aicl/chunks.ts';
import { encodeBase85 } from '../../../tensor/base85.ts';
import { sized } from '../../support/size.ts';

const HEAD = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]';

function dictOf(text: string): DictValue {
  const value: Value | undefined = readAiclPieces(text).pieces[0]?.value;
  assert.ok(value?.kind === 'dict');
  return value;
}

function chunksOf(text: string, most: number): readonly string[] {
  const split = splitMessage(text, most, 'part');
  assert.ok(split.ok, split.ok ? '' : split.reason);
  return split.chunks;
}

const printText = (text: string): string => `[s:${escapeText(text.toWellFormed(), 'wire')}]`;
const long = fc
  .string({
    unit: fc.constantFrom(']', '\\', 'u', '0', '5', 'D', ' ', 'a', 'é', '😀'),
    minLength: 200,
    maxLength: 900,
  })
  .map(printText);
const item = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map(printText),
  fc.integer().map(each => `[i:${each}]`),
  fc.constant('[l:[b:true],[d:]]'),
);
const list = fc.array(item, { minLength: 60, maxLength: 120 }).map(items => `[l:\n ${items.join(', ')}]`);
const tensor = fc
  .tuple(fc.integer({ min: 40, max: 90 }), fc.uint8Array({ minLength: 3, maxLength: 3 }))
  .map(([rows, row]) => {
    const bytes = new Uint8Array(Array.from({ length: rows }, () => [...row]).flat());
    return `[t:uint8:${rows},3:${encodeBase85(bytes)}]`;
  });
const value = fc.oneof(long, list, tensor);
const message = fc.oneof(
  value.map(data => `[d:${HEAD}:[s:result],[s:data]:${data},[s:metadata]:[d:[s:a]:[i:1]]]`),
  value.map(data => `[d:${HEAD}:[s:tool_call],[s:tool]:[s:t],[s:params]:[d:[s:x]:${data},[s:y]:[i:1]],]`),
  long.map(data => `[d:${HEAD}:[s:task_request],[s:task]:${data},[s:constraints]:[d:]\n]`),
);

describe('splitMessage', () => {
  it('makes valid chunks of at most the size, which joined are the message', () => {
    let count = 0;
    fc.assert(
      fc.property(message, whole => {
        const most = Math.max(350, Math.ceil(utf8Length(whole) / 3) + 200);
        const split = splitMessage(whole, most, 'part');
        if (!split.ok) return;
        count++;
        for (const chunk of split.chunks) {
          assert.ok(utf8Length(chunk) <= most);
          const issues = LANGUAGE_SUPPORT.aicl.open(chunk, DEFAULT_SETTINGS).validate();
          assert.deepEqual(
            issues.filter(({ severity }) => severity === 'error'),
            [],
          );
        }
        assert.deepEqual(joinMessage(split.chunks.map(dictOf)), dictOf(whole));
      }),
      { numRuns: sized(300) },
    );
    assert.ok(count > sized(300) / 2);
  });

  it('numbers the chunks, and leaves everything else as it is written', () => {
    const whole = `[d:${HEAD}:[s:result],[s:data]:[l:[f:1.50], [i:+2],[i:003]],[s:metadata]:[d:[s:x]:[f:2.50]]]`;
    assert.deepEqual(
      chunksOf(whole, 265).map(chunk => chunk.replace(HEAD, 'HEAD')),
      [
        '[d:HEAD:[s:result],[s:data]:[l:[f:1.50],[i:+2]],[s:metadata]:[d:[s:x]:[f:2.50]],[s:stream_id]:[s:part_1/2],[s:is_final]:[b:false]]',
        '[d:HEAD:[s:result],[s:data]:[l:[i:003]],[s:metadata]:[d:[s:x]:[f:2.50]],[s:stream_id]:[s:part_2/2],[s:is_final]:[b:true]]',
      ],
    );
  });

  it('splits a tensor along its first axis', () => {
    const whole = `[d:${HEAD}:[s:result],[s:data]:[t:uint8:400,1:${encodeBase85(new Uint8Array(400))}]]`;
    const rows = chunksOf(whole, 400).map(chunk => Number(/\[t:uint8:(\d+),1:/.exec(chunk)?.[1]));
    assert.ok(rows.length > 2);
    assert.equal(
      rows.reduce((sum, each) => sum + each, 0),
      400,
    );
  });

  const x = 'x'.repeat(900);
  for (const [what, whole, reason] of [
    ['a chunk', `[d:${HEAD}:[s:result],[s:data]:[s:${x}],[s:stream_id]:[s:a_1/2]]`, /a chunk already/],
    ['two messages', `[d:${HEAD}:[s:result]] [d:${HEAD}:[s:result]]`, /only one message/],
    ['no message', 'text', /only one message/],
    ['a message of numbers', `[d:${HEAD}:[s:result],[s:data]:[i:1]]`, /no text, list or tensor/],
    ['a list with one long element', `[d:${HEAD}:[s:result],[s:data]:[l:[i:1],[s:${x}]]]`, /single element/],
    [
      'a message with a long deep value',
      `[d:${HEAD}:[s:result],[s:a]:[d:[s:b]:[d:[s:c]:[s:${x}]]],[s:data]:[s:xy]]`,
      /no text, list or tensor/,
    ],
  ] as const)
    it(`says why ${what} cannot be split`, () => {
      const split = splitMessage(whole, 400, 'part');
      assert.ok(!split.ok);
      assert.match(split.reason, reason);
    });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: -1, max: 1_000 }), (any, most) => {
        assert.equal(typeof splitMessage(any, most, 'part').ok, 'boolean');
      }),
    );
  });

  it('does not join values that do not fit', () => {
    const [one, other] = ['[s:a]', '[i:1]'].map(data => dictOf(`[d:[s:data]:${data}]`));
    assert.ok(one && other);
    assert.equal(joinMessage([one, other]), undefined);
    assert.deepEqual(findEntry(joinMessage([one]), 'data'), findEntry(one, 'data'));
  });
});
