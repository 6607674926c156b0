import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseJson } from '../../../core/text/json.ts';

/** What is inside of 200 lists. */
function innermost(value: unknown, levels = 200): unknown {
  return levels === 0 ? value : innermost(Array.isArray(value) ? value[0] : undefined, levels - 1);
}

const wrap = (text: string, levels: number): string => '['.repeat(levels) + text + ']'.repeat(levels);

describe('the value of a JSON text', () => {
  it('is read to 200 levels, and is the text of what is deeper', () => {
    assert.deepEqual(innermost(parseJson(wrap('1', 200))), 1);
    assert.deepEqual(innermost(parseJson(wrap('{"a":"]\\"["}', 200))), '{"a":"]\\"["}');
    assert.deepEqual(innermost(parseJson(wrap('1', 50_000))), wrap('1', 49_800));
    assert.deepEqual(parseJson(`[${wrap('', 300)},2,${wrap('', 201)}]`), [
      parseJson(wrap(JSON.stringify(wrap('', 101)), 199)),
      2,
      parseJson(wrap(JSON.stringify('[[]]'), 199)),
    ]);
  });

  it('is none where brackets or a string are open, mismatched or too many', () => {
    for (const text of ['['.repeat(50_000), '{"a":'.repeat(5_000), `${wrap('', 300)}]`, `${wrap('', 300)} x`])
      assert.equal(parseJson(text), undefined);
    assert.equal(parseJson(`["${'['.repeat(500)}`), undefined);
    assert.equal(parseJson(`${'['.repeat(150)}${'}'.repeat(150)}${' '.repeat(200)}`), undefined);
  });

  it('is a whole one however many brackets its strings hold', () => {
    const text = `\\"${'['.repeat(1_000)}\\\\`;
    assert.deepEqual(parseJson(`{"a":"${text}"}`), { a: `"${'['.repeat(1_000)}\\` });
  });
});
