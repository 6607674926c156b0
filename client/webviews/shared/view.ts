import {
  Fragment,
  h as build,
  render,
  type Attributes,
  type ComponentChildren,
  type ComponentType,
  type JSX,
  type VNode,
} from 'preact';

/** A part of a page: what it shows, from which the library updates the page. */
export type View = VNode;

/** What an element may contain. Text is always a text, never HTML. */
export type Content = ComponentChildren;

type Tag = keyof JSX.IntrinsicElements;
type TagProps<Name extends Tag> = Omit<
  JSX.IntrinsicElements[Name],
  'dangerouslySetInnerHTML' | 'children'
> & {
  readonly [data: `data-${string}`]: unknown;
};

/** Describes an element, or the view that a function or a component builds. */
export function h<Name extends Tag>(tag: Name, props: TagProps<Name>, ...content: readonly Content[]): View;
export function h<Props>(view: ComponentType<Props>, props: Props & Attributes): View;
export function h(tag: string | ComponentType, props: object, ...content: readonly Content[]): View {
  return typeof tag === 'string' ? build(tag, props, ...content) : build(tag, props, ...content);
}

/** Draws the content of an element. What is the same as in the last drawing stays untouched. */
export function draw(root: Element, ...content: readonly Content[]): void {
  render(build(Fragment, {}, ...content), root);
}
