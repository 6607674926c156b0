import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { detectLayer, findLayer } from '../../../protocols/recognise/detect.ts';

describe('the language of a text', () => {
  const cases: readonly (readonly [string, ReturnType<typeof findLayer>])[] = [
    ['[d:[s:a]:[i:1]]', 'aicl'],
    ['\uFEFF  [s:x]', 'aicl'],
    ['# @agent coder\n\n[d:]', 'aicl'],
    ['CALL|a|b', 'aicf'],
    ['Request: LIST', 'aicf'],
    ['# note\r\nOK', 'aicf'],
    ['{"a":1}', 'json'],
    ['[1,2]', 'json'],
    ['["s:",1]', 'json'],
    ['-1.5', 'json'],
    ['null', 'json'],
    ['data: {"a":1}\n\n', 'json'],
    [': a comment of a stream\n', 'json'],
    ['event: x', 'json'],
    ['', undefined],
    ['some words', undefined],
    ['CALLING|x', undefined],
    ['\n'.repeat(300) + 'CALL|a', undefined],
  ];
  for (const [text, wanted] of cases) {
    it(`of ${JSON.stringify(text.slice(0, 30))} is ${wanted ?? 'not known'}`, () => {
      assert.equal(findLayer(text), wanted);
    });
  }

  it('is what was asked for where the text does not say, else JSON', () => {
    assert.deepEqual(
      (['aicl', 'aicf', 'mcp', undefined] as const).map(from => detectLayer(ALL_PROTOCOLS, 'words', from)),
      ['aicl', 'aicf', 'json', 'json'],
    );
    assert.equal(detectLayer(ALL_PROTOCOLS, 'CALL|a', 'aicl'), 'aicf');
  });
});
