import { once } from 'node:events';
import { unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import { checkTraceHeader } from '../../trace/file.ts';
import { readTraceEvent } from '../../trace/guards.ts';
import { now } from '../runtime.ts';

/** A line that is longer, in bytes, comes from no recording of ours: those tell long messages in several events. */
const LONGEST_LINE = 2 ** 25;

/** So many bytes of a process may wait to be kept; then it is not heard until they are. */
const MOST_WAITING = 2 ** 24;

const LINE_END = 0x0a;

/** Who hears what other processes record. */
interface LiveHearer {
  /** Takes each event, whole and in order. */
  readonly emit: (event: TraceEvent) => void;
  /** Resolves once all that was told until now is kept: no process is heard faster than that. */
  readonly settled: () => Promise<void>;
  /** Hears once why a process is not heard: a sentence without a full stop. */
  readonly onProblem: (message: string) => void;
}

type Listening =
  | {
      readonly ok: true;
      /** Hears nothing more. Calls that are open end as `incomplete`. */
      close(): Promise<void>;
    }
  | { readonly ok: false; readonly message: string };

/**
 * Hears at a local socket what processes record that others start, any number of them: the lines of a trace file, each as it
 * is written. Who listens first has the socket; what is left of a program that is gone makes way.
 */
export async function listenLive(path: string, hearer: LiveHearer): Promise<Listening> {
  const open = new Set<LiveConnection>();
  const told = new Set<string>();
  const tellOnce = (message: string): void => {
    if (told.size !== told.add(message).size) hearer.onProblem(message);
  };
  const server = createServer(socket => {
    const connection = new LiveConnection(socket, { ...hearer, onProblem: tellOnce });
    open.add(connection);
    socket.once('close', () => open.delete(connection));
  });
  const code = (await listen(server, path)) ?? 'LISTENS';
  if (code === 'EADDRINUSE' && !(await isAnswered(path))) {
    // Pipes of Windows go with their program: only a file is left over.
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

/** Answers why it does not listen; undefined where it does. */
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

/** One process that records. */
class LiveConnection {
  readonly #socket: Socket;
  readonly #hearer: LiveHearer;
  readonly #calls = new Set<string>();
  #rest: Buffer[] = [];
  #restLength = 0;
  #hasHeader = false;
  #unsettled = 0;

  constructor(socket: Socket, hearer: LiveHearer) {
    this.#socket = socket;
    this.#hearer = hearer;
    socket.on('data', (bytes: Buffer) => {
      this.#take(bytes);
      this.#unsettled += bytes.length;
      if (this.#unsettled < MOST_WAITING) return;
      this.#unsettled = 0;
      socket.pause();
      void hearer.settled().finally(() => socket.resume());
    });
    // A process that was killed may break off the connection.
    socket.on('error', () => undefined);
    socket.once('close', () => this.#endCalls('The recording broke off before the call ended'));
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
      this.#hearer.onProblem(`What it told is not an event of this format; it is left out: ${quote(line)}`);
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
