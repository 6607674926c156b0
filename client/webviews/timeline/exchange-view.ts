import { showBytes } from '../../../tensor/size-words.ts';
import { countOf } from '../../../core/text/count.ts';
import type { HeadEvent } from '../../../core/events/events.ts';
import type { ShownBytes } from '../../../core/events/shown-bytes.ts';
import { element, setText } from '../shared/element.ts';
import type { PackedText } from './wire-text.ts';

/** A head with the bytes that followed it; bytes alone where no head came before them. */
export interface Message {
  readonly head: HeadEvent | undefined;
  /** What its bytes say. */
  readonly wire: ShownBytes;
  /** The bytes themselves, where they were compressed. */
  readonly packed: PackedText | undefined;
}

/** What went in one direction of a call: more than one message where the connection asked something first. */
export interface Exchange {
  readonly messages: readonly Message[];
  /** Bytes on the wire, those that are not here too. */
  readonly bytes: number;
  readonly pieces: number;
}

/** One direction of a call: its heads with their headers, and their bytes. Changed in place while a reply grows. */
export class ExchangeView {
  readonly #title: string;
  readonly #size = element('span', { class: 'size' });
  readonly #list = element('div', { class: 'messages' });
  readonly #hidden = element('p', { class: 'hidden-part' });
  readonly #open: HTMLButtonElement | undefined;
  readonly #messages: MessageView[] = [];

  readonly root: HTMLElement;

  /** `onOpen` shows it as a document. */
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
    const inPieces = pieces > 1 ? ` in ${countOf(pieces, 'piece')}` : '';
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

/** A head and its bytes. */
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

/** Compressed bytes, folded below what they say. */
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

/** The first line as it is; its headers folded below it. */
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
