import type { IncomingMessage } from 'node:http';
import { CHAIN_SCHEME, MESSAGE_SCHEME } from '../../core/catalog/trace-names.ts';
import type { CallOrigin, StoredHeader } from '../../core/events/events.ts';
import type { RecognisedRequest } from '../../protocols/recognise/request.ts';
import type { ExchangeRecord } from '../proxy/recording/exchange-record.ts';
import type { Recorder } from '../proxy/recording/recorder.ts';
import type { ExchangeObserver, ObserveExchange } from '../serving/http-host.ts';

/** Records the requests of callers and the replies to them, each as a call that the agent's calls belong to. */
export function recordCallers(recorder: Recorder, origin: () => string): ObserveExchange {
  return (request, headers) =>
    new RecordedExchange(recorder, openRecord(recorder, request, headers, origin()));
}

function openRecord(
  recorder: Recorder,
  { method = '', url = '/' }: IncomingMessage,
  headers: readonly StoredHeader[],
  origin: string,
): ExchangeRecord {
  return recorder.open({ method, path: url, line: `${method} ${origin}${url}`, headers }, origin);
}

class RecordedExchange implements ExchangeObserver {
  readonly #recorder: Recorder;
  readonly #record: ExchangeRecord;

  constructor(recorder: Recorder, record: ExchangeRecord) {
    this.#recorder = recorder;
    this.#record = record;
  }

  request(body: Uint8Array): CallOrigin | undefined {
    const record = this.#record;
    record.requestBody(body);
    record.requestOver();
    const trace = this.#recorder.traceOf(record);
    return trace === undefined ? undefined : toOrigin(record.tracker.call, trace, record.sign);
  }

  head(line: string, status: number, headers: readonly StoredHeader[]): void {
    this.#record.replyHead(line, status, headers);
  }

  body(bytes: Uint8Array): void {
    this.#record.replyBody(bytes);
  }

  note(text: string): void {
    this.#record.note(text);
  }

  end(how: 'whole' | 'gone'): void {
    if (how === 'whole') this.#record.replyOver();
    else this.#record.fail(GONE);
  }
}

const GONE = {
  status: 'cancelled',
  code: 'CALLER_GONE',
  message: 'The caller closed the connection before the reply was complete',
} as const;

/** The place of a request in its trace, by the names that it carries. */
export function toOrigin(call: string, trace: string, sign: RecognisedRequest | undefined): CallOrigin {
  const { names = [], depth } = sign ?? {};
  const chain = names.find(({ scheme }) => scheme === CHAIN_SCHEME);
  const ofMessage = names.find(({ scheme }) => scheme === MESSAGE_SCHEME)?.trace;
  return { call, trace, depth: chain?.depth ?? depth ?? 0, chain: chain?.trace, ofMessage };
}
