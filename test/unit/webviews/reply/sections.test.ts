import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  SectionList,
  type Section,
  type TextFormat,
} from '../../../../client/webviews/shared/reply/sections.ts';

function split(text: string, format: TextFormat = 'markdown'): readonly Section[] {
  const list = new SectionList(format);
  list.push(text);
  return list.sections;
}

const join = (sections: readonly Section[]): string => sections.map(({ text }) => text).join('');

const PARAGRAPH = `${'word '.repeat(40).trim()}\n\n`;

describe('the sections of a text', () => {
  it('hold all of it, in the same order, however it arrives', () => {
    const line = fc.constantFrom(
      ...[
        'text\n',
        '\n',
        '```js\n',
        '```\n',
        '> quote\n',
        '- item\n',
        '| a | b |\n',
        '|---|---|\n',
        'x'.repeat(900),
      ],
      ...['y'.repeat(12_000), '😀'.repeat(6_000), `${'*a '.repeat(500)}\n`],
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 60 }),
        fc.array(fc.nat(20_000), { maxLength: 6 }),
        (lines, cuts) => {
          const text = lines.join('');
          const list = new SectionList('markdown');
          let at = 0;
          for (const cut of cuts.map(each => Math.min(each, text.length)).sort((a, b) => a - b)) {
            list.push(text.slice(at, cut));
            at = cut;
          }
          list.push(text.slice(at));
          assert.deepEqual(list.sections, split(text));
          assert.equal(join(list.sections), text);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('end at an empty line once they are long enough, so that each is read alone', () => {
    const sections = split(PARAGRAPH.repeat(30));
    assert.ok(sections.length > 2);
    for (const { text, prefix } of sections) {
      assert.match(text, /\n\n$/);
      assert.equal(prefix, '');
    }
  });

  it('keep the objects of those before the last one while a text grows', () => {
    const list = new SectionList('markdown');
    list.push(PARAGRAPH.repeat(30));
    const before = list.sections;
    list.push(PARAGRAPH.repeat(30));
    const after = list.sections;
    assert.ok(after.length > before.length);
    before.slice(0, -1).forEach((section, index) => assert.equal(after[index], section));
  });

  it('repeat the fence of code and the head of a table that go on in the next one', () => {
    const code = split(`\`\`\`ts\n${`${'x'.repeat(99)}\n`.repeat(1_500)}\`\`\`\nend\n`);
    assert.deepEqual(
      code.map(({ prefix }) => prefix),
      ['', '```ts\n', '```ts\n', ''],
    );
    const table = split(`| a | b |\n|---|---|\n${`| ${'x'.repeat(90)} | y |\n`.repeat(150)}`);
    assert.ok(table.length > 1);
    for (const { prefix } of table.slice(1)) assert.equal(prefix, '| a | b |\n|---|---|\n');
  });

  const hostile: readonly (readonly [string, string, RegExp])[] = [
    ['quotes in quotes', `${'>'.repeat(5_000)} x\n`, /more than 16 levels deep/],
    ['a hundred thousand brackets', '['.repeat(100_000), /a line has more than 10,000 characters/],
    ['brackets on a line', `${'['.repeat(9_000)}\n`, /more than 1,000 marks/],
    ['a line of ten megabytes', 'x'.repeat(10_000_000), /a line has more than 10,000 characters/],
    ['stars', `${'*a '.repeat(1_200)}\n`, /more than 1,000 marks/],
    [
      'lists in lists',
      Array.from({ length: 90 }, (_, at) => `${'  '.repeat(at)}- x`).join('\n'),
      /levels deep/,
    ],
  ];
  for (const [name, text, why] of hostile)
    it(`are plain text for ${name}, and say why`, () => {
      const sections = split(text);
      assert.equal(join(sections), text);
      for (const { plain = '', text: piece } of sections) {
        assert.match(plain, why);
        assert.ok(piece.length <= 12_000);
      }
      const behind = split(`${text}\n\n${PARAGRAPH.repeat(20)}`);
      assert.equal(behind.at(-1)?.plain, undefined);
    });

  it('are short, whatever the text holds, so the work for one is bounded', () => {
    for (const text of [
      'a\n'.repeat(50_000),
      '\n'.repeat(100_000),
      PARAGRAPH.repeat(2_000),
      '- a\n'.repeat(50_000),
    ])
      for (const section of split(text)) assert.ok(section.text.length <= 6_000);
  });

  it('of plain text have no marks to count', () => {
    for (const { plain } of split(`${'['.repeat(9_000)}\n`.repeat(3), 'plain'))
      assert.equal(plain, undefined);
  });
});
