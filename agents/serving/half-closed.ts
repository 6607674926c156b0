import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Milliseconds between two interim responses to a caller that has closed its side of the connection, which double up to
 * the longest: a connection that is gone answers one with a reset, which the next one finds.
 */
const FIRST = 50;
const LONGEST = 2_000;

/**
 * Distinguishes callers that have gone from those that have closed their side of a connection after their request and wait for
 * the reply, as `nc -N` does: TCP shows the difference only to a server that writes. Callers of HTTP/1.1 are sent the
 * interim response 100, which each of them skips; where HTTP has none, TCP's own probes find callers that have gone. A
 * caller that closes its side while it receives its reply has gone.
 */
export function watchCaller({ socket, httpVersion }: IncomingMessage, response: ServerResponse): void {
  let timer: NodeJS.Timeout | undefined;
  const probe = (wait: number): void => {
    if (response.headersSent) return;
    // A reply that waits for the one to an earlier request on the connection has no socket yet.
    if (response.socket) response.writeContinue();
    timer = setTimeout(probe, wait, Math.min(2 * wait, LONGEST));
  };
  const onEnd = (): void => {
    if (response.writableEnded) return;
    if (response.headersSent) response.destroy();
    else if (httpVersion === '1.0') socket.setKeepAlive(true, LONGEST);
    else probe(FIRST);
  };
  if (socket.readableEnded) onEnd();
  else socket.once('end', onEnd);
  response.once('close', () => {
    socket.off('end', onEnd);
    clearTimeout(timer);
  });
}
