import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TraceEvent } from '../../core/events/events.ts';
import { countSpans, importOtlp } from '../../trace/import/otlp-json.ts';
import { redactReported } from '../../core/secrets/redact-event.ts';
import { NO_SECRETS, type Redactor } from '../../core/secrets/redact.ts';
import { pairHeaders } from '../http/exchange.ts';
import { listenLoopback, LOOPBACK, type Listening, findAccessFault } from '../http/local-access.ts';
import { answerRefused, answerTaken, type OtlpAnswer } from './otlp-answer.ts';
import { findEncoding, readBody, readExport, type BodyLimits } from './otlp-body.ts';
import type { OtlpEncoding } from './otlp-messages.ts';

/** The port on which collectors of OTLP over HTTP listen. */
export const OTLP_PORT = 4318;

/** The limit of the OpenTelemetry Collector, and the maximum after decompression. */
const LIMITS: BodyLimits = { packed: 20 * 2 ** 20, unpacked: 64 * 2 ** 20 };

/** The maximum number of programs that are connected at a time. */
const MAX_CONNECTIONS = 64;

/** What a receiver needs from outside. */
export interface Receiving {
  /** Receives the events of the spans. */
  emit(event: TraceEvent): void;
  /** Receives the number of spans so far after each request. */
  received?(spans: number): void;
  /** Replaces the secrets that must not be in any trace, whatever the source. */
  redactor?(): Redactor;
  readonly limits?: BodyLimits;
}

/** A running receiver. */
export interface OtlpReceiver {
  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
}

export type StartedReceiver =
  | { readonly ok: true; readonly receiver: OtlpReceiver }
  | Extract<Listening, { ok: false }>;

/**
 * Starts a receiver of traces by OTLP over HTTP, as JSON and as protocol buffers, on the loopback interface.
 * Each span becomes a call in the trace that it names, marked as reported by telemetry. Logs and metrics are
 * ignored, which their senders are informed of. Port 0 means any free port.
 */
export async function startOtlpReceiver(port: number, receiving: Receiving): Promise<StartedReceiver> {
  const state = { port, spans: 0 };
  const server = createServer((request, response) => {
    void answer(request, receiving, state).then(reply => send(request, response, reply));
  });
  server.maxConnections = MAX_CONNECTIONS;
  const listening = await listenLoopback(server, port);
  if (!listening.ok) return listening;
  state.port = listening.port;
  return {
    ok: true,
    receiver: {
      address: `http://${LOOPBACK}:${listening.port}`,
      port: listening.port,
      close: () =>
        new Promise(resolve => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    },
  };
}

/** The state of a receiver. */
interface State {
  port: number;
  spans: number;
}

const OTHER_SIGNALS: ReadonlyMap<string, string> = new Map([
  ['/v1/logs', 'logs'],
  ['/v1/metrics', 'metrics'],
]);

async function answer(request: IncomingMessage, receiving: Receiving, state: State): Promise<OtlpAnswer> {
  const encoding = findEncoding(request.headers['content-type']) ?? 'json';
  const fault = findFault(request, state.port);
  if (fault) return answerRefused(fault.status, encoding, fault.message);
  const body = await readBody(request, receiving.limits ?? LIMITS);
  if (!body.ok) return answerRefused(body.status, encoding, body.message);
  const other = OTHER_SIGNALS.get(pathOf(request));
  if (other !== undefined)
    return answerTaken(
      encoding,
      0,
      `Parley reads traces only; these ${other} were dropped. Turn their exporter off with OTEL_${other.toUpperCase()}_EXPORTER=none`,
    );
  const read = readExport(body.value, encoding);
  if (!read.ok) return answerRefused(read.status, encoding, read.message);
  return take(read.value, encoding, receiving, state);
}

function take(value: unknown, encoding: OtlpEncoding, receiving: Receiving, state: State): OtlpAnswer {
  const imported = importOtlp([value], 'program');
  if (!imported.ok) return answerRefused(400, encoding, imported.error);
  const redactor = receiving.redactor?.() ?? NO_SECRETS;
  let calls = 0;
  for (const event of imported.events) {
    if (event.type === 'call') calls++;
    receiving.emit(redactReported(event, redactor));
  }
  state.spans += calls;
  receiving.received?.(state.spans);
  const rejected = Math.max(0, countSpans(value) - calls);
  return answerTaken(encoding, rejected, rejected === 0 ? '' : imported.notes.join('; '));
}

/** Why a request is refused. */
function findFault(
  request: IncomingMessage,
  port: number,
): { readonly status: number; readonly message: string } | undefined {
  const refused = findAccessFault(pairHeaders(request.rawHeaders), { port });
  if (refused?.kind === 'host')
    return {
      status: 403,
      message: `This receiver accepts requests for ${LOOPBACK}:${port} and localhost:${port} only`,
    };
  // The receiver serves no pages, so no origin is its own.
  if (refused ?? request.headers.origin !== undefined)
    return { status: 403, message: 'This receiver accepts no requests from web pages' };
  const path = pathOf(request);
  if (path !== '/v1/traces' && !OTHER_SIGNALS.has(path))
    return { status: 404, message: 'Send traces to /v1/traces' };
  if (request.method !== 'POST') return { status: 405, message: 'Send traces with POST' };
  if (!findEncoding(request.headers['content-type']))
    return {
      status: 415,
      message: 'Content-Type should be application/x-protobuf or application/json',
    };
  return undefined;
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function send(request: IncomingMessage, response: ServerResponse, { status, type, body }: OtlpAnswer): void {
  // A request that is refused before its end is not read further.
  const isWhole = request.complete;
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    ...(status === 405 ? { allow: 'POST' } : {}),
    ...(isWhole ? {} : { connection: 'close' }),
  });
  response.end(body, () => {
    if (!isWhole) request.destroy();
  });
}
