import {
  dictValue,
  floatValue,
  intValue,
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

/** Members that identify the data; each piece repeats them, so they are replaced instead of appended. */
const NAMES: ReadonlySet<string> = new Set(['call_id', 'id', 'name', 'type', 'role', 'status']);
const ARGUMENTS = 'arguments';

/**
 * Data that arrive in pieces, merged by key (reading of the Agent API, section 6): strings and lists append,
 * numbers add, objects merge, other values replace. Some servers resend all arguments as a piece: if the text begins with
 * `{` and continues the arguments so far, it replaces them. Linear.
 */
export class GrowingData {
  #members = new Map<string, Node>();

  /** Merges a piece. */
  push(piece: DictValue): void {
    merge(this.#members, piece);
  }

  /** Replaces all data; empty arguments do not replace earlier ones. */
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
    else if (!known || value.kind !== 'null') members.set(key, toNode(add(known, value) ?? value));
  }
}

/** The sum of two numbers; undefined for anything else. */
function add(known: Node | undefined, value: Value): Value | undefined {
  const before = known?.kind === 'value' ? known.value : undefined;
  if (before?.kind === 'int' && value.kind === 'int') return intValue(BigInt(before.int) + BigInt(value.int));
  const [one, other] = [before && numberIn(before), numberIn(value)];
  return one === undefined || other === undefined ? undefined : floatValue(one + other);
}

function numberIn(value: Value): number | undefined {
  if (value.kind === 'float') return value.float;
  return value.kind === 'int' ? Number(value.int) : undefined;
}

/** Compares no more than the length of the piece, so that many small pieces stay linear. */
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
