import { startsWithPieces } from '../../event-stream/pieces.ts';
import { BETWEEN, type ToldText } from '../../event-stream/told-text.ts';
import { message, type Message } from '../../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  type DictValue,
  type Entry,
  type Value,
} from '../../../core/values/value.ts';
import { messageItem } from '../../content/flatten.ts';
import { joinEntries } from '../../message/dicts.ts';

/**
 * A response as a person reads it: `data` is all that the agent said, and `metadata` what else it sent, in order: ids and
 * usage, and under `output` the items without the texts that stand in `data` already. A response that says nothing is its
 * items. What was told as it came is the beginning of `data`.
 */
export function tellResponse(read: Message, protocol: string, told: ToldText | undefined): Message {
  if (read.kind !== 'result') return read;
  const shown = told?.told('text') ?? [];
  const rest = splitRest(read.fields.rest, protocol);
  const items = itemsOf(read, rest.output)?.map(item => inlined(item, protocol));
  const said = items ? saidIn(items).join(BETWEEN) : saidAlone(read);
  const others = { ...read.fields, rest: rest.others };
  if (said === undefined || (items && said === '' && shown.length === 0)) {
    const alone = read.fields.items && items ? { items: listValue(items) } : {};
    return message('result', { ...others, ...alone, metadata: metadataOf(read, rest.own, undefined) });
  }
  const isWhole = startsWithPieces(said, shown);
  const alone = rest.output ? [rest.output] : [];
  const output = items
    ? items.map(stripper(isWhole ? 'answer' : 'thoughts', (told?.told('reasoning') ?? []).join('')))
    : isWhole
      ? alone
      : [read.fields.data, ...alone];
  return message('result', {
    ...others,
    items: undefined,
    content: undefined,
    data: { kind: 'text', text: isWhole ? said : shown.join('') },
    metadata: metadataOf(read, rest.own, output),
  });
}

/** The items of a response; content that is more than a text is one, with what stood beside it. */
function itemsOf(
  { fields: { items, content } }: Message,
  left: Value | undefined,
): readonly Value[] | undefined {
  if (items?.kind === 'list') return items.items;
  const head = left?.kind === 'dict' ? left.entries : [];
  return content && [dictValue(joinEntries(head, messageItem('assistant', content).entries))];
}

/** An item or a part with what only the agent's protocol knows of it among its own members. */
function inlined(item: Value, protocol: string): Value {
  if (item.kind !== 'dict') return item;
  const own = findEntry(findEntry(item, 'rest'), protocol);
  const whole = findEntry(own, '$whole');
  if (whole) return whole;
  const more = own?.kind === 'dict' ? own.entries.filter(({ key }) => !key.startsWith('$')) : [];
  const members = item.entries
    .filter(({ key }) => key !== 'rest')
    .map(({ key, value }) => ({
      key,
      value:
        key === 'content' && value.kind === 'list'
          ? listValue(value.items.map(part => inlined(part, protocol)))
          : value,
    }));
  return dictValue(joinEntries(more, members));
}

/** The text of a response that has no items; none for one that says nothing, undefined for one that says no text. */
function saidAlone({ fields }: Message): string | undefined {
  const hasOther = fields.data ?? fields.tools ?? fields.declaration;
  return hasOther ? textIn(fields.data) : '';
}

interface Rest {
  /** What only the agent's protocol knows of the response itself. */
  readonly own: readonly Entry[];
  /** What stood beside its only item. */
  readonly output: Value | undefined;
  readonly others: Value | undefined;
}

function splitRest(rest: Value | undefined, protocol: string): Rest {
  const own = findEntry(rest, protocol);
  const entries = own?.kind === 'dict' ? own.entries : [];
  const others = rest?.kind === 'dict' ? rest.entries.filter(({ key }) => key !== protocol) : [];
  return {
    own: entries.filter(({ key }) => key !== 'output'),
    output: findEntry(own, 'output'),
    others: others.length === 0 ? undefined : dictValue(others),
  };
}

function metadataOf(
  read: Message,
  own: readonly Entry[],
  output: readonly (Value | undefined)[] | undefined,
): DictValue | undefined {
  const before = read.fields.metadata?.kind === 'dict' ? read.fields.metadata.entries : [];
  const items = (output ?? []).filter(item => item !== undefined);
  const listed = items.length === 0 ? [] : [{ key: 'output', value: listValue(items) }];
  const entries = joinEntries(before, own, listed);
  return entries.length === 0 ? undefined : dictValue(entries);
}

/** The texts of the answer, in order; what a user or the system said is no answer. */
function saidIn(items: readonly Value[]): readonly string[] {
  return items.flatMap(item => (isAnswer(item) ? partsOf(item, 'content').flatMap(saidBy) : []));
}

const OTHERS_SAY: ReadonlySet<string> = new Set(['user', 'system', 'developer']);

function isAnswer(item: Value): boolean {
  const role = textIn(findEntry(item, 'role')) ?? 'assistant';
  return textIn(findEntry(item, 'type')) === 'message' && !OTHERS_SAY.has(role);
}

function partsOf(item: Value, list: string): readonly Value[] {
  const parts = findEntry(item, list);
  return parts?.kind === 'list' ? parts.items : [];
}

function saidBy(part: Value): readonly string[] {
  const text = textIn(findEntry(part, 'type')) === 'text' ? textIn(findEntry(part, 'text')) : '';
  return text === undefined || text === '' ? [] : [text];
}

/** Leaves out of an item the texts that stand in front of it already. */
function stripper(strips: 'answer' | 'thoughts', thoughts: string): (item: Value) => Value {
  let at = 0;
  const isTold = (part: Value): boolean => {
    const text = textIn(findEntry(part, 'text'));
    if (text === undefined || text === '') return true;
    const piece = at === 0 ? text : BETWEEN + text;
    if (!thoughts.startsWith(piece, at)) return false;
    at += piece.length;
    return true;
  };
  return item => {
    if (isAnswer(item))
      return strips === 'answer' ? withoutTexts(item, ['content'], part => saidBy(part).length > 0) : item;
    if (textIn(findEntry(item, 'type')) !== 'reasoning' || thoughts === '') return item;
    return withoutTexts(item, ['content', 'summary'], isTold);
  };
}

/** A list of parts that hold nothing but such texts says no more, and goes as well. */
function withoutTexts(item: Value, lists: readonly string[], isTold: (part: Value) => boolean): Value {
  if (item.kind !== 'dict') return item;
  const entries = item.entries.flatMap((entry): readonly Entry[] => {
    if (!lists.includes(entry.key) || entry.value.kind !== 'list') return [entry];
    const parts = entry.value.items.map(part => (isTold(part) ? withoutText(part) : part));
    return parts.every(saysNothing) ? [] : [{ key: entry.key, value: listValue(parts) }];
  });
  return dictValue(entries);
}

function withoutText(part: Value): Value {
  return part.kind === 'dict' ? dictValue(part.entries.filter(({ key }) => key !== 'text')) : part;
}

function saysNothing(part: Value): boolean {
  return part.kind === 'dict' && part.entries.every(({ key }) => key === 'type');
}
