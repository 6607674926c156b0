import { countElements, elementSize, placeOf } from '../../../tensor/tensor.ts';
import { element } from '../shared/element.ts';
import { h } from '../shared/view.ts';
import { byteAtColumn, bytesRow, groupSize, hexColumn, offsetText, ROW_BYTES } from './bytes-rows.ts';
import { VirtualList } from '../shared/virtual-list.ts';
import { exactText } from './value-line.ts';
import type { InspectorActions, InspectorView, Shown } from './view.ts';

const ROW_HEIGHT = 22;
/** Characters between offset, bytes and ASCII. */
const GAP = 2;
const PADDING = 16;
const PROBE_LENGTH = 100;

/** The bytes of the tensor as sent, little-endian, in rows of 16. The selected element is marked. */
export class BytesView implements InspectorView {
  readonly name = 'bytes';
  readonly title = 'Bytes';
  readonly showsAllAxes = true;
  readonly #actions: InspectorActions;
  readonly #probe = element(
    'span',
    { class: 'probe', attributes: { 'aria-hidden': 'true' } },
    '0'.repeat(PROBE_LENGTH),
  );
  readonly #layer = element('div', { class: 'layer', attributes: { 'aria-hidden': 'true' } });
  /** The selection is marked in hex and in ASCII. Only the first mark is exposed to screen readers. */
  readonly #mark = element('div', { class: 'byte-mark', role: 'option', attributes: { id: 'byte-mark' } });
  readonly #asciiMark = element('div', { class: 'byte-mark', attributes: { 'aria-hidden': 'true' } });
  readonly #port = element(
    'div',
    { class: 'bytes code', role: 'listbox', attributes: { tabindex: '0' } },
    this.#layer,
    this.#mark,
    this.#asciiMark,
    this.#probe,
  );
  readonly #rows = new VirtualList({
    port: this.#port,
    layer: this.#layer,
    height: ROW_HEIGHT,
    name: 'bytes-row',
    onScroll: () => this.#draw(),
    onResize: () => this.#layOut(),
  });
  readonly #scroller = this.#rows.scroller;
  readonly root = element('div', { class: 'view bytes-view' }, this.#scroller.root);
  #shown: Shown | undefined;
  #character = 8;

  constructor(actions: InspectorActions) {
    this.#actions = actions;
    this.#port.addEventListener('keydown', event => this.#onKey(event));
    this.#port.addEventListener('pointerdown', event => this.#onPress(event));
  }

  show(shown: Shown): void {
    const was = this.#shown;
    this.#shown = shown;
    const isOther = was?.tensor !== shown.tensor;
    if (isOther) this.#layOut();
    if (isOther || was?.selected !== shown.selected) this.#reveal();
    this.#draw();
  }

  focus(): void {
    this.#port.focus({ preventScroll: true });
  }

  get #size(): number {
    return this.#shown ? elementSize(this.#shown.tensor.dtype) : 1;
  }

  /** The columns at which the hex text and the ASCII text begin. */
  get #columns(): { readonly hex: number; readonly ascii: number } {
    const digits = offsetText(Math.max(0, (this.#shown?.tensor.bytes.length ?? 0) - 1)).length;
    const hex = digits + GAP;
    return { hex, ascii: hex + hexColumn(ROW_BYTES - 1, groupSize(this.#size)) + 2 + GAP };
  }

  #layOut(): void {
    const shown = this.#shown;
    if (!shown) return;
    this.#character = this.#probe.getBoundingClientRect().width / PROBE_LENGTH || this.#character;
    this.#port.ariaLabel = `Bytes of ${shown.subject.name}`;
    const width = (this.#columns.ascii + ROW_BYTES) * this.#character + 2 * PADDING;
    this.#rows.count = Math.ceil(shown.tensor.bytes.length / ROW_BYTES);
    this.#scroller.resize({ width, height: this.#rows.count * ROW_HEIGHT }, { width: 0, height: 0 });
    this.#draw();
  }

  #draw(): void {
    const shown = this.#shown;
    if (!shown) return;
    const left = PADDING - this.#scroller.across.offset;
    const { hex, ascii } = this.#columns;
    this.#rows.draw(({ id, index, top }) => {
      const text = bytesRow(shown.tensor.bytes, index, groupSize(this.#size));
      return h(
        'div',
        { key: id, class: 'bytes-row', style: `transform: translate(${left}px, ${top}px)` },
        h('span', { class: 'muted' }, text.offset.padEnd(hex)),
        h('span', {}, text.hex.padEnd(ascii - hex)),
        h('span', { class: 'muted' }, text.ascii),
      );
    });
    this.#drawMarks(shown);
  }

  #drawMarks({ tensor, selected }: Shown): void {
    const marks = [this.#mark, this.#asciiMark];
    for (const mark of marks) mark.hidden = selected === undefined;
    if (selected === undefined) return this.#port.removeAttribute('aria-activedescendant');
    const byte = selected * this.#size;
    const { across, down } = this.#scroller;
    const at = byte % ROW_BYTES;
    const top = this.#rows.topOf(Math.floor(byte / ROW_BYTES));
    const group = groupSize(this.#size);
    const start = hexColumn(at, group);
    const { hex, ascii } = this.#columns;
    const boxes = [
      { from: hex + start, length: hexColumn(at + this.#size - 1, group) + 2 - start },
      { from: ascii + at, length: this.#size },
    ];
    // Marks far outside of the port are not visible, and browsers place them inexactly.
    const isSeen = top > -ROW_HEIGHT && top < down.view + ROW_HEIGHT;
    for (const [which, { from, length }] of boxes.entries()) {
      const mark = marks[which];
      if (!mark) continue;
      const left = PADDING + from * this.#character - across.offset;
      mark.style.transform = `translate(${left}px, ${isSeen ? top : -2 * ROW_HEIGHT}px)`;
      mark.style.width = `${length * this.#character}px`;
    }
    this.#mark.ariaSelected = 'true';
    this.#mark.ariaPosInSet = String(selected + 1);
    this.#mark.ariaSetSize = String(countElements(tensor.shape));
    const place = placeOf(tensor.shape, selected).join(', ');
    this.#mark.ariaLabel = `[${place}] ${exactText(tensor, selected)}, bytes ${this.#bytesText()}`;
    this.#port.setAttribute('aria-activedescendant', this.#mark.id);
  }

  /** The bytes of the selected element in hexadecimal. */
  #bytesText(): string {
    const { tensor, selected = 0 } = this.#shown ?? {};
    const part = tensor?.bytes.subarray(selected * this.#size, (selected + 1) * this.#size) ?? [];
    return [...part].map(byte => byte.toString(16).padStart(2, '0')).join(' ');
  }

  #reveal(): void {
    const selected = this.#shown?.selected;
    if (selected === undefined) return;
    this.#rows.show(Math.floor((selected * this.#size) / ROW_BYTES));
  }

  #onPress(event: PointerEvent): void {
    const bytes = this.#shown?.tensor.bytes.length ?? 0;
    if (event.button !== 0 || bytes === 0) return;
    const { left } = this.#port.getBoundingClientRect();
    const { across } = this.#scroller;
    const column = Math.floor((event.clientX - left - PADDING + across.offset) / this.#character);
    const row = this.#rows.indexUnder(event);
    const { hex, ascii } = this.#columns;
    const at =
      column >= ascii
        ? Math.min(ROW_BYTES - 1, column - ascii)
        : byteAtColumn(Math.max(0, column - hex), groupSize(this.#size));
    const byte = row * ROW_BYTES + at;
    if (byte < bytes) this.#actions.select(Math.floor(byte / this.#size));
  }

  #onKey(event: KeyboardEvent): void {
    const { tensor, selected } = this.#shown ?? {};
    if (!tensor || selected === undefined || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key.toLowerCase() === 'c') {
      this.#actions.post({ type: 'copy', text: this.#bytesText() });
      event.preventDefault();
      return event.stopPropagation();
    }
    const row = Math.max(1, ROW_BYTES / this.#size);
    const start = selected - (selected % row);
    const last = countElements(tensor.shape) - 1;
    const page = row * this.#rows.page;
    const moves = {
      ArrowLeft: selected - 1,
      ArrowRight: selected + 1,
      ArrowUp: selected - row < 0 ? selected : selected - row,
      ArrowDown: selected + row > last ? selected : selected + row,
      PageUp: selected - page,
      PageDown: selected + page,
      Home: isCommand ? 0 : start,
      End: isCommand ? last : start + row - 1,
    };
    const to = Object.entries(moves).find(([key]) => key === event.key)?.[1];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#actions.select(Math.max(0, Math.min(last, to)));
  }
}
