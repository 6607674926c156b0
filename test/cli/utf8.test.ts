import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeUtf8 } from '../../cli/src/utf8.ts';

describe('UTF-8 files', () => {
  it('takes a byte order mark off and notes it', () => {
    assert.deepEqual(decodeUtf8(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61])), {
      ok: true,
      text: 'a',
      hasBom: true,
    });
    assert.deepEqual(decodeUtf8(Uint8Array.from([0x61])), { ok: true, text: 'a', hasBom: false });
  });

  it('answers the offset of a bad byte with the text before it', () => {
    const bytes = Uint8Array.from([0xc3, 0xa4, 0x0a, 0x62, 0xff]);
    assert.deepEqual(decodeUtf8(bytes), { ok: false, badByte: 4, textBefore: 'ä\nb' });
  });
});
