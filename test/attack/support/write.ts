import type { Socket } from 'node:net';

/** The head of a reply that the end of the connection ends. */
export function head(type: string, status = '200 OK', more = ''): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\n${more}Connection: close\r\n\r\n`;
}

/** The head of a stream of events. */
export const EVENTS = head('text/event-stream');

/** Writes a piece again and again, no faster than it is read, until a number of bytes is written or the caller has gone. */
export async function flood(socket: Socket, piece: string | Buffer, bytes = Infinity): Promise<void> {
  const block = repeat(piece, Math.min(65_536, bytes));
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += block.length) await write(socket, block);
}

/** Writes a piece every few milliseconds until the caller has gone. */
export async function drip(socket: Socket, piece: string, milliseconds = 20): Promise<void> {
  while (!socket.destroyed) {
    await write(socket, piece);
    await new Promise(resolve => setTimeout(resolve, milliseconds));
  }
}

/** Writes, and waits until the system has taken it or the caller has gone. */
export function write(socket: Socket, bytes: string | Buffer): Promise<void> {
  return new Promise(resolve => {
    if (socket.destroyed) return resolve();
    socket.once('close', resolve);
    socket.write(bytes, () => {
      socket.off('close', resolve);
      resolve();
    });
  });
}

/** A piece as often as it fits into a number of bytes, and at least once. */
export function repeat(piece: string | Buffer, bytes: number): Buffer {
  const one = Buffer.from(piece);
  return Buffer.concat(Array.from({ length: Math.max(1, Math.floor(bytes / one.length)) }, () => one));
}
