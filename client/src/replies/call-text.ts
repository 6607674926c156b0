import type { MessageLanguage } from '../../../core/catalog/protocols.ts';
import { Utf8Reader } from '../../../core/events/bytes.ts';
import { payloadOf } from '../../../core/events/payload.ts';
import { runInSlices } from '../../../core/text/slices.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { convertSteps } from '../../../protocols/convert/convert.ts';
import { findOwnExchange } from '../../../trace/own-exchange.ts';
import { PayloadLimiter } from '../../../trace/payload-limiter.ts';
import { isTextView } from '../../../wire/reply-messages.ts';
import { EXTENSION_HOST } from '../base/slices.ts';
import { PARTS_LIMITS } from '../trace/call-parts.ts';
import type { TraceSource } from '../trace/trace-source.ts';

/** Reads the body of the reply to a call, as text; empty if the call is not stored. */
export async function readBody(source: TraceSource, call: string): Promise<string> {
  const payload = await source.payload(call, new PayloadLimiter(PARTS_LIMITS));
  const protocol = ALL_PROTOCOLS.find(source.find(call)?.call.protocol ?? '');
  const reader = new Utf8Reader();
  const pieces = findOwnExchange(payload, protocol).reply.map(event => reader.push(payloadOf(event)));
  return pieces.join('') + reader.end();
}

/** The reply as JSON: its own, or typed JSON of the messages of another language. */
export async function readJsonBody(source: TraceSource, call: string): Promise<string> {
  const body = await readBody(source, call);
  const from = source.find(call)?.call.protocol;
  return isTextView(from) ? convert(body, from, 'json') : body;
}

/** The reply in AICL or AICF, converted if it is in another protocol. */
export async function readBodyAs(source: TraceSource, call: string, to: MessageLanguage): Promise<string> {
  const from = source.find(call)?.call.protocol;
  const body = await readBody(source, call);
  return from === to ? body : convert(body, from, to);
}

async function convert(
  text: string,
  from: string | undefined,
  to: MessageLanguage | 'json',
): Promise<string> {
  const steps = convertSteps(text, { protocols: ALL_PROTOCOLS, from, to, layout: 'pretty' });
  return (await runInSlices(steps, EXTENSION_HOST))?.result.text ?? '';
}
