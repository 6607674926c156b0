import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { startHttpProxy, type HttpProxy, type ProxyAccess } from '../../../agents/proxy/http/http-proxy.ts';
import { MessageSplitter } from '../../../agents/proxy/stdio/message-splitter.ts';
import { StdioCalls } from '../../../agents/proxy/stdio/stdio-calls.ts';
import type { ProxyTarget } from '../../../agents/proxy/http/proxy-target.ts';
import { Recorder, type Recording } from '../../../agents/proxy/recording/recorder.ts';
import { RecorderThread } from '../../../agents/proxy/thread/recorder-thread.ts';
import { RANDOM_IDS, now } from '../../../agents/runtime.ts';
import { decodeUtf8, readBytes } from '../../../core/events/bytes.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';

/** A trace that recordings write together. */
export class Tape {
  readonly events: TraceEvent[] = [];

  take(event: TraceEvent): void {
    this.events.push(event);
  }

  trees(): readonly TraceTree[] {
    const fold = new TraceFold();
    for (const event of this.events) fold.add(event);
    return fold.trees();
  }

  calls(): readonly CallNode[] {
    const listed: CallNode[] = [];
    const list = (node: CallNode): void => {
      listed.push(node);
      node.children.forEach(list);
    };
    for (const tree of this.trees()) tree.roots.forEach(list);
    return listed;
  }
}

/** Records a conversation with a process: what the caller wrote (`>`) and the process (`<`), each a line. */
export function observe(...lines: readonly `${'>' | '<'}${string}`[]): Tape {
  const tape = new Tape();
  const recording = {
    protocols: ALL_PROTOCOLS,
    agent: 'coder',
    emit: tape.take.bind(tape),
    now,
    ids: RANDOM_IDS,
    redactor: new Redactor([]),
  };
  const calls = new StdioCalls(recording, { line: 'coder', cwd: '/', pid: 1 });
  const [sent, came] = [new MessageSplitter(), new MessageSplitter()];
  for (const line of lines) {
    const bytes = `${line.slice(1)}\n`;
    if (line.startsWith('>')) sent.push(bytes).forEach(piece => calls.sent(piece));
    else came.push(bytes).forEach(piece => calls.came(piece));
  }
  calls.end({ status: 'error', code: 'EXIT 0', message: 'It ended' });
  return tape;
}

const running = new Set<HttpProxy>();
let thread: Promise<RecorderThread> | undefined;

async function startThread(): Promise<RecorderThread> {
  const started = await RecorderThread.start({ to: 'starter' }, now);
  if (!started.ok) throw new Error(started.message);
  return started.thread;
}

/** Starts a recording on a free port, in the thread of all recordings but for guarded ones. `closeProxies` ends it. */
export async function record(
  url: string,
  tape: Tape,
  more: Partial<Pick<Recording, 'agent' | 'protocol' | 'guard'>> &
    Pick<ProxyTarget, 'rewritesCards'> & {
      readonly tls?: NonNullable<ProxyTarget['tls']>;
      readonly access?: ProxyAccess;
    } = {},
): Promise<HttpProxy> {
  const { tls = {}, rewritesCards = false, agent = 'agent', protocol, guard, access = {} } = more;
  const emit = (event: TraceEvent): void => tape.take(event);
  const recorder = guard
    ? new Recorder({
        protocols: ALL_PROTOCOLS,
        agent,
        protocol,
        emit,
        now,
        ids: RANDOM_IDS,
        redactor: new Redactor([]),
        guard,
      })
    : (await (thread ??= startThread())).open({ agent, protocol, secrets: [], secretHeaders: [] }, emit);
  const started = await startHttpProxy({ url: new URL(url), tls, rewritesCards }, 0, recorder, access);
  if (!started.ok) throw new Error(started.message);
  running.add(started.proxy);
  return started.proxy;
}

export async function closeProxies(): Promise<void> {
  for (const proxy of running) await proxy.close();
  running.clear();
}

const serving = new Set<Server>();

/** An agent over HTTP on a free port; answers its origin. `closeServers` ends it. */
export async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  serving.add(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function closeServers(): Promise<void> {
  for (const server of serving) {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  }
  serving.clear();
}

/** What a caller sees of a connection: all bytes, and how it ended. */
export interface Seen {
  readonly bytes: string;
  readonly end: 'ended' | 'reset' | 'open';
}

/** A connection hangs that brings nothing for so many turns of the event loop, each of so many milliseconds at least. */
const TURNS = 100;
const TURN = 10;

/** Hears whether something goes on. */
export interface Silence {
  /** Something came. */
  broken(): void;
  /** Nobody waits any more. */
  stop(): void;
}

/**
 * Calls once nothing comes any more. Turns are counted, and time is not: all ends of a connection are in this process, so what
 * is on its way comes within a few of them, however slow the machine is.
 */
export function onSilence(act: () => void, turns = TURNS): Silence {
  let left = turns;
  let timer: NodeJS.Timeout;
  const turn = (): void => {
    if (left-- === 0) act();
    else timer = setTimeout(turn, TURN);
  };
  turn();
  return { broken: () => (left = turns), stop: () => clearTimeout(timer) };
}

/** What is sent in one piece, or once something has come. */
export type Piece = string | { readonly after: string; readonly text: string };

/** Sends bytes, by pieces, and hears all that comes until the other side is done, or hangs for so many turns. */
export function converse(
  port: number,
  pieces: readonly Piece[],
  leave: 'half' | 'never' = 'never',
  turns = TURNS,
): Promise<Seen> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let bytes = '';
    let isOver = false;
    const done = (end: Seen['end']): void => {
      isOver = true;
      silence.stop();
      socket.destroy();
      resolve({ bytes, end });
    };
    const silence = onSilence(() => done('open'), turns);
    socket.on('data', piece => {
      bytes += piece.toString('latin1');
      silence.broken();
    });
    socket.on('end', () => done('ended'));
    socket.on('error', () => done('reset'));
    void (async () => {
      const turn = (): Promise<void> => new Promise(next => setTimeout(next, 20));
      for (const piece of pieces) {
        const { after, text } = typeof piece === 'string' ? { after: '', text: piece } : piece;
        while (!bytes.includes(after) && !isOver) await turn();
        socket.write(text, 'latin1');
        silence.broken();
        await turn();
      }
      if (leave === 'half') socket.end();
    })();
  });
}

/** What went over the wire of a call in one direction, as text. */
export function wireOf(node: CallNode, direction: 'out' | 'in' | 'stderr'): string {
  const pieces = node.wire
    .filter(event => event.direction === direction)
    .map(event => readBytes(event.bytes));
  const bytes = Buffer.concat(pieces);
  return decodeUtf8(bytes) ?? bytes.toString('latin1');
}

/** A call in one line: what it is and what came of it. */
export function lineOf({ call, status, code }: CallNode): string {
  return [call.protocol, call.title, status, ...(code === undefined ? [] : [code])].join(' · ');
}
