import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Socket } from 'node:net';

/** Milliseconds for which a socket is retained. Many servers close theirs after two seconds: ours is closed before. */
const RETAIN_MS = 1_000;

/** The maximum number of retained sockets; others are closed when their reply has arrived. */
const MAX_RETAINED = 16;

const OPTIONS = { keepAlive: true, timeout: RETAIN_MS, maxFreeSockets: MAX_RETAINED };

/**
 * The sockets of one connection that wait for its next request. A socket is not used again if the agent
 * closes it or sends anything unrequested, which would be taken for the reply to another request.
 */
export class SocketPool {
  readonly #plain = new HttpAgent(OPTIONS);
  // A session that is resumed would not show its certificate.
  readonly #secure = new HttpsAgent({ ...OPTIONS, maxCachedSessions: 0 });
  #isClosed = false;

  constructor() {
    for (const agent of [this.#plain, this.#secure])
      agent.on('free', (socket: Socket) => void socket.on('data', endUnrequested));
  }

  /**
   * Provides a request with a socket; `false` once sockets are no longer retained. Before that, data that has
   * arrived on retained sockets is processed.
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

  /** A retained socket is used for its next request. */
  use(socket: Socket): void {
    socket.off('data', endUnrequested);
  }

  /** Closes all sockets. */
  close(): void {
    this.#isClosed = true;
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

function endUnrequested(this: Socket): void {
  this.destroy();
}
