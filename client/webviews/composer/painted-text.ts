import { TOKEN_KINDS } from '../../../core/catalog/token-kinds.ts';
import { TOKEN_SIZE, type PackedTokens } from '../../../language/tokens.ts';
import type { ComposerIssue } from '../../../wire/composer-texts.ts';
import { element } from '../shared/element.ts';

/**
 * Syntax colours and underlined issues for a text field. A field has only one colour, so the same text is
 * drawn over it, coloured with CSS highlights. The ranges move with the text, so colours persist until the
 * language server answers.
 */
export class PaintedText {
  readonly root = element('div', { class: 'draft code paint', attributes: { 'aria-hidden': 'true' } });
  readonly #field: HTMLTextAreaElement;
  readonly #text = document.createTextNode('');

  constructor(field: HTMLTextAreaElement) {
    this.#field = field;
    this.root.append(this.#text);
    field.classList.add('painted');
    field.addEventListener('input', () => this.copy());
    field.addEventListener('scroll', () => this.#follow());
    new ResizeObserver(() => this.#follow()).observe(field);
  }

  /** Copies the text of the field. Text that is equal at both ends keeps its colours. */
  copy(): void {
    const { data } = this.#text;
    const { value } = this.#field;
    const shorter = Math.min(data.length, value.length);
    let start = 0;
    while (start < shorter && data.charCodeAt(start) === value.charCodeAt(start)) start++;
    let same = 0;
    while (
      same < shorter - start &&
      data.charCodeAt(data.length - 1 - same) === value.charCodeAt(value.length - 1 - same)
    )
      same++;
    if (data !== value)
      this.#text.replaceData(start, data.length - start - same, value.slice(start, value.length - same));
    this.#follow();
  }

  /** Colours the tokens and underlines the issues. Offsets refer to the current text. */
  paint(tokens: PackedTokens, issues: readonly ComposerIssue[]): void {
    const ranges = new Map<string, Range[]>();
    const add = (name: string, start: number, end: number): void => {
      const range = this.#rangeOf(start, end);
      const found = ranges.get(name);
      if (found) found.push(range);
      else ranges.set(name, [range]);
    };
    for (let at = 0; at < tokens.length; at += TOKEN_SIZE) {
      const [start = 0, end = 0, kind = 0] = tokens.slice(at, at + TOKEN_SIZE);
      const row = TOKEN_KINDS[kind];
      if (row) add(row.name, start, end);
    }
    for (const { severity, place } of issues) if (place) add(severity, place.start, place.end);
    CSS.highlights.clear();
    for (const [name, found] of ranges) CSS.highlights.set(name, new Highlight(...found));
  }

  #rangeOf(start: number, end: number): Range {
    const range = document.createRange();
    const { length } = this.#text;
    range.setStart(this.#text, Math.min(start, length));
    range.setEnd(this.#text, Math.min(end, length));
    return range;
  }

  /** Gives the overlay the size and scroll offset of the field, without its scroll bar. */
  #follow(): void {
    const { clientWidth, offsetHeight, scrollTop } = this.#field;
    this.root.style.width = `${clientWidth + 2}px`;
    this.root.style.height = `${offsetHeight}px`;
    this.root.scrollTop = scrollTop;
  }
}
