import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { applyEdits } from '../../../core/text/edit.ts';
import { sized } from '../../support/size.ts';

const WHOLE = `[d:
  [s:protocol]:[s:LightAICL],
  [s:session_id]:[s:s1],
  [s:msg_type]:[s:tool_call],
  [s:tool]:[s:web_scraper],
  [s:params]:[d:
    [s:target_url]:[s:https://example.com],
    [s:extract]:[l:[s:title],[s:price]]
  ]
]`;

function open(text: string) {
  return LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS);
}

/** Issues as `code line:character`, from 0. */
function issuesOf(text: string): readonly string[] {
  const doc = open(text);
  return doc.validate().map(issue => {
    const { line, character } = doc.text.toPosition(issue.span.start);
    return `${issue.code} ${line}:${character}`;
  });
}

describe('AICL recovery', () => {
  it('the whole message has no issue', () => assert.deepEqual(issuesOf(WHOLE), []));

  const damages: readonly (readonly [string, string, string, readonly string[]])[] = [
    ['the bracket of a header value', '[s:LightAICL],', '[s:LightAICL,', ['aicl/missing-bracket 1:15']],
    [
      'the bracket of the last text on a line',
      '[s:https://example.com],',
      '[s:https://example.com,',
      ['aicl/missing-bracket 6:19'],
    ],
    ['a comma between two fields', '[s:s1],', '[s:s1]', ['aicl/missing-comma 3:2']],
    ['a colon', '[s:tool]:', '[s:tool]', ['aicl/missing-colon 4:10']],
    ['a colon written twice', '[s:tool]:', '[s:tool]::', ['aicl/extra-colon 4:11']],
    ['a bracket at the end of a text', '[s:tool]:', '[s:tool]]:', ['aicl/bracket-in-text 4:9']],
    ['an opening that is missing', '[s:web_scraper]', 'web_scraper]', ['aicl/missing-opening 4:11']],
    ['a raw number', '[s:s1],', '1,', ['aicl/unknown-type 2:17']],
    ['a key', '[s:tool]:', ':', ['aicl/missing-key 4:2']],
    ['a value', ':[s:web_scraper]', ':', ['aicl/missing-value 4:2']],
    ['a comma written twice', '[s:s1],', '[s:s1],,', ['aicl/extra-comma 2:24']],
    ['a type in upper case', '[l:[s:title]', '[L:[s:title]', ['aicl/unknown-type 7:17']],
    ['a note in the message', '[s:s1],', '[s:s1], // the session', ['aicl/foreign-text 2:25']],
  ];
  for (const [name, from, to, expected] of damages) {
    it(`finds ${name}`, () => {
      const text = WHOLE.replace(from, to);
      assert.notEqual(text, WHOLE);
      assert.deepEqual(issuesOf(text), expected);
    });
  }

  it('one missing bracket never swallows the messages below', () => {
    const text = `${WHOLE.slice(0, -1)}\n# @agent b\n${WHOLE}\n${WHOLE}`;
    assert.deepEqual(issuesOf(text), ['aicl/missing-bracket 8:2']);
    assert.deepEqual(
      open(text)
        .requests()
        .map(request => request.directives.agent),
      [undefined, 'b', undefined],
    );
  });

  it('text between messages is one issue as far as it goes, and torn-off ends are one issue', () => {
    assert.deepEqual(issuesOf(`Here is\nthe message:\n${WHOLE}`), ['aicl/foreign-text 0:0']);
    const torn = `${WHOLE.replace('[s:price]', '[i:1]')},[s:b]:[i:1]]`;
    assert.deepEqual(issuesOf(`${torn}\n${WHOLE}`), ['aicl/extra-bracket 9:0']);
  });

  it('a text ends at its first bracket, also behind a backslash', () => {
    assert.deepEqual(issuesOf(WHOLE.replace('https://example.com', 'C:\\')), []);
    assert.deepEqual(issuesOf('[l:[s:C:\\],[s:x]]'), ['aicl/fragment 0:0']);
  });

  it('one fix spells all brackets of a message that has them with backslashes', () => {
    const text = WHOLE.replace('https://example.com', 'a[1\\] [2\\]').replace('web_scraper', 'see [x\\\\\\]');
    const document = open(`${text}\n${WHOLE}`);
    const issues = document.validate();
    assert.deepEqual(
      issues.map(({ code }) => code),
      ['aicl/old-escape'],
    );
    const mended = applyEdits(text, issues[0]?.fixes?.[0]?.edits ?? []);
    assert.deepEqual(issuesOf(mended), []);
    assert.equal(
      mended,
      WHOLE.replace('https://example.com', 'a[1\\u005D [2\\u005D').replace(
        'web_scraper',
        'see [x\\\\\\u005D',
      ),
    );
    // Where a bracket is missing as well, the faults are those of the text as it is written.
    assert.equal(
      issuesOf(text.slice(0, -1)).some(issue => issue.startsWith('aicl/old-escape')),
      false,
    );
  });

  it('an end of a text is replaced if the message breaks at most 16,384 characters after it', () => {
    const broken = (length: number): string =>
      `[d:[s:k]:[l:[l:[l:[s:a]]],[l:[t:uint8:0:${' '.repeat(length)}]]],[s:x]]]`;
    assert.equal(issuesOf(broken(16_000))[0], 'aicl/bracket-in-text 0:22');
    assert.equal(issuesOf(broken(17_000)).join().includes('aicl/bracket-in-text'), false);
  });

  it('a text that the grammar accepts is never changed, however odd it looks', () => {
    const unexpected = WHOLE.replace('https://example.com', 'one\n  [s:two').replace(
      'web_scraper',
      'C:\\dir\\d+ ^\\[INFO a\\u005Db',
    );
    assert.deepEqual(issuesOf(unexpected), ['aicl/bare-bracket 7:2']);
    assert.equal(open(unexpected).requests()[0]?.title, 'C:\\dir\\d+ ^\\[INFO a]b');
  });

  it('a message cut at any character is one error: what is not typed yet is missing once', () => {
    for (let end = 1; end < WHOLE.length; end += sized(1, 5)) {
      const errors = open(WHOLE.slice(0, end))
        .validate()
        .filter(issue => issue.severity === 'error');
      assert.equal(errors.length, 1, `${end}: ${errors.map(issue => issue.code).join(', ')}`);
    }
  });

  it('the deepest nesting that is read costs no stack, whatever is wrong in it', () => {
    const levels = ['[d:[s:a]:', '[l:[s:a]:', '［d:[s:a]：', '[D:[s:a]:', '[d:"a":', '[l:'];
    for (const level of levels.slice(0, sized(levels.length, 2))) {
      assert.deepEqual(
        runWithSmallStack(() => open(level.repeat(200)).validate().length > 0),
        true,
        level,
      );
      assert.deepEqual(
        runWithSmallStack(() => open(`${level.repeat(199)}[i:1]${']x'.repeat(199)}`).validate().length > 0),
        true,
        level,
      );
    }
  });

  const separators: readonly (readonly [string, string, readonly string[]])[] = [
    ['a comma between two messages', `${WHOLE},${WHOLE}`, ['aicl/foreign-text 9:1']],
    [
      'a Unicode space beside a comma',
      '[l:[i:1]\u3000,[i:2]]',
      ['aicl/fragment 0:0', 'aicl/foreign-text 0:8'],
    ],
    ['an equals sign for a colon', WHOLE.replace('[s:tool]:', '[s:tool]='), ['aicl/foreign-text 4:10']],
    ['a semicolon for a comma', WHOLE.replace('[s:s1],', '[s:s1];'), ['aicl/foreign-text 2:23']],
    ['full-width marks, once for all of them', WHOLE.replaceAll(':[s:', '：［s:'), ['aicl/full-width 1:14']],
    ['a full-width bracket after a number', '[l:[i:1］]', ['aicl/fragment 0:0', 'aicl/full-width 0:7']],
    ['a line end in a number', '[l:[i:\n3]]', ['aicl/fragment 0:0', 'aicl/invalid-int 0:6']],
    ['a text that ends in a backslash', '[s:C:\\]', ['aicl/fragment 0:0']],
    [
      'a header field that stands twice',
      WHOLE.replace('[d:', '[d:[s:protocol]:[s:LightAICL],'),
      ['aicl/duplicate-key 1:2'],
    ],
    ['a misspelt header field', WHOLE.replace('msg_type', 'msgtype'), ['aicl/header-missing 3:2']],
  ];
  for (const [name, text, expected] of separators) {
    it(`finds ${name}`, () => assert.deepEqual(issuesOf(text), expected));
  }
});

/** Runs something with most of the stack taken, as in a host with a small one. */
function runWithSmallStack<Result>(run: () => Result): Result {
  const sink = (depth: number): Result => (depth === 0 ? run() : sink(depth - 1));
  return sink(5000);
}
