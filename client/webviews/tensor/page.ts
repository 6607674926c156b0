import { parseElement } from '../../../tensor/parse-element.ts';
import {
  isToInspector,
  type FromInspector,
  type ShowTensor,
  type Subject,
  type ToInspector,
} from '../../../wire/inspector-messages.ts';
import { element } from '../shared/element.ts';
import { Tabs } from '../shared/tabs.ts';
import { Redraw } from '../shared/redraw.ts';
import { connectHost } from '../shared/host.ts';
import { MenuButton } from '../shared/menu.ts';
import { AxesView } from './axes-view.ts';
import { firstSlicing } from './axes.ts';
import { BytesView } from './bytes-view.ts';
import { CompareView } from './compare/compare-view.ts';
import { Copier } from './grid/grid-copier.ts';
import { axisRanges, countCells } from './grid/grid-range.ts';
import { GridView } from './grid/grid-view.ts';
import { buildButton, HeaderView } from './header-view.ts';
import { HistogramView } from './histogram/histogram-view.ts';
import { MembersView } from './members-view.ts';
import { PictureView } from './picture/picture-view.ts';
import { SearchBar } from './search/search-bar.ts';
import { selectShown, showTensor, sliceShown } from './shown.ts';
import type { SlicedWork } from '../shared/slices.ts';
import { readState, type PageState } from './state.ts';
import { SummaryView } from './summary-view.ts';
import { summarise, type Summary } from './summary-work.ts';
import { ValueLine } from './value-line.ts';
import type { InspectorActions, InspectorView, OtherShown, Shown } from './view.ts';

/** The key under which the id of the compared tensor is stored. */
const COMPARED = 'compare.other';

/** The page of the inspector: several views of a tensor that share one selection. */
export class InspectorPage {
  readonly #host = connectHost<ToInspector, FromInspector>(isToInspector, message => this.#receive(message));
  #state: PageState = readState(this.#host.stored());
  readonly #actions: InspectorActions = {
    select: index => this.#select(index),
    post: message => this.#host.post(message),
    keep: (key, value) => this.#keep({ choices: { ...this.#state.choices, [key]: value } }),
    stored: key => this.#state.choices[key],
  };
  readonly #grid = new GridView({
    ...this.#actions,
    write: (index, text) => this.#write(index, text, 'grid'),
    rangeChanged: () => this.#frame.ask(),
  });
  readonly #bytes = new BytesView(this.#actions);
  readonly #views: readonly [InspectorView, ...InspectorView[]] = [
    this.#grid,
    new PictureView(this.#actions),
    new HistogramView(this.#actions),
    this.#bytes,
    new CompareView(this.#actions),
  ];
  readonly #members = new MembersView(member => this.#host.post({ type: 'pick', member }));
  readonly #header = new HeaderView(
    { post: message => this.#host.post(message), selectedPart: () => this.#selectedPart() },
    this.#members.root,
  );
  readonly #summaryView = new SummaryView(index => this.#select(index));
  readonly #axes = new AxesView(slicing => this.#change(shown => sliceShown(shown, slicing)));
  readonly #tabs = new Tabs(this.#views, 'Ways to look at the tensor', ({ name }) =>
    this.#keep({ tab: name }),
  );
  /** The controls of each tab. Only those of the front tab are visible. */
  readonly #tools = this.#views.flatMap(view =>
    view.tools ? [{ view, root: element('div', { class: 'tools' }, view.tools) }] : [],
  );
  readonly #search = new SearchBar({
    select: index => this.#select(index),
    closed: () => this.#focusFront(),
  });
  readonly #line = new ValueLine({ write: (index, text) => this.#write(index, text, 'line') });
  readonly #copier = new Copier({
    shown: () => this.#shown,
    rectangle: () => this.#grid.rectangle,
    copy: text => this.#host.post({ type: 'copy', text }),
    say: words => this.#line.say(words),
  });
  readonly #content = element(
    'div',
    { class: 'content' },
    this.#summaryView.root,
    element('div', { class: 'tab-bar' }, this.#tabs.list, this.#buildActions()),
    element(
      'div',
      { class: 'toolbar', role: 'group', attributes: { 'aria-label': 'What is shown' } },
      this.#axes.root,
      ...this.#tools.map(({ root }) => root),
    ),
    this.#search.root,
    this.#tabs.panels,
    this.#line.root,
  );
  #subject: Subject | undefined;
  #problem: string | undefined;
  /** The reason why a comparison ended. */
  #notice: string | undefined;
  #shown: Shown | undefined;
  #summary: Summary | undefined;
  #summaryWork: SlicedWork | undefined;
  #other: OtherShown | undefined;
  /** The view that was drawn last. */
  #front: InspectorView | undefined;
  /** Where the last value was typed; a refusal is shown there. */
  #writer: 'grid' | 'line' = 'grid';
  readonly #keeping = new Redraw(() => this.#host.keep(this.#state));
  /** All changes between two frames are drawn once. */
  readonly #frame = new Redraw(() => this.#draw());

  constructor(root: HTMLElement) {
    root.classList.add('inspector');
    root.append(this.#header.root, this.#content);
    this.#header.root.hidden = true;
    this.#content.hidden = true;
    document.addEventListener('keydown', event => this.#onKey(event));
    document.addEventListener('visibilitychange', () => this.#keeping.now());
    this.#host.post({ type: 'ready' });
  }

  #buildActions(): HTMLElement {
    return element(
      'div',
      { class: 'actions' },
      buildButton('Go to', () => this.#search.open('go')),
      buildButton('Find', () => this.#search.open('find')),
      new MenuButton('Copy', () => this.#copier.items).root,
    );
  }

  #receive(message: ToInspector): void {
    switch (message.type) {
      case 'show':
        return this.#show(message);
      case 'problem':
        this.#take(message.subject);
        this.#problem = message.problem;
        return this.#frame.ask();
      case 'members':
        return this.#members.update(message.members, message.shown);
      case 'other':
        return this.#compare({ subject: message.subject, tensor: message.tensor });
      case 'hideOther':
        this.#notice = message.problem;
        if (message.problem === undefined) this.#actions.keep(COMPARED, '');
        return this.#setOther(undefined);
      case 'refuse':
        return this.#refuse(message.index, message.problem);
    }
  }

  /** If the subject changes, nothing of the previous one stays on the page. */
  #take(subject: Subject): void {
    if (subject.id !== this.#subject?.id) {
      this.#summaryWork?.stop();
      this.#copier.stop();
      this.#line.say('');
      this.#shown = undefined;
      this.#summary = undefined;
    }
    this.#subject = subject;
  }

  #show({ subject, tensor }: ShowTensor): void {
    this.#take(subject);
    this.#problem = undefined;
    const place =
      this.#state.subject === subject.id ? this.#state : { slicing: firstSlicing(tensor.shape), selected: 0 };
    this.#shown = showTensor({ subject, tensor }, place, this.#shown, this.#other);
    this.#keepPlace();
    this.#summaryWork?.stop();
    this.#summaryWork = summarise(this.#shown.numbers, summary => {
      this.#summary = summary;
      if (this.#shown && this.#shown.statistics !== summary.statistics)
        this.#shown = { ...this.#shown, statistics: summary.statistics };
      this.#frame.ask();
    });
    this.#frame.ask();
  }

  #compare(other: OtherShown): void {
    this.#notice = undefined;
    this.#setOther(other);
    // Switches to the comparison only if it is new, not if the page or the other tensor was reloaded.
    if (this.#actions.stored(COMPARED) === other.subject.id) return;
    this.#actions.keep(COMPARED, other.subject.id);
    this.#keep({ tab: 'compare' });
  }

  #setOther(other: OtherShown | undefined): void {
    this.#other = other;
    if (this.#shown) this.#shown = { ...this.#shown, other };
    this.#frame.ask();
  }

  /** Draws immediately, because a key before the next frame starts from this element. */
  #select(index: number): void {
    this.#change(shown => (shown.selected === undefined ? shown : selectShown(shown, index)));
    this.#frame.now();
  }

  /** Applies a move of the user. */
  #change(move: (shown: Shown) => Shown): void {
    if (!this.#shown) return;
    this.#shown = move(this.#shown);
    this.#keepPlace();
    this.#frame.ask();
  }

  #selectedPart(): ReturnType<typeof axisRanges> | undefined {
    const { rectangle } = this.#grid;
    return this.#shown?.selected !== undefined && countCells(rectangle) > 1
      ? axisRanges(this.#shown.slicing, rectangle)
      : undefined;
  }

  /** Sends a value that the type can hold. Returns the problem of any other value. */
  #write(index: number, value: string, writer: 'grid' | 'line'): string | undefined {
    if (!this.#shown?.subject.canEdit) return undefined;
    const parsed = parseElement(this.#shown.tensor.dtype, value);
    if (parsed.kind === 'fault') return parsed.problem;
    this.#writer = writer;
    this.#host.post({ type: 'setValue', index, value });
    return undefined;
  }

  #refuse(index: number, problem: string): void {
    if (this.#shown?.selected !== index) this.#select(index);
    this.#draw();
    if (this.#writer === 'grid' && this.#tabs.front === this.#grid) this.#grid.edit(problem);
    else this.#line.refuse(problem);
  }

  #draw(): void {
    const subject = this.#subject;
    if (!subject) return;
    const shown = this.#shown;
    this.#header.root.hidden = false;
    this.#header.update(subject, shown?.tensor, { problem: this.#problem, notice: this.#notice });
    this.#content.hidden = shown === undefined;
    this.#content.classList.toggle('old', this.#problem !== undefined);
    if (!shown) return;
    const current = this.#problem === undefined ? shown : readOnly(shown);
    this.#bringFront();
    this.#summaryView.update(shown.tensor, this.#summary);
    this.#axes.update(shown.tensor.shape, shown.slicing);
    this.#search.update(shown);
    this.#drawFront(current);
    this.#line.update(current, this.#tabs.front === this.#grid ? this.#grid.rectangle : undefined);
  }

  /** Brings the stored tab to the front; the first one if that is the comparison and there is none. */
  #bringFront(): void {
    const isOffered = ({ name }: InspectorView): boolean => name !== 'compare' || this.#other !== undefined;
    const wanted = this.#views.find(view => view.name === this.#state.tab && isOffered(view));
    this.#tabs.bring(wanted ?? this.#views[0], isOffered);
  }

  #drawFront(shown: Shown): void {
    const { front } = this.#tabs;
    if (this.#front !== front) this.#front?.hide();
    this.#front = front;
    for (const { view, root } of this.#tools) root.hidden = view !== front;
    front.show(shown);
    if (front.showsAllAxes) this.#axes.root.hidden = true;
  }

  #focusFront(): void {
    if (this.#front === this.#grid) this.#grid.focus();
    else if (this.#front === this.#bytes) this.#bytes.focus();
    else this.#tabs.focus();
  }

  #keepPlace(): void {
    if (!this.#shown) return;
    const { subject, slicing, selected = 0 } = this.#shown;
    this.#keep({ subject: subject.id, slicing, selected });
  }

  #keep(part: Partial<PageState>): void {
    this.#state = { ...this.#state, ...part };
    if (part.tab) this.#frame.ask();
    this.#keeping.ask();
  }

  /** Handles keys of the page and stops them, so that VS Code does not handle them too. */
  #onKey(event: KeyboardEvent): void {
    if (event.altKey || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
    const key = event.key.toLowerCase();
    const isInGrid = this.#grid.root.contains(document.activeElement);
    if (this.#content.hidden) return;
    if (key === 'f') this.#search.open('find');
    else if (key === 'g') this.#search.open('go');
    else if (key === 'c' && isInGrid && !(event.target instanceof HTMLInputElement)) this.#copier.copyCells();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** An outdated tensor is read-only. */
function readOnly(shown: Shown): Shown {
  return { ...shown, subject: { ...shown.subject, canEdit: false } };
}
