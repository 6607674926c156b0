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

/** The properties of a new element. Values are set as text, never as HTML or script. */
export interface ElementProps {
  readonly class?: string;
  readonly role?: string;
  readonly attributes?: Partial<Readonly<Record<AttributeName, string>>>;
  readonly onClick?: () => void;
}

/** A child element or text. Text becomes a text node. */
export type Child = Node | string;

/** Builds an element. All views build their pages with it. */
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

/** Sets an attribute if its value differs. An empty value removes the attribute. */
export function setAttribute(target: Element, name: string, value: string): void {
  if (value === '') target.removeAttribute(name);
  else if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

/** Replaces the content of an element by a text if it differs. Unchanged content keeps its selection and focus. */
export function setText(target: Element, text: string): void {
  const [only] = target.childNodes;
  if (target.childNodes.length === 1 && only instanceof Text) {
    if (only.data === text) return;
    // Appends to a growing text, so that a selection in it persists.
    if (text.startsWith(only.data)) only.appendData(text.slice(only.data.length));
    else only.data = text;
    return;
  }
  target.replaceChildren(text);
}
