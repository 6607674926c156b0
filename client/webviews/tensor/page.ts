import { parseElement } from '../../../tensor/parse-element.ts';
import {
  type FromInspector,
  type Member,
  type ShowTensor,
  type Subject,
  type ToInspector,
} from '../../../wire/inspector-messages.ts';
import { element } from '../shared/element.ts';
import { Tabs } from '../shared/tabs.ts';
import { Redraw } from '../shared/redraw.ts';
import { connectHost } from '../shared/host.ts';
import { MenuButton } from '../shared/menu.ts';
import { Button } from '../shared/buttons.ts';
import { draw, h } from '../shared/view.ts';
import { AxisControls } from './axes-view.ts';
import { firstSlicing } from './axes.ts';
import { BytesView } from './bytes-view.ts';
import { CompareView } from './compare/compare-view.ts';
import { Copier } from './grid/grid-copier.ts';
import { axisRanges, countCells } from './grid/grid-range.ts';
import { GridView } from './grid/grid-view.ts';
import { Header } from './header-view.ts';
import { HistogramView } from './histogram/histogram-view.ts';
import { PictureView } from './picture/picture-view.ts';
import { SearchBar } from './search/search-bar.ts';
import { selectShown, showTensor, sliceShown } from './shown.ts';
import type { SlicedWork } from '../shared/slices.ts';
import { readState, type PageState } from './state.ts';
import { SummaryLine } from './summary-view.ts';
import { summarise, type Summary } from './summary-work.ts';
import { ValueLine } from './value-line.ts';
import type { InspectorActions, InspectorView, OtherShown, Shown } from './view.ts';

/** The key under which the id of the compared tensor is stored. */
const COMPARED = 'compare.other';

/** The page of the inspector: several views of a tensor that share one selection. */
export class InspectorPage {
  readonly #host = connectHost<ToInspector, FromInspector>(message => this.#receive(message));
  #state: PageState = readState(this.#host.stored());
  readonly #actions: InspectorActions = {
    select: index => this.#select(index),
    post: message => this.#host.post(message),
    keep: (key, value) => this.#keep({ choices: { ...this.#state.choices, [key]: value } }),
    stored: key => this.#state.choices[key],
    toolsChanged: () => this.#drawTools(),
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
  readonly #head = element('div', {});
  readonly #summaryLine = element('div', {});
  readonly #tabActions = element('div', { class: 'actions bar wraps' });
  readonly #toolbar = element('div', {
    class: 'toolbar bar wraps',
    role: 'group',
    attributes: { 'aria-label': 'What is shown' },
  });
  readonly #tabs = new Tabs(this.#views, 'Ways to look at the tensor', ({ name }) =>
    this.#keep({ tab: name }),
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
    { class: 'content stack' },
    this.#summaryLine,
    element('div', { class: 'tab-bar bar wraps' }, this.#tabs.list, this.#tabActions),
    this.#toolbar,
    this.#search.root,
    this.#tabs.panels,
    this.#line.root,
  );
  #subject: Subject | undefined;
  #members: readonly Member[] = [];
  #member = '';
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
    root.classList.add('inspector', 'stack');
    root.append(this.#head, this.#content);
    this.#content.hidden = true;
    document.addEventListener('keydown', event => this.#onKey(event));
    document.addEventListener('visibilitychange', () => this.#keeping.now());
    draw(
      this.#tabActions,
      h(Button, { label: 'Go to', onClick: () => this.#search.open('go') }),
      h(Button, { label: 'Find', onClick: () => this.#search.open('find') }),
      h(MenuButton, { label: 'Copy', items: () => this.#copier.items }),
    );
    this.#host.post({ type: 'ready' });
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
        this.#members = message.members;
        this.#member = message.shown;
        return this.#frame.ask();
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
      this.#state.subject === subject.id
        ? this.#state
        : { slicing: firstSlicing(tensor.shape, tensor.dtype), selected: 0 };
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
    draw(
      this.#head,
      h(Header, {
        subject,
        tensor: shown?.tensor,
        members: this.#members,
        member: this.#member,
        problem: this.#problem,
        notice: this.#notice,
        post: message => this.#host.post(message),
        selectedPart: () => this.#selectedPart(),
      }),
    );
    this.#content.hidden = shown === undefined;
    this.#content.classList.toggle('old', this.#problem !== undefined);
    if (!shown) return;
    const current = this.#problem === undefined ? shown : readOnly(shown);
    this.#bringFront();
    const summary = this.#summary;
    const onSelect = (index: number): void => this.#select(index);
    draw(this.#summaryLine, summary && h(SummaryLine, { tensor: shown.tensor, summary, onSelect }));
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
    if (this.#front !== front) this.#front?.hide?.();
    this.#front = front;
    front.show(shown);
    this.#drawTools();
  }

  #drawTools(): void {
    const shown = this.#shown;
    const { front } = this.#tabs;
    if (!shown) return;
    const { shape } = shown.tensor;
    const onChange = (slicing: Shown['slicing']): void => this.#change(moved => sliceShown(moved, slicing));
    draw(
      this.#toolbar,
      front.showsAllAxes ? undefined : h(AxisControls, { shape, slicing: shown.slicing, onChange }),
      front.tools?.(shown),
    );
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
