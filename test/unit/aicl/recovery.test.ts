import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../protocol/src/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../protocol/src/languages.ts';
import { applyEdits } from '../../../protocol/src/text/edit.ts';

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
    const { line, character } = doc.lines.toPosition(issue.span.start);
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
    ['a bracket written twice', '[s:tool]:', '[s:tool]]:', ['aicl/extra-bracket 4:10']],
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
    assert.deepEqual(issuesOf(`${WHOLE},[s:b]:[i:1]]\n${WHOLE}`), ['aicl/extra-bracket 9:0']);
  });

  it('the fix of the whitepaper-breaking backslash makes the message whole', () => {
    const text = WHOLE.replace('https://example.com', 'C:\\');
    const [issue] = open(text).validate();
    assert.equal(issue?.code, 'aicl/backslash-end');
    assert.deepEqual(issuesOf(applyEdits(text, issue.fixes?.[0]?.edits ?? [])), []);
  });

  it('a text that the grammar accepts is never changed, however odd it looks', () => {
    const odd = WHOLE.replace('https://example.com', 'one\n  [s:two').replace(
      'web_scraper',
      'C:\\dir\\d+ ^\\[INFO a\\]b',
    );
    assert.deepEqual(issuesOf(odd), ['aicl/bare-bracket 7:2']);
    assert.equal(open(odd).requests()[0]?.title, 'C:\\dir\\d+ ^\\[INFO a]b');
  });

  it('every prefix of a message answers, and none of them throws', () => {
    for (let end = 0; end <= WHOLE.length; end++) {
      const issues = issuesOf(WHOLE.slice(0, end));
      if (end > 0 && end < WHOLE.length)
        assert.ok(issues.length >= 1 && issues.length <= 4, `${end}: ${issues.join(', ')}`);
    }
  });
});
