import { startsWithPieces } from '../../event-stream/pieces.ts';
import { BETWEEN, type StreamedText } from '../../event-stream/streamed-text.ts';
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
 * Arranges a response for people: `data` is the text of the answer, and `metadata` everything else, in order:
 * ids, usage, and under `output` the items without the texts in `data`. A response without text keeps its
 * items. The text that was emitted while it arrived is the beginning of `data`.
 */
export function toReadableResponse(
  read: Message,
  protocol: string,
  reported: StreamedText | undefined,
): Message {
  if (read.kind !== 'result') return read;
  const shown = reported?.emitted('text') ?? [];
  const rest = splitRest(read.fields.rest, protocol);
  const items = itemsOf(read, rest.output)?.map(item => inlined(item, protocol));
  const said = items ? textsIn(items).join(BETWEEN) : loneText(read);
  const others = { ...read.fields, rest: rest.others };
  if (said === undefined || (items && said === '' && shown.length === 0)) {
    const alone = read.fields.items && items ? { items: listValue(items) } : {};
    return message('result', { ...others, ...alone, metadata: metadataOf(read, rest.own, undefined) });
  }
  const isWhole = startsWithPieces(said, shown);
  const alone = rest.output ? [rest.output] : [];
  const output = items
    ? items.map(stripper(isWhole ? 'answer' : 'thoughts', (reported?.emitted('reasoning') ?? []).join('')))
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

/** The items of a response; a content besides plain text counts as one item, with the item's own members. */
function itemsOf(
  { fields: { items, content } }: Message,
  left: Value | undefined,
): readonly Value[] | undefined {
  if (items?.kind === 'list') return items.items;
  const head = left?.kind === 'dict' ? left.entries : [];
  return content && [dictValue(joinEntries(head, messageItem('assistant', content).entries))];
}

/** An item or a part with its protocol-specific members moved from `rest` to its own members. */
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

/** The text of a response without items: empty if it has no content, undefined if its content is no text. */
function loneText({ fields }: Message): string | undefined {
  const hasOther = fields.data ?? fields.tools ?? fields.declaration;
  return hasOther ? textIn(fields.data) : '';
}

interface Rest {
  /** Members that only the agent's protocol has, about the response itself. */
  readonly own: readonly Entry[];
  /** Those of its only item. */
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

/** The texts of the answer, in order, without those of a user or the system. */
function textsIn(items: readonly Value[]): readonly string[] {
  return items.flatMap(item => (isAnswer(item) ? partsOf(item, 'content').flatMap(textsOf) : []));
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

function textsOf(part: Value): readonly string[] {
  const text = textIn(findEntry(part, 'type')) === 'text' ? textIn(findEntry(part, 'text')) : '';
  return text === undefined || text === '' ? [] : [text];
}

/** Returns a function that removes texts from an item that were emitted before it. */
function stripper(strips: 'answer' | 'thoughts', thoughts: string): (item: Value) => Value {
  let at = 0;
  const isReported = (part: Value): boolean => {
    const text = textIn(findEntry(part, 'text'));
    if (text === undefined || text === '') return true;
    const piece = at === 0 ? text : BETWEEN + text;
    if (!thoughts.startsWith(piece, at)) return false;
    at += piece.length;
    return true;
  };
  return item => {
    if (isAnswer(item))
      return strips === 'answer' ? withoutTexts(item, ['content'], part => textsOf(part).length > 0) : item;
    if (textIn(findEntry(item, 'type')) !== 'reasoning' || thoughts === '') return item;
    return withoutTexts(item, ['content', 'summary'], isReported);
  };
}

/** Removes these texts from the lists of an item; a list with nothing else is removed as well. */
function withoutTexts(item: Value, lists: readonly string[], isReported: (part: Value) => boolean): Value {
  if (item.kind !== 'dict') return item;
  const entries = item.entries.flatMap((entry): readonly Entry[] => {
    if (!lists.includes(entry.key) || entry.value.kind !== 'list') return [entry];
    const parts = entry.value.items.map(part => (isReported(part) ? withoutText(part) : part));
    return parts.every(isEmptyPart) ? [] : [{ key: entry.key, value: listValue(parts) }];
  });
  return dictValue(entries);
}

function withoutText(part: Value): Value {
  return part.kind === 'dict' ? dictValue(part.entries.filter(({ key }) => key !== 'text')) : part;
}

function isEmptyPart(part: Value): boolean {
  return part.kind === 'dict' && part.entries.every(({ key }) => key === 'type');
}
