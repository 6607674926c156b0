import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { keepBytes } from '../../../agents/stored-bytes.ts';
import { encodeBase64 } from '../../../core/text/base64.ts';
import { decodeUtf8, encodeUtf8, readBytes } from '../../../core/events/bytes.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { runs } from '../../support/size.ts';

const bytes = fc.uint8Array({ maxLength: 40 });
const text = fc.string({ unit: anyCharacter, maxLength: 40 });

describe('bytes of a trace', () => {
  it('are as Node writes them', () => {
    fc.assert(
      fc.property(text, bytes, (someText, someBytes) => {
        assert.deepEqual(Buffer.from(encodeUtf8(someText)), Buffer.from(someText));
        assert.equal(encodeBase64(someBytes), Buffer.from(someBytes).toString('base64'));
      }),
    );
  });

  it('are text exactly where Node reads UTF-8', () => {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const read = (some: Uint8Array): string | undefined => {
      try {
        return decoder.decode(some);
      } catch {
        return undefined;
      }
    };
    const nasty = fc.array(
      fc.constantFrom(
        0,
        0x41,
        0x80,
        0xbf,
        0xc0,
        0xc1,
        0xc3,
        0xe0,
        0xa0,
        0xed,
        0xef,
        0xbb,
        0xf0,
        0x90,
        0xf4,
        0x8f,
        0xf5,
        0xff,
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          bytes,
          nasty.map(each => Uint8Array.from(each)),
        ),
        some => {
          assert.equal(decodeUtf8(some), read(some));
        },
      ),
      { numRuns: runs(2000) },
    );
    const long = Buffer.from('ä'.repeat(100_000));
    assert.equal(decodeUtf8(long), 'ä'.repeat(100_000));
  });

  it('come back as they were', () => {
    fc.assert(
      fc.property(bytes, some =>
        assert.deepEqual(Buffer.from(readBytes(keepBytes(some))), Buffer.from(some)),
      ),
    );
    assert.deepEqual(keepBytes(Buffer.from('ä')), { text: 'ä' });
    assert.deepEqual(keepBytes(Buffer.from([0xff])), { base64: '/w==' });
  });
});
