import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WireReader } from '../../../../client/webviews/timeline/details/wire-text.ts';
import { keepBytes } from '../../../../agents/stored-bytes.ts';
import type { WireEvent } from '../../../../core/events/events.ts';
import { printHex } from '../../../../core/events/bytes.ts';

function wire(bytes: Uint8Array, at = 0): WireEvent {
  return { type: 'wire', call: 'c', at, direction: 'in', bytes: keepBytes(bytes) };
}

describe('wire text', () => {
  const reader = new WireReader();

  it('joins a character that two chunks share', () => {
    const bytes = new TextEncoder().encode('a€b');
    const pieces = [wire(bytes.subarray(0, 2)), wire(bytes.subarray(2))];
    assert.deepEqual(reader.read(pieces), { kind: 'text', text: 'a€b', bytes: 5, hidden: 0 });
  });

  it('shows what compressed bytes say, and the bytes as they came with how many they were', () => {
    const [one, other] = [Uint8Array.from([0x1f, 0x8b]), Uint8Array.from([0x08])];
    const pieces: readonly WireEvent[] = [
      { ...wire(one), unpacked: { text: '' } },
      { ...wire(other), unpacked: { text: 'OK|1' } },
      {
        ...wire(other),
        bytes: { text: '[redacted]' },
        redacted: [{ at: 0, length: 70 }],
        unpacked: { text: '\n' },
      },
    ];
    assert.deepEqual(reader.read(pieces), { kind: 'text', text: 'OK|1\n', bytes: 5, hidden: 0 });
    assert.deepEqual(reader.readPacked(pieces.slice(0, 2)), {
      kind: 'hex',
      text: '00000000  1f 8b 08                                         ...',
      bytes: 3,
    });
    assert.equal(reader.readPacked(pieces)?.bytes, 73);
    assert.equal(reader.readPacked([wire(one)]), undefined);
  });

  it('waits for the rest of a character that is cut', () => {
    const bytes = new TextEncoder().encode('a€');
    assert.deepEqual(
      [1, 2, 3, 4].map(length => reader.read([wire(bytes.subarray(0, length))])),
      [
        { kind: 'text', text: 'a', bytes: 1, hidden: 0 },
        { kind: 'text', text: 'a', bytes: 2, hidden: 1 },
        { kind: 'text', text: 'a', bytes: 3, hidden: 2 },
        { kind: 'text', text: 'a€', bytes: 4, hidden: 0 },
      ],
    );
  });

  it('dumps what is not UTF-8', () => {
    const bytes = Uint8Array.from([0x4f, 0x4b, 0x7c, 0xff, 0x00]);
    assert.deepEqual(reader.read([wire(bytes)]), {
      kind: 'hex',
      text: '00000000  4f 4b 7c ff 00                                   OK|..',
      bytes: 5,
      hidden: 0,
    });
  });

  it('shows the beginning of what is long, and says how much is hidden', () => {
    const text = reader.read([wire(new Uint8Array(300_000).fill(0x61))]);
    const hex = reader.read([wire(new Uint8Array(300_000).fill(0xff))]);
    assert.deepEqual(
      [
        text.kind,
        text.text.length,
        text.bytes,
        text.hidden,
        hex.kind,
        hex.text.split('\n').length,
        hex.hidden,
      ],
      ['text', 262_144, 300_000, 37_856, 'hex', 1024, 283_616],
    );
  });

  it('dumps sixteen bytes a line', () => {
    const bytes = Uint8Array.from({ length: 17 }, (_, at) => at + 0x30);
    assert.equal(
      printHex(bytes),
      '00000000  30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f  0123456789:;<=>?\n' +
        `00000010  40${' '.repeat(45)}  @`,
    );
  });
});
