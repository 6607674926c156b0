import { Component } from 'preact';
import { h, type Content, type View } from '../view.ts';
import { buildMarkdown, type TextHost } from './markdown.ts';
import { SectionList, type Section, type TextFormat } from './sections.ts';

/** The height of a line before it is drawn, in pixels. */
const LINE = 21;

/** The sections that are drawn at once; the others are drawn when they come near. */
const FIRST = 3;

/** How far outside of the visible part sections are drawn, in pixels. */
const NEAR = '800px 0px';

interface TextViewProps {
  readonly text: string;
  readonly format: TextFormat;
  readonly host: TextHost;
}

/**
 * A text of any length that may grow. Only sections near the visible part have elements; the others are as high as they
 * were when they were last drawn.
 */
export class TextView extends Component<TextViewProps> {
  #list = new SectionList('plain');
  #read = '';
  #format: TextFormat | undefined;
  readonly #watched = new Map<Element, SectionView>();
  readonly #observer = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries)
        this.#watched.get(target)?.move(isIntersecting ? 'near' : 'far');
    },
    // The margins of the window and of whatever scrolls in it.
    { rootMargin: NEAR, scrollMargin: NEAR },
  );

  override shouldComponentUpdate({ text, format }: TextViewProps): boolean {
    return text !== this.props.text || format !== this.props.format;
  }

  override componentWillUnmount(): void {
    this.#observer.disconnect();
  }

  override render({ text, format, host }: TextViewProps): View {
    this.#readOn(text, format);
    const { sections } = this.#list;
    return h(
      'div',
      { class: 'text' },
      sections.map((section, index) =>
        h(SectionView, {
          key: index,
          section,
          // The reason is stated once for sections in a row.
          why: section.plain === sections[index - 1]?.plain ? undefined : section.plain,
          isPlain: format === 'plain' || section.plain !== undefined,
          isFirst: index < FIRST,
          host,
          onWatch: (view, element) => this.#watch(view, element),
        }),
      ),
    );
  }

  #readOn(text: string, format: TextFormat): void {
    const isMore = format === this.#format && text.startsWith(this.#read);
    if (!isMore) this.#list = new SectionList(format);
    this.#list.push(isMore ? text.slice(this.#read.length) : text);
    this.#read = text;
    this.#format = format;
  }

  #watch(view: SectionView, element: Element): () => void {
    this.#watched.set(element, view);
    this.#observer.observe(element);
    return () => {
      this.#watched.delete(element);
      this.#observer.unobserve(element);
    };
  }
}

interface SectionProps {
  readonly section: Section;
  readonly why: string | undefined;
  readonly isPlain: boolean;
  /** Drawn without waiting until it is known to be near. */
  readonly isFirst: boolean;
  readonly host: TextHost;
  readonly onWatch: (view: SectionView, element: Element) => () => void;
}

interface SectionState {
  readonly isNear: boolean;
  /** The height when it was last drawn. */
  readonly height: number | undefined;
}

class SectionView extends Component<SectionProps, SectionState> {
  override state: SectionState = { isNear: this.props.isFirst, height: undefined };
  #element: HTMLElement | undefined;
  #unwatch: (() => void) | undefined;
  #content: Content;
  #drawn: Section | undefined;

  override shouldComponentUpdate(next: SectionProps, { isNear }: SectionState): boolean {
    if (isNear !== this.state.isNear || next.why !== this.props.why) return true;
    const { text, prefix } = this.props.section;
    return (
      next.section.text !== text || next.section.prefix !== prefix || next.isPlain !== this.props.isPlain
    );
  }

  override componentDidMount(): void {
    if (this.#element) this.#unwatch = this.props.onWatch(this, this.#element);
  }

  override componentWillUnmount(): void {
    this.#unwatch?.();
  }

  /** Called when the section comes near the visible part, or leaves it. */
  move(place: 'near' | 'far'): void {
    const isNear = place === 'near';
    if (isNear === this.state.isNear) return;
    const height = isNear ? this.state.height : this.#element?.getBoundingClientRect().height;
    this.setState({ isNear, height });
  }

  override render({ section, why, isPlain }: SectionProps, { isNear, height }: SectionState): View {
    const style = isNear ? undefined : { height: `${height ?? section.lines * LINE}px` };
    return h(
      'div',
      {
        class: isPlain ? 'section plain' : 'section',
        style,
        ref: element => void (this.#element = element ?? undefined),
      },
      why === undefined ? undefined : h('p', { class: 'why-plain' }, `Shown as plain text, because ${why}.`),
      isNear ? this.#build() : undefined,
    );
  }

  #build(): Content {
    const { section, isPlain, host } = this.props;
    if (isPlain) return section.text;
    if (this.#drawn !== section) this.#content = buildMarkdown(section.prefix + section.text, host);
    this.#drawn = section;
    return this.#content;
  }
}
