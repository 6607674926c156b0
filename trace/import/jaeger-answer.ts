import { splitDocuments } from './json-documents.ts';
import { asList, readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import { isOtlp } from './otlp-json.ts';

/** Jaeger's reply at `/api/v3/traces/ID`. */
interface JaegerAnswer {
  /** Spans in OTLP's JSON. */
  readonly exports: readonly unknown[];
  /** Its messages, and notes on unreadable parts, as sentences. */
  readonly notes: readonly string[];
}

/**
 * Reads a reply of Jaeger's query API 3: `{"result": {"resourceSpans": …}}`, a single one, a list, or several
 * in sequence, as gateways stream them, with or without line breaks. A part may be `{"error": {"message":
 * …}}` (jaeger-idl, `api_v3.GRPCGatewayError`).
 */
export function readJaegerAnswer(text: string): JaegerAnswer {
  const whole = parseJson(text);
  const values = whole === undefined ? [...splitDocuments(text)].map(parseJson) : [whole].flat();
  const exports = values.map(unwrapResult).filter(isOtlp);
  const cut = values.filter(value => value === undefined).length;
  return {
    exports,
    notes: [
      ...values.flatMap(readError).map(describeJaeger),
      ...(cut > 0 && exports.length > 0
        ? ["A part of Jaeger's response is incomplete; the trace may lack spans"]
        : []),
    ],
  };
}

/** The `result` of a reply of the query API 3; any other value unchanged. */
export function unwrapResult(value: unknown): unknown {
  return readFields(value)?.get('result') ?? value;
}

/** A message of Jaeger as a note. */
export function describeJaeger(message: string): string {
  return `Jaeger says: ${message}`;
}

/** The messages in `errors` of a reply at `/api/traces/ID`: `[{"code": 404, "msg": "trace not found"}]`. */
export function readJaegerErrors(
  value: unknown,
): readonly { readonly code: unknown; readonly message: string }[] {
  return asList(readFields(value)?.get('errors')).map(error => {
    const fields = readFields(error);
    const message = fields?.get('msg') ?? error;
    return { code: fields?.get('code'), message: typeof message === 'string' ? message : show(message) };
  });
}

function readError(value: unknown): readonly string[] {
  const error = readFields(value)?.get('error');
  if (error === undefined || error === null) return [];
  const message = readFields(error)?.get('message') ?? error;
  return [typeof message === 'string' ? message : show(message)];
}

function show(value: unknown): string {
  return quote(JSON.stringify(value) ?? '', 200);
}
