import { MCP } from '../../protocols/mcp/protocol.ts';
import { mayReportUsage } from '../../protocols/recognise/reply-facts.ts';
import { defined, readFields } from '../../core/text/fields.ts';
import type { Reply, WireListener } from '../connection.ts';
import { ExchangeReader } from '../exchange-reader.ts';

/** An answer to a request. */
export interface Answer {
  /** Its exact text. */
  readonly text: string;
  /** Its value, parsed as JSON. */
  readonly value: unknown;
}

/** The note for an answer that the library rejects. */
export const NOT_TAKEN = 'The official client rejects this response; it is shown as received';

/** Reads the reply that an answer is. */
export function* answerSteps({ text }: Answer, listener: WireListener): Generator<undefined, Reply> {
  const reader = new ExchangeReader(MCP, listener);
  reader.push(text);
  yield* reader.endSteps();
  reader.deliver();
  const { outcome, unfinished, isTooLarge } = reader.reply;
  if (isTooLarge && unfinished) return { ...unfinished, text, isProtocol: true };
  if (outcome.kind !== 'error') return { status: 'ok', text, isProtocol: true };
  return defined({ status: 'error', code: outcome.code, message: outcome.text, text, isProtocol: true });
}

/** True for an answer that asks for more input (MCP 2026-07-28). */
export function isUnfinished({ value }: Answer): boolean {
  return readFields(readFields(value)?.get('result'))?.get('resultType') === 'input_required';
}

/** True for a result that is an object, reports no usage and is no failure: all others are read to describe them. */
export function isSound({ text, value }: Answer): boolean {
  const fields = readFields(value);
  const result = readFields(fields?.get('result'));
  return (
    result !== undefined &&
    result.get('isError') !== true &&
    fields?.has('error') === false &&
    !mayReportUsage(text)
  );
}
