import { countOf } from '../../text/count.ts';
import type { CallNode } from '../tree.ts';
import type { ExportSource } from './source.ts';

/** Reads what was on the wire of calls, and counts those of which nothing is there any more, as where their file is gone. */
export class LostPayloads {
  readonly #find: (call: string) => CallNode | undefined;
  readonly #lost = new Set<string>();
  readonly payload: ExportSource['payload'];

  constructor(payload: ExportSource['payload'], find: (call: string) => CallNode | undefined) {
    this.#find = find;
    this.payload = async call => {
      const events = await payload(call);
      if (events.length === 0 && this.#hasTraffic(call)) this.#lost.add(call);
      return events;
    };
  }

  /** What to say of them; undefined where there are none. */
  get note(): string | undefined {
    if (this.#lost.size === 0) return undefined;
    const calls = countOf(this.#lost.size, 'call');
    return `What ${calls} sent and got is not in the export: the file that held it is gone or cannot be read`;
  }

  #hasTraffic(call: string): boolean {
    const { bytesIn = 0, bytesOut = 0, bytesStderr = 0 } = this.#find(call)?.traffic ?? {};
    return bytesIn + bytesOut + bytesStderr > 0;
  }
}
