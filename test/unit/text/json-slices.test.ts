import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { splitObjectList, parseJson } from '../../../core/text/json.ts';
import { sliceJson, withoutBlanks } from '../../../trace/json-slices.ts';
import { itAtFullSize } from '../../support/size.ts';

describe('the texts within JSON', () => {
  it('are the members of an object, each as it is written, twins too', () => {
    assert.deepEqual(
      [...sliceJson(' { "a" : 1.0 , "b\\"":[1, {"c":"},"}],"a":"\\\\" , "2":9007199254740993} ')],
      [
        { name: 'a', text: '1.0' },
        { name: 'b"', text: '[1, {"c":"},"}]' },
        { name: 'a', text: '"\\\\"' },
        { name: '2', text: '9007199254740993' },
      ],
    );
  });

  it('are the items of a list, and none of any other value', () => {
    assert.deepEqual(
      [...sliceJson('[1 ,[2,3],"a,b",{}]')].map(({ text }) => text),
      ['1', '[2,3]', '"a,b"', '{}'],
    );
    for (const none of ['{ }', ' [ ] ', '"a,b"', '12', 'null'])
      assert.deepEqual([...sliceJson(none)], [], none);
  });

  it('are what the engine reads there', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const value: unknown = JSON.parse(json);
        const text = JSON.stringify(value, undefined, indent);
        const slices = [...sliceJson(text)];
        const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
        assert.deepEqual(
          slices.map(slice => [slice.name, parseJson(slice.text)]),
          members.map(([name, item]: [string, unknown]) => [Array.isArray(value) ? undefined : name, item]),
        );
        assert.equal(withoutBlanks(text), JSON.stringify(value));
      }),
    );
  });

  function assertSliced(long: string): void {
    assert.deepEqual(
      [...sliceJson(`{"a":"${long}"}`)].map(({ text }) => text.length),
      [long.length + 2],
    );
    assert.equal(splitObjectList(`[{"a":"${long}"},{"b":"]"}]`)?.length, 2);
  }

  it('may be long', () => assertSliced('x'.repeat(120_000)));

  itAtFullSize('may be longer than what a regular expression passes over in one string', () =>
    assertSliced('x'.repeat(12_000_000)),
  );
});

describe('the members of a text that has names and no values', () => {
  it('are no longer together than the text', () => {
    const text = `{${'"a",'.repeat(1_000)}"b":1}`;
    const slices = [...sliceJson(text)];
    assert.deepEqual(slices.at(-1), { name: 'b', text: '1' });
    assert.ok(slices.reduce((sum, slice) => sum + slice.text.length, 0) <= text.length);
  });
});

describe('splitObjectList', () => {
  for (const [text, found] of [
    ['[{"a":"\\"]"},\n {"b":[{}]}]', ['{"a":"\\"]"}', '{"b":[{}]}']],
    ['[]', undefined],
    ['[[1],{}]', undefined],
    ['{"a":1}', undefined],
    ['[{"a":"}]', undefined],
    ['[{"a":1}', undefined],
  ] as const)
    it(`of ${text}`, () => assert.deepEqual(splitObjectList(text), found));
});
