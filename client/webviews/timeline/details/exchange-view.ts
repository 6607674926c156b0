import { showBytes } from '../../../../tensor/size-words.ts';
import { countOf } from '../../../../core/text/count.ts';
import type { HeadEvent } from '../../../../core/events/events.ts';
import type { ShownBytes } from '../../../../core/events/bytes.ts';
import { element, setText } from '../../shared/element.ts';
import type { PackedText } from './wire-text.ts';

/** A head with the bytes that follow it, or bytes without a head. */
export interface Message {
  readonly head: HeadEvent | undefined;
  /** The bytes, decompressed. */
  readonly wire: ShownBytes;
  /** The compressed bytes, if they were compressed. */
  readonly packed: PackedText | undefined;
}

/** The messages of one direction of a call. There are several if the connection sent other requests first. */
export interface Exchange {
  readonly messages: readonly Message[];
  /** The number of bytes on the wire, including those that are not stored here. */
  readonly bytes: number;
  readonly pieces: number;
}

/** One direction of a call: heads with headers, and bytes. It is updated in place while a reply grows. */
export class ExchangeView {
  readonly #title: string;
  readonly #size = element('span', { class: 'size' });
  readonly #list = element('div', { class: 'messages' });
  readonly #hidden = element('p', { class: 'hidden-part' });
  readonly #open: HTMLButtonElement | undefined;
  readonly #messages: MessageView[] = [];

  readonly root: HTMLElement;

  /** `onOpen` opens the messages as a document. */
  constructor(title: string, onOpen?: () => void) {
    this.#title = title;
    if (onOpen) {
      const attributes = { type: 'button', title: `Open the ${title.toLowerCase()} as a document` };
      const label = `Open ${title.toLowerCase()}`;
      this.#open = element('button', { class: 'button', attributes, onClick: onOpen }, label);
    }
    this.root = element(
      'section',
      { class: 'exchange' },
      element('h2', {}, title, this.#size, ...(this.#open ? [this.#open] : [])),
      this.#list,
      this.#hidden,
    );
  }

  update({ messages, bytes, pieces }: Exchange): void {
    for (const [index, message] of messages.entries()) (this.#messages[index] ?? this.#add()).update(message);
    for (const view of this.#messages.splice(messages.length)) view.root.remove();
    const isHex = messages.some(({ wire }) => wire.kind === 'hex');
    const inPieces = pieces > 1 ? ` in ${countOf(pieces, 'chunk')}` : '';
    const isPacked = messages.some(({ packed }) => packed);
    const size = `${showBytes(bytes)}${inPieces}${isPacked ? ', compressed' : ''}${isHex ? ', not UTF-8' : ''}`;
    setText(this.#size, bytes === 0 ? 'nothing' : size);
    const onWire = messages.reduce((sum, { wire, packed }) => sum + (packed ?? wire).bytes, 0);
    const more = bytes - onWire + messages.reduce((sum, { wire }) => sum + wire.hidden, 0);
    const isCut = messages.length > 0 && more > 0;
    setText(this.#hidden, isCut ? `${showBytes(more)} more are not shown here.` : '');
    this.#hidden.hidden = !isCut;
    if (this.#open) this.#open.hidden = bytes === 0;
  }

  #add(): MessageView {
    const view = new MessageView(this.#title);
    this.#messages.push(view);
    this.#list.append(view.root);
    return view;
  }
}

/** The view of a head and its bytes. */
class MessageView {
  readonly #head = element('div', { class: 'heads' });
  readonly #body = element('pre', { class: 'body', attributes: { tabindex: '0' } });
  readonly root = element('div', { class: 'message' }, this.#head, this.#body);
  readonly #title: string;
  #packed: PackedView | undefined;
  #drawn: HeadEvent | undefined;

  constructor(title: string) {
    this.#body.setAttribute('aria-label', `${title}, as it was on the wire`);
    this.#title = title;
  }

  update({ head, wire, packed }: Message): void {
    if (head !== this.#drawn) this.#head.replaceChildren(...(head ? buildHead(head) : []));
    this.#drawn = head;
    setText(this.#body, wire.text);
    this.#body.className = wire.kind === 'hex' ? 'body hex' : 'body';
    this.#body.hidden = wire.bytes === 0;
    if (packed) (this.#packed ??= this.#addPacked()).update(packed);
    else if (this.#packed) this.#packed.root.hidden = true;
  }

  #addPacked(): PackedView {
    const view = new PackedView(this.#title);
    this.root.append(view.root);
    return view;
  }
}

/** The compressed bytes, collapsed below the decompressed ones. */
class PackedView {
  readonly #summary = element('summary', {});
  readonly #body = element('pre', { class: 'body hex', attributes: { tabindex: '0' } });
  readonly root = element('details', { class: 'fold' }, this.#summary, this.#body);

  constructor(title: string) {
    this.#body.setAttribute('aria-label', `${title}, compressed, as it was on the wire`);
  }

  update({ text, bytes }: PackedText): void {
    this.root.hidden = false;
    setText(this.#summary, `Compressed, ${showBytes(bytes)} as they were on the wire`);
    setText(this.#body, text);
  }
}

/** Builds the first line of a head, with its headers collapsed below. */
function buildHead(head: HeadEvent): HTMLElement[] {
  const line = element('p', { class: 'head-line' }, head.line);
  if (head.headers.length === 0) return [line];
  const rows = head.headers.map(header =>
    element(
      'tr',
      {},
      element('th', { attributes: { scope: 'row' } }, header.name),
      element('td', header.redacted === undefined ? {} : { class: 'redacted' }, header.value),
    ),
  );
  const table = element('table', { class: 'headers' }, element('tbody', {}, ...rows));
  const summary = element('summary', {}, countOf(head.headers.length, 'header'));
  return [line, element('details', { class: 'fold' }, summary, table)];
}
