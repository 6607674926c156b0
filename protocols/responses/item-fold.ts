import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { dictOf } from '../message/dicts.ts';
import type { ResponseContent, ResponsePart } from '../event-stream/response-fold.ts';
import type { TextKind, StreamedText } from '../event-stream/streamed-text.ts';

/** The lists of an item whose parts arrive in pieces. */
type PartList = 'content' | 'summary';

/** A part of an item: its first form, and its text. */
interface Part {
  open: DictValue | undefined;
  readonly member: string;
  text: string;
}

/** One item of the output of OpenAI's Responses, folded while it arrives. */
export class ItemFold {
  readonly key: string;
  readonly #texts: StreamedText;
  #open: DictValue;
  #isBegun = false;
  readonly #parts: Readonly<Record<PartList, Map<number, Part>>> = { content: new Map(), summary: new Map() };
  /** Members of the item itself whose text arrives in pieces: `arguments`, `input`, `code`. */
  readonly #members = new Map<string, string>();
  #done: DictValue | undefined;

  constructor(key: string, texts: StreamedText) {
    this.key = key;
    this.#texts = texts;
    // An item without an opening event; the output of a response is the assistant's.
    this.#open = dictOf({ type: textValue('message'), role: textValue('assistant') });
  }

  /** Sets the first form of the item. */
  begin(item: DictValue): void {
    this.#open = item;
    this.#isBegun = true;
  }

  /** Sets the final item, which replaces everything that came in pieces. */
  finish(item: DictValue): void {
    this.#done = item;
    this.#settleAll(item);
  }

  /** Opens or ends a part. */
  setPart(list: PartList, index: number, part: DictValue): void {
    const found = this.#find(list, index, memberOf(part));
    found.open = part;
    const text = textIn(findEntry(part, found.member));
    if (text !== undefined && text !== '') found.text = text;
  }

  /** Appends to the text of a part. */
  growPart(list: PartList, index: number, member: string, text: string): void {
    this.#guessType(list);
    const part = this.#find(list, index, member);
    part.text += text;
    const kind = this.#kindOf(list, part);
    if (kind) this.#texts.grow(this.keyOf(list, index), kind, text);
  }

  /** Sets the whole text of a part. */
  settlePart(list: PartList, index: number, member: string, text: string): void {
    const part = this.#find(list, index, member);
    part.text = text;
    const kind = this.#kindOf(list, part);
    if (kind) this.#texts.settle(this.keyOf(list, index), kind, text);
  }

  growMember(member: string, text: string): void {
    this.#members.set(member, (this.#members.get(member) ?? '') + text);
  }

  settleMember(member: string, text: string): void {
    this.#members.set(member, text);
  }

  value(): DictValue {
    if (this.#done) return this.#done;
    const entries = new Map(this.#open.entries.map(({ key, value }) => [key, value]));
    for (const list of ['content', 'summary'] as const) {
      const parts = [...this.#parts[list]].sort(([a], [b]) => a - b).map(([, part]) => toValue(part, list));
      if (parts.length > 0) entries.set(list, listValue(parts));
    }
    for (const [member, text] of this.#members) entries.set(member, textValue(text));
    return dictValue([...entries].map(([key, value]) => ({ key, value })));
  }

  /** Its id, if it has one. */
  get id(): string | undefined {
    return textIn(findEntry(this.#done ?? this.#open, 'id'));
  }

  /** The item as it is now, with a key for each part. */
  part(): ResponsePart {
    const value = this.value();
    const isClosed = this.#done !== undefined;
    const contents = (['summary', 'content'] as const).flatMap(list => {
      const items = findEntry(value, list);
      return (items?.kind === 'list' ? items.items : []).map((each, index): ResponseContent => {
        return { key: this.keyOf(list, index), value: each, isClosed };
      });
    });
    return { key: this.key, value, isClosed, contents };
  }

  /** Guesses the type of an item without an opening event. */
  #guessType(list: PartList): void {
    if (list === 'summary' && !this.#isBegun) this.#open = dictOf({ type: textValue('reasoning') });
  }

  #find(list: PartList, index: number, member: string): Part {
    const known = this.#parts[list].get(index);
    if (known) return known;
    const made = { open: undefined, member, text: '' };
    this.#parts[list].set(index, made);
    return made;
  }

  #kindOf(list: PartList, { member }: Part): TextKind | undefined {
    const type = textIn(findEntry(this.#open, 'type'));
    if (type === 'reasoning') return 'reasoning';
    return type === 'message' && list === 'content' && member === 'text' ? 'text' : undefined;
  }

  /** The key of a part, unique within the response. */
  keyOf(list: PartList, index: number): string {
    return `${this.key}/${list}/${index}`;
  }

  #settleAll(item: DictValue): void {
    for (const list of ['content', 'summary'] as const) {
      const values = findEntry(item, list);
      for (const [index, part] of (values?.kind === 'list' ? values.items : []).entries()) {
        const member = memberOf(part);
        const kind = this.#kindOf(list, { open: undefined, member, text: '' });
        const text = textIn(findEntry(part, member));
        if (kind && text !== undefined) this.#texts.settle(this.keyOf(list, index), kind, text);
      }
      for (const index of this.#parts[list].keys()) this.#texts.close(this.keyOf(list, index));
    }
  }
}

function memberOf(part: Value): string {
  return findEntry(part, 'refusal') ? 'refusal' : 'text';
}

function toValue({ open, member, text }: Part, list: PartList): DictValue {
  const type = list === 'summary' ? 'summary_text' : member === 'refusal' ? 'refusal' : 'output_text';
  const entries: readonly Entry[] = open?.entries ?? [{ key: 'type', value: textValue(type) }];
  const others = entries.filter(({ key }) => key !== member);
  return dictValue([...others, { key: member, value: textValue(text) }]);
}
