import type { Protocols } from '../../protocols/protocol.ts';
import { isSse } from '../../language/values/sse.ts';
import { sliceJsonSteps, sliceMember } from '../../core/text/json-slices.ts';
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
import { importSse } from './sse.ts';

/**
 * Reads a text that holds traces: a trace file of ours, AIO's graphs, OTLP's JSON (both also one a line), HAR, or a recorded body
 * of server-sent events, by what it looks like. Never throws; what of it cannot be read is noted. Linear in the text.
 */
export function importTrace(text: string, protocols: Protocols): ImportedTrace {
  return runAtOnce(importSteps(text, protocols));
}

/** The same in slices; that the engine reads a text which is one value of JSON is one slice. */
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
  return { ok: false, error: describeUnknown(firstLine, body) };
}

/** A value as the engine reads it, and as it is written. */
interface Written {
  readonly value: unknown;
  readonly text: string;
}

/** The values of a text of JSON, of a list in it, or of its lines; undefined for a line that is none. */
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

/** What an answer holds as its result. A graph may have a member of that name. */
function unwrap(written: Written): Written {
  const value = isGraph(written.value) ? written.value : unwrapResult(written.value);
  return value === written.value ? written : { value, text: sliceMember(written.text, 'result') ?? '' };
}

function noteLeftOut(imported: ImportedTrace, count: number): ImportedTrace {
  if (!imported.ok || count === 0) return imported;
  const note = `${count} ${count === 1 ? 'value or line is' : 'values or lines are'} of another kind or not whole; left out`;
  return { ...imported, notes: [...imported.notes, note] };
}

function* ownSteps(text: string): Generator<undefined, ImportedTrace> {
  const { events, notes, error } = yield* traceFileSteps(text);
  return error === undefined ? { ok: true, events, notes } : { ok: false, error };
}

function describeUnknown(firstLine: string, text: string): string {
  if (text.trim() === '')
    return 'The file is empty; open a trace file, an AIO graph, OTLP JSON, HAR or a body of server-sent events';
  // Of a trace file whose first line alone is wrong, that is said.
  if (firstLine.includes('"format"')) return checkTraceHeader(firstLine) ?? '';
  const isBroken = /^\s*[[{]/.test(text) && parseJson(text) === undefined;
  const what = isBroken
    ? 'It begins like JSON but is not whole'
    : `It begins with ${quote(firstLine.trim())}`;
  return `This is neither a trace file nor an AIO graph, OTLP JSON, HAR or a body of server-sent events. ${what}`;
}
