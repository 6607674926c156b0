import { message, type Message } from '../../core/message/message.ts';
import { Report } from '../../core/message/report.ts';
import { listValue, textIn, textValue } from '../../core/values/value.ts';
import { canonical, contentOf } from '../content/canonical.ts';
import { flattened } from '../content/flatten.ts';
import { writeParts, type Part } from '../content/part.ts';
import { joinReply, pieceOf } from '../event-stream/joined.ts';
import { lengthOf, startsWithPieces } from '../event-stream/pieces.ts';
import { BETWEEN } from '../event-stream/streamed-text.ts';
import { SentItems } from './sent-items.ts';
import type { CollectedReply } from './serving.ts';

/** Collects the messages of a reply: returns its chunks while they arrive, and at the end the whole reply. */
export class ReplyCollector {
  readonly #messages: Message[] = [];
  /** The texts of the answer among the chunks; joining them would store them twice. */
  readonly #texts: string[] = [];
  readonly #sent = new SentItems();
  /** The piece of the reply that the last text belongs to. */
  #piece = '';
  #hasChunks = false;

  /** True if a message arrived. */
  get hasBegun(): boolean {
    return this.#messages.length > 0;
  }

  /** Takes messages, and returns the chunks of the answer and of its reasoning. */
  take(messages: readonly Message[]): readonly Message[] {
    for (const each of messages) this.#messages.push(each);
    const chunks = messages.filter(isContent);
    for (const chunk of chunks) {
      const { fields } = chunk;
      this.#sent.add(chunk);
      const text = fields.event ? undefined : textIn(fields.data);
      if (text === undefined) continue;
      const piece = pieceOf(chunk);
      if (this.#texts.length > 0 && piece !== this.#piece) this.#texts.push(BETWEEN);
      this.#piece = piece;
      this.#texts.push(text);
    }
    this.#hasChunks ||= chunks.length > 0;
    return chunks;
  }

  /** Joins the reply. `report` receives what a reply that is whole cannot hold. */
  end(report: Report): CollectedReply {
    const wholes = this.#messages.filter(({ kind }) => kind === 'result' || kind === 'error');
    const [only, ...others] = wholes;
    if (!only || others.length > 0) {
      const last = this.#messages.at(-1);
      const parts = this.#messages.map(each => (each.kind === 'result' ? asChunk(each) : each));
      const joined =
        this.#messages.length === 0 ? message('result', { data: textValue('') }) : joinReply(parts, report);
      const isSent = this.#hasChunks || joined.kind === 'error' || last === undefined;
      return { message: joined, unsent: isSent ? this.#unsentOf(wholes) : asChunk(joined) };
    }
    return { message: only, unsent: only.kind === 'error' ? undefined : this.#unsentOf([only]) };
  }

  /** What results have beyond the chunks: everything if there were none, else the rest of the text and all other content. */
  #unsentOf(wholes: readonly Message[]): Message | undefined {
    const quiet = new Report();
    const parts = wholes
      .filter(({ kind }) => kind === 'result')
      .flatMap(whole => contentOf(canonical(flattened(this.#withoutSentItems(whole), '', quiet))).parts);
    const left = this.#sent.leftOfParts(parts);
    const rest = this.#texts.length === 0 ? left : this.#withoutSent(left);
    return rest.length === 0 ? undefined : canonical(message('chunk', { content: writeParts(rest) }));
  }

  #withoutSentItems(whole: Message): Message {
    const { items } = whole.fields;
    if (items?.kind !== 'list') return whole;
    return message(whole.kind, { ...whole.fields, items: listValue(this.#sent.leftOf(items.items)) });
  }

  #withoutSent(parts: readonly Part[]): readonly Part[] {
    const others = parts.filter(part => part.type !== 'text');
    const said = parts
      .flatMap(part => (part.type === 'text' ? [textIn(part.value) ?? ''] : []))
      .join(BETWEEN);
    const sent = lengthOf(this.#texts);
    // Mostly nothing is left, and a text of megabytes is not compared.
    const left = said.length > sent && startsWithPieces(said, this.#texts) ? said.slice(sent) : '';
    const text: Part = { type: 'text', holds: 'text', value: textValue(left) };
    return left === '' ? others : [text, ...others];
  }
}

/** True for a chunk of the answer or of its reasoning; others report progress. */
function isContent({ kind, fields: { event, data, content, items } }: Message): boolean {
  const has = (data ?? content ?? items) !== undefined;
  return kind === 'chunk' && (!event || textIn(event) === 'reasoning') && has;
}

function asChunk({ fields }: Message): Message {
  return message('chunk', fields);
}
