import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ReadMemory, SharedPages } from '../../../agents/proxy/shared-pages.ts';

describe('memory that is read to', () => {
  /** Reads until the page is full, each time as much as there is room for; answers the pieces. */
  function fill(memory: ReadMemory): readonly Buffer[] {
    const pieces: Buffer[] = [];
    do pieces.push(memory.take(memory.next().fill('a').length));
    while (memory.next().byteOffset !== 0);
    return pieces;
  }

  it('serves again once nobody needs what stands in it', () => {
    const pages = new SharedPages();
    const memory = new ReadMemory(pages);
    const used: ArrayBufferLike[] = [];
    /** Fills a page, and who needs it beside. */
    const next = (user: 'somebody' | 'nobody'): void => {
      const page = pages.find(memory.next().buffer);
      assert.ok(page);
      used.push(page.memory);
      if (user === 'somebody') page.users++;
      fill(memory);
    };
    next('somebody');
    next('somebody');
    next('nobody');
    next('somebody');
    const [first, second] = used.map(each => pages.find(each));
    assert.ok(first && second);
    pages.release(first);
    pages.release(second);
    const spare = pages.spare;
    next('somebody');
    next('somebody');
    next('somebody');
    const names = used.map(each => used.indexOf(each));
    // The page that is being read to was taken before the others were free.
    assert.deepEqual([names, spare], [[0, 1, 2, 2, 4, 1, 0], 2]);
  });

  it('is needed while it is being written, in the order of what was read', () => {
    const pages = new SharedPages();
    const memory = new ReadMemory(pages);
    const first = pages.find(memory.next().buffer);
    memory.take(100);
    memory.writing();
    fill(memory);
    const second = pages.find(memory.next().buffer);
    memory.take(100);
    memory.writing();
    memory.close();
    const users = [[first?.users, second?.users, pages.spare]];
    for (let written = 0; written < 2; written++) {
      memory.written();
      users.push([first?.users, second?.users, pages.spare]);
    }
    assert.deepEqual(users, [
      [1, 1, 0],
      [0, 1, 1],
      [0, 0, 2],
    ]);
  });

  it('has the same room until something was read to it, and then what is behind that', () => {
    const memory = new ReadMemory(new SharedPages());
    const [room, again] = [memory.next(), memory.next()];
    const bytes = memory.take(100);
    const next = memory.next();
    assert.deepEqual(
      [
        again.byteOffset,
        again.length,
        bytes.byteOffset,
        bytes.length,
        next.byteOffset,
        next.buffer === bytes.buffer,
      ],
      [room.byteOffset, room.length, room.byteOffset, 100, room.byteOffset + 100, true],
    );
  });

  it('takes copies of as much as there is room for', () => {
    const pages = new SharedPages();
    const memory = new ReadMemory(pages);
    const bytes = Buffer.from('0123456789'.repeat(100_000));
    const copies: Buffer[] = [];
    for (let from = 0; from < bytes.length;) {
      const copy = memory.copy(bytes.subarray(from));
      const page = pages.find(copy.buffer);
      if (page) page.users++;
      copies.push(copy);
      from += copy.length;
    }
    assert.ok(copies.length > 1);
    assert.ok(Buffer.concat(copies).equals(bytes));
  });
});
