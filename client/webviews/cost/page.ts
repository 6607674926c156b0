import type { EncodingName } from '../../../protocol/src/catalog/encodings.ts';
import { ENCODINGS, findEncoding } from '../../../protocol/src/catalog/encodings.ts';
import {
  isToCost,
  type CostSubject,
  type FromCost,
  type ShowCost,
  type ToCost,
} from '../../../protocol/src/wire/cost-messages.ts';
import { element, setText } from '../shared/element.ts';
import { connectHost } from '../shared/host.ts';
import { buildSelect } from '../shared/select.ts';
import { buildStatusIcon } from '../shared/status-icon.ts';
import { nextOrder, readOrder } from './order.ts';
import { TableView } from './table-view.ts';
import { describePlace, describeTable, printMarkdown } from './words.ts';

/** The page that compares what messages cost. */
export class CostPage {
  readonly #host = connectHost<ToCost, FromCost>(isToCost, message => this.#receive(message));
  readonly #place = buildButton('link place', 'Show where it is written', () =>
    this.#host.post({ type: 'open' }),
  );
  readonly #encoding = buildSelect(
    ENCODINGS.map(({ name, models }) => ({ value: name, label: `${name} · ${models}` })),
    () => this.#chooseEncoding(),
  );
  readonly #copy = buildButton('button', '', () => this.#copyTable());
  readonly #state = new StateLine({
    onStop: () => this.#host.post({ type: 'stop' }),
    onAgain: () => this.#host.post({ type: 'again' }),
  });
  readonly #sentence = element('p', { class: 'sentence muted' });
  readonly #table = new TableView({
    onSort: column => this.#sort(nextOrder(this.#order, column)),
    onOpen: protocol => this.#host.post({ type: 'open', ...(protocol && { protocol }) }),
  });
  readonly #scroller = element('div', { class: 'scroller' }, this.#table.root);
  #order = readOrder(this.#host.kept());
  #shown: ShowCost | undefined;
  /** The encoding of what was asked last. */
  #asked: EncodingName | undefined;

  constructor(root: HTMLElement) {
    setText(this.#copy, 'Copy as Markdown');
    const label = element('label', { class: 'field' }, 'Tokens of ', this.#encoding);
    root.replaceChildren(
      element(
        'div',
        { class: 'cost' },
        element(
          'header',
          { class: 'header' },
          element('div', { class: 'title-line' }, this.#place, this.#state.root),
          element('div', { class: 'actions' }, label, this.#copy),
        ),
        this.#sentence,
        this.#scroller,
      ),
    );
    this.#draw();
    this.#host.post({ type: 'ready' });
  }

  #receive(message: ToCost): void {
    switch (message.type) {
      case 'begun':
        this.#name(message.subject, message.encoding);
        this.#state.show('working');
        return;
      case 'show':
        this.#name(message.subject, message.table.encoding);
        this.#shown = message;
        this.#state.show('idle');
        this.#draw();
        return;
      case 'problem':
        this.#name(message.subject, this.#asked);
        this.#state.show('problem', message.problem);
        return;
      case 'stopped':
        this.#state.show('stopped');
        return;
    }
  }

  #name(subject: CostSubject, encoding: EncodingName | undefined): void {
    setText(this.#place, describePlace(subject));
    this.#asked = encoding;
    if (encoding) this.#encoding.value = encoding;
  }

  #chooseEncoding(): void {
    const encoding = findEncoding(this.#encoding.value)?.name;
    if (encoding) this.#host.post({ type: 'encoding', encoding });
  }

  #sort(order: ReturnType<typeof nextOrder>): void {
    this.#order = order;
    this.#host.keep(order);
    this.#draw();
  }

  #copyTable(): void {
    if (!this.#shown) return;
    const { subject, table } = this.#shown;
    this.#host.post({ type: 'copy', text: printMarkdown(subject, table, this.#order) });
    this.#state.show('copied');
  }

  #draw(): void {
    const table = this.#shown?.table;
    for (const part of [this.#copy, this.#sentence, this.#scroller]) part.hidden = !table;
    if (!table) return;
    setText(this.#sentence, describeTable(table));
    this.#table.update(table.rows, this.#order);
  }
}

type State = 'idle' | 'working' | 'problem' | 'stopped' | 'copied';

interface StateHost {
  onStop(): void;
  onAgain(): void;
}

/** What becomes of the comparison, and the one thing to do about it. Work of a moment is not mentioned. */
class StateLine {
  readonly #icon = element('span', { class: 'icon' });
  readonly #words = element('span', { role: 'status' });
  readonly #stop: HTMLElement;
  readonly #again: HTMLElement;
  readonly root: HTMLElement;

  constructor(host: StateHost) {
    this.#stop = buildButton('button', '', () => host.onStop());
    this.#again = buildButton('button', '', () => host.onAgain());
    setText(this.#stop, 'Stop');
    setText(this.#again, 'Compare again');
    this.root = element('div', { class: 'state' }, this.#icon, this.#words, this.#stop, this.#again);
    this.show('idle');
  }

  show(state: State, problem = ''): void {
    const words = { idle: '', working: 'Counting…', problem, stopped: 'Stopped', copied: 'Copied' };
    const icons = { working: 'open', problem: 'error', stopped: 'cancelled' } as const;
    this.root.className = `state ${state}`;
    setText(this.#words, words[state]);
    const icon = state === 'idle' || state === 'copied' ? [] : [buildStatusIcon(icons[state])];
    this.#icon.replaceChildren(...icon);
    this.#stop.hidden = state !== 'working';
    this.#again.hidden = state !== 'stopped' && state !== 'problem';
  }
}

function buildButton(className: string, title: string, onClick: () => void): HTMLButtonElement {
  const attributes = { type: 'button', ...(title !== '' && { title }) };
  return element('button', { class: className, attributes, onClick });
}
