import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import { escapeText } from '../../../language/aicl/escapes.ts';
import type { Issue } from '../../../core/text/issue.ts';
import { errorsOf, HEAD, mend, PLACES, TEXTS, UNEVEN } from '../../support/aicl-mistakes.ts';

describe('AICL, each mistake is one diagnostic', () => {
  const table: (readonly [string, string])[] = [];
  after(() => {
    for (const [mistake, diagnostic] of table) console.log(`      ${mistake.padEnd(60)}${diagnostic}`);
  });

  /** The one error of a text. */
  function onlyError(what: string, text: string): Issue {
    const [error, ...others] = errorsOf(text);
    assert.ok(
      error && others.length === 0,
      `${JSON.stringify(text)}: ${others.length + (error ? 1 : 0)} errors`,
    );
    if (table.at(-1)?.[0] !== what) table.push([what, `${error.code}: ${error.message}`]);
    return error;
  }

  for (const text of [...TEXTS, ...UNEVEN]) {
    it(`a bracket in a text, ${JSON.stringify(text)}: one fix, which spells it and removes nothing`, () => {
      for (const [place, write] of Object.entries(PLACES)) {
        const message = write(text);
        // The grammar accepts the end of a message as it is where its last text lends it a bracket.
        const error = onlyError(JSON.stringify(text), message);
        assert.deepEqual(mend(message, error), [write(escapeText(text))], place);
      }
    });
  }

  it('brackets after the last text are surplus or its own: one fix removes them, the other one spells them', () => {
    const places = ['the last value', 'the last value of the message', 'a value by itself'];
    for (const place of places)
      for (const text of [']', 'a]', 'a]]']) {
        const write = PLACES[place] ?? String;
        const error = onlyError('brackets after the last text', write(text));
        assert.equal(error.code, 'aicl/extra-bracket');
        const [removed, spelled] = mend(write(text), error);
        assert.deepEqual([removed, spelled], [write(text.replace(/\]+$/, '')), write(escapeText(text))]);
      }
  });

  it('a bracket in the last text is found whatever follows on other lines', () => {
    const write = (text: string): string => `[d:${HEAD},[s:params]:[d:[s:a]:[s:${text}]]]\n`;
    for (const after of ['A remark\n', '[i:1]\n', '[s:k]:[s:v]\n', `${'[i:1]\n'.repeat(30_000)}`]) {
      const text = write('see a[b[0]]') + after;
      const fixed = errorsOf(text).map(error => mend(text, error).map(each => each.slice(0, 200)));
      assert.deepEqual(fixed[0], [(write('see a[b[0\\u005D\\u005D') + after).slice(0, 200)]);
    }
  });

  it('brackets in many texts of a message: one fix spells all of them', () => {
    const write = (texts: readonly string[]): string =>
      `[d:${HEAD},[s:params]:[d:${texts.map((text, index) => `[s:k${index}]:[s:${text}]`).join(',')},[s:n]:[i:1]]]`;
    for (const [what, texts] of [
      ['brackets in many texts', TEXTS],
      ['brackets in many texts, some uneven', [...TEXTS, ...UNEVEN, 'from [0,1)']],
    ] as const) {
      const error = onlyError(what, write(texts));
      assert.deepEqual(mend(write(texts), error), [write(texts.map(text => escapeText(text)))]);
    }
    const old = write(TEXTS.map(text => text.replaceAll(']', '\\]')));
    const error = onlyError('old escapes in many texts', old);
    assert.equal(error.code, 'aicl/old-escape');
    assert.deepEqual(mend(old, error), [write(TEXTS.map(text => escapeText(text)))]);
  });

  const whole = PLACES['a value on a line of its own']?.('one, two') ?? '';
  const others: readonly (readonly [string, string, string, string])[] = [
    ['a bracket too many at the end', '\n]\n', '\n]]\n', 'aicl/extra-bracket'],
    ['brackets too many at the end', '\n]\n', '\n]\n]]\n', 'aicl/extra-bracket'],
    ["a text's bracket, at the end of its line", 'one, two],', 'one, two,', 'aicl/missing-bracket'],
    ["a text's bracket, before a comma", '[s:s1],', '[s:s1,', 'aicl/missing-bracket'],
    ["a key's bracket", '[s:text]:', '[s:text:', 'aicl/missing-bracket'],
    ['a bracket at the end', '\n  ]\n]', '\n  ]', 'aicl/missing-bracket'],
    ['two brackets at the end', '\n  ]\n]', '', 'aicl/missing-bracket'],
    ['a comma', '[s:s1],', '[s:s1]', 'aicl/missing-comma'],
    ['a colon', '[s:text]:', '[s:text]', 'aicl/missing-colon'],
    ['a value', '[s:text]:[s:one, two]', '[s:text]:', 'aicl/missing-value'],
    ['a wrong literal', '[i:1]', '[i:one]', 'aicl/invalid-int'],
    ['a note', '[s:s1],', '[s:s1], // why', 'aicl/foreign-text'],
  ];
  for (const [what, from, to, code] of others) {
    it(`${what}: ${code}`, () => {
      const text = whole.replace(from, to);
      assert.notEqual(text, whole);
      assert.equal(onlyError(what, text).code, code);
    });
  }
});
