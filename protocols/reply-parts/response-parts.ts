import { defined } from '../../core/text/fields.ts';
import {
  Tally,
  type PartListener,
  type ResponseContent,
  type ResponsePart,
} from '../event-stream/response-fold.ts';
import type { EventFold } from '../event-stream/event-fold.ts';
import { dictValue, findEntry, textIn, type Value } from '../../core/values/value.ts';
import type { CallStatus } from '../../core/events/events.ts';
import type { BodyList } from './body-parts.ts';
import { describeContent, readMedium, type ValueWords } from './content-words.ts';
import { showValue } from '../../language/values/json-printer.ts';
import type { PartDraft } from './draft.ts';
import type { JsonBody } from './json-body.ts';
import type { ValueParts } from './json-parts.ts';
import { PieceTimes, timesOf, type TimeSpan } from './piece-times.ts';

/** The parts of a reply that is one streamed response: its messages and their contents. */
export class ResponseParts implements ValueParts {
  readonly #spans = new WeakMap<Value, TimeSpan>();
  readonly #observed = new ObservedParts(this.#spans);
  readonly #fold: EventFold;
  #failure: PartDraft | undefined;
  #latency: PartDraft | undefined;
  #hasBegun = false;

  /** `open` makes the protocol's fold. */
  constructor(open: (listener: PartListener) => EventFold) {
    this.#fold = open(this.#observed);
  }

  end(): void {
    // Folds events that still wait for missing ones.
    this.#fold.whole();
  }

  list(body: JsonBody): BodyList {
    const stream = this.#fold.isOver ? 'has ended' : body.isOver ? 'was cut' : 'goes on';
    const drafts = this.#fold.parts().flatMap(part => this.#toDraft(part, stream));
    const isCut = body.isOver && this.#hasBegun && !this.#fold.isOver;
    return {
      parts: [...drafts, this.#failure, this.#latency].filter(draft => draft !== undefined),
      notes: [
        ...body.notes,
        ...this.#observed.notesOf(undefined),
        ...(isCut ? ['The stream did not end; its content may be incomplete'] : []),
      ],
    };
  }

  take(value: Value, span: TimeSpan): void {
    this.#hasBegun = true;
    this.#spans.set(value, span);
    this.#fold.push(value);
    this.#latency ??= draftLatency(value, span);
    // An event of the type `error` has the code and the message itself.
    const isError = textIn(findEntry(value, 'type')) === 'error';
    const error =
      findEntry(value, 'error') ??
      findEntry(findEntry(value, 'response'), 'error') ??
      (isError ? value : undefined);
    if (!error || error.kind === 'null') return;
    const stated = textIn(error) ?? textIn(findEntry(error, 'message')) ?? showValue(error);
    const title = textIn(findEntry(error, 'code'));
    this.#failure ??= {
      key: 'error',
      kind: 'error',
      title,
      status: 'error',
      times: timesOf(span),
      text: stated,
    };
  }

  #toDraft(part: ResponsePart, stream: 'goes on' | 'has ended' | 'was cut'): readonly PartDraft[] {
    const { key, value, isClosed, contents } = part;
    const { output, ...words } = describeMessage(value);
    const stated = statusOf(textIn(findEntry(value, 'status')));
    const isLoose = stated === 'open' && !isClosed && stream !== 'goes on';
    const status =
      stated !== 'open'
        ? stated
        : isClosed || stream === 'has ended'
          ? 'ok'
          : isLoose
            ? 'incomplete'
            : 'open';
    const times = this.#observed.timesOf(key);
    const notes = [...this.#observed.notesOf(key), ...(isLoose ? ['It has no end of its own'] : [])];
    const [only, ...others] = contents;
    if (only && others.length === 0) {
      const joined = joinWords(words, describeIn(words, only));
      return [{ key, ...joined, status, times, notes: [...notes, ...this.#observed.notesOf(only.key)] }];
    }
    const inside = contents.map((content, index) => this.#contentDraft(words, content, index, status));
    const returned: PartDraft = { key: 'output', kind: 'output', status, times: undefined, text: output };
    const children = output === undefined ? inside : [...inside, returned];
    return [{ key, ...words, status, times, notes, children }];
  }

  #contentDraft(above: ValueWords, content: ResponseContent, index: number, status: CallStatus): PartDraft {
    const { key, isClosed } = content;
    return {
      key: String(index),
      ...describeIn(above, content),
      status: isClosed && status !== 'error' ? 'ok' : status,
      times: this.#observed.timesOf(key),
      notes: this.#observed.notesOf(key),
    };
  }
}

/** Records, for each part of a response, when its events arrived, and its irregularities. */
class ObservedParts implements PartListener {
  readonly #spans: WeakMap<Value, TimeSpan>;
  readonly #times = new Map<string, PieceTimes>();
  readonly #notes = new Map<string | undefined, Tally>();
  #span: TimeSpan | undefined;
  /** The part that the current event belongs to, once known. */
  #part: string | undefined;
  #waiting: string[] = [];

  constructor(spans: WeakMap<Value, TimeSpan>) {
    this.#spans = spans;
  }

  take(event: Value): void {
    this.#span = this.#spans.get(event);
  }

  belongs(key: string): void {
    this.#part = key;
    if (!this.#span) return;
    const times = this.#times.get(key) ?? new PieceTimes();
    this.#times.set(key, times);
    times.add(this.#span);
  }

  note(text: string, key?: string): void {
    if (this.#span) this.#waiting.push(text);
    else this.#add(key, text);
  }

  taken(): void {
    for (const text of this.#waiting) this.#add(this.#part, text);
    this.#waiting = [];
    this.#span = undefined;
    this.#part = undefined;
  }

  timesOf(key: string): PieceTimes | undefined {
    return this.#times.get(key);
  }

  /** The notes on a part or, without a key, on the response. */
  notesOf(key: string | undefined): readonly string[] {
    return this.#notes.get(key)?.lines ?? [];
  }

  #add(key: string | undefined, text: string): void {
    const tally = this.#notes.get(key) ?? new Tally();
    this.#notes.set(key, tally);
    tally.add(text);
  }
}

/**
 * The time that the agent itself gives for a response, in seconds from `created_at` to `completed_at`, to be compared with
 * the measured one; undefined for an event without both.
 */
function draftLatency(event: Value, span: TimeSpan): PartDraft | undefined {
  const response = findEntry(event, 'response') ?? event;
  const created = secondsIn(findEntry(response, 'created_at'));
  const completed = secondsIn(findEntry(response, 'completed_at'));
  if (created === undefined || completed === undefined) return undefined;
  const seconds = Math.round((completed - created) * 1000) / 1000;
  if (!Number.isFinite(seconds)) return undefined;
  return {
    key: 'latency',
    kind: 'status',
    title: textIn(findEntry(response, 'status')),
    status: 'ok',
    times: timesOf(span),
    text: `took ${seconds} s by the agent's clock (created_at to completed_at)`,
    notes: seconds < 0 ? ['completed_at is before created_at'] : [],
  };
}

function secondsIn(value: Value | undefined): number | undefined {
  if (value?.kind === 'int') return Number(value.int);
  return value?.kind === 'float' && Number.isFinite(value.float) ? value.float : undefined;
}

function statusOf(word: string | undefined): CallStatus {
  switch (word) {
    case 'completed':
      return 'ok';
    case 'failed':
    case 'rejected':
      return 'error';
    case 'canceled':
    case 'cancelled':
      return 'cancelled';
    case 'incomplete':
      return 'incomplete';
    default:
      return 'open';
  }
}

interface MessageWords extends ValueWords {
  /** What a tool returned, in the same item as its call. */
  readonly output?: string | undefined;
}

/** Describes a message of the Agent API, or an item of OpenAI's Responses, without its contents. */
function describeMessage(message: Value): MessageWords {
  const type = textIn(findEntry(message, 'type')) ?? 'message';
  const name = textIn(findEntry(message, 'name'));
  const callId = textIn(findEntry(message, 'call_id'));
  const title = { ...(name === undefined ? {} : { title: name }), ...(callId && { callId }) };
  if (type === 'message' || type === 'assistant') {
    const role = textIn(findEntry(message, 'role')) ?? '';
    return { kind: 'message', title: role === 'assistant' ? '' : role };
  }
  if (type === 'reasoning') return { kind: 'reasoning' };
  if (type === 'error') return { kind: 'error', text: textIn(findEntry(message, 'message')) };
  if (type.includes('approval')) return { kind: 'approval', ...title, text: showMembers(message) };
  if (type.endsWith('_output'))
    return { kind: 'output', ...title, text: showValue(findEntry(message, 'output')) };
  if (type.endsWith('_call')) return { ...describeCall(message, type), ...(callId && { callId }) };
  return { kind: 'data', title: name ?? type, text: showMembers(message) };
}

/** Describes a tool call by its input; without a name, its title is its type, such as `web search`. */
function describeCall(message: Value, type: string): MessageWords {
  const name = textIn(findEntry(message, 'name')) ?? (type === 'function_call' ? '' : spell(type));
  const given = ['arguments', 'input', 'code', 'action'].map(key => findEntry(message, key)).find(Boolean);
  const output = findEntry(message, 'output');
  return {
    kind: 'tool',
    title: name,
    text: showValue(given),
    medium: given ? undefined : readMedium(message),
    output: showValue(output),
  };
}

/** `web_search_call` in words. */
function spell(type: string): string {
  return type.replace(/_call$/, '').replaceAll('_', ' ');
}

/** Members that describe a message's type and state, not its content. */
const FRAME: ReadonlySet<string> = new Set([
  'object',
  'id',
  'type',
  'role',
  'status',
  'content',
  'sequence_number',
]);

function showMembers(message: Value): string | undefined {
  const members = message.kind === 'dict' ? message.entries : [];
  const own = members.filter(({ key, value }) => !FRAME.has(key) && value.kind !== 'null');
  return own.length === 0 ? undefined : showValue(dictValue(own));
}

/** Describes a content within its message: the data of a call are its arguments. */
function describeIn(above: ValueWords, { value }: ResponseContent): ValueWords {
  const words = describeContent(value);
  if (above.kind === 'reasoning') return { ...words, kind: 'reasoning' };
  const data = findEntry(value, 'data');
  const name = textIn(findEntry(data, 'name'));
  const callId = textIn(findEntry(data, 'call_id'));
  const title = { ...(name === undefined ? {} : { title: name }), ...(callId && { callId }) };
  if (above.kind === 'tool')
    return { kind: 'tool', ...title, text: showValue(findEntry(data, 'arguments')) ?? words.text };
  if (above.kind === 'output')
    return { kind: 'output', ...title, text: showValue(findEntry(data, 'output')) ?? words.text };
  return above.kind === 'approval' ? { kind: 'approval', ...title, text: words.text } : words;
}

/** Merges a message with its only content; an assistant's text is shown as a message. */
function joinWords(message: ValueWords, content: ValueWords): ValueWords {
  const isPlain = message.kind === 'message' && content.kind === 'text';
  return {
    kind: isPlain ? 'message' : message.kind === 'message' ? content.kind : message.kind,
    ...defined({ title: content.title || message.title, callId: content.callId ?? message.callId }),
    text: content.text ?? message.text,
    medium: content.medium,
  };
}
