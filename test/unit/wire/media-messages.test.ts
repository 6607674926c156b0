import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isFromMedia, isShowMedia } from '../../../wire/media-messages.ts';

const shown = { type: 'show', kind: 'image', title: 'a.png', facts: ['image/png'], mediaType: 'image/png' };

describe('messages of the page of pictures', () => {
  it('to the page are known by their shape', () => {
    const right = [
      { ...shown, content: { bytes: new Uint8Array(2) } },
      { ...shown, mediaType: undefined, content: { address: 'https://a.example', mayOpen: true } },
      { ...shown, kind: 'file', content: { problem: 'why' } },
    ];
    const wrong = [
      undefined,
      {},
      shown,
      { ...shown, content: {} },
      { ...shown, content: { bytes: [1] } },
      { ...shown, content: { address: 'https://a.example' } },
      { ...shown, kind: 'script', content: { problem: 'why' } },
      { ...shown, facts: [1], content: { problem: 'why' } },
      { ...shown, mediaType: 1, content: { problem: 'why' } },
    ];
    assert.deepEqual([...right, ...wrong].map(isShowMedia), [
      ...right.map(() => true),
      ...wrong.map(() => false),
    ]);
  });

  it('from the page are known by their shape', () => {
    const right = ['ready', 'save', 'open', 'copy'].map(type => ({ type }));
    const wrong = [undefined, 'save', {}, { type: 'show' }, { type: 1 }];
    assert.deepEqual([...right, ...wrong].map(isFromMedia), [
      ...right.map(() => true),
      ...wrong.map(() => false),
    ]);
  });
});
