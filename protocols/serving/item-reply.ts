import { message, type Message } from '../../core/message/message.ts';
import { joinWords } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import { findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { contentOf, canonical } from '../content/canonical.ts';
import { isPlain, readParts, textPart, type Part } from '../content/part.ts';
import { isAnew, pieceOf } from '../event-stream/joined.ts';
import type { TextKind } from '../event-stream/streamed-text.ts';
import { OpenValues } from './open-values.ts';
import { SentItems } from './sent-items.ts';
import type { CallerReply, ServedReply } from './serving.ts';
import type { ServerCodec } from './codec.ts';

/** Receives a reply as the items of a conversation, in order. */
export interface ItemSink {
  /** More of the text of the answer, or of the reasoning before it. */
  grow(kind: TextKind, text: string): void;
  /** Ends the growing text, so that the next one is another part. */
  cut(): void;
  /** A whole part of the answer. */
  part(part: Part): void;
  /** A whole item: a message, a call, … */
  item(item: Value): void;
  /** Notes what the caller does not receive as the agent sent it. */
  note(text: string): void;
}

/** The items that a protocol writes for a result with these fields. */
export function writeItems(
  fields: Parameters<typeof message>[1],
  codec: ServerCodec,
  notes: Pick<CallerReply, 'note'>,
): readonly Value[] {
  const output = findEntry(codec.write(canonical(message('result', fields)), notes), 'output');
  return output?.kind === 'list' ? output.items : [];
}

/**
 * The reply to a call for a protocol whose replies are items. `streamed`: chunks are passed on as they arrive, and the
 * rest follows them. `whole`: the reply is passed on at its end, in the agent's own order.
 */
export class ItemReply {
  readonly #sink: ItemSink;
  readonly #form: 'streamed' | 'whole';
  /** The chunks of a reply that is passed on as a whole. */
  readonly #held: Message[] = [];
  readonly #reasoning: string[] = [];
  readonly #sent = new SentItems();
  /** The piece of the reply that the last chunk belonged to; undefined before the first one. */
  #piece: string | undefined;
  readonly #open = new OpenValues();

  constructor(sink: ItemSink, form: 'streamed' | 'whole') {
    this.#sink = sink;
    this.#form = form;
  }

  take(chunks: readonly Message[]): void {
    for (const chunk of chunks)
      if (this.#form === 'whole') this.#held.push(chunk);
      else this.#pass(chunk);
  }

  /** Passes on what was not passed on before. */
  end(served: ServedReply): void {
    this.#passEnd(served);
    const { question, message } = served;
    if (question === undefined) return;
    this.#sink.cut();
    const { parts } = contentOf(canonical(message));
    const isSaid = parts.some(({ value }) => textIn(value)?.endsWith(question));
    const asked = isSaid ? 'The agent waits for the answer' : question;
    this.#sink.part(textPart(textValue(`${asked}: send it as the next message`)));
  }

  #passEnd({ status, message, unsent }: ServedReply): void {
    if (this.#form === 'whole' && status === 'ok') return this.#passWhole(message);
    for (const chunk of this.#held) this.#pass(chunk);
    const items = itemsOf(message);
    if (items) return this.#passRest(items, unsent);
    if (unsent) this.#pass(unsent);
    for (const part of this.#open.partsOf(message)) this.#sink.part(part);
  }

  #pass(chunk: Message): void {
    if (this.#open.holds(chunk)) return;
    const piece = pieceOf(chunk);
    if (this.#piece !== undefined && this.#piece !== piece) this.#sink.cut();
    this.#piece = piece;
    if (isAnew(chunk)) {
      this.#sink.note('The agent replaced a part of its reply; the caller received both');
      this.#sink.cut();
    }
    const { parts } = contentOf(canonical(chunk));
    const { event, items } = chunk.fields;
    this.#sent.add(chunk);
    if (items?.kind === 'list') for (const item of items.items) this.#sink.item(item);
    else if (event) for (const part of parts) this.#think(part);
    else for (const part of parts) this.#passPart(part);
  }

  #think({ value }: Part): void {
    const text = textIn(value) ?? compactJson(value, 'written');
    this.#reasoning.push(text);
    this.#sink.grow('reasoning', text);
  }

  #passPart(part: Part): void {
    const text = part.type === 'text' && isPlain(part) ? textIn(part.value) : undefined;
    if (text === undefined) this.#sink.part(part);
    else this.#sink.grow('text', text);
  }

  #passWhole(message: Message): void {
    const items = itemsOf(message);
    if (items) {
      for (const item of items) this.#sink.item(item);
      return;
    }
    for (const chunk of this.#held) if (chunk.fields.event) this.#pass(chunk);
    for (const part of contentOf(canonical(message)).parts) this.#sink.part(part);
  }

  /** Passes on the items of a reply whose texts were passed on as chunks, except for these texts. */
  #passRest(items: readonly Value[], unsent: Message | undefined): void {
    if (this.#piece === undefined) {
      for (const item of items) this.#sink.item(item);
      return;
    }
    const left = unsent ? contentOf(unsent).parts.filter(({ type }) => type === 'text') : [];
    for (const part of left) this.#passPart(part);
    const thoughts = this.#reasoning.join('');
    const others = this.#sent.leftOf(items).filter(item => {
      const parts = partsOfAnswer(item);
      if (!parts) return !wasThought(item, thoughts);
      return this.#sent.leftOfParts(parts).some(({ type }) => type !== 'text');
    });
    const beside = new Set(
      items.flatMap(item => (wasThought(item, thoughts) ? membersBesideTexts(item) : [])),
    );
    if (beside.size > 0)
      this.#sink.note(
        `The reply was streamed: of its reasoning the caller receives the texts, without ${joinWords(
          [...beside].map(name => quote(name)),
          'and',
        )}`,
      );
    if (others.length > 0 && isBeforeText(items, others))
      this.#sink.note(
        'The reply was streamed: its other items follow its texts, also those that the agent sent before them',
      );
    for (const item of others) {
      const parts = partsOfAnswer(item);
      if (!parts) this.#sink.item(item);
      else for (const part of this.#sent.leftOfParts(parts)) if (part.type !== 'text') this.#sink.part(part);
    }
  }
}

function itemsOf({ kind, fields: { items } }: Message): readonly Value[] | undefined {
  return kind === 'result' && items?.kind === 'list' ? items.items : undefined;
}

/** The parts of a message of the assistant; undefined for any other item. */
function partsOfAnswer(item: Value): readonly Part[] | undefined {
  const isMessage = textIn(findEntry(item, 'type')) === 'message';
  const role = textIn(findEntry(item, 'role')) ?? 'assistant';
  return isMessage && role === 'assistant' ? readParts(findEntry(item, 'content')) : undefined;
}

/** True for reasoning whose texts are all among those that were passed on. */
function wasThought(item: Value, thoughts: string): boolean {
  if (textIn(findEntry(item, 'type')) !== 'reasoning') return false;
  return (['summary', 'content'] as const)
    .flatMap(name => {
      const texts = findEntry(item, name);
      return texts?.kind === 'list' ? texts.items : [];
    })
    .every(part => thoughts.includes(textIn(findEntry(part, 'text')) ?? ''));
}

/** The names of what reasoning has besides its texts, such as `encrypted_content`. */
function membersBesideTexts(item: Value): readonly string[] {
  const entries = item.kind === 'dict' ? item.entries : [];
  return entries.flatMap(({ key, value }) => (OF_TEXTS.has(key) || value.kind === 'null' ? [] : [key]));
}

const OF_TEXTS: ReadonlySet<string> = new Set(['id', 'type', 'status', 'summary', 'content']);

/** True where one of these items comes before a text of the answer. */
function isBeforeText(items: readonly Value[], others: readonly Value[]): boolean {
  const first = items.findIndex(item => others.includes(item));
  return items.slice(first + 1).some(item => partsOfAnswer(item)?.some(({ type }) => type === 'text'));
}
