import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { linksIn, openText } from '../../support/shown-text.ts';

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'fields',
    'CALL|web.get|https://a.b/c|http://d\nERR|500|see http://e.',
    ['https://a.b/c', 'http://d', 'http://e'],
  ],
  ['JSON', 'OK|{"u":"https://a.b/c","v":["http://d"]}', ['https://a.b/c', 'http://d']],
  ['a field with a pipe', 'CALL|t|http://a/b\\|c', ['http://a/b\\|c -> http://a/b|c']],
  ['a field with a line feed', 'OK|http://a\\nhttp://b', ['http://a', 'http://b']],
  ['an IPv6 address', 'CALL|t|http://[::1]:80/x', ['http://[::1]:80/x']],
  ['a container line and a context file', '# http://a/b\n@LINKS\n1|http://c/d', ['http://a/b', 'http://c/d']],
  ['nothing', '', []],
];

describe('AICF links', () => {
  for (const [name, text, expected] of cases)
    it(`in ${name}`, () => assert.deepEqual(linksIn(openText('aicf', text)), expected));
});
