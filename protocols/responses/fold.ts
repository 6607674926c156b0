import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { EventOrder } from '../event-stream/event-order.ts';
import {
  Tally,
  type KeptPart,
  type PartListener,
  type ResponseFold,
  type ResponsePart,
} from '../event-stream/response-fold.ts';
import { ItemFold } from './item-fold.ts';
import { ToldText } from '../event-stream/told-text.ts';

/** Events of a text that grows: what it belongs to and the member that holds it. */
const PARTS = [
  { name: 'output_text', list: 'content', member: 'text' },
  { name: 'refusal', list: 'content', member: 'refusal' },
  { name: 'reasoning_text', list: 'content', member: 'text' },
  { name: 'reasoning_summary_text', list: 'summary', member: 'text' },
] as const;

/** Events of a member of an item that grows. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ['function_call_arguments', 'arguments'],
  ['mcp_call_arguments', 'arguments'],
  ['custom_tool_call_input', 'input'],
  ['code_interpreter_call_code', 'code'],
]);

const FINAL: ReadonlySet<string> = new Set(['completed', 'incomplete', 'failed', 'cancelled']);

/**
 * Folds the events of OpenAI's Responses into the response that they tell of. An event that is of no known type stands in
 * what came over the wire, and is counted. Total, and linear.
 */
export class ResponsesFold implements ResponseFold {
  /** A conversation goes on by the id of its last response. */
  readonly session = undefined;
  readonly texts = new ToldText();
  readonly #listener: PartListener | undefined;
  readonly #tally: Tally;
  readonly #order = new EventOrder(note => this.#tally.add(note));
  #response: DictValue | undefined;
  readonly #items = new Map<string, ItemFold>();
  /** Items that the response tells of and no event of their own. Kept only for who hears of parts. */
  #untold: readonly ItemFold[] = [];
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

  get notes(): readonly string[] {
    return this.#tally.lines;
  }

  parts(): readonly ResponsePart[] {
    return [...this.#ordered(), ...this.#untold].map(item => item.part());
  }

  whole(): DictValue | undefined {
    for (const due of this.#order.end()) this.#take(due);
    if (!this.#hasBegun) return undefined;
    const members = new Map((this.#response?.entries ?? []).map(({ key, value }) => [key, value]));
    if (!members.has('object')) members.set('object', textValue('response'));
    if (!this.#isOver) members.set('status', textValue('incomplete'));
    const output = members.get('output');
    if (output?.kind !== 'list' || output.items.length === 0)
      members.set('output', listValue(this.#ordered().map(item => item.value())));
    return dictValue([...members].map(([key, value]) => ({ key, value })));
  }

  /** The items in the order of their places; one that has none stands where it came. */
  #ordered(): readonly ItemFold[] {
    const items = [...this.#items];
    if (items.every(([key]) => /^\d+$/.test(key))) items.sort(([a], [b]) => Number(a) - Number(b));
    return items.map(([, item]) => item);
  }

  #take(event: Value): void {
    this.#listener?.take(event);
    this.#takeIn(event);
    this.#listener?.taken();
  }

  #takeIn(event: Value): void {
    const type = textIn(findEntry(event, 'type')) ?? '';
    if (event.kind !== 'dict') return this.#tally.add('An event of the stream is no object');
    const isLate = this.#isOver;
    const isWhole = textIn(findEntry(event, 'object')) === 'response';
    const response = isWhole ? event : findEntry(event, 'response');
    if (response?.kind === 'dict' && !isLate) return this.#takeResponse(event, response);
    if (isLate) this.#tally.add('An event came after the response had ended');
    if (response?.kind === 'dict')
      return this.#tally.add(
        'The state of the response was told once more after its end: the end counts, the other is in what came over the wire',
      );
    if (type === 'error' || (type === '' && findEntry(event, 'error'))) return this.#takeError(event);
    if (this.#keeps === 'outcome') return;
    if (!this.#takeItem(type, event) && !this.#takePart(type, event) && !this.#takeText(type, event))
      this.#tally.add(`Events of the type ${type || 'without a name'} stand in what came over the wire only`);
  }

  #takeResponse(event: DictValue, response: DictValue): void {
    this.#response =
      this.#keeps === 'all' ? response : dictValue(response.entries.filter(({ key }) => key !== 'output'));
    if (this.#listener && this.#keeps === 'all') this.#takeUntold(findEntry(response, 'output'));
    const type = (textIn(findEntry(event, 'type')) ?? '').slice('response.'.length);
    this.#isOver ||= FINAL.has(type) || FINAL.has(textIn(findEntry(response, 'status')) ?? '');
  }

  #takeUntold(output: Value | undefined): void {
    const items = output?.kind === 'list' ? output.items : [];
    const byId = new Set([...this.#items.values()].map(({ id }) => id));
    this.#untold = items.flatMap((item, index) => {
      const id = textIn(findEntry(item, 'id'));
      const atPlace = this.#items.get(String(index));
      const isTold = byId.has(id) || (atPlace && (id === undefined || atPlace.id === undefined));
      if (isTold || item.kind !== 'dict') return [];
      const made = new ItemFold(`output ${index}`, new ToldText());
      made.begin(item);
      made.finish(item);
      this.#listener?.belongs(made.key);
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
    this.#isOver = true;
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
    this.#listener?.belongs(item.keyOf(list, index));
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
      this.#listener?.belongs(item.keyOf(part.list, index));
      if (end === 'delta') item.growPart(part.list, index, part.member, text);
      else item.settlePart(part.list, index, part.member, text);
    } else if (member !== undefined) {
      const item = this.#find(event);
      if (end === 'delta') item.growMember(member, text);
      else item.settleMember(member, text);
    } else return false;
    return true;
  }

  /** The item of an event by its place in the output, or else by its id. */
  #find(event: DictValue, item?: DictValue): ItemFold {
    const place = findEntry(event, 'output_index');
    const id = textIn(findEntry(event, 'item_id')) ?? textIn(findEntry(item, 'id')) ?? '';
    const key = place?.kind === 'int' ? String(place.int) : `id ${id}`;
    this.#listener?.belongs(key);
    const known = this.#items.get(key);
    if (known) return known;
    const made = new ItemFold(key, this.texts);
    this.#items.set(key, made);
    return made;
  }
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
