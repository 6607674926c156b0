import {
  dictValue,
  findEntry,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../message/same-value.ts';
import { GrowingData } from '../event-stream/growing-data.ts';

/** Members that locate a content and report its progress; they are not part of its value. */
export const OF_FRAME: ReadonlySet<string> = new Set([
  'object',
  'status',
  'error',
  'index',
  'delta',
  'msg_id',
  'sequence_number',
]);

/** The members whose pieces are joined, by content type; of all others the last value counts. */
const JOINED: Readonly<Partial<Record<string, string>>> = {
  text: 'text',
  refusal: 'refusal',
  audio: 'data',
  file: 'file_data',
};

/** One content of a message of the Agent API, folded while it arrives. */
export class ContentFold {
  readonly type: string;
  /** Its position in its message, from 0. */
  readonly place: number;
  /** The `index` that its events give, if any. */
  readonly index: number | undefined;
  /** True once its own end arrived. */
  isClosed = false;
  readonly #members = new Map<string, Value>();
  /** The joined pieces of the member in `JOINED`. */
  #joined = '';
  #data: GrowingData | undefined;

  constructor(type: string, place: number, index: number | undefined) {
    this.type = type;
    this.place = place;
    this.index = index;
    if (type === 'data') this.#data = new GrowingData();
  }

  get callId(): string | undefined {
    return this.#data?.callId;
  }

  /** Adds a piece. */
  push(event: DictValue): void {
    this.#take(
      event,
      (data, piece) => data.push(piece),
      text => (this.#joined += text),
    );
  }

  /** Replaces the content with the whole value. Returns `other` if that differs from the joined pieces. */
  replace(event: DictValue): 'same' | 'other' {
    const before = this.isEmpty ? undefined : this.value();
    this.#members.clear();
    this.#take(
      event,
      (data, whole) => data.replace(whole),
      text => (this.#joined = text),
    );
    return before && !isSameValue(before, this.value()) ? 'other' : 'same';
  }

  get isEmpty(): boolean {
    return this.#members.size === 0 && this.#joined === '' && (this.#data?.value().entries.length ?? 0) === 0;
  }

  value(): DictValue {
    const joined = JOINED[this.type];
    const data = this.#data?.value();
    const own: Entry[] = [...this.#members].map(([key, value]) => ({ key, value }));
    return dictValue([
      { key: 'type', value: textValue(this.type) },
      ...(joined === undefined || this.#joined === ''
        ? []
        : [{ key: joined, value: textValue(this.#joined) }]),
      ...(data ? [{ key: 'data', value: data }] : []),
      ...own,
    ]);
  }

  #take(
    event: DictValue,
    takeData: (data: GrowingData, given: DictValue) => void,
    takeText: (text: string) => void,
  ): void {
    for (const { key, value } of event.entries) {
      if (OF_FRAME.has(key) || key === 'type' || value.kind === 'null') continue;
      if (this.#data && key === 'data' && value.kind === 'dict') takeData(this.#data, value);
      else if (key === JOINED[this.type] && value.kind === 'text') takeText(value.text);
      else this.#members.set(key, value);
    }
  }
}

/** True for an event that has a value of its content. */
export function carriesValue(event: DictValue): boolean {
  return event.entries.some(
    ({ key, value }) => !OF_FRAME.has(key) && key !== 'type' && value.kind !== 'null',
  );
}

/** The text of a content of the type `text`. */
export function textOf(content: Value): string | undefined {
  return textIn(findEntry(content, 'type')) === 'text' ? textIn(findEntry(content, 'text')) : undefined;
}
