import type { CallStatus, WireEvent } from '../../../../core/events/events.ts';
import type { CallAction } from '../../../../wire/timeline-messages.ts';
import { element, setText } from '../../shared/element.ts';
import type { ReplyParts } from '../../../../protocols/reply-parts/part.ts';
import { buildStatusIcon } from '../../shared/status-icon.ts';
import { NoteList } from './note-list.ts';
import { outcomeOf } from '../call-words.ts';
import { ExchangeView } from './exchange-view.ts';
import { FactList } from './fact-list.ts';
import { listFacts } from './facts.ts';
import type { TraceCall, TraceModel } from '../model.ts';
import { PartsView } from './parts-view.ts';
import type { Payload } from './payloads.ts';
import { splitMessages } from '../../../../trace/messages.ts';
import { TableView } from './table-view.ts';
import { WireReader } from './wire-text.ts';

/** Callbacks of the details to the page. */
export interface DetailsHost {
  act(action: CallAction, call: string): void;
  select(call: string): void;
  /** The user left the details; the focus returns to the view. */
  left(): void;
}

type WireDirection = WireEvent['direction'];

const NOTHING: Payload = { names: [], attributes: [], events: [], leftOut: 0 };

/** The details of one call: outcome, times, and the bytes on the wire. */
export class DetailsView {
  readonly #reader = new WireReader();
  readonly #icon = element('span', { class: 'icon' });
  readonly #title = element('span', { class: 'title' });
  readonly #outcome = element('span', { class: 'outcome' });
  readonly #failure = element('p', { class: 'failure' });
  readonly #notes = new NoteList('Notes');
  readonly #facts: FactList;
  readonly #parts = new PartsView();
  readonly #request: ExchangeView;
  readonly #reply: ExchangeView;
  readonly #errors = new ExchangeView('Error output');
  readonly #names = new TableView('Names of the trace');
  readonly #attributes = new TableView('Attributes');
  #call = '';
  #status: CallStatus | undefined;

  readonly root: HTMLElement;

  constructor(host: DetailsHost) {
    const act = (action: CallAction) => (): void => host.act(action, this.#call);
    this.#facts = new FactList({ openSource: act('openSource'), select: call => host.select(call) });
    this.#request = new ExchangeView('Request', act('openRequest'));
    this.#reply = new ExchangeView('Reply', act('openReply'));
    this.root = element(
      'section',
      { class: 'details', attributes: { 'aria-label': 'Selected call', tabindex: '-1' } },
      element('h2', { class: 'call-title' }, this.#icon, this.#title, this.#outcome),
      this.#failure,
      this.#notes.root,
      this.#facts.root,
      this.#parts.root,
      this.#request.root,
      this.#reply.root,
      this.#errors.root,
      this.#names.root,
      this.#attributes.root,
    );
    this.root.addEventListener('keydown', event => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      host.left();
    });
  }

  /** Takes the focus, or moves it to the selected part if there is one. */
  focus(part = ''): void {
    if (!this.#parts.focus(part)) this.root.focus();
  }

  /** Shows the parts of the reply known so far, and opens the selected one. */
  updateParts({ state: { id, at } }: TraceCall, reply: ReplyParts | undefined, selected: string): void {
    this.#parts.update({ id, at }, reply, selected);
  }

  /** Shows the current state of a call, with its payload if it has arrived. */
  update(model: TraceModel, call: TraceCall, payload: Payload = NOTHING): void {
    const { state } = call;
    if (this.#call !== state.id) this.root.scrollTop = 0;
    this.#call = state.id;
    if (this.#status !== state.status) this.#icon.replaceChildren(buildStatusIcon(state.status));
    this.#status = state.status;
    setText(this.#title, state.title);
    setText(this.#outcome, outcomeOf(state));
    setText(this.#failure, state.message ?? '');
    this.#failure.hidden = state.message === undefined;
    this.#notes.update(state.notes ?? []);
    this.#facts.update(listFacts(model, call, payload.session));
    const { bytesOut = 0, bytesIn = 0, bytesError = 0, pieces = 0 } = state;
    this.#updateExchange(this.#request, payload, 'out', bytesOut, 1);
    this.#updateExchange(this.#reply, payload, 'in', bytesIn, pieces);
    this.#updateExchange(this.#errors, payload, 'stderr', bytesError, 1);
    this.#errors.root.hidden = bytesError === 0;
    this.#names.update(
      payload.names.map(({ scheme, trace, id, parent }) => [
        scheme,
        [trace, id ?? '', parent === undefined ? '' : `below ${parent}`].filter(Boolean).join(' · '),
      ]),
    );
    this.#attributes.update(payload.attributes.map(({ name, json }) => [name, json]));
  }

  #updateExchange(
    view: ExchangeView,
    { events }: Payload,
    direction: WireDirection,
    bytes: number,
    pieces: number,
  ): void {
    const messages = splitMessages(events, direction).map(({ head, wire }) => ({
      head,
      wire: this.#reader.read(wire),
      packed: this.#reader.readPacked(wire),
    }));
    view.update({ messages, bytes, pieces });
  }
}
