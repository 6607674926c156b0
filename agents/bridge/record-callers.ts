import type { IncomingMessage } from 'node:http';
import { CHAIN_SCHEME, MESSAGE_SCHEME } from '../../core/catalog/trace-names.ts';
import type { CallOrigin, StoredHeader } from '../../core/events/events.ts';
import type { RecognisedRequest } from '../../protocols/recognise/request.ts';
import type { ExchangeRecord } from '../proxy/recording/exchange-record.ts';
import type { Recorder } from '../proxy/recording/recorder.ts';
import type { ExchangeObserver, ObserveExchange } from '../serving/http-host.ts';

/**
 * Records the requests of callers and the replies to them, each as a call that the agent's calls belong to. Where nobody
 * receives the calls, only the requests are read, for the names of their traces.
 */
export function recordCallers(
  recorder: Recorder,
  origin: () => string,
  what: 'exchanges' | 'requests',
): ObserveExchange {
  const observe = what === 'exchanges' ? recordExchange : readRequest;
  return (request, headers) => observe(recorder, openRecord(recorder, request, headers, origin()));
}

function openRecord(
  recorder: Recorder,
  { method = '', url = '/' }: IncomingMessage,
  headers: readonly StoredHeader[],
  origin: string,
): ExchangeRecord {
  return recorder.open({ method, path: url, line: `${method} ${origin}${url}`, headers }, origin);
}

/** Reads a request for the names of its trace. */
function readRequest(recorder: Recorder, record: ExchangeRecord): ExchangeObserver {
  return {
    request(body) {
      record.requestBody(body);
      record.requestOver();
      const trace = recorder.traceOf(record);
      return trace === undefined ? undefined : toOrigin(record.tracker.call, trace, record.sign);
    },
    end: () => record.fail(GONE),
  };
}

function recordExchange(recorder: Recorder, record: ExchangeRecord): ExchangeObserver {
  // Nothing is recorded with a call after its end.
  let isOver = false;
  const unlessOver = (act: () => void): void => {
    if (!isOver) act();
  };
  return {
    ...readRequest(recorder, record),
    head: (line, status, headers) => unlessOver(() => record.replyHead(line, status, headers)),
    body: bytes => unlessOver(() => record.replyBody(bytes)),
    note: text => unlessOver(() => record.note(text)),
    end(how) {
      isOver = true;
      if (how === 'whole') record.replyOver();
      else record.fail(GONE);
    },
  };
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
