import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readHead } from '../../../agents/proxy/http/http-head.ts';

/** Headers of a response, read as a lenient client or by the grammar. */
function headersOf(lines: string, side: 'requests' | 'replies' = 'replies'): unknown {
  const start = side === 'replies' ? 'HTTP/1.1 200 OK' : 'GET / HTTP/1.1';
  return readHead(Buffer.from(`${start}\r\n${lines}\r\n`, 'latin1'), side)?.headers;
}

describe('the head of an HTTP message', () => {
  it('reads a header of many blanks', () => {
    const blanks = ' \t'.repeat(5_000);
    assert.deepEqual(headersOf(`a:${blanks}x${blanks}y${blanks}\r\n`), [{ name: 'a', value: `x${blanks}y` }]);
    assert.deepEqual(headersOf(`a:${blanks}\r\n`, 'requests'), [{ name: 'a', value: '' }]);
    assert.equal(headersOf(`a:${blanks}\0${blanks}\r\n`), undefined);
  });

  it('reads blanks before a colon in responses only', () => {
    assert.deepEqual(headersOf('a \t: b\r\n'), [{ name: 'a', value: 'b' }]);
    assert.equal(headersOf('a : b\r\n', 'requests'), undefined);
  });

  it('reads no field without a name or with a line end in its value', () => {
    for (const line of [': b', 'a', ' a: b', 'a b: c', 'a: b\rc'])
      assert.equal(headersOf(`${line}\r\n`, 'requests'), undefined, JSON.stringify(line));
  });
});
