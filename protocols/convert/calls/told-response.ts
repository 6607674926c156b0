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
import { joinEntries } from '../../conversation/verified.ts';

/**
 * A response as a person reads it: `data` is all that the agent said, and `metadata` what else it sent, in order: ids and
 * usage, and under `output` the items without the texts that stand in `data` already. A response that says nothing is its
 * items. What was told as it came is the beginning of `data`.
 */
export function tellResponse(read: Message, protocol: string, told: ToldText | undefined): Message {
  if (read.kind !== 'result') return read;
  const shown = told?.told('text') ?? [];
  const rest = splitRest(read.fields.rest, protocol);
  const listed = read.fields.items;
  const items = listed?.kind === 'list' ? withLefts(listed.items, rest.output) : undefined;
  const said = items ? saidIn(items).join(BETWEEN) : saidAlone(read);
  const others = { ...read.fields, rest: rest.others };
  if (said === undefined || (items && said === '' && shown.length === 0))
    return message('result', { ...others, metadata: metadataOf(read, rest.own, undefined) });
  const isWhole = startsWithPieces(said, shown);
  const output = items
    ? items.map(stripper(isWhole ? 'answer' : 'thoughts', (told?.told('reasoning') ?? []).join('')))
    : isWhole
      ? rest.output
      : [read.fields.data, ...rest.output];
  return message('result', {
    ...others,
    items: undefined,
    data: { kind: 'text', text: isWhole ? said : shown.join('') },
    metadata: metadataOf(read, rest.own, output),
  });
}

/** The text of a response that has no items; none for one that says nothing, undefined for one that says no text. */
function saidAlone({ fields }: Message): string | undefined {
  const hasOther = fields.data ?? fields.content ?? fields.tools ?? fields.declaration;
  return hasOther ? textIn(fields.data) : '';
}

interface Rest {
  /** What only the agent's protocol knows of the response itself. */
  readonly own: readonly Entry[];
  /** What only it knows of the items, by their places. */
  readonly output: readonly (Value | undefined)[];
  readonly others: Value | undefined;
}

function splitRest(rest: Value | undefined, protocol: string): Rest {
  const own = findEntry(rest, protocol);
  const entries = own?.kind === 'dict' ? own.entries : [];
  const output = entries.find(({ key }) => key === 'output')?.value;
  const others = rest?.kind === 'dict' ? rest.entries.filter(({ key }) => key !== protocol) : [];
  return {
    own: entries.filter(({ key }) => key !== 'output'),
    output: output?.kind === 'list' ? output.items : output ? [output] : [],
    others: others.length === 0 ? undefined : dictValue(others),
  };
}

function withLefts(items: readonly Value[], lefts: readonly (Value | undefined)[]): readonly Value[] {
  return items.map((item, index) => {
    const left = lefts[index];
    if (item.kind !== 'dict' || left?.kind !== 'dict') return item;
    return dictValue(joinEntries(left.entries, item.entries));
  });
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
const TEXTS: ReadonlySet<string> = new Set(['output_text', 'input_text', 'text']);

function isAnswer(item: Value): boolean {
  const role = textIn(findEntry(item, 'role')) ?? 'assistant';
  return textIn(findEntry(item, 'type')) === 'message' && !OTHERS_SAY.has(role);
}

function partsOf(item: Value, list: string): readonly Value[] {
  const parts = findEntry(item, list);
  return parts?.kind === 'list' ? parts.items : [];
}

function saidBy(part: Value): readonly string[] {
  const text = TEXTS.has(textIn(findEntry(part, 'type')) ?? '') ? textIn(findEntry(part, 'text')) : '';
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
