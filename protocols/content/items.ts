import {
  dictValue,
  findEntry,
  listValue,
  NULL,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { ENVELOPE } from '../message/envelope.ts';
import { Members } from '../message/members.ts';
import { dictOf } from '../conversation/verified.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { readJsonValue } from '../../language/values/json-reader.ts';
import { isWrapped, mediaType, memberOf, type OpenPart, type Part, type PartCodec } from './codec.ts';

/**
 * Parts as those of a user's message in a conversation, in the form of Responses: `input_text`, `input_image` and
 * `input_file`, whose bytes are a data URL. Other data is a text of JSON. The mark is the member `parley`.
 */
export const inputParts: PartCodec = { open, close, accepts, wrap, unwrap };

const DATA_URL = /^data:([^;,]*);base64,/;

function accepts(value: Value): boolean {
  return textIn(findEntry(value, 'type')) !== undefined;
}

function open(own: DictValue): OpenPart | undefined {
  const members = new Members(own);
  const mark = members.take(ENVELOPE);
  const type = members.takeKind('type', 'text')?.text;
  const text = type === 'input_text' ? members.takeKind('text', 'text') : undefined;
  if (text) return members.size > 0 ? undefined : openText(text, mark);
  const address =
    type === 'input_image'
      ? members.takeKind('image_url', 'text')
      : type === 'input_file'
        ? (members.takeKind('file_data', 'text') ?? members.takeKind('file_url', 'text'))
        : undefined;
  const name = members.take('filename');
  if (!address || members.size > 0) return undefined;
  return { part: openFile(type === 'input_image' ? 'image' : 'file', address, name), mark };
}

function openText(text: Value, mark: Value | undefined): OpenPart | undefined {
  const isJson = textIn(findEntry(mark, 'type')) === 'data';
  const value = isJson ? readJsonValue(textIn(text) ?? '') : text;
  return value && { part: { type: 'text', holds: 'text', value, more: [] }, mark };
}

function openFile(type: string, address: Value, name: Value | undefined): Part {
  const source = textIn(address) ?? '';
  const found = DATA_URL.exec(source);
  const media = found ? { key: 'mimeType', value: textValue(found[1] ?? '') } : undefined;
  const named = name && { key: 'name', value: name };
  return {
    type,
    holds: found ? 'data' : 'url',
    value: found ? textValue(source.slice(found[0].length)) : address,
    more: [media, named].filter(entry => entry !== undefined),
  };
}

function close(part: Part, mark: DictValue | undefined): Value | undefined {
  const { type, holds, value } = part;
  const text = type === 'data' ? textValue(compactJson(value)) : value;
  if (type === 'data' || holds === 'text')
    return dictOf({ type: textValue('input_text'), text, [ENVELOPE]: mark });
  const media = textIn(mediaType(part)) ?? '';
  const address = holds === 'data' ? textValue(`data:${media};base64,${textIn(value) ?? ''}`) : value;
  if (type === 'image')
    return dictOf({ type: textValue('input_image'), image_url: address, [ENVELOPE]: mark });
  const member = holds === 'data' ? 'file_data' : 'file_url';
  return dictOf({
    type: textValue('input_file'),
    [member]: address,
    filename: memberOf(part, 'name'),
    [ENVELOPE]: mark,
  });
}

function wrap(value: Value, mark: DictValue): Value {
  return dictOf({ type: textValue('input_text'), text: textValue(compactJson(value)), [ENVELOPE]: mark });
}

function unwrap(own: DictValue): Value | undefined {
  const text = isWrapped(findEntry(own, ENVELOPE)) ? textIn(findEntry(own, 'text')) : undefined;
  return text === undefined ? undefined : readJsonValue(text);
}

/** The parts of a conversation that is one message of a user and says nothing else. */
export function onlyInput(items: Value | undefined): Value | undefined {
  const [item, ...others] = items?.kind === 'list' ? items.items : [];
  const members = new Members(item);
  if (others.length > 0 || !members.takeWord('type', 'message') || !members.takeWord('role', 'user'))
    return undefined;
  const content = members.takeKind('content', 'list');
  return members.size === 0 && content && content.items.length > 0 ? content : undefined;
}

/** A conversation that is one message of a user. */
export function inputItems(content: Value): Value {
  const item = dictValue([
    { key: 'type', value: textValue('message') },
    { key: 'role', value: textValue('user') },
    { key: 'content', value: content },
  ]);
  return listValue([item]);
}

/** The parts without their marks, which agents refuse, and the marks as a list where there is any. */
export function splitMarks(content: Value): { readonly content: Value; readonly marks: Value | undefined } {
  if (content.kind !== 'list') return { content, marks: undefined };
  const opened = content.items.map(part => {
    const members = new Members(part);
    const mark = members.take(ENVELOPE);
    return { part: mark ? dictValue(members.entries()) : part, mark: mark ?? NULL };
  });
  if (opened.every(({ mark }) => mark.kind === 'null')) return { content, marks: undefined };
  return {
    content: listValue(opened.map(({ part }) => part)),
    marks: listValue(opened.map(({ mark }) => mark)),
  };
}

/** The parts with their marks again. */
export function joinMarks(content: Value, marks: Value | undefined): Value {
  if (content.kind !== 'list' || marks?.kind !== 'list') return content;
  const items = content.items.map((part, index) => {
    const mark = marks.items[index];
    if (part.kind !== 'dict' || !mark || mark.kind === 'null') return part;
    return dictValue([...part.entries, { key: ENVELOPE, value: mark }]);
  });
  return listValue(items);
}
