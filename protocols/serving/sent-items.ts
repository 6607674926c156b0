import type { Message } from '../../core/message/message.ts';
import { dictValue, type Value } from '../../core/values/value.ts';
import { canonical, contentOf } from '../content/canonical.ts';
import { writePart, type Part } from '../content/part.ts';
import { isSameValue } from '../message/same-value.ts';

/** The items and the parts other than texts that were among the chunks of a reply. */
export class SentItems {
  /** In the order in which they were sent, which is nearly that of the whole reply: a search mostly ends at once. */
  readonly #items: Value[] = [];
  readonly #parts: Value[] = [];

  add(chunk: Message): void {
    const { items, event } = chunk.fields;
    if (event) return;
    if (items?.kind === 'list') for (const item of items.items) this.#items.push(withoutState(item));
    else
      for (const part of contentOf(canonical(chunk)).parts)
        if (part.type !== 'text') this.#parts.push(writePart(part));
  }

  /** The items that were not sent. */
  leftOf(items: readonly Value[]): readonly Value[] {
    const sent = [...this.#items];
    return items.filter(item => !take(sent, withoutState(item)));
  }

  /** The parts that were not sent. */
  leftOfParts(parts: readonly Part[]): readonly Part[] {
    const sent = [...this.#parts];
    return parts.filter(part => !take(sent, writePart(part)));
  }
}

function take(sent: Value[], value: Value): boolean {
  const at = sent.findIndex(each => isSameValue(each, value));
  if (at !== -1) sent.splice(at, 1);
  return at !== -1;
}

/** An item without its id and status, which belong to its response. */
export function withoutState(item: Value): Value {
  if (item.kind !== 'dict') return item;
  return dictValue(item.entries.filter(({ key }) => key !== 'id' && key !== 'status'));
}
