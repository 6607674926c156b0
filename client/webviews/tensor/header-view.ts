import type { AxisRange } from '../../../tensor/slice.ts';
import { showBytes } from '../../../tensor/size-words.ts';
import { countElements, type Tensor } from '../../../tensor/tensor.ts';
import { countOf } from '../../../core/text/count.ts';
import type { FromInspector, Subject } from '../../../wire/inspector-messages.ts';
import { element, setText } from '../shared/element.ts';
import { MenuButton } from '../shared/menu.ts';
import { buildStatusIcon } from '../shared/status-icon.ts';

/** The services of the page that the header uses. */
export interface HeaderHost {
  post(message: FromInspector): void;
  /** The selected part of each axis; undefined if less than two cells are selected. */
  selectedPart(): readonly AxisRange[] | undefined;
}

/** The messages in the header. */
export interface HeaderWords {
  /** The problem of the tensor. */
  readonly problem: string | undefined;
  /** The reason why a comparison ended. */
  readonly notice: string | undefined;
}

/** The header: name and type of the tensor, its location, the available actions, and its problem. */
export class HeaderView {
  readonly #name = element('span', { class: 'name' });
  readonly #facts = element('span', { class: 'facts muted' });
  readonly #place = element('button', {
    class: 'link place',
    attributes: { type: 'button', title: 'Show in the document' },
  });
  readonly #edit: MenuButton;
  readonly #actions: HTMLElement;
  readonly #problem = element('span', {});
  readonly #old = element('span', { class: 'muted' }, 'What you see is the tensor as it was before.');
  readonly #notice = element('p', { class: 'notice muted', role: 'status' });
  readonly #status = element('div', { class: 'problem-line', role: 'status' });
  readonly root: HTMLElement;

  constructor(host: HeaderHost, members: HTMLElement) {
    const post = (message: FromInspector): void => host.post(message);
    this.#edit = new MenuButton('Edit', () => [
      { label: 'Reshape…', onChoose: () => post({ type: 'edit', change: 'reshape' }) },
      { label: 'Cast to another type…', onChoose: () => post({ type: 'edit', change: 'cast' }) },
      { label: 'Slice…', onChoose: () => post({ type: 'edit', change: 'slice' }) },
    ]);
    const exportMenu = new MenuButton('Export', () => {
      const part = host.selectedPart();
      return [
        { label: 'Tensor…', onChoose: () => post({ type: 'export' }) },
        {
          label: 'Selected cells…',
          onChoose: () => part && post({ type: 'export', part }),
          ...(part ? {} : { disabled: 'Select more than one cell of the grid first' }),
        },
      ];
    });
    this.#place.addEventListener('click', () => post({ type: 'reveal' }));
    this.#actions = element(
      'div',
      { class: 'actions' },
      exportMenu.root,
      buildButton('Compare…', () => post({ type: 'compare' })),
      this.#edit.root,
    );
    this.root = element(
      'header',
      { class: 'header' },
      element('div', { class: 'title-line' }, members, this.#name, this.#facts),
      this.#place,
      this.#actions,
      this.#status,
      this.#notice,
    );
    this.#status.hidden = true;
  }

  update(subject: Subject, tensor: Tensor | undefined, { problem, notice }: HeaderWords): void {
    setText(this.#name, subject.name);
    setText(this.#facts, tensor ? describeTensor(tensor) : '');
    setText(this.#place, subject.place);
    this.#actions.hidden = tensor === undefined;
    this.#edit.root.hidden = !subject.canEdit || problem !== undefined;
    this.#show(problem, tensor);
    setText(this.#notice, notice ?? '');
    this.#notice.hidden = notice === undefined;
  }

  #show(problem: string | undefined, tensor: Tensor | undefined): void {
    this.#status.hidden = problem === undefined;
    if (problem === undefined) {
      this.#status.replaceChildren();
      return;
    }
    setText(this.#problem, `Invalid: ${problem}`);
    this.#old.hidden = tensor === undefined;
    // Built once, so that screen readers do not announce unchanged text again.
    if (this.#status.childElementCount === 0)
      this.#status.append(buildStatusIcon('error'), element('div', {}, this.#problem, ' ', this.#old));
  }
}

/** Builds a button with a text label. */
export function buildButton(label: string, onClick: () => void): HTMLButtonElement {
  return element('button', { class: 'button', attributes: { type: 'button' }, onClick }, label);
}

function describeTensor(tensor: Tensor): string {
  const elements = countOf(countElements(tensor.shape), 'element');
  const shape = tensor.shape.length === 0 ? '' : ` ${tensor.shape.join('×')}`;
  return [`${tensor.dtype}${shape}`, elements, showBytes(tensor.bytes.length), 'row-major'].join(' · ');
}
