import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type Medium,
  plainBase64,
  readMediaBytes,
  readPictureHead,
  describeMedium,
  fileNameOf,
} from '../../../language/media/media.ts';

/** Pictures of 3 by 2 pixels, as their heads say. */
const PICTURES = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAC0lEQVR42mNgwAQAABQAAUlOYCgAAAAASUVORK5CYII=',
  gif: 'R0lGODlhAwACAIAAAP///wAAACH5BAAAAAAALAAAAAADAAIAAAIChF8AOw==',
  lossy: 'UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoDAAIAAUAmJaQAA3AA/v02aAA=',
  lossless: 'UklGRhoAAABXRUJQVlA4TA0AAAAvAkAAAAcQEf0PRET/Aw==',
};

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'));

/** A JPEG's first segments: what a camera says, tables, then the frame of 640 by 480 pixels. */
const JPEG = Uint8Array.from([
  ...[0xff, 0xd8, 0xff, 0xe1, 0x00, 0x06, 1, 2, 3, 4, 0xff, 0xff, 0xc4, 0x00, 0x03, 0],
  ...[0xff, 0xc2, 0x00, 0x11, 8, 0x01, 0xe0, 0x02, 0x80, 3],
]);

describe('bytes of media', () => {
  it('are read from Base64 as it is written anywhere', () => {
    const bytes = Uint8Array.from([0xfb, 0xff, 0xfe, 0x01]);
    const right = ['+//+AQ==', '-__-AQ', '+\\/\\/+AQ==', '+//+\n  AQ==', '+//+\\r\\nAQ', '+\\\\/\\\\/+AQ'];
    assert.deepEqual(
      right.map(text => readMediaBytes(text)),
      right.map(() => ({ kind: 'ok', bytes })),
    );
    assert.deepEqual(
      right.map(plainBase64),
      right.map(() => '+//+AQ=='),
    );
  });

  it('are none where the Base64 is broken', () => {
    const problem = 'The text is not valid Base64. Ask the agent for it again';
    for (const text of ['A', 'AAAAA', 'a=bc', '<script>', 'AAAA…', '$'.repeat(4)])
      assert.deepEqual(readMediaBytes(text), { kind: 'fault', problem }, text);
  });
});

describe('heads of pictures', () => {
  it('say how large they are', () => {
    const size = (media: string, width = 3, height = 2): unknown => ({
      mediaType: `image/${media}`,
      width,
      height,
    });
    assert.deepEqual([...Object.values(PICTURES).map(bytesOf), JPEG].map(readPictureHead), [
      size('png'),
      size('gif'),
      size('webp'),
      size('webp'),
      size('jpeg', 640, 480),
    ]);
  });

  it('say nothing where they are cut or of something else, at any length', () => {
    for (const whole of [...Object.values(PICTURES).map(bytesOf), JPEG])
      for (let length = 0; length < 10; length++)
        assert.equal(readPictureHead(whole.subarray(0, length)), undefined);
    const loops = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 0, 0, 0, 0]);
    for (const bytes of [loops, new Uint8Array(64), new Uint8Array(64).fill(255)])
      assert.equal(readPictureHead(bytes), undefined);
  });
});

describe('what is said of media', () => {
  const medium = (more: Partial<Medium>): Medium => ({
    span: { start: 0, end: 1 },
    kind: 'image',
    mediaType: 'image/png',
    name: undefined,
    content: { base64: PICTURES.png },
    ...more,
  });
  const say = (more: Partial<Medium>): readonly string[] => {
    const shown = medium(more);
    const { content } = shown;
    return describeMedium(shown, 'base64' in content ? readMediaBytes(content.base64) : undefined);
  };

  it('is what it is, its pixels and bytes', () => {
    assert.deepEqual(
      [
        say({}),
        say({ mediaType: 'image/jpeg' }),
        say({ kind: 'audio', mediaType: undefined, content: { base64: 'AAAA' } }),
        say({ content: { base64: 'A' } }),
        say({ content: { address: 'https://a.example' } }),
      ],
      [
        ['image/png', '3×2 pixels', '68 bytes'],
        ['image/jpeg', '3×2 pixels', '68 bytes', 'Its bytes are image/png'],
        ['audio of an undeclared type', '3 bytes'],
        ['image/png', 'The text is not valid Base64. Ask the agent for it again'],
        ['image/png', 'It is not in the message, which has only its address'],
      ],
    );
  });

  it('is a name to save it under, in the folder that the user says', () => {
    const names = [
      undefined,
      'sky',
      'a/b\\c.png',
      '../../.ssh/id',
      '...',
      'a:b?.txt',
      'Bild der Straße.jpeg',
    ];
    assert.deepEqual(
      names.map(name => fileNameOf(medium({ name }))),
      ['image.png', 'sky.png', 'c.png', 'id.png', 'image.png', 'a-b-.txt', 'Bild der Straße.jpeg'],
    );
    assert.equal(fileNameOf(medium({ kind: 'file', mediaType: undefined })), 'file.bin');
  });
});
