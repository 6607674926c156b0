import { h, type Content, type View } from './view.ts';

/** A name and its value. */
export interface ShownFact {
  readonly name: string;
  readonly value: Content;
}

/** Names and values, one line each. */
export function FactList({ class: name, facts }: { class: string; facts: readonly ShownFact[] }): View {
  return h(
    'dl',
    { class: name },
    facts.flatMap(fact => [
      h('dt', { key: `${fact.name} name` }, fact.name),
      h('dd', { key: fact.name }, fact.value),
    ]),
  );
}

/** A list of notes, one line each; `label` is its name for screen readers. */
export function NoteList({ label, notes }: { label: string; notes: readonly string[] }): View | undefined {
  if (notes.length === 0) return undefined;
  return h(
    'ul',
    { class: 'notes', 'aria-label': label },
    notes.map(note => h('li', {}, note)),
  );
}

export interface TableRow {
  readonly name: string;
  readonly value: string;
  readonly class?: string;
}

/** A table of names and values. */
export function FactTable({ rows }: { rows: readonly TableRow[] }): View {
  const lines = rows.map(({ name, value, class: kind }) =>
    h('tr', {}, h('th', { scope: 'row' }, name), h('td', { class: kind }, value)),
  );
  return h('table', { class: 'headers' }, h('tbody', {}, lines));
}
