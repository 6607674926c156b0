type AttributeName =
  | `aria-${string}`
  | 'id'
  | 'tabindex'
  | 'scope'
  | 'title'
  | 'type'
  | 'for'
  | 'value'
  | 'placeholder'
  | 'spellcheck'
  | 'autocomplete';

/** What an element gets besides its children. Values are set as text; nothing here makes HTML or script of them. */
export interface ElementProps {
  readonly class?: string;
  readonly role?: string;
  readonly attributes?: Partial<Readonly<Record<AttributeName, string>>>;
  readonly onClick?: () => void;
}

/** A child: text becomes a text node, whatever it holds. */
export type Child = Node | string;

/** Builds an element. The one way by which the views make their page. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: ElementProps,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (props.class) made.className = props.class;
  if (props.role) made.setAttribute('role', props.role);
  for (const [name, value] of Object.entries(props.attributes ?? {})) {
    if (value !== undefined) made.setAttribute(name, value);
  }
  const { onClick } = props;
  if (onClick) made.addEventListener('click', () => onClick());
  made.append(...children);
  return made;
}

/** Sets an attribute where it differs; an empty one goes. */
export function setAttribute(target: Element, name: string, value: string): void {
  if (value === '') target.removeAttribute(name);
  else if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

/** Replaces all that an element holds, where it differs: what stays equal keeps its selection and focus. */
export function setText(target: Element, text: string): void {
  const [only] = target.childNodes;
  if (target.childNodes.length === 1 && only instanceof Text) {
    if (only.data === text) return;
    // A text that grows is appended to, so that a selection in it lives on.
    if (text.startsWith(only.data)) only.appendData(text.slice(only.data.length));
    else only.data = text;
    return;
  }
  target.replaceChildren(text);
}
