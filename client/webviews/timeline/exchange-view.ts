import type { HeadEvent } from '../../../protocol/src/trace/events.ts';
import { element, setText } from '../shared/element.ts';
import type { WireText } from './wire-text.ts';

/** One direction of a call: its heads with their headers, and its bytes. Changed in place while a reply grows. */
export class ExchangeView {
  readonly #size = element('span', { class: 'size' });
  readonly #heads = element('div', { class: 'heads' });
  readonly #body = element('pre', { class: 'body', attributes: { tabindex: '0' } });
  readonly #hidden = element('p', { class: 'hidden-part' });
  #headCount = -1;

  readonly root: HTMLElement;

  constructor(title: string) {
    this.#body.setAttribute('aria-label', `${title}, as it was on the wire`);
    this.root = element(
      'section',
      { class: 'exchange' },
      element('h2', {}, title, this.#size),
      this.#heads,
      this.#body,
      this.#hidden,
    );
  }

  update(heads: readonly HeadEvent[], wire: WireText, chunks: number): void {
    if (heads.length !== this.#headCount) {
      this.#headCount = heads.length;
      this.#heads.replaceChildren(...heads.flatMap(buildHead));
    }
    setText(this.#size, describeSize(wire, chunks));
    setText(this.#body, wire.text);
    this.#body.className = wire.kind === 'hex' ? 'body hex' : 'body';
    this.#body.hidden = wire.bytes === 0;
    setText(this.#hidden, wire.hidden > 0 ? `${formatBytes(wire.hidden)} more are not shown.` : '');
    this.#hidden.hidden = wire.hidden === 0;
  }
}

/** A size for people: `640 bytes`, `1.4 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes === 1) return '1 byte';
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function describeSize(wire: WireText, chunks: number): string {
  if (wire.bytes === 0) return 'nothing';
  const inChunks = chunks > 1 ? ` in ${chunks} chunks` : '';
  return `${formatBytes(wire.bytes)}${inChunks}${wire.kind === 'hex' ? ', not UTF-8' : ''}`;
}

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
  return [line, element('table', { class: 'headers' }, element('tbody', {}, ...rows))];
}
