import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { expandTemplate, listTemplateVariables } from '../../../core/text/uri-template.ts';

/** The values of RFC 6570, section 3.2. */
const VALUES = new Map([
  ['var', 'value'],
  ['hello', 'Hello World!'],
  ['path', '/foo/bar'],
  ['x', '1024'],
  ['y', '768'],
  ['empty', ''],
]);

describe('a URI template', () => {
  const EXAMPLES: readonly (readonly [template: string, uri: string])[] = [
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{+hello}', 'Hello%20World!'],
    ['{+path}/here', '/foo/bar/here'],
    ['{path}/here', '%2Ffoo%2Fbar/here'],
    ['X{#var}', 'X#value'],
    ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['X{.x,y}', 'X.1024.768'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{;x,y}', ';x=1024;y=768'],
    ['{?x,y}', '?x=1024&y=768'],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{/path*}', '/%2Ffoo%2Fbar'],
    ['book:{nothing}', 'book:'],
    ['no expression', 'no expression'],
    ['{open', '{open'],
  ];
  for (const [template, uri] of EXAMPLES)
    it(`${template} is ${uri}`, () => {
      assert.equal(expandTemplate(template, VALUES), uri);
    });

  it('has each variable once', () => {
    assert.deepEqual(listTemplateVariables('a:{x}/{?y,x*,z:3}/{+p}{}'), ['x', 'y', 'z', 'p']);
  });

  it('expands a value that is not well formed, and a long template in one pass', () => {
    assert.equal(expandTemplate('{v}', new Map([['v', '\ud800']])), '%EF%BF%BD');
    assert.equal(listTemplateVariables('{'.repeat(100_000)).length, 0);
  });
});
