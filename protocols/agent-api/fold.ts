import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { FINAL, MessageFold } from './message-fold.ts';
import { EventOrder } from '../event-stream/event-order.ts';
import {
  Tally,
  type KeptPart,
  type PartListener,
  type ResponseFold,
  type ResponsePart,
} from '../event-stream/response-fold.ts';
import { ToldText } from '../event-stream/told-text.ts';

/**
 * Folds the events of a response of the Agent API into response, messages and contents (reading of the Agent API,
 * section 6). A stream that ends without a final event gives a response that is `incomplete`. Total, and linear.
 */
export class AgentApiFold implements ResponseFold {
  readonly texts = new ToldText();
  readonly #listener: PartListener | undefined;
  readonly #tally: Tally;
  readonly #order = new EventOrder(note => this.#tally.add(note));
  readonly #response = new Map<string, Value>();
  readonly #messages: MessageFold[] = [];
  /** Messages that the end of the response tells of and no event before it. Kept only for who hears of parts. */
  readonly #untold: MessageFold[] = [];
  readonly #byId = new Map<string, MessageFold>();
  /** The message that was written last. */
  #current: MessageFold | undefined;
  #output: Value | undefined;
  #isOver = false;
  #hasBegun = false;
  readonly #keeps: KeptPart;

  constructor(keeps: KeptPart, listener?: PartListener) {
    this.#keeps = keeps;
    this.#listener = listener;
    this.#tally = new Tally(listener);
  }

  push(event: Value): void {
    this.#hasBegun = true;
    for (const due of this.#order.push(event)) this.#take(due);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get session(): string | undefined {
    return textIn(this.#response.get('session_id'));
  }

  get notes(): readonly string[] {
    return this.#tally.lines;
  }

  parts(): readonly ResponsePart[] {
    return [...this.#messages, ...this.#untold].map(each => each.part());
  }

  whole(): DictValue | undefined {
    for (const due of this.#order.end()) this.#take(due);
    if (!this.#hasBegun) return undefined;
    const members = new Map(this.#response);
    if (!members.has('object')) members.set('object', textValue('response'));
    const status = textIn(members.get('status')) ?? '';
    if (!this.#isOver && !FINAL.has(status)) members.set('status', textValue('incomplete'));
    const output = this.#output ?? listValue(this.#messages.map(each => each.value()));
    members.set('output', output);
    this.#tellStrayOutputs(output);
    return dictValue([...members].map(([key, value]) => ({ key, value })));
  }

  #tellStrayOutputs(output: Value): void {
    const messages = output.kind === 'list' ? output.items : [];
    const isOutput = (each: Value): boolean => textIn(findEntry(each, 'type'))?.endsWith('_output') === true;
    const calls = new Set(messages.filter(each => !isOutput(each)).flatMap(callIdsOf));
    for (const message of messages.filter(isOutput)) {
      const key = this.#byId.get(textIn(findEntry(message, 'id')) ?? '')?.key;
      for (const id of callIdsOf(message))
        if (!calls.has(id)) this.#tally.add('The output of a call belongs to no call of this response', key);
    }
  }

  #take(event: Value): void {
    this.#listener?.take(event);
    this.#takeIn(event);
    this.#listener?.taken();
  }

  #takeIn(event: Value): void {
    if (event.kind !== 'dict') return this.#tally.add('An event of the stream is no object');
    switch (textIn(findEntry(event, 'object'))) {
      case 'response':
        return this.#takeResponse(event);
      case 'message':
        return this.#keeps === 'all' ? this.#takeMessage(event) : undefined;
      case 'content':
        return this.#keeps === 'all' ? this.#takeContent(event) : undefined;
      default:
        return this.#takeOther(event);
    }
  }

  #takeResponse(event: DictValue): void {
    if (this.#isOver) this.#tally.add('An event came after the response had ended');
    for (const { key, value } of event.entries)
      if (value.kind !== 'null' && key !== 'output' && key !== 'sequence_number')
        this.#response.set(key, value);
    const output = findEntry(event, 'output');
    if (this.#keeps === 'all' && output?.kind === 'list' && output.items.length > 0) this.#output = output;
    if (this.#listener && output?.kind === 'list') this.#takeUntold(output.items);
    const error = findEntry(event, 'error');
    this.#isOver ||=
      FINAL.has(textIn(findEntry(event, 'status')) ?? '') || (error !== undefined && error.kind !== 'null');
  }

  /** A message without an id is the one that came at its place. */
  #takeUntold(output: readonly Value[]): void {
    for (const [index, message] of output.entries()) {
      const id = textIn(findEntry(message, 'id'));
      const isTold = id === undefined ? index < this.#messages.length : this.#byId.has(id);
      const isKnown = this.#untold.some(each => each.id !== undefined && each.id === id);
      if (isTold || isKnown || message.kind !== 'dict') continue;
      const around = { texts: new ToldText(), tally: new Tally(), listener: this.#listener };
      const made = new MessageFold(`output ${index}`, id, around);
      this.#untold.push(made);
      made.push(message);
    }
  }

  #takeMessage(event: DictValue): void {
    if (textIn(findEntry(event, 'type')) === 'heartbeat') return;
    const id = textIn(findEntry(event, 'id'));
    if (id === undefined) this.#tally.add('An event does not say which message it is about');
    const isOpen = this.#current && !this.#current.isClosed && id === undefined;
    const found = (isOpen ? this.#current : undefined) ?? this.#find(id);
    found.push(event);
    this.#current = found;
  }

  #takeContent(event: DictValue): void {
    const id = textIn(findEntry(event, 'msg_id'));
    const found = id === undefined ? this.#currentFor() : this.#find(id);
    found.pushContent(event);
    this.#current = found;
  }

  /** The message that a content without a name belongs to: the one written last, if it is open. */
  #currentFor(): MessageFold {
    if (this.#current && !this.#current.isClosed) {
      this.#tally.add('A content does not name its message and was put into the one written last');
      return this.#current;
    }
    this.#tally.add('A content belongs to no message that is open and was put into a new one');
    return this.#find(undefined);
  }

  #find(id: string | undefined): MessageFold {
    const known = id === undefined ? undefined : this.#byId.get(id);
    if (known) return known;
    const made = new MessageFold(String(this.#messages.length), id, {
      texts: this.texts,
      tally: this.#tally,
      listener: this.#listener,
    });
    this.#messages.push(made);
    if (id !== undefined) this.#byId.set(id, made);
    return made;
  }

  /** A failure of the transport comes with HTTP 200 and without a response: `{"error":"…"}`. */
  #takeOther(event: DictValue): void {
    const error = findEntry(event, 'error');
    if (!error || error.kind === 'null')
      return this.#tally.add('An event is neither response nor message nor content');
    this.#response.set(
      'error',
      error.kind === 'text' ? dictValue([{ key: 'message', value: error }]) : error,
    );
    this.#response.set('status', textValue('failed'));
    this.#isOver = true;
  }
}

/** The calls that a message names. */
function callIdsOf(message: Value): readonly string[] {
  const contents = findEntry(message, 'content');
  return (contents?.kind === 'list' ? contents.items : []).flatMap(content => {
    const id = textIn(findEntry(findEntry(content, 'data'), 'call_id'));
    return id === undefined ? [] : [id];
  });
}
