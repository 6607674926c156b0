import type { Protocols } from '../../protocols/protocol.ts';
import { isSse } from '../../core/text/event-stream.ts';
import { sliceJsonSteps, sliceMember } from '../json-slices.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import { checkTraceHeader, traceFileSteps } from '../file.ts';
import { aioSteps, isGraph } from './aio.ts';
import { findHarEntries, harSteps } from './har.ts';
import type { ImportedTrace } from './imported.ts';
import { importJaeger, isJaeger } from './jaeger.ts';
import { unwrapResult } from './jaeger-answer.ts';
import { isOtlp, otlpSteps } from './otlp-json.ts';
import { importEventLines, importSse, isResponseEvent } from './recorded-reply.ts';

/**
 * Reads a text with traces: our trace file, AIO's graphs, OTLP's JSON (both also as lines), HAR, Jaeger's
 * JSON, or a recorded reply as server-sent events or as lines of JSON, recognised by its form. Never throws; unreadable parts are
 * noted. Linear in the text.
 */
export function importTrace(text: string, protocols: Protocols): ImportedTrace {
  return runAtOnce(importSteps(text, protocols));
}

/** The same in slices; parsing a text that is a single JSON value is one slice. */
export function* importSteps(text: string, protocols: Protocols): Generator<undefined, ImportedTrace> {
  const body = text.startsWith('\u{feff}') ? text.slice(1) : text;
  const firstLine = body.split('\n', 1)[0] ?? '';
  if (checkTraceHeader(firstLine) === undefined) return yield* ownSteps(body);
  if (isSse(body)) return importSse(body, protocols);
  const written = (yield* valueSteps(body)).map(unwrap);
  const values = written.map(({ value }) => value);
  const entries = findHarEntries(values[0]);
  if (entries) return yield* harSteps(entries, protocols);
  if (isJaeger(values[0])) return importJaeger(values[0]);
  const exports = values.filter(isOtlp);
  if (exports.length > 0) return noteLeftOut(yield* otlpSteps(exports), values.length - exports.length);
  const graphs = written.filter(({ value }) => isGraph(value)).map(({ text }) => text);
  if (graphs.length > 0) return noteLeftOut(yield* aioSteps(graphs), values.length - graphs.length);
  if (isResponseEvent(readWrittenJson(firstLine), protocols)) return importEventLines(body, protocols);
  return { ok: false, error: describeUnknown(firstLine, body) };
}

/** A parsed value, and its source text. */
interface Written {
  readonly value: unknown;
  readonly text: string;
}

/** The values of a JSON text, of a list in it, or of its lines; undefined for an invalid line. */
function* valueSteps(text: string): Generator<undefined, readonly Written[]> {
  const whole = parseJson(text);
  yield;
  if (whole !== undefined && !Array.isArray(whole)) return [{ value: whole, text }];
  const written: Written[] = [];
  const list = Array.isArray(whole) ? sliceJsonSteps(text) : text.split('\n').map(line => ({ text: line }));
  for (const part of list) {
    if (part && part.text.trim() !== '') written.push({ value: parseJson(part.text), text: part.text });
    yield;
  }
  return written;
}

/** Unwraps the `result` of a reply, except for graphs, which may have a member of that name. */
function unwrap(written: Written): Written {
  const value = isGraph(written.value) ? written.value : unwrapResult(written.value);
  return value === written.value ? written : { value, text: sliceMember(written.text, 'result') ?? '' };
}

function noteLeftOut(imported: ImportedTrace, count: number): ImportedTrace {
  if (!imported.ok || count === 0) return imported;
  const note = `${count} ${count === 1 ? 'value or line is' : 'values or lines are'} of another kind or incomplete; left out`;
  return { ...imported, notes: [...imported.notes, note] };
}

function* ownSteps(text: string): Generator<undefined, ImportedTrace> {
  const { events, notes, error } = yield* traceFileSteps(text);
  return error === undefined ? { ok: true, events, notes } : { ok: false, error };
}

function describeUnknown(firstLine: string, text: string): string {
  if (text.trim() === '')
    return 'The file is empty; open a trace file, an AIO graph, OTLP JSON, HAR or the events of a reply';
  // If only the first line of a trace file is wrong, the error says so.
  if (firstLine.includes('"format"')) return checkTraceHeader(firstLine) ?? '';
  const isBroken = /^\s*[[{]/.test(text) && parseJson(text) === undefined;
  const what = isBroken
    ? 'It begins like JSON but is incomplete'
    : `It begins with ${quote(firstLine.trim())}`;
  return `This is neither a trace file nor an AIO graph, OTLP JSON, HAR or the events of a reply. ${what}`;
}
