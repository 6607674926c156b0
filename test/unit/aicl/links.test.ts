import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { listLinks } from '../../../language/links.ts';
import { SourceText } from '../../../core/text/source-text.ts';
import { linksIn, openText } from '../../support/shown-text.ts';

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  ['a text', '[s:https://a.b/c?d=e&f#g]', ['https://a.b/c?d=e&f#g']],
  [
    'a sentence',
    '[s:see (HTTP://a.b/c), or https://a.b/c_(d). And http://x!]',
    ['HTTP://a.b/c', 'https://a.b/c_(d)', 'http://x'],
  ],
  ['a text with brackets', '[s:http://a.b/c\\u005Dd]', ['http://a.b/c\\u005Dd -> http://a.b/c]d']],
  ['an IPv6 address', '[s:http://[::1\\u005D:80/x]', ['http://[::1\\u005D:80/x -> http://[::1]:80/x']],
  [
    'keys, container lines and foreign text',
    '# http://a\n[d:[s:http://b]:[i:1]]\nhttp://c',
    ['http://a', 'http://b', 'http://c'],
  ],
  ['an address in an address', '[s:http://a/?u=http://b]', ['http://a/?u=http://b']],
  ['other alphabets', '[s:https://例え.jp/パス。]', ['https://例え.jp/パス']],
  [
    'no other schemes, and nothing after them',
    '[s:ftp://a xhttp://a http:// http:/a https://, http://.a]',
    [],
  ],
  ['no address that a variable completes', '[s:http://a/{{v}} http://{{host}}/b]', []],
  ['nothing', '', []],
];

describe('AICL links', () => {
  for (const [name, text, expected] of cases)
    it(`in ${name}`, () => assert.deepEqual(linksIn(openText('aicl', text)), expected));

  it('are as many as asked for, and say that there are more', () => {
    const doc = openText('aicl', '[s:http://a]\n'.repeat(10));
    assert.deepEqual([doc.links(4).links.length, doc.links(4).isCut], [4, true]);
    assert.deepEqual([doc.links(10).links.length, doc.links(10).isCut], [10, false]);
  });

  it('are found wherever the text is cut into chunks', () => {
    const text = 'a http://b.c/d e https://f:1/g';
    for (let length = 2; length <= text.length; length++) {
      const source = SourceText.of(text, length);
      const syntax = { scheme: /\b(https?)$/, address: /^[a-z]\S*/, unescape: (address: string) => address };
      const { links } = listLinks(source, syntax, 9);
      assert.deepEqual(
        links.map(link => link.target),
        ['http://b.c/d', 'https://f:1/g'],
        `${length}`,
      );
    }
  });

  it('are not longer than anybody opens', () => {
    const link = `http://a/${'x'.repeat(2_000)}`;
    assert.deepEqual(linksIn(openText('aicl', `[s:${link}]`)), [link]);
    assert.deepEqual(linksIn(openText('aicl', `[s:${link}${'x'.repeat(200)}]`)), []);
  });
});
