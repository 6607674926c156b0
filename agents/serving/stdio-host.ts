import { setTimeout as sleep } from 'node:timers/promises';
import type { CallOrigin } from '../../core/events/events.ts';
import { LineSplitter } from '../../core/text/line-splitter.ts';
import type {
  CallerReply,
  CallerRequest,
  LineCaller,
  ProtocolServer,
} from '../../protocols/serving/serving.ts';

/** Observes the messages between a caller and what serves it. */
export interface LinesObserver {
  /** A message of the caller, with its line end. Returns its place in the trace. */
  received(line: string): ObservedLine;
  /** A message to the caller, with its line end. */
  sent(line: string): void;
}

/** A message of a caller in its trace. */
export interface ObservedLine {
  readonly origin: CallOrigin | undefined;
  note(text: string): void;
}

export interface StdioHostOptions {
  /** What the caller sends. It throws when the caller has gone. */
  readonly input: AsyncIterable<Uint8Array>;
  readonly write: (text: string) => void;
  /** Resolves once the caller has taken what was written. */
  readonly drained: () => Promise<void>;
  /** Ends the open requests. */
  readonly signal: AbortSignal;
  /** Receives why a message is not answered, as a sentence. */
  readonly warn: (text: string) => void;
  /** The maximum number of characters of a message. */
  readonly longest: number;
  readonly observer: LinesObserver;
}

/** Milliseconds that open requests have after the end of the input. Clients wait two seconds for a process to end. */
const UNTIL_END = 1_500;

/**
 * Serves one caller over an input and an output, until the input ends: each line is a message, or the whole input is one
 * request where the protocol has no lines.
 */
export async function serveStdio(server: ProtocolServer, options: StdioHostOptions): Promise<void> {
  const ended = new AbortController();
  const gone = AbortSignal.any([ended.signal, options.signal]);
  const open = new Set<Promise<void>>();
  const take = openTaking(server, options, gone);
  try {
    for await (const line of server.openLines ? listLines(options) : readWhole(options)) {
      const taken = untilAborted(gone, signal => take(line, signal)).finally(() => open.delete(taken));
      open.add(taken);
      await options.drained();
    }
    const stop = new AbortController();
    const waited = sleep(UNTIL_END, undefined, { signal: AbortSignal.any([gone, stop.signal]) });
    await Promise.race([Promise.all(open), waited.catch(() => undefined)]);
    stop.abort();
  } catch (error) {
    if (!options.signal.aborted) options.warn(`The input cannot be read: ${String(error)}`);
  } finally {
    ended.abort();
    await Promise.all(open);
  }
}

/** Runs a task with a signal of its own, so that what the task adds to the signal is released at its end. */
async function untilAborted(signal: AbortSignal, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  try {
    await run(stop.signal);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Returns the function that answers a message; its signal is aborted when the caller has gone. */
function openTaking(
  server: ProtocolServer,
  { write, observer, drained }: StdioHostOptions,
  gone: AbortSignal,
): (text: string, signal: AbortSignal) => Promise<void> {
  const send = (text: string): void => {
    if (gone.aborted) return;
    observer.sent(text);
    write(text);
  };
  const lines = server.openLines?.(line => send(`${line}\n`));
  return async (text, signal) => {
    const observed = observer.received(`${text}\n`);
    const body = text.endsWith('\r') ? text.slice(0, -1) : text;
    const request: CallerRequest = {
      method: '',
      path: server.path,
      header: () => undefined,
      body,
      gone: signal,
      origin: observed.origin,
    };
    const caller: LineCaller = { drained, note: noted => observed.note(noted) };
    if (lines) await lines.take(body, request, caller);
    else await server.answer(request, replyTo(send, caller));
  };
}

/** Writes the reply to the only request of a process, without what only HTTP has. */
function replyTo(send: (text: string) => void, caller: LineCaller): CallerReply {
  return {
    ...caller,
    send: (_status, _contentType, body) => send(body.endsWith('\n') ? body : `${body}\n`),
    write: (_contentType, piece) => send(piece),
    end: () => undefined,
  };
}

async function* listLines({ input, longest, warn }: StdioHostOptions): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let lines = new LineSplitter('data');
  let length = 0;
  /** True while the rest of a line that is too long is skipped. */
  let isSkipping = false;
  for await (const chunk of input) {
    const text = decoder.decode(chunk, { stream: true });
    for (const line of lines.push(text)) {
      if (!isSkipping) yield line.text;
      isSkipping = false;
    }
    const end = text.lastIndexOf('\n');
    length = end < 0 ? length + text.length : text.length - end - 1;
    if (length <= longest || isSkipping) continue;
    warn(`A message has more than ${longest} characters and was skipped`);
    lines = new LineSplitter('data');
    isSkipping = true;
    yield TOO_LONG;
  }
  const last = lines.end().text + decoder.decode();
  if (last !== '' && !isSkipping) yield last;
}

/** Replaces a message that is too long: it is answered as one that cannot be read. */
const TOO_LONG = '(a message that is too long)';

async function* readWhole({ input, longest, warn }: StdioHostOptions): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let length = 0;
  for await (const chunk of input) {
    const piece = decoder.decode(chunk, { stream: true });
    length += piece.length;
    if (length <= longest) pieces.push(piece);
  }
  if (length > longest) warn(`The input has more than ${longest} characters and was not read`);
  yield length > longest ? TOO_LONG : pieces.join('') + decoder.decode();
}
