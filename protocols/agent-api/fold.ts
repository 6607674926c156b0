import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { dictOf } from '../message/dicts.ts';
import { FINAL, MessageFold } from './message-fold.ts';
import { isApprovalRequest, pickApprovalRequests } from '../event-stream/approvals.ts';
import { EventFold } from '../event-stream/event-fold.ts';
import { Tally, type ResponsePart } from '../event-stream/response-fold.ts';
import { StreamedText } from '../event-stream/streamed-text.ts';

/**
 * Folds the events of a response of the Agent API into response, messages and contents (reading of the Agent
 * API, section 6). A stream without a final event gives an `incomplete` response. Total, and linear.
 */
export class AgentApiFold extends EventFold {
  readonly #response = new Map<string, Value>();
  readonly #messages: MessageFold[] = [];
  /** Messages that only the end of the response contains. Collected only for a listener of parts. */
  readonly #unreported: MessageFold[] = [];
  readonly #byId = new Map<string, MessageFold>();
  /** The message that was written last. */
  #current: MessageFold | undefined;
  #output: Value | undefined;

  override get session(): string | undefined {
    return textIn(this.#response.get('session_id'));
  }

  override parts(): readonly ResponsePart[] {
    return [...this.#messages, ...this.#unreported].map(each => each.part());
  }

  override endedItem(event: Value): DictValue | undefined {
    const isEnd = textIn(findEntry(event, 'status')) === 'completed' && !isHeartbeat(event);
    if (event.kind !== 'dict' || !isEnd || textIn(findEntry(event, 'object')) !== 'message') return undefined;
    const content = findEntry(event, 'content');
    if (content?.kind !== 'list' || content.items.length === 0) return undefined;
    return dictValue(event.entries.filter(({ key }) => key !== 'sequence_number'));
  }

  protected override members(): ReadonlyMap<string, Value> {
    return this.#response;
  }

  protected override complete(members: Map<string, Value>): void {
    const status = textIn(members.get('status')) ?? '';
    if (!this.isOver && !FINAL.has(status)) members.set('status', textValue('incomplete'));
    const output = this.#output ?? listValue(this.#messages.map(each => each.value()));
    members.set('output', output);
    this.#reportStrayOutputs(output);
  }

  #reportStrayOutputs(output: Value): void {
    const messages = output.kind === 'list' ? output.items : [];
    const isOutput = (each: Value): boolean => textIn(findEntry(each, 'type'))?.endsWith('_output') === true;
    const calls = new Set(messages.filter(each => !isOutput(each)).flatMap(callIdsOf));
    for (const message of messages.filter(isOutput)) {
      const key = this.#byId.get(textIn(findEntry(message, 'id')) ?? '')?.key;
      for (const id of callIdsOf(message))
        if (!calls.has(id)) this.tally.add('The output of a call belongs to no call of this response', key);
    }
  }

  protected override takeEvent(event: DictValue): void {
    switch (textIn(findEntry(event, 'object'))) {
      case 'response':
        return this.#takeResponse(event);
      case 'message':
        return this.#keepsMessage(event) ? this.#takeMessage(event) : undefined;
      case 'content':
        return this.#keepsContent(event) ? this.#takeContent(event) : undefined;
      default:
        return this.#takeOther(event);
    }
  }

  #takeResponse(event: DictValue): void {
    this.#noteAfterEnd();
    for (const { key, value } of event.entries)
      if (value.kind !== 'null' && key !== 'output' && key !== 'sequence_number')
        this.#response.set(key, value);
    const output = findEntry(event, 'output');
    if (output?.kind === 'list' && output.items.length > 0)
      this.#output = this.keeps === 'all' ? output : pickApprovalRequests(output);
    if (this.listener && output?.kind === 'list') this.#takeUnreported(output.items);
    const error = findEntry(event, 'error');
    this.isOver ||=
      FINAL.has(textIn(findEntry(event, 'status')) ?? '') || (error !== undefined && error.kind !== 'null');
  }

  /** Collects messages without events. One without an id is matched by its position in the output. */
  #takeUnreported(output: readonly Value[]): void {
    for (const [index, message] of output.entries()) {
      const id = textIn(findEntry(message, 'id'));
      const isReported = id === undefined ? index < this.#messages.length : this.#byId.has(id);
      const isKnown = this.#unreported.some(each => each.id !== undefined && each.id === id);
      if (isReported || isKnown || message.kind !== 'dict' || isHeartbeat(message)) continue;
      const around = { texts: new StreamedText(), tally: new Tally(), listener: this.listener };
      const made = new MessageFold(`output ${index}`, id, around);
      this.#unreported.push(made);
      made.push(message);
    }
  }

  #noteAfterEnd(): void {
    if (this.isOver) this.tally.add('An event came after the response had ended');
  }

  /** True for a message that is stored; without contents, only one that asks for approval is. */
  #keepsMessage(event: DictValue): boolean {
    if (this.keeps === 'all' || isApprovalRequest(event)) return true;
    return this.#byId.has(textIn(findEntry(event, 'id')) ?? '');
  }

  #keepsContent(event: DictValue): boolean {
    return this.keeps === 'all' || this.#byId.has(textIn(findEntry(event, 'msg_id')) ?? '');
  }

  #takeMessage(event: DictValue): void {
    if (isHeartbeat(event)) return;
    this.#noteAfterEnd();
    const id = textIn(findEntry(event, 'id'));
    if (id === undefined) this.tally.add('An event does not say which message it is about');
    const isOpen = this.#current && !this.#current.isClosed && id === undefined;
    const found = (isOpen ? this.#current : undefined) ?? this.#find(id);
    found.push(event);
    this.#current = found;
  }

  #takeContent(event: DictValue): void {
    this.#noteAfterEnd();
    const id = textIn(findEntry(event, 'msg_id'));
    const found = id === undefined ? this.#currentFor() : this.#find(id);
    found.pushContent(event);
    this.#current = found;
  }

  /** The message of a content without `msg_id`: the one written last, if it is open; else a new one. */
  #currentFor(): MessageFold {
    if (this.#current && !this.#current.isClosed) {
      this.tally.add('A content does not name its message and was put into the one written last');
      return this.#current;
    }
    this.tally.add('A content belongs to no message that is open and was put into a new one');
    return this.#find(undefined);
  }

  #find(id: string | undefined): MessageFold {
    const known = id === undefined ? undefined : this.#byId.get(id);
    if (known) return known;
    const made = new MessageFold(String(this.#messages.length), id, {
      texts: this.texts,
      tally: this.tally,
      listener: this.listener,
    });
    this.#messages.push(made);
    if (id !== undefined) this.#byId.set(id, made);
    return made;
  }

  /** A failure of the transport arrives with HTTP 200 and without a response: `{"error":"…"}`. */
  #takeOther(event: DictValue): void {
    const error = findEntry(event, 'error');
    if (!error || error.kind === 'null')
      return this.tally.add('An event is neither response nor message nor content');
    this.#response.set('error', error.kind === 'text' ? dictOf({ message: error }) : error);
    this.#response.set('status', textValue('failed'));
    this.isOver = true;
  }
}

/** True for a message that only shows that the agent is alive. */
function isHeartbeat(message: Value): boolean {
  return textIn(findEntry(message, 'type')) === 'heartbeat';
}

/** The `call_id`s in a message. */
function callIdsOf(message: Value): readonly string[] {
  const contents = findEntry(message, 'content');
  return (contents?.kind === 'list' ? contents.items : []).flatMap(content => {
    const id = textIn(findEntry(findEntry(content, 'data'), 'call_id'));
    return id === undefined ? [] : [id];
  });
}
