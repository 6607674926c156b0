import type { message } from '../../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  intValue,
  listValue,
  NULL,
  textIn,
  textValue,
  type DictValue,
  type TextValue,
  type Value,
} from '../../../core/values/value.ts';
import { writeParts, type Part } from '../../content/part.ts';
import type { TextKind } from '../../event-stream/streamed-text.ts';
import { dictOf } from '../../message/dicts.ts';
import { Members } from '../../message/members.ts';
import type { ServerCodec } from '../../serving/codec.ts';
import { withoutState } from '../../serving/sent-items.ts';
import { writeItems, type ItemSink } from '../../serving/item-reply.ts';
import type { CallerReply } from '../../serving/serving.ts';

/** Receives the events of a response, without their numbers. */
export type EmitEvent = (type: string, members: Readonly<Record<string, Value | undefined>>) => void;

export interface OutputOptions {
  readonly codec: ServerCodec;
  readonly reply: Pick<CallerReply, 'note'>;
  readonly newId: () => string;
  readonly emit: EmitEvent;
}

/** How an item ended. */
type ItemEnd = 'completed' | 'incomplete';

/** An item that grows: a message of the assistant, or reasoning. */
interface OpenItem {
  readonly kind: TextKind;
  readonly id: string;
  readonly parts: Value[];
  /** The pieces of the text of the last part; undefined if it does not grow. */
  text: string[] | undefined;
}

/** Where the parts of a growing item are, and the names of their events. */
const GROWING = {
  text: { list: 'content', index: 'content_index', part: 'content_part', text: 'output_text' },
  reasoning: {
    list: 'summary',
    index: 'summary_index',
    part: 'reasoning_summary_part',
    text: 'reasoning_summary_text',
  },
} as const satisfies Readonly<Record<TextKind, unknown>>;

/** Members of items that arrive after the item, with what they are before. */
const GROWN: ReadonlyMap<string, string> = new Map([
  ['function_call', 'arguments'],
  ['image_generation_call', 'result'],
]);
const EMPTY: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['function_call', textValue('')],
  ['image_generation_call', NULL],
]);

/** The prefixes of the ids of items. */
const PREFIXES: ReadonlyMap<string, string> = new Map([
  ['message', 'msg'],
  ['reasoning', 'rs'],
  ['function_call', 'fc'],
  ['function_call_output', 'fco'],
  ['image_generation_call', 'ig'],
  ['mcp_call', 'mcp'],
  ['mcp_list_tools', 'mcpl'],
]);

const APPROVAL = 'mcp_approval_request';
const NO_LOGPROBS = { logprobs: listValue([]) };

/** The output of one response while it is written: its items, and an event for each step. */
export class ResponseOutput implements ItemSink {
  readonly #options: OutputOptions;
  readonly #items: Value[] = [];
  #open: OpenItem | undefined;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** The items so far; one that grows has what it has. */
  get items(): readonly Value[] {
    return this.#open ? [...this.#items, this.#describe(this.#open, 'in_progress')] : this.#items;
  }

  grow(kind: TextKind, text: string): void {
    const item = this.#openItem(kind);
    item.text ??= this.#beginText(item);
    item.text.push(text);
    const { text: event } = GROWING[kind];
    this.#emitAt(item, `response.${event}.delta`, {
      delta: textValue(text),
      ...(kind === 'text' ? NO_LOGPROBS : {}),
    });
  }

  cut(): void {
    if (this.#open?.text) this.#endText(this.#open, this.#open.text);
  }

  part(part: Part): void {
    const written = this.#write({ content: writeParts([part]) });
    for (const item of written) {
      if (textIn(findEntry(item, 'type')) === 'message') this.#addParts(item);
      else this.#addItem(item);
    }
  }

  item(item: Value): void {
    // An approval is given by the id of its request.
    const own = textIn(findEntry(item, 'type')) === APPROVAL ? item : withoutState(item);
    for (const each of this.#write({ items: listValue([own]) })) this.#addItem(each);
  }

  note(text: string): void {
    this.#options.reply.note(text);
  }

  /** Ends the item that grows. */
  close(end: ItemEnd): void {
    const item = this.#open;
    if (!item) return;
    this.cut();
    this.#open = undefined;
    this.#finish(this.#describe(item, end));
  }

  #write(fields: Parameters<typeof message>[1]): readonly Value[] {
    return writeItems(fields, this.#options.codec, this.#options.reply);
  }

  #openItem(kind: TextKind): OpenItem {
    if (this.#open?.kind === kind) return this.#open;
    this.close('completed');
    const prefix = kind === 'text' ? 'msg' : 'rs';
    const item: OpenItem = { kind, id: `${prefix}_${this.#options.newId()}`, parts: [], text: undefined };
    this.#open = item;
    this.#options.emit('response.output_item.added', {
      output_index: intValue(this.#items.length),
      item: this.#describe(item, 'in_progress'),
    });
    return item;
  }

  #beginText(item: OpenItem): string[] {
    const part = partOfText(item.kind, textValue(''));
    item.parts.push(part);
    this.#emitAt(item, `response.${GROWING[item.kind].part}.added`, { part });
    return [];
  }

  #endText(item: OpenItem, pieces: readonly string[]): void {
    const text = textValue(pieces.join(''));
    const { part: ofPart, text: ofText } = GROWING[item.kind];
    const part = partOfText(item.kind, text);
    item.parts[item.parts.length - 1] = part;
    item.text = undefined;
    this.#emitAt(item, `response.${ofText}.done`, {
      text,
      ...(item.kind === 'text' ? NO_LOGPROBS : {}),
    });
    this.#emitAt(item, `response.${ofPart}.done`, { part });
  }

  /** Adds the parts of a written message to the message that is open. */
  #addParts(written: Value): void {
    const content = findEntry(written, 'content');
    const item = this.#openItem('text');
    for (const part of content?.kind === 'list' ? content.items : []) {
      this.cut();
      this.#addPart(item, part);
    }
  }

  #addPart(item: OpenItem, part: Value): void {
    const member = findEntry(part, 'refusal') ? 'refusal' : 'text';
    const name = member === 'text' ? GROWING.text.text : member;
    const more = member === 'text' ? NO_LOGPROBS : {};
    const text = findEntry(part, member) ?? textValue('');
    item.parts.push(part);
    this.#emitAt(item, 'response.content_part.added', { part: withMember(part, member, textValue('')) });
    this.#emitAt(item, `response.${name}.delta`, { delta: text, ...more });
    this.#emitAt(item, `response.${name}.done`, { [member]: text, ...more });
    this.#emitAt(item, 'response.content_part.done', { part });
  }

  /** Adds a whole item: a message of the assistant part by part. */
  #addItem(written: Value): void {
    this.close('completed');
    const type = textIn(findEntry(written, 'type')) ?? '';
    if (type === 'message' && textIn(findEntry(written, 'role')) === 'assistant') {
      this.#addParts(written);
      return this.close('completed');
    }
    const id = type === APPROVAL ? undefined : textValue(this.#newId(type));
    const item = withMember(written, 'id', id);
    const grown = GROWN.get(type);
    const begun = withMember(withMember(item, 'status', textValue('in_progress')), grown, EMPTY.get(type));
    const at = { output_index: intValue(this.#items.length) };
    this.#options.emit('response.output_item.added', { ...at, item: begun });
    const text = grown === 'arguments' ? findEntry(item, grown) : undefined;
    if (text) {
      const place = { item_id: findEntry(item, 'id'), ...at };
      this.#options.emit('response.function_call_arguments.delta', { ...place, delta: text });
      this.#options.emit('response.function_call_arguments.done', { ...place, arguments: text });
    }
    this.#finish(item);
  }

  #newId(type: string): string {
    return `${PREFIXES.get(type) ?? 'item'}_${this.#options.newId()}`;
  }

  #finish(item: Value): void {
    this.#options.emit('response.output_item.done', { output_index: intValue(this.#items.length), item });
    this.#items.push(item);
  }

  /** Emits an event about the last part of an item. */
  #emitAt(item: OpenItem, type: string, members: Readonly<Record<string, Value | undefined>>): void {
    this.#options.emit(type, {
      item_id: textValue(item.id),
      output_index: intValue(this.#items.length),
      [GROWING[item.kind].index]: intValue(item.parts.length - 1),
      ...members,
    });
  }

  #describe(item: OpenItem, status: ItemEnd | 'in_progress'): DictValue {
    const isMessage = item.kind === 'text';
    const parts = item.text
      ? item.parts.with(-1, partOfText(item.kind, textValue(item.text.join(''))))
      : [...item.parts];
    return dictOf({
      id: textValue(item.id),
      type: textValue(isMessage ? 'message' : 'reasoning'),
      status: textValue(status),
      role: isMessage ? textValue('assistant') : undefined,
      [GROWING[item.kind].list]: listValue(parts),
    });
  }
}

function partOfText(kind: TextKind, text: TextValue): DictValue {
  return kind === 'reasoning'
    ? dictOf({ type: textValue('summary_text'), text })
    : dictOf({ type: textValue('output_text'), text, annotations: listValue([]) });
}

/** A dictionary with another value of a member; the same one without a name or a value. */
function withMember(value: Value, name: string | undefined, member: Value | undefined): Value {
  if (name === undefined || !member) return value;
  const members = new Members(value);
  members.put(name, member);
  return dictValue(members.entries());
}
