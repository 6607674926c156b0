import { findEntry, type Value } from '../../core/values/value.ts';
import type { EarlierRequests } from '../reply-parts/earlier-requests.ts';
import type { BodyList } from '../reply-parts/body-parts.ts';
import { describeContent } from '../reply-parts/content-words.ts';
import { showValue } from '../../language/values/json-printer.ts';
import type { PartDraft } from '../reply-parts/draft.ts';
import type { JsonBody } from '../reply-parts/json-body.ts';
import type { ValueParts } from '../reply-parts/json-parts.ts';
import { timesOf, type TimeSpan } from '../reply-parts/piece-times.ts';
import { draftError, joinOne } from '../reply-parts/rpc-parts.ts';

/**
 * The parts of an AIO-MCP reply for display: each line or document, and each value of `outputs` (reading of
 * AIO-MCP, section 4).
 */
export class AioParts implements ValueParts {
  readonly #earlier: EarlierRequests;
  readonly #parts: Answer[] = [];

  constructor(earlier: EarlierRequests) {
    this.#earlier = earlier;
  }

  list(body: JsonBody): BodyList {
    const parts = this.#parts.map(({ id, place, draft }): PartDraft => {
      // Replies need not have the id of their request.
      const method = id ? this.#earlier.earlier(id) : this.#earlier.earlierAt(place);
      return method === undefined ? draft : { ...draft, kind: 'exchange', title: method };
    });
    return { parts, notes: body.notes };
  }

  take(value: Value, span: TimeSpan): void {
    const key = String(this.#parts.length);
    const draft = { key, ...draftReply(value), times: timesOf(span) };
    this.#parts.push({ id: findEntry(value, 'id'), place: this.#earlier.countAnswer(), draft });
  }
}

/** A reply, with the id of its request if it has one, and its position among all replies. */
interface Answer {
  readonly id: Value | undefined;
  readonly place: number;
  readonly draft: PartDraft;
}

function draftReply(
  value: Value,
): Pick<PartDraft, 'kind' | 'title' | 'status' | 'text' | 'children' | 'notes'> {
  const error = findEntry(value, 'error');
  if (error && error.kind !== 'null') return draftError(error);
  const outputs = findEntry(value, 'outputs');
  const output = findEntry(value, 'output') ?? findEntry(value, 'result');
  if (outputs?.kind === 'list')
    return { kind: 'result', ...joinOne(outputs.items.map(describeContent), 'ok') };
  if (output === undefined)
    return { kind: 'data', status: 'ok', text: showValue(value), notes: ['It has no result and no output'] };
  const isTyped = findEntry(output, 'type') !== undefined && findEntry(output, 'value') !== undefined;
  const words = isTyped ? describeContent(output) : ({ kind: 'result', text: showValue(output) } as const);
  const isError = words.kind === 'error';
  return { kind: isError ? 'error' : 'result', ...joinOne([words], isError ? 'error' : 'ok') };
}
