import { once } from 'node:events';
import { unlink, lstat, mkdir } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { parseJson } from '../../../core/text/json.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { checkTraceHeader } from '../../../trace/file.ts';
import { readTraceEvent } from '../../../trace/guards.ts';
import { now } from '../../runtime.ts';
import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { quote } from '../../../core/text/quote.ts';

/** The maximum number of bytes of a line. Our own recordings split long messages into several events. */
const LONGEST_LINE = 2 ** 25;

/** The maximum number of bytes of a process that may wait to be stored; reading from it pauses at this number. */
const MAX_WAITING = 2 ** 24;

const LINE_END = 0x0a;

/** Receives what other processes record. */
interface LiveReceiver {
  /** Receives each event, complete and in order. */
  readonly emit: (event: TraceEvent) => void;
  /** Resolves when everything emitted so far is stored: no process is read faster than that. */
  readonly settled: () => Promise<void>;
  /** Receives each problem with a process once: a sentence without a full stop. */
  readonly onProblem: (message: string) => void;
}

type Listening =
  | {
      readonly ok: true;
      /** Stops listening. Open calls end as `incomplete`. */
      close(): Promise<void>;
    }
  | { readonly ok: false; readonly message: string };

/**
 * Receives what other processes record, at a local socket and from any number of them: the lines of a trace file as
 * they are written. The first window to listen owns the socket; a socket that an ended program left behind is replaced.
 */
export async function listenLive(path: string, hearer: LiveReceiver): Promise<Listening> {
  const open = new Set<LiveConnection>();
  const reported = new Set<string>();
  const reportOnce = (message: string): void => {
    if (reported.size !== reported.add(message).size) hearer.onProblem(message);
  };
  const server = createServer(socket => {
    const connection = new LiveConnection(socket, { ...hearer, onProblem: reportOnce });
    open.add(connection);
    socket.once('close', () => open.delete(connection));
  });
  const code = (await listen(server, path)) ?? 'LISTENS';
  if (code === 'EADDRINUSE' && !(await isAnswered(path))) {
    // Pipes of Windows end with their program, so only a file can be left behind.
    await unlink(path).catch(() => undefined);
    const again = await listen(server, path);
    if (again !== undefined) return describe(path, again);
  } else if (code !== 'LISTENS') return describe(path, code);
  return {
    ok: true,
    async close() {
      server.close();
      for (const connection of open) connection.stop();
      if (server.listening || open.size > 0) await once(server, 'close');
    },
  };
}

/** Returns the error code if the server cannot listen; undefined if it does. */
async function listen(server: Server, path: string): Promise<string | undefined> {
  try {
    server.listen(path);
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

async function isAnswered(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function describe(path: string, code: string): Listening {
  const message =
    code === 'EADDRINUSE'
      ? 'Another window records it already; stop that recording first'
      : `${quote(path, 200)} cannot be listened to (${code})`;
  return { ok: false, message };
}

/** The connection of one process that records. */
class LiveConnection {
  readonly #socket: Socket;
  readonly #hearer: LiveReceiver;
  readonly #calls = new Set<string>();
  #rest: Buffer[] = [];
  #restLength = 0;
  #hasHeader = false;
  #unsettled = 0;

  constructor(socket: Socket, hearer: LiveReceiver) {
    this.#socket = socket;
    this.#hearer = hearer;
    socket.on('data', (bytes: Buffer) => {
      this.#take(bytes);
      this.#unsettled += bytes.length;
      if (this.#unsettled < MAX_WAITING) return;
      this.#unsettled = 0;
      socket.pause();
      void hearer.settled().finally(() => socket.resume());
    });
    // If the process is killed, the connection may break off.
    socket.on('error', () => undefined);
    socket.once('close', () => this.#endCalls('The recording was interrupted before the call ended'));
  }

  stop(): void {
    this.#endCalls('The recording was stopped before the call ended');
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    let from = 0;
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, from)) {
      this.#rest.push(bytes.subarray(from, end));
      const line = Buffer.concat(this.#rest).toString();
      this.#rest = [];
      this.#restLength = 0;
      from = end + 1;
      if (this.#socket.destroyed) return;
      this.#takeLine(line);
    }
    this.#rest.push(bytes.subarray(from));
    this.#restLength += bytes.length - from;
    if (this.#restLength > LONGEST_LINE) this.#refuse(`A line of it is longer than ${LONGEST_LINE} bytes`);
  }

  #takeLine(line: string): void {
    if (!this.#hasHeader) {
      const fault = checkTraceHeader(line);
      this.#hasHeader = true;
      if (fault !== undefined) this.#refuse(fault);
      return;
    }
    const event = readTraceEvent(parseJson(line));
    if (!event) {
      this.#hearer.onProblem(`What it sent is not an event of this format; it is left out: ${quote(line)}`);
      return;
    }
    if (event.type === 'call') this.#calls.add(event.call);
    else if (event.type === 'end') this.#calls.delete(event.call);
    this.#hearer.emit(event);
  }

  #refuse(why: string): void {
    this.#hearer.onProblem(why);
    this.#socket.destroy();
  }

  #endCalls(message: string): void {
    for (const call of this.#calls)
      this.#hearer.emit({ type: 'end', call, at: now(), status: 'incomplete', message });
    this.#calls.clear();
  }
}

/** The maximum number of bytes of a local socket's address. */
const LONGEST_ADDRESS = 103;

/** The local socket at which a window receives what other processes record, or a sentence why there is none. */
type LivePlace =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly message: string };

/**
 * The address of a local socket for `key`, the same one each time. If sockets are files, it is in a folder
 * that only its user can access, because anyone who can write to the socket can send the window anything.
 */
export async function findLivePlace(key: string): Promise<LivePlace> {
  const name = `parley-${createHash('sha256').update(key).digest('hex').slice(0, 20)}`;
  if (process.platform === 'win32') return { ok: true, path: `\\\\.\\pipe\\${name}` };
  const { uid } = userInfo();
  const folder = join(tmpdir(), `parley-${uid}`);
  const path = join(folder, `${name}.sock`);
  if (Buffer.byteLength(path) > LONGEST_ADDRESS)
    return {
      ok: false,
      message: `${quote(path, 200)} is too long for a socket; set TMPDIR to a shorter folder`,
    };
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await lstat(folder);
    if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return { ok: true, path };
    return { ok: false, message: `${quote(folder, 200)} is open to other users; delete it` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `${quote(folder, 200)} cannot be used (${reason})` };
  }
}
