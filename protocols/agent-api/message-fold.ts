import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../message/same-value.ts';
import { carriesValue, ContentFold, textOf } from './content-fold.ts';
import type { PartListener, ResponsePart, Tally } from '../event-stream/response-fold.ts';
import type { TextKind, StreamedText } from '../event-stream/streamed-text.ts';

/** Statuses after which no more events are expected. */
export const FINAL: ReadonlySet<string> = new Set([
  'completed',
  'canceled',
  'failed',
  'rejected',
  'incomplete',
]);

/** What a message fold reports to. */
export interface MessageSurroundings {
  readonly texts: StreamedText;
  readonly tally: Tally;
  readonly listener: PartListener | undefined;
}

/** One message of a response of the Agent API, folded while it arrives. */
export class MessageFold {
  readonly id: string | undefined;
  readonly key: string;
  readonly #around: MessageSurroundings;
  readonly #members = new Map<string, Value>();
  #contents: ContentFold[] = [];
  /** By type, the last content, for events without an index. */
  readonly #last = new Map<string, ContentFold>();
  readonly #byIndex = new Map<number, ContentFold>();
  readonly #byCall = new Map<string, ContentFold>();
  #isClosed = false;

  /** `key` is unique within the response. */
  constructor(key: string, id: string | undefined, around: MessageSurroundings) {
    this.key = key;
    this.id = id;
    this.#around = around;
    if (id !== undefined) this.#members.set('id', textValue(id));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Folds an event about the message itself. */
  push(event: DictValue): void {
    const { tally } = this.#around;
    const status = textIn(findEntry(event, 'status')) ?? '';
    if (this.#isClosed) tally.add('An event came for a message that had ended');
    for (const { key, value } of event.entries)
      if (value.kind !== 'null' && key !== 'content' && key !== 'object' && key !== 'sequence_number')
        this.#members.set(key, value);
    const content = findEntry(event, 'content');
    if (content?.kind === 'list' && content.items.length > 0) this.#replaceAll(content.items);
    this.#around.listener?.belongs(this.key);
    if (FINAL.has(status)) this.#close();
  }

  /** Folds an event about one of its contents. */
  pushContent(event: DictValue): void {
    const { texts, tally } = this.#around;
    if (this.#isClosed) tally.add('A content came for a message that had ended');
    const status = textIn(findEntry(event, 'status')) ?? '';
    const delta = findEntry(event, 'delta');
    const isDelta = delta?.kind === 'bool' ? delta.bool : status === 'in_progress';
    const { content, isSecondOfCall } = this.#find(event);
    const key = this.#keyOf(content);
    this.#around.listener?.belongs(this.key);
    this.#around.listener?.belongs(key);
    const kind = this.#textKind(content);
    if (isDelta && !isSecondOfCall) {
      content.push(event);
      if (kind) texts.grow(key, kind, textIn(findEntry(event, 'text')) ?? '');
    } else if (carriesValue(event)) {
      const change = content.replace(event);
      if (change === 'other' && !isSecondOfCall)
        tally.add('A content differs from its chunks; the complete one counts');
      if (kind) texts.settle(key, kind, textOf(content.value()) ?? '');
    }
    const { callId } = content;
    if (callId !== undefined && !this.#byCall.has(callId)) this.#byCall.set(callId, content);
    content.isClosed ||= status === 'completed';
    if (status === 'completed' && kind) texts.close(key);
  }

  /** The message as it is now, with a key for each content. */
  part(): ResponsePart {
    const contents = this.#contents.map(content => ({
      key: this.#keyOf(content),
      value: content.value(),
      isClosed: content.isClosed || this.#isClosed,
    }));
    return { key: this.key, value: this.value(), isClosed: this.#isClosed, contents };
  }

  /** The message so far, in the form that the output of a whole response has. */
  value(): DictValue {
    const content = listValue(this.#contents.map(each => each.value()));
    const entries = [...this.#members].map(([key, value]) => ({ key, value }));
    const type = this.#members.has('type') ? [] : [{ key: 'type', value: textValue('message') }];
    const role = this.#members.has('role') ? [] : [{ key: 'role', value: textValue(this.#defaultRole()) }];
    return dictValue([
      { key: 'object', value: textValue('message') },
      ...entries,
      ...type,
      ...role,
      { key: 'content', value: content },
    ]);
  }

  #defaultRole(): string {
    return this.#type.endsWith('_output') ? 'tool' : 'assistant';
  }

  get #type(): string {
    return textIn(this.#members.get('type')) ?? 'message';
  }

  #textKind({ type }: ContentFold): TextKind | undefined {
    if (type !== 'text') return undefined;
    if (this.#type === 'reasoning') return 'reasoning';
    // Examples in the specification give an assistant's message the type `assistant`.
    return this.#type === 'message' || this.#type === 'assistant' ? 'text' : undefined;
  }

  #keyOf(content: ContentFold): string {
    return `${this.key}/${content.place}`;
  }

  /** The content of an event, created if new; contents with the same `call_id` are one. */
  #find(event: DictValue): { readonly content: ContentFold; readonly isSecondOfCall: boolean } {
    const type = textIn(findEntry(event, 'type')) ?? 'text';
    const given = findEntry(event, 'index');
    const index = given?.kind === 'int' ? Number(given.int) : undefined;
    if (index === undefined) this.#around.tally.add('A content does not say which of its message it is');
    const callId = textIn(findEntry(findEntry(event, 'data'), 'call_id'));
    const ofCall = callId === undefined ? undefined : this.#byCall.get(callId);
    if (ofCall) return { content: ofCall, isSecondOfCall: index !== undefined && ofCall.index !== index };
    const known = index === undefined ? this.#last.get(type) : this.#byIndex.get(index);
    if (known?.type === type) return { content: known, isSecondOfCall: false };
    if (known) this.#around.tally.add('Two contents of different types have one number');
    const content = new ContentFold(type, this.#contents.length, index);
    this.#contents.push(content);
    this.#last.set(type, content);
    if (index !== undefined) this.#byIndex.set(index, content);
    return { content, isSecondOfCall: false };
  }

  /** Replaces the contents by those that the message event contains, which count if they differ. */
  #replaceAll(contents: readonly Value[]): void {
    const { texts, tally } = this.#around;
    const before = this.#contents.map(each => each.value());
    const whole = contents.map((value, at) => {
      const content = new ContentFold(textIn(findEntry(value, 'type')) ?? 'text', at, undefined);
      if (value.kind === 'dict') content.replace(value);
      return content;
    });
    this.#contents = mergeCalls(whole);
    const after = this.#contents.map(each => each.value());
    if (before.length > 0 && !isSameValue(listValue(before), listValue(after)))
      tally.add('A message differs from its chunks; the complete one counts');
    for (const content of this.#contents) {
      const kind = this.#textKind(content);
      if (kind) texts.settle(this.#keyOf(content), kind, textOf(content.value()) ?? '');
    }
  }

  #close(): void {
    this.#isClosed = true;
    for (const content of this.#contents) this.#around.texts.close(this.#keyOf(content));
  }
}

/** Merges contents with the same `call_id` into one call, with the last arguments that are not empty. */
function mergeCalls(contents: readonly ContentFold[]): ContentFold[] {
  const merged: ContentFold[] = [];
  const byCall = new Map<string, ContentFold>();
  for (const content of contents) {
    const known = content.callId === undefined ? undefined : byCall.get(content.callId);
    if (known) known.replace(content.value());
    else {
      merged.push(content);
      if (content.callId !== undefined) byCall.set(content.callId, content);
    }
  }
  return merged;
}
