import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TracePart } from '../../../protocols/reply-parts/part.ts';
import { PartsReceiver, PartsSender, type SentPart } from '../../../wire/reply-growth.ts';

function part(id: string, text: string, more: Partial<TracePart> = {}): TracePart {
  const about = {
    kind: 'message',
    title: '',
    status: 'open',
    at: 1,
    until: 2,
    pieces: 1,
    ticks: [],
  } as const;
  return { ...about, id, text, notes: [], children: [], ...more };
}

/** The number of characters that are sent. */
function sizeOf(sent: readonly SentPart[]): number {
  return sent.reduce(
    (sum, { text = '', medium, children }) =>
      sum + text.length + (medium?.base64?.length ?? 0) + sizeOf(children),
    0,
  );
}

describe('a growing reply', () => {
  it('arrives as it is, and each text and medium is sent once', () => {
    const [sender, receiver] = [new PartsSender(), new PartsReceiver()];
    const medium = { kind: 'image', mediaType: 'image/png', base64: 'iVBOR'.repeat(100) } as const;
    const states: readonly (readonly TracePart[])[] = [
      [part('a', 'One')],
      [
        part('a', 'One two'),
        part('b', '', { children: [part('b/0', 'Inner'), part('b/1', '', { medium })] }),
      ],
      [
        part('a', 'One two three'),
        part('b', '', { children: [part('b/0', 'Inner'), part('b/1', '', { medium })] }),
      ],
      // The last version counts, if it is another one.
      [part('a', 'Four'), part('b', '', { children: [part('b/1', '', { medium })] })],
    ];
    const sizes = states.map(parts => {
      const sent = sender.send({ parts });
      assert.deepEqual(receiver.take(sent), parts);
      return sizeOf(sent);
    });
    assert.deepEqual(sizes, [3, 4 + 5 + 500, 6, 4]);
  });
});
