import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ServerWorker } from '../../../client/src/language-client/server-worker.ts';

const REAL_URL = globalThis.URL;

describe('worker of the server', () => {
  const running = new Set<string>();
  const addresses = new Set<string>();

  /** Takes the place of a browser's workers, which Node has not. */
  class CountedWorker {
    readonly #url: string;

    constructor(url: string) {
      this.#url = url;
      running.add(url);
    }

    terminate(): void {
      running.delete(this.#url);
    }
  }

  /** The addresses in memory, counted. */
  class CountedUrl extends REAL_URL {
    static override createObjectURL(this: void, blob: Blob): string {
      const url = REAL_URL.createObjectURL(blob);
      addresses.add(url);
      return url;
    }

    static override revokeObjectURL(this: void, url: string): void {
      addresses.delete(url);
      REAL_URL.revokeObjectURL(url);
    }
  }

  beforeEach(() => {
    Object.assign(globalThis, { Worker: CountedWorker, URL: CountedUrl });
  });

  afterEach(() => {
    Object.assign(globalThis, { URL: REAL_URL });
    Reflect.deleteProperty(globalThis, 'Worker');
  });

  it('is one, however often it starts, and none at the end', () => {
    const worker = new ServerWorker();
    const counts: number[][] = [];
    for (let start = 0; start < 3; start++) {
      worker.start(new Uint8Array([0x3b]));
      counts.push([running.size, addresses.size]);
    }
    worker.end();
    worker.end();
    counts.push([running.size, addresses.size]);
    assert.deepEqual(counts, [
      [1, 1],
      [1, 1],
      [1, 1],
      [0, 0],
    ]);
  });
});
