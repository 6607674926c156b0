import { protocolRow } from '../../../protocol/src/catalog/protocols.ts';
import type { CallStatus, WireEvent } from '../../../protocol/src/trace/events.ts';
import type { CallNode } from '../../../protocol/src/trace/tree.ts';
import { describeCode, describeOutcome, formatDuration } from '../../../protocol/src/trace/words.ts';
import { element, setText } from '../shared/element.ts';
import { buildStatusIcon } from '../shared/status-icon.ts';
import { ExchangeView } from './exchange-view.ts';
import { firstByteOf } from './rows.ts';
import { WireReader } from './wire-text.ts';

/** What the details ask of the view. */
export interface DetailsHost {
  onOpenSource(call: string): void;
}

type WireDirection = WireEvent['direction'];

/** What each direction is called; a direction in which nothing went is left out, but for request and reply. */
const DIRECTION_TITLES = {
  out: 'Request',
  in: 'Reply',
  stderr: 'Error output',
} as const satisfies Record<WireDirection, string>;

const DIRECTIONS: readonly WireDirection[] = ['out', 'in', 'stderr'];

/** One call in full: how it ended, when, and what was on the wire. */
export class DetailsView {
  readonly #host: DetailsHost;
  readonly #reader = new WireReader();
  readonly #icon = element('span', { class: 'icon' });
  readonly #title = element('span', { class: 'title' });
  readonly #outcome = element('span', { class: 'outcome' });
  readonly #facts = element('dl', { class: 'facts' });
  readonly #failure = element('p', { class: 'failure' });
  readonly #notes = element('ul', { class: 'notes', attributes: { 'aria-label': 'Notes' } });
  readonly #exchanges = new Map<WireDirection, ExchangeView>();
  #status: CallStatus | undefined;
  #factsText = '';
  #notesText = '';

  readonly root: HTMLElement;

  constructor(host: DetailsHost) {
    this.#host = host;
    this.root = element(
      'section',
      { class: 'details', attributes: { 'aria-label': 'Selected call' } },
      element('h1', {}, this.#icon, this.#title, this.#outcome),
      this.#failure,
      this.#notes,
      this.#facts,
    );
    for (const direction of DIRECTIONS) {
      const view = new ExchangeView(DIRECTION_TITLES[direction]);
      this.#exchanges.set(direction, view);
      this.root.append(view.root);
    }
  }

  update(node: CallNode): void {
    if (this.#status !== node.status) this.#icon.replaceChildren(buildStatusIcon(node.status));
    this.#status = node.status;
    setText(this.#title, node.call.title);
    setText(this.#outcome, describeOutcome(node));
    setText(this.#failure, node.message ?? '');
    this.#failure.hidden = node.message === undefined;
    this.#updateNotes(node.notes);
    this.#updateFacts(node);
    for (const [direction, view] of this.#exchanges) this.#updateExchange(node, direction, view);
  }

  #updateExchange(node: CallNode, direction: WireDirection, view: ExchangeView): void {
    const wire = node.wire.filter(event => event.direction === direction);
    const heads = node.heads.filter(event => event.direction === direction);
    view.root.hidden = direction === 'stderr' && wire.length === 0;
    view.update(heads, this.#reader.read(wire), wire.length);
  }

  #updateNotes(notes: readonly string[]): void {
    const text = notes.join('\n');
    this.#notes.hidden = notes.length === 0;
    if (text === this.#notesText) return;
    this.#notesText = text;
    this.#notes.replaceChildren(...notes.map(note => element('li', {}, note)));
  }

  #updateFacts(node: CallNode): void {
    const facts = listFacts(node);
    const { source, call } = node.call;
    const text = JSON.stringify([facts, source, call]);
    if (text === this.#factsText) return;
    this.#factsText = text;
    this.#facts.replaceChildren(...facts.flatMap(([name, value]) => buildFact(name, value)));
    if (source) {
      const label = `${nameOfFile(source.uri)}, line ${source.line + 1}`;
      const onClick = (): void => this.#host.onOpenSource(call);
      const link = element('button', { class: 'link', attributes: { type: 'button' }, onClick }, label);
      this.#facts.append(...buildFact('From', link));
    }
  }
}

function listFacts(node: CallNode): readonly (readonly [string, string])[] {
  const { call } = node;
  const protocol = protocolRow(call.protocol).title;
  const facts: (readonly [string, string])[] = [
    ['Agent', call.agent],
    ['Protocol', protocol],
    ['Sent at', formatTime(call.at)],
  ];
  const answered = firstByteOf(node);
  if (answered !== undefined) facts.push(['First byte', `after ${formatDuration(answered - call.at)}`]);
  const code = describeCode(node);
  if (code !== undefined) facts.push(['Code', code]);
  if (node.duration !== undefined) facts.push(['Ended', `after ${formatDuration(node.duration)}`]);
  return facts;
}

function buildFact(name: string, value: string | HTMLElement): HTMLElement[] {
  return [element('dt', {}, name), element('dd', {}, value)];
}

/** The time of day where the user is, to the millisecond: `14:03:59.041`. */
function formatTime(milliseconds: number): string {
  const time = new Date(milliseconds);
  const parts = [time.getHours(), time.getMinutes(), time.getSeconds()].map(part =>
    String(part).padStart(2, '0'),
  );
  return `${parts.join(':')}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

function nameOfFile(uri: string): string {
  const last = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    // A URI with a stray per cent sign is shown as it is.
    return last;
  }
}
