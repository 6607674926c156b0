import { Component } from 'preact';
import { Redraw } from '../redraw.ts';
import { h, type Content, type View } from '../view.ts';
import type { Section } from './sections.ts';

/** The height of a line before it is drawn, in pixels. */
export const LINE = 21;

/** How far outside of the visible part something is drawn, in pixels. */
const NEAR = '800px 0px';

/** Milliseconds of a frame in which is drawn what comes near. */
const SLICE = 4;

/** The texts of what is not drawn. */
const far = new WeakMap<Element, readonly Section[]>();

/** The elements below one that are not drawn, in order. */
export function listFar(root: Element): readonly Element[] {
  return [...root.querySelectorAll('.nearby')].filter(element => far.has(element));
}

/** The number of places of a text, in lower case, in an element that is not drawn. */
export function countInFar(element: Element, text: string): number {
  const all = (far.get(element) ?? []).map(section => section.text.toLowerCase()).join('');
  let count = 0;
  for (let at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + text.length)) count++;
  return count;
}

/** Watches elements: notifies them when they come near the visible part, and when they leave it. */
export class NearbyWatch {
  readonly #views = new Map<Element, Nearby>();
  /** What came near or left, and is not drawn so yet. */
  readonly #moved = new Map<Element, 'near' | 'far'>();
  readonly #moving = new Redraw(() => this.#move());
  readonly #observer = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries)
        this.#moved.set(target, isIntersecting ? 'near' : 'far');
      this.#moving.ask();
    },
    // The margins of the window and of whatever scrolls in it.
    { rootMargin: NEAR, scrollMargin: NEAR },
  );

  add(view: Nearby, element: Element): void {
    this.#views.set(element, view);
    this.#observer.observe(element);
  }

  remove(element: Element): void {
    this.#views.delete(element);
    this.#moved.delete(element);
    this.#observer.unobserve(element);
  }

  end(): void {
    this.#observer.disconnect();
    this.#moving.cancel();
  }

  #move(): void {
    const until = performance.now() + SLICE;
    for (const [element, place] of this.#moved) {
      this.#moved.delete(element);
      this.#views.get(element)?.move(place);
      if (performance.now() > until) break;
    }
    if (this.#moved.size > 0) this.#moving.ask();
  }
}

interface NearbyProps {
  readonly class: string;
  /** What is drawn. If it is the same again, nothing is drawn. */
  readonly sections: readonly Section[];
  readonly build: () => Content;
  /** Drawn without waiting until it is known to be near. */
  readonly isFirst: boolean;
  readonly watch: NearbyWatch;
}

interface NearbyState {
  readonly isNear: boolean;
  /** The height when it was last drawn. */
  readonly height: number | undefined;
}

/** Something that has content only near the visible part; elsewhere it is as high as it was when it was last drawn. */
export class Nearby extends Component<NearbyProps, NearbyState> {
  override state: NearbyState = { isNear: this.props.isFirst, height: undefined };
  #element: HTMLElement | undefined;

  override shouldComponentUpdate({ sections, class: name }: NearbyProps, { isNear }: NearbyState): boolean {
    return (
      isNear !== this.state.isNear || name !== this.props.class || !isSame(sections, this.props.sections)
    );
  }

  override componentDidMount(): void {
    if (this.#element) this.props.watch.add(this, this.#element);
    this.#keepText();
  }

  override componentDidUpdate(): void {
    this.#keepText();
  }

  override componentWillUnmount(): void {
    if (this.#element) this.props.watch.remove(this.#element);
  }

  /** Called when it comes near the visible part, or leaves it. */
  move(place: 'near' | 'far'): void {
    const isNear = place === 'near';
    if (isNear === this.state.isNear) return;
    const height = isNear ? this.state.height : this.#element?.getBoundingClientRect().height;
    this.setState({ isNear, height });
  }

  override render({ class: name, sections, build }: NearbyProps, { isNear, height }: NearbyState): View {
    const lines = sections.reduce((sum, section) => sum + section.lines, 0);
    const style = isNear ? undefined : { height: `${height ?? lines * LINE}px` };
    const ref = (element: HTMLElement | null): void => void (this.#element = element ?? undefined);
    return h('div', { class: `nearby ${name}`, style, ref }, isNear && build());
  }

  #keepText(): void {
    if (!this.#element) return;
    if (this.state.isNear) far.delete(this.#element);
    else far.set(this.#element, this.props.sections);
  }
}

function isSame(one: readonly Section[], other: readonly Section[]): boolean {
  return (
    one.length === other.length &&
    one.every((section, index) => {
      const also = other[index];
      return section === also || (section.text === also?.text && section.plain === also.plain);
    })
  );
}
