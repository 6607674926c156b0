import { readRpc } from '../rpc/frame.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { countOf, showCount } from '../../core/text/count.ts';
import type { EarlierRequests } from './earlier-requests.ts';
import type { BodyList } from './body-parts.ts';
import { describeContent, describeMedium, type ValueWords } from './content-words.ts';
import { showValue } from '../../language/values/json-printer.ts';
import type { PartDraft } from './draft.ts';
import type { JsonBody } from './json-body.ts';
import type { ValueParts } from './json-parts.ts';
import { PieceTimes, timesOf, type TimeSpan } from './piece-times.ts';

/**
 * The parts of a reply of MCP, and of other JSON-RPC: progress, log lines and the server's requests, then the
 * result.
 */
export class RpcParts implements ValueParts {
  readonly #earlier: EarlierRequests;
  readonly #parts: (PartDraft | ProgressPart | Answer)[] = [];
  readonly #progress = new Map<string, ProgressPart>();
  readonly #answers: Answer[] = [];
  readonly #answered = new Set<string>();
  #others = 0;
  readonly #isFailure: (result: Value | undefined) => boolean;

  /** `isFailure` is true for a result that the protocol reads as an error. */
  constructor(earlier: EarlierRequests, isFailure: (result: Value | undefined) => boolean = isMarked) {
    this.#earlier = earlier;
    this.#isFailure = isFailure;
  }

  list(body: JsonBody): BodyList {
    const { listens } = this.#earlier;
    const answer = listens
      ? undefined
      : this.#answers.find(({ id }) => this.#earlier.earlier(id) === undefined);
    const reply = answer || (listens && body.isOver) ? 'came' : body.isOver ? 'never came' : 'is awaited';
    const parts = this.#parts.map(part => {
      if (part instanceof ProgressPart) return part.draft(reply, answer?.place ?? Infinity);
      return 'draft' in part ? this.#draftAnswer(part) : part;
    });
    const others =
      this.#others === 0
        ? []
        : [`${countOf(this.#others, 'value of the reply is', 'values of the reply are')} not JSON-RPC`];
    return { parts, notes: [...body.notes, ...others] };
  }

  take(value: Value, span: TimeSpan): void {
    const frame = readRpc(value);
    if (!frame) {
      this.#others++;
      return;
    }
    const { kind, method, body, id } = frame;
    if (kind !== 'request') return this.#takeAnswer(kind, body, { id, span });
    if (method === 'notifications/progress') return this.#takeProgress(body, span);
    const key = String(this.#parts.length);
    const times = timesOf(span);
    if (method === 'notifications/message')
      this.#parts.push({
        key,
        kind: 'log',
        title: titleOfLog(body),
        status: 'ok',
        times,
        text: showValue(findEntry(body, 'data')),
      });
    else
      this.#parts.push({
        key,
        kind: id?.kind === 'null' ? 'notice' : 'request',
        title: method,
        status: 'ok',
        times,
        text: showValue(body),
      });
  }

  #takeProgress(body: Value | undefined, span: TimeSpan): void {
    const token = showValue(findEntry(body, 'progressToken')) ?? '';
    const known = this.#progress.get(token);
    const part = known ?? new ProgressPart(String(this.#parts.length));
    part.take(body, span, this.#parts.length);
    if (known) return;
    this.#progress.set(token, part);
    this.#parts.push(part);
  }

  #takeAnswer(
    kind: 'result' | 'error',
    body: Value | undefined,
    { id, span }: { readonly id: Value | undefined; readonly span: TimeSpan },
  ): void {
    const name = showValue(id) ?? '';
    const notes = this.#answered.has(name) ? ['This request was answered before'] : [];
    this.#answered.add(name);
    const place = this.#parts.length;
    const status = this.#isFailure(body) ? 'error' : 'ok';
    const stated = kind === 'error' ? draftError(body) : draftResult(body, status);
    const answer = { id, place, draft: { key: String(place), ...stated, times: timesOf(span), notes } };
    this.#answers.push(answer);
    this.#parts.push(answer);
  }

  /** An answer to a request before the last one is shown as an exchange. */
  #draftAnswer({ id, draft }: Answer): PartDraft {
    const method = this.#earlier.earlier(id);
    return method === undefined ? draft : { ...draft, kind: 'exchange', title: method };
  }
}

/** An answer, with the id of its request, and the number of parts before it. */
interface Answer {
  readonly id: Value | undefined;
  readonly place: number;
  readonly draft: PartDraft;
}

/** The progress that was reported repeatedly under one token. */
class ProgressPart {
  readonly key: string;
  readonly times = new PieceTimes();
  readonly #notes = new Set<string>();
  readonly #messages: string[] = [];
  #progress = -Infinity;
  #total: number | undefined;
  /** The number of parts when its last piece arrived. */
  #place = 0;

  constructor(key: string) {
    this.key = key;
  }

  take(body: Value | undefined, span: TimeSpan, place: number): void {
    this.times.add(span);
    this.#place = place;
    const progress = numberIn(findEntry(body, 'progress'));
    if (progress === undefined) this.note('It has no value');
    else if (progress <= this.#progress) this.note('It did not increase');
    this.#progress = Math.max(this.#progress, progress ?? -Infinity);
    this.#total = numberIn(findEntry(body, 'total')) ?? this.#total;
    if (this.#total !== undefined && this.#progress > this.#total) this.note('It is greater than its total');
    const stated = textIn(findEntry(body, 'message'));
    if (stated !== undefined) this.#messages.push(stated);
  }

  note(text: string): void {
    this.#notes.add(text);
  }

  /** `place` is the position of the reply among the parts. */
  draft(reply: 'came' | 'is awaited' | 'never came', place: number): PartDraft {
    if (this.#place > place) this.note('Progress came after the reply');
    const known = this.#progress === -Infinity ? '' : showNumber(this.#progress);
    const title = this.#total === undefined ? known : `${known} of ${showNumber(this.#total)}`;
    const text = this.#messages.length === 0 ? undefined : this.#messages.join('\n');
    const isDone = reply === 'came' || this.#progress === this.#total;
    const status = isDone ? 'ok' : reply === 'is awaited' ? 'open' : 'incomplete';
    return {
      key: this.key,
      kind: 'progress',
      title,
      status,
      times: this.times,
      text,
      notes: [...this.#notes],
    };
  }
}

function showNumber(count: number): string {
  return Number.isInteger(count) ? showCount(count) : String(count);
}

function numberIn(value: Value | undefined): number | undefined {
  if (value?.kind === 'int') return Number(value.int);
  return value?.kind === 'float' ? value.float : undefined;
}

function titleOfLog(body: Value | undefined): string {
  const [level, logger] = [textIn(findEntry(body, 'level')), textIn(findEntry(body, 'logger'))];
  return [level, logger].filter(Boolean).join(' · ');
}

type DraftFields = Pick<PartDraft, 'kind' | 'title' | 'status' | 'text' | 'medium' | 'children'>;

/** Describes a JSON-RPC error by its code and message. */
export function draftError(body: Value | undefined): DraftFields {
  const text = textIn(body) ?? textIn(findEntry(body, 'message')) ?? showValue(body);
  return { kind: 'error', title: showValue(findEntry(body, 'code')), status: 'error', text };
}

function isMarked(result: Value | undefined): boolean {
  const mark = findEntry(result, 'isError');
  return mark?.kind === 'bool' && mark.bool;
}

function draftResult(body: Value | undefined, status: 'ok' | 'error'): DraftFields {
  const contents = findEntry(body, 'content');
  const structured = findEntry(body, 'structuredContent');
  const kind = status === 'error' ? 'error' : 'result';
  const read = findEntry(body, 'contents');
  if (read?.kind === 'list')
    return {
      kind,
      ...joinOne(
        read.items.map(item => describeMedium(item, 'resource')),
        status,
      ),
    };
  if (contents?.kind !== 'list') return { kind, status, text: showValue(body) };
  const words = [
    ...contents.items.map(describeContent),
    ...(structured ? [{ kind: 'data' as const, title: 'structured', text: showValue(structured) }] : []),
  ];
  return { kind, ...joinOne(words, status) };
}

/** Joins the contents of a part: a single one becomes the part's text, several its children. */
export function joinOne(
  words: readonly ValueWords[],
  status: PartDraft['status'],
): Omit<DraftFields, 'kind'> {
  const [only, ...others] = words;
  if (only && others.length === 0)
    return {
      status,
      title: only.kind === 'media' ? only.title : '',
      text: only.text,
      medium: only.medium,
    };
  return {
    status,
    children: words.map((each, index) => ({ key: String(index), ...each, status, times: undefined })),
  };
}
