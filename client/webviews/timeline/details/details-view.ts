import type { WireEvent } from '../../../../core/events/events.ts';
import { countOf } from '../../../../core/text/count.ts';
import type { ReplyParts } from '../../../../protocols/reply-parts/part.ts';
import { splitMessages } from '../../../../trace/messages.ts';
import type { CallAction } from '../../../../wire/timeline-messages.ts';
import { element } from '../../shared/element.ts';
import { FactList, FactTable, NoteList } from '../../shared/fact-list.ts';
import { Fold } from '../../shared/fold.ts';
import { StatusIcon } from '../../shared/icons.ts';
import { outcomeOf } from '../call-words.ts';
import type { TraceCall, TraceModel } from '../model.ts';
import { Exchange, type Message, type TextTools } from './exchange.ts';
import { OtherExchanges, type Sorted } from './other-exchanges.ts';
import { listFacts, type Fact } from './facts.ts';
import { PartList } from './reply-parts.ts';
import type { Payload } from './payloads.ts';
import { WireReader } from './wire-text.ts';
import { markText } from '../../shared/mark-text.ts';
import { draw, h, type View } from '../../shared/view.ts';

/** Callbacks of the details to the page. */
export interface DetailsHost {
  act(action: CallAction, call: string): void;
  select(call: string): void;
  copy(text: string): void;
  /** Opens an address after a question. */
  open(address: string): void;
  /** The user left the details; the focus returns to the view. */
  left(): void;
}

/** The selected call with its payload and the parts of its reply, as far as they have arrived. */
export interface SelectedCall {
  readonly model: TraceModel;
  readonly call: TraceCall;
  readonly payload: Payload | undefined;
  readonly reply: ReplyParts | undefined;
  /** The selected part of the reply; empty if the call itself is selected. */
  readonly part: string;
  /** The text of the search in lower case; empty without a search. */
  readonly find: string;
}

const NOTHING: Payload = { names: [], attributes: [], events: [], leftOut: 0 };

/** The details of one call: outcome, times, and the bytes on the wire. */
export class DetailsView {
  readonly #host: DetailsHost;
  readonly #reader = new WireReader();
  readonly root = element('section', {
    class: 'details',
    attributes: { 'aria-label': 'Selected call', tabindex: '-1' },
  });
  #call = '';
  /** The part and the search that were scrolled into view. */
  #seen = '';
  #found = '';
  #isRaw = false;
  #selected: SelectedCall | undefined;

  constructor(host: DetailsHost) {
    this.#host = host;
    this.root.addEventListener('keydown', event => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      host.left();
    });
  }

  /** Takes the focus, or moves it to the selected part if there is one. */
  focus(): void {
    (this.#wantedPart?.querySelector('summary') ?? this.root).focus();
  }

  update(selected: SelectedCall): void {
    const { id } = selected.call.state;
    if (this.#call !== id) this.root.scrollTop = 0;
    this.#selected = selected;
    this.#call = id;
    draw(this.root, h('div', { key: id }, this.#build(selected)));
    if (selected.part !== this.#seen) this.#wantedPart?.scrollIntoView({ block: 'nearest' });
    this.#seen = this.#wantedPart || selected.part === '' ? selected.part : '';
    this.#showFound(selected);
  }

  /** Marks the text of the search, and scrolls to its first place in the payload once. */
  #showFound({ call, find }: SelectedCall): void {
    const marks = markText('found-details', [this.root], find);
    const key = `${call.state.id} ${find}`;
    const first = marks.find(mark => mark.startContainer.parentElement?.closest('.exchange, .section'));
    if (key === this.#found || (find !== '' && !first)) return;
    this.#found = key;
    first?.startContainer.parentElement?.scrollIntoView({ block: 'center' });
  }

  get #wantedPart(): Element | undefined {
    return this.root.querySelector('.part-fold[data-marked]') ?? undefined;
  }

  #build({ model, call, payload = NOTHING, reply, part, find }: SelectedCall): readonly (View | undefined)[] {
    const { state } = call;
    return [
      h(
        'h2',
        { class: 'call-title bar' },
        h('span', { class: 'icon' }, h(StatusIcon, { status: state.status })),
        h('span', { class: 'title' }, state.title),
        h('span', { class: 'outcome muted number' }, outcomeOf(state)),
      ),
      state.message === undefined ? undefined : h('p', { class: 'failure fault' }, state.message),
      h(NoteList, { label: 'Notes', notes: state.notes ?? [] }),
      h(FactList, {
        class: 'facts number',
        facts: listFacts(model, call, payload.session).map(fact => ({ ...fact, value: this.#link(fact) })),
      }),
      h(PartList, { reply, start: state.at, selected: part, find, host: this.#host }),
      ...this.#buildExchanges(state, payload, find),
      foldTable(
        'Names of the trace',
        payload.names.map(({ scheme, trace, id, parent }) => ({
          name: scheme,
          value: [trace, id ?? '', parent === undefined ? '' : `below ${parent}`].filter(Boolean).join(' · '),
        })),
      ),
      foldTable(
        'Attributes',
        payload.attributes.map(({ name, json }) => ({ name, value: json })),
      ),
    ];
  }

  #buildExchanges(state: TraceCall['state'], payload: Payload, find: string): readonly (View | undefined)[] {
    const { bytesOut = 0, bytesIn = 0, bytesError = 0, pieces = 0 } = state;
    const act = (action: CallAction) => (): void => this.#host.act(action, state.id);
    const tools: TextTools = {
      isRaw: this.#isRaw,
      find,
      onRaw: form => {
        this.#isRaw = form === 'raw';
        if (this.#selected) this.update(this.#selected);
      },
      onCopy: text => this.#host.copy(text),
    };
    const [request, received] = [this.#sortMessages(payload, 'out'), this.#sortMessages(payload, 'in')];
    const hasOthers = request.others.length + received.others.length > 0;
    const sizeOf = (messages: readonly Message[], all: number): number =>
      hasOthers ? messages.reduce((sum, { wire, packed }) => sum + (packed ?? wire).bytes, 0) : all;
    return [
      h(Exchange, {
        title: 'Request',
        messages: request.own,
        bytes: sizeOf(request.own, bytesOut),
        tools,
        onOpen: act('openRequest'),
      }),
      h(Exchange, {
        title: 'Reply',
        messages: received.own,
        bytes: sizeOf(received.own, bytesIn),
        pieces,
        tools,
        onOpen: act('openReply'),
      }),
      bytesError > 0
        ? h(Exchange, {
            title: 'Error output',
            messages: this.#sortMessages(payload, 'stderr').own,
            bytes: bytesError,
            tools,
          })
        : undefined,
      h(OtherExchanges, { requests: request.others, replies: received.others, tools }),
    ];
  }

  #link({ value, link }: Fact): View | string {
    if (link === undefined) return value;
    const onClick = (): void =>
      link === 'source' ? this.#host.act('openSource', this.#call) : this.#host.select(link.call);
    return h('button', { class: 'link', type: 'button', onClick }, value);
  }

  /** The messages of one direction: first those of the call itself. Without a hint, all of them are its own. */
  #sortMessages({ events, own = [] }: Payload, direction: WireEvent['direction']): Sorted {
    const sorted = { own: new Array<Message>(), others: new Array<Message>() };
    const hints = new Set(own.map(index => events[index]));
    const messages = splitMessages(events, direction);
    const isHinted = messages.some(({ wire }) => wire.some(event => hints.has(event)));
    for (const { head, wire } of messages) {
      const list = !isHinted || wire.some(event => hints.has(event)) ? sorted.own : sorted.others;
      list.push({ head, wire: this.#reader.read(wire), packed: this.#reader.readPacked(wire) });
    }
    return sorted;
  }
}

function foldTable(title: string, rows: readonly { name: string; value: string }[]): View | undefined {
  if (rows.length === 0) return undefined;
  return h(Fold, {
    class: 'fold section',
    summary: `${title}, ${countOf(rows.length, 'row')}`,
    content: () => h(FactTable, { rows }),
  });
}
