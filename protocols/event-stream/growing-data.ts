import {
  dictValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';

type Node =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'list'; readonly items: Value[] }
  | { readonly kind: 'dict'; readonly members: Map<string, Node> }
  | { readonly kind: 'value'; readonly value: Value };

/** Members that name what the data are about, and are sent again with each piece. */
const NAMES: ReadonlySet<string> = new Set(['call_id', 'id', 'name', 'type', 'role', 'status']);
const ARGUMENTS = 'arguments';

/**
 * Data that come in pieces, merged by key (reading of the Agent API, section 6): strings and lists append, objects merge,
 * the rest replaces. Servers send the whole arguments again and mark them as a piece: a text that begins with `{` and with
 * all that is there replaces it. Linear.
 */
export class GrowingData {
  #members = new Map<string, Node>();

  /** More of the data. */
  push(piece: DictValue): void {
    merge(this.#members, piece);
  }

  /** All of the data, in place of what is there; of arguments that are empty nothing is taken. */
  replace(whole: DictValue): void {
    const before = this.#members.get(ARGUMENTS);
    this.#members = new Map();
    merge(this.#members, whole);
    const given = whole.entries.find(({ key }) => key === ARGUMENTS)?.value;
    if (before && textIn(given) === '') this.#members.set(ARGUMENTS, before);
  }

  get callId(): string | undefined {
    const id = this.#members.get('call_id');
    return id?.kind === 'text' ? id.text : undefined;
  }

  value(): DictValue {
    return toDict(this.#members);
  }
}

function merge(members: Map<string, Node>, piece: DictValue): void {
  for (const { key, value } of piece.entries) {
    const known = members.get(key);
    if (known?.kind === 'text' && value.kind === 'text') {
      if (NAMES.has(key) || isWhole(key, known.text, value.text)) known.text = value.text;
      else known.text += value.text;
    } else if (known?.kind === 'list' && value.kind === 'list') {
      for (const item of value.items) known.items.push(item);
    } else if (known?.kind === 'dict' && value.kind === 'dict') merge(known.members, value);
    else if (!known || value.kind !== 'null') members.set(key, toNode(value));
  }
}

/** Looks at no more than the piece that came, so that many small ones stay linear. */
function isWhole(key: string, known: string, given: string): boolean {
  return (
    key === ARGUMENTS && given.startsWith('{') && given.length >= known.length && given.startsWith(known)
  );
}

function toNode(value: Value): Node {
  if (value.kind === 'text') return { kind: 'text', text: value.text };
  if (value.kind === 'list') return { kind: 'list', items: [...value.items] };
  if (value.kind !== 'dict') return { kind: 'value', value };
  const members = new Map<string, Node>();
  merge(members, value);
  return { kind: 'dict', members };
}

function toValue(node: Node): Value {
  switch (node.kind) {
    case 'text':
      return textValue(node.text);
    case 'list':
      return listValue(node.items);
    case 'dict':
      return toDict(node.members);
    case 'value':
      return node.value;
  }
}

function toDict(members: ReadonlyMap<string, Node>): DictValue {
  return dictValue([...members].map(([key, node]) => ({ key, value: toValue(node) })));
}
