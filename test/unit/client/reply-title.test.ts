import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { buildReplyTitle } from '../../../client/src/replies/reply-title.ts';

const OK = { status: 'ok', code: undefined, duration: 41, wire: [] } as const;

describe('title of a reply', () => {
  it('names the request, its status and its time', () => {
    assert.equal(buildReplyTitle('math.add', OK), 'math.add ok · 41 ms');
    assert.equal(
      buildReplyTitle('fail.always', { ...OK, status: 'error', code: '500' }),
      'fail.always error 500 · 41 ms',
    );
  });

  it('is one segment of a path, whatever the request is called', () => {
    const title = buildReplyTitle('../a\\b\n\u202egpj.c\u0000', OK);
    assert.equal(title, '..∕a∕b  gpj.c ok · 41 ms');
  });

  it('is short', () => {
    assert.equal(buildReplyTitle('x'.repeat(1000), OK), `${'x'.repeat(59)}… ok · 41 ms`);
  });
});
