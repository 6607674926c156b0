import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { isApprovalRequest, pickApprovalRequests } from '../event-stream/approvals.ts';
import { EventFold } from '../event-stream/event-fold.ts';
import type { ResponsePart } from '../event-stream/response-fold.ts';
import { ItemFold } from './item-fold.ts';
import { StreamedText } from '../event-stream/streamed-text.ts';

/** Events of a growing text: the list with its part, and the member with its text. */
const PARTS = [
  { name: 'output_text', list: 'content', member: 'text' },
  { name: 'refusal', list: 'content', member: 'refusal' },
  { name: 'reasoning_text', list: 'content', member: 'text' },
  { name: 'reasoning_summary_text', list: 'summary', member: 'text' },
] as const;

/** Events of a growing member of an item. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ['function_call_arguments', 'arguments'],
  ['mcp_call_arguments', 'arguments'],
  ['custom_tool_call_input', 'input'],
  ['code_interpreter_call_code', 'code'],
]);

const FINAL: ReadonlySet<string> = new Set(['completed', 'incomplete', 'failed', 'cancelled']);

/**
 * Folds the events of OpenAI's Responses into a response. Events of unknown types are only counted; they
 * remain in the wire data. Total, and linear.
 */
export class ResponsesFold extends EventFold {
  /** Responses has no sessions: a conversation continues by the id of its last response. */
  override readonly session = undefined;
  #response: DictValue | undefined;
  readonly #items = new Map<string, ItemFold>();
  /** Items of the response without events of their own. Collected only for a listener of parts. */
  #unreported: readonly ItemFold[] = [];

  override parts(): readonly ResponsePart[] {
    return [...this.#ordered(), ...this.#unreported].map(item => item.part());
  }

  override endedItem(event: Value): DictValue | undefined {
    const item = findEntry(event, 'item');
    const isEnd = textIn(findEntry(event, 'type')) === 'response.output_item.done';
    return isEnd && item?.kind === 'dict' ? item : undefined;
  }

  protected override members(): ReadonlyMap<string, Value> {
    return new Map((this.#response?.entries ?? []).map(({ key, value }) => [key, value]));
  }

  protected override complete(members: Map<string, Value>): void {
    if (!this.isOver) members.set('status', textValue('incomplete'));
    const output = members.get('output');
    if (output?.kind !== 'list' || output.items.length === 0)
      members.set('output', listValue(this.#ordered().map(item => item.value())));
  }

  /** The items in the order of their positions; in the order of arrival if one has no position. */
  #ordered(): readonly ItemFold[] {
    const items = [...this.#items];
    if (items.every(([key]) => /^\d+$/.test(key))) items.sort(([a], [b]) => Number(a) - Number(b));
    return items.map(([, item]) => item);
  }

  protected override takeEvent(event: DictValue): void {
    const type = textIn(findEntry(event, 'type')) ?? '';
    const isLate = this.isOver;
    const isWhole = textIn(findEntry(event, 'object')) === 'response';
    const response = isWhole ? event : findEntry(event, 'response');
    if (response?.kind === 'dict' && !isLate) return this.#takeResponse(event, response);
    if (isLate) this.tally.add('An event came after the response had ended');
    if (response?.kind === 'dict')
      return this.tally.add(
        'The state of the response was sent again after its end: the end counts, the other is in the raw reply',
      );
    if (type === 'error' || (type === '' && findEntry(event, 'error'))) return this.#takeError(event);
    if (this.keeps === 'outcome' && !isApprovalRequest(findEntry(event, 'item'))) return;
    if (!this.#takeItem(type, event) && !this.#takePart(type, event) && !this.#takeText(type, event))
      this.tally.add(`Events of the type ${type || 'without a name'} are only in the raw reply`);
  }

  #takeResponse(event: DictValue, response: DictValue): void {
    this.#response = this.keeps === 'all' ? response : withoutContent(response);
    if (this.listener && this.keeps === 'all') this.#takeUnreported(findEntry(response, 'output'));
    const type = (textIn(findEntry(event, 'type')) ?? '').slice('response.'.length);
    this.isOver ||= FINAL.has(type) || FINAL.has(textIn(findEntry(response, 'status')) ?? '');
  }

  #takeUnreported(output: Value | undefined): void {
    const items = output?.kind === 'list' ? output.items : [];
    const byId = new Set([...this.#items.values()].map(({ id }) => id));
    this.#unreported = items.flatMap((item, index) => {
      const id = textIn(findEntry(item, 'id'));
      const atPlace = this.#items.get(String(index));
      const isReported = byId.has(id) || (atPlace && (id === undefined || atPlace.id === undefined));
      if (isReported || item.kind !== 'dict') return [];
      const made = new ItemFold(`output ${index}`, new StreamedText());
      made.begin(item);
      made.finish(item);
      this.listener?.belongs(made.key);
      return [made];
    });
  }

  #takeError(event: DictValue): void {
    const inner = findEntry(event, 'error');
    const error =
      inner?.kind === 'dict' ? inner : dictValue(event.entries.filter(({ key }) => ERROR.has(key)));
    const before = (this.#response?.entries ?? []).filter(({ key }) => key !== 'error' && key !== 'status');
    this.#response = dictValue([
      ...before,
      { key: 'status', value: textValue('failed') },
      { key: 'error', value: error },
    ]);
    this.isOver = true;
  }

  #takeItem(type: string, event: DictValue): boolean {
    const item = findEntry(event, 'item');
    if (item?.kind !== 'dict') return false;
    if (type === 'response.output_item.added') this.#find(event, item).begin(item);
    else if (type === 'response.output_item.done') {
      const found = this.#find(event, item);
      found.begin(item);
      found.finish(item);
    } else return false;
    return true;
  }

  #takePart(type: string, event: DictValue): boolean {
    const part = findEntry(event, 'part');
    const list = PART_EVENTS.get(type);
    if (!list || part?.kind !== 'dict') return false;
    const index = indexOf(event, list);
    const item = this.#find(event);
    this.listener?.belongs(item.keyOf(list, index));
    item.setPart(list, index, part);
    return true;
  }

  #takeText(type: string, event: DictValue): boolean {
    const [, name = '', end] = /^response\.(\w+)\.(delta|done)$/.exec(type) ?? [];
    const member = MEMBERS.get(name);
    const part = PARTS.find(row => row.name === name);
    const text = textIn(findEntry(event, end === 'delta' ? 'delta' : (member ?? part?.member ?? '')));
    if (text === undefined) return false;
    if (part) {
      const index = indexOf(event, part.list);
      const item = this.#find(event);
      this.listener?.belongs(item.keyOf(part.list, index));
      if (end === 'delta') item.growPart(part.list, index, part.member, text);
      else item.settlePart(part.list, index, part.member, text);
    } else if (member !== undefined) {
      const item = this.#find(event);
      if (end === 'delta') item.growMember(member, text);
      else item.settleMember(member, text);
    } else return false;
    return true;
  }

  /** The item of an event, by its position in the output, or else by its id. */
  #find(event: DictValue, item?: DictValue): ItemFold {
    const place = findEntry(event, 'output_index');
    const id = textIn(findEntry(event, 'item_id')) ?? textIn(findEntry(item, 'id')) ?? '';
    const key = place?.kind === 'int' ? String(place.int) : `id ${id}`;
    this.listener?.belongs(key);
    const known = this.#items.get(key);
    if (known) return known;
    const made = new ItemFold(key, this.texts);
    this.#items.set(key, made);
    return made;
  }
}

function withoutContent({ entries }: DictValue): DictValue {
  return dictValue(
    entries.map(({ key, value }) => ({ key, value: key === 'output' ? pickApprovalRequests(value) : value })),
  );
}

const ERROR: ReadonlySet<string> = new Set(['code', 'message', 'param']);

const PART_EVENTS: ReadonlyMap<string, 'content' | 'summary'> = new Map([
  ['response.content_part.added', 'content'],
  ['response.content_part.done', 'content'],
  ['response.reasoning_summary_part.added', 'summary'],
  ['response.reasoning_summary_part.done', 'summary'],
]);

function indexOf(event: DictValue, list: 'content' | 'summary'): number {
  const index = findEntry(event, list === 'content' ? 'content_index' : 'summary_index');
  return index?.kind === 'int' ? Number(index.int) : 0;
}
