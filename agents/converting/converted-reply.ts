import { pickTool, openReply } from '../../protocols/convert/calls/answer.ts';
import type { ToolTable } from '../../language/tools.ts';
import { ReplyWriter } from '../../protocols/convert/calls/reply-writer.ts';
import { Report, NoteOnce } from '../../core/message/report.ts';
import { message, type Message } from '../../core/message/message.ts';
import { listValue, textIn, type Value } from '../../core/values/value.ts';
import { withoutProgress, type MessageTaker, type Reply, type WireListener } from '../connection.ts';
import type { MessageLanguage } from '../../core/catalog/protocols.ts';
import type { Protocol, Protocols } from '../../protocols/protocol.ts';
import type { KnownTools } from '../capabilities/known-tools.ts';

/** How a reply is converted. */
interface ConversionOptions {
  readonly protocols: Protocols;
  /** The language in which the reply is shown. */
  readonly language: MessageLanguage;
  /** What is known about the agent's tools. */
  readonly tools: KnownTools;
}

/** A reply that is converted while it arrives, from the messages that its connection reads. */
export class ConvertedReply implements MessageTaker {
  readonly listener: WireListener;
  readonly protocols: Protocols;
  readonly tools: ToolTable;
  readonly report = new Report();
  readonly form = 'readable';
  readonly #writer: ReplyWriter;
  readonly #call: Message;
  readonly #protocol: Protocol;
  readonly #outer: WireListener;
  readonly #parts: string[] = [];
  /** The reader of the wire and the converter may report the same. */
  readonly #notes: NoteOnce;
  /** The messages that are not written yet; undefined before the first one. */
  #last: readonly Message[] | undefined;
  /** The tools of earlier pages of a list. */
  #listed: readonly Value[] = [];
  /** The error for a tool that is not in the agent's list. */
  #missing: Pick<Reply, 'code' | 'message'> | undefined;

  constructor(call: Message, protocol: Protocol, options: ConversionOptions, outer: WireListener) {
    const { language, protocols, tools } = options;
    this.protocols = protocols;
    this.tools = tools.table;
    this.#call = call;
    this.#protocol = protocol;
    this.#outer = outer;
    this.#notes = new NoteOnce(outer);
    this.#writer = new ReplyWriter(language, call, this);
    this.listener = {
      ...withoutProgress(outer),
      note: text => this.#notes.note(text),
      step: step => outer.step?.(step),
      messages: this,
    };
  }

  take(messages: readonly Message[]): void {
    const waiting = [...(this.#last ?? []), ...messages];
    // The pages of a list are written when all of them have arrived.
    this.#last = this.mayContinue ? waiting : [];
    if (!this.mayContinue) this.#deliver(this.#writer.write(waiting.map(read => this.#pick(read))));
  }

  takeLast(messages: readonly Message[]): void {
    this.#last = [...(this.#last ?? []), ...messages];
  }

  /** True where the reply may be one page of several. */
  get mayContinue(): boolean {
    const { kind } = this.#call;
    return this.#protocol.calls.nextPage !== undefined && (kind === 'list' || kind === 'describe');
  }

  /** The request for the page after the one that arrived; undefined after the last one. */
  get nextPage(): string | undefined {
    const page = this.#last?.find(isList);
    return page && this.#protocol.calls.nextPage?.(page);
  }

  /** Puts the tools of the page that arrived before those of the next one. */
  turnPage(): void {
    for (const { fields } of this.#last ?? [])
      if (fields.tools?.kind === 'list') this.#listed = [...this.#listed, ...fields.tools.items];
    this.#last = undefined;
  }

  /** Converts the rest of a reply that has arrived completely. */
  *endSteps(reply: Reply): Generator<undefined, Reply> {
    // Nothing of a reply outside the protocol was shown: it is shown as received.
    if (!reply.isProtocol) return reply;
    yield* this.#restSteps(reply.text);
    for (const note of groupLosses(this.report)) this.#outer.note(note);
    for (const { message } of this.report.notes) this.#notes.note(message);
    const text = this.#parts.join('');
    // A reply that failed or was not read to its end, and of which nothing is converted, is shown as received.
    if (text === '' && reply.text !== '' && reply.status !== 'ok') return { ...reply, isProtocol: false };
    return this.#missing && reply.status === 'ok'
      ? { ...reply, text, status: 'error', ...this.#missing }
      : { ...reply, text };
  }

  /** Converts what was not converted while it arrived. */
  *#restSteps(text: string): Generator<undefined, void> {
    const last = this.#last ?? (yield* this.#readSteps(text));
    // Messages are released before the converted text is joined.
    this.#last = [];
    this.#deliver(yield* this.#writer.writeSteps(last.map(read => this.#pick(read))));
    // A text of megabytes takes a slice of its own in each step.
    yield;
    this.#deliver([this.#writer.end()]);
    yield;
  }

  /** Reads a reply that its connection did not read, such as a published document. */
  *#readSteps(text: string): Generator<undefined, readonly Message[]> {
    const reader = openReply(this.#call.kind, this.#protocol, this);
    const read = reader.push(text);
    yield;
    return [...read, ...(yield* reader.endSteps())];
  }

  #pick(given: Message): Message {
    const read = this.#withEarlier(given);
    const picked = pickTool(this.#call, read, this.#protocol, this.report);
    if (picked.kind === 'error' && read.kind !== 'error')
      this.#missing = { code: '404', message: textIn(picked.fields.text) ?? '' };
    return picked;
  }

  #withEarlier(read: Message): Message {
    const { tools } = read.fields;
    if (this.#listed.length === 0 || tools?.kind !== 'list') return read;
    return message(read.kind, { ...read.fields, tools: listValue([...this.#listed, ...tools.items]) });
  }

  #deliver(pieces: readonly string[]): void {
    const added = pieces.filter(piece => piece !== '');
    if (added.length === 0) return;
    for (const piece of added) this.#parts.push(piece);
    this.#outer.progress(added.join(''));
  }
}

function isList({ fields }: Message): boolean {
  return fields.tools?.kind === 'list';
}

/** The losses, each reason once: a list of a hundred tools has the same loss for each of them. */
export function groupLosses({ losses, unreported, unlistedBy }: Report): readonly string[] {
  const found = new Map<string, { readonly first: string | undefined; count: number }>();
  for (const { path, message } of losses) {
    const known = found.get(message);
    if (known) known.count++;
    else found.set(message, { first: path, count: 1 });
  }
  let left = unreported;
  for (const [message, count] of unlistedBy) {
    left -= count;
    const known = found.get(message);
    if (known) known.count += count;
    else found.set(message, { first: undefined, count });
  }
  const notes = [...found].map(([message, { first, count }]) => {
    if (first === '') return message;
    if (first === undefined) return `${count} more: ${message}`;
    const others = count - 1;
    const more = others === 0 ? '' : ` and ${others} ${others === 1 ? 'other' : 'others'}`;
    return `${first}${more}: ${message}`;
  });
  return left === 0 ? notes : [...notes, `${left} more losses are not listed`];
}
