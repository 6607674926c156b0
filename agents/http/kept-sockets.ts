import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Socket } from 'node:net';

/** Milliseconds for which a socket is kept. Many servers close theirs after two seconds: ours is the first to go. */
const KEPT_FOR = 1_000;

/** More are closed when their reply has come. */
const MOST_KEPT = 16;

const OPTIONS = { keepAlive: true, timeout: KEPT_FOR, maxFreeSockets: MOST_KEPT };

/**
 * The sockets of one connection that wait for its next request. One whose agent says anything unasked, or closes it, is not
 * used again: what came would be taken for the answer to another request.
 */
export class KeptSockets {
  readonly #plain = new HttpAgent(OPTIONS);
  // A session that is taken up again would not show its certificate.
  readonly #secure = new HttpsAgent({ ...OPTIONS, maxCachedSessions: 0 });
  #isClosed = false;

  constructor() {
    for (const agent of [this.#plain, this.#secure])
      agent.on('free', (socket: Socket) => void socket.on('data', endUnasked));
  }

  /**
   * What gives a request to an address its socket; `false` where none is kept any more. Before, what the agents of kept
   * ones have said since is heard.
   */
  async find(url: URL): Promise<HttpAgent | false> {
    const agent = url.protocol === 'https:' ? this.#secure : this.#plain;
    if (Object.keys(agent.freeSockets).length > 0) {
      // Sockets are read between two such turns.
      await nextTurn();
      await nextTurn();
    }
    return this.#isClosed ? false : agent;
  }

  /** A socket that was kept has its next request. */
  use(socket: Socket): void {
    socket.off('data', endUnasked);
  }

  /** Closes all. */
  close(): void {
    this.#isClosed = true;
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

function endUnasked(this: Socket): void {
  this.destroy();
}
