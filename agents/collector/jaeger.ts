import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import type { ImportedTrace } from '../../trace/import/imported.ts';
import { importJaeger, isJaeger } from '../../trace/import/jaeger.ts';
import { readJaegerAnswer, readJaegerErrors } from '../../trace/import/jaeger-answer.ts';
import { importOtlp } from '../../trace/import/otlp-json.ts';
import { redactUrl } from '../../core/secrets/redact.ts';
import { askServer, describeAnswer, type ServerAnswer } from './ask-server.ts';
import type { TraceTarget } from './target.ts';
import { trimEndOf } from '../../core/text/trim.ts';

/** The maximum number of bytes of a trace that are read. */
const MAX_BYTES = 256 * 2 ** 20;

/**
 * Reads a trace by its id from Jaeger's query API: as OTLP (`/api/v3/traces/ID`) or, if that is not available, in
 * Jaeger's own JSON (`/api/traces/ID`), which others such as VictoriaTraces support too. Never throws.
 */
export async function fetchJaegerTrace(
  target: TraceTarget,
  trace: string,
  signal: AbortSignal,
): Promise<ImportedTrace> {
  const modern = await ask(target, `/api/v3/traces/${trace}`, signal);
  // A server that did not answer is not asked again.
  if (!modern.answer.ok) return { ok: false, error: modern.answer.message };
  if (modern.answer.status === 200) {
    const { exports, notes } = readJaegerAnswer(modern.answer.body.toString('utf8'));
    if (exports.length > 0) return withNotes(importOtlp(exports, 'backend'), notes);
  }
  const legacy = await ask(target, `/api/traces/${trace}`, signal);
  if (!legacy.answer.ok) return { ok: false, error: legacy.answer.message };
  const value = parseJson(legacy.answer.body.toString('utf8'));
  if (legacy.answer.status === 200 && isJaeger(value)) return importJaeger(value, 'backend');
  return { ok: false, error: describe(target, legacy.url, legacy.answer, value, trace) };
}

async function ask(
  target: TraceTarget,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly url: URL; readonly answer: ServerAnswer }> {
  const url = new URL(target.url);
  url.pathname = `${trimEndOf(url.pathname, '/')}${path}`;
  return { url, answer: await askServer(target, { method: 'GET', url, maxBytes: MAX_BYTES }, signal) };
}

function withNotes(imported: ImportedTrace, notes: readonly string[]): ImportedTrace {
  return imported.ok ? { ...imported, notes: [...notes, ...imported.notes] } : imported;
}

function describe(
  target: TraceTarget,
  url: URL,
  answer: Extract<ServerAnswer, { ok: true }>,
  value: unknown,
  trace: string,
): string {
  const isJson = readFields(value) !== undefined;
  const errors = readJaegerErrors(value).filter(({ code }) => code !== 404);
  if (answer.status === 200 && errors.length > 0) {
    const reported = errors.map(({ message }) => quote(target.redactor.redactText(message), 200)).join(', ');
    return `GET ${redactUrl(url.href)} was answered with an error: ${reported}`;
  }
  if (isJson && (answer.status === 404 || answer.status === 200))
    return `${redactUrl(target.url.href)} has no trace ${quote(trace)}; check its id, and that it was sent there`;
  if (answer.status !== 200) return describeAnswer(target, { method: 'GET', url }, answer);
  return `GET ${redactUrl(url.href)} did not return a trace; use the address of the Jaeger UI, such as http://localhost:16686`;
}
