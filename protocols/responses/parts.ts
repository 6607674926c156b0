import { findEntry, listValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { asText } from '../content/as-text.ts';
import type { Lose, PartCodec } from '../content/codec.ts';
import { dataUrl, kindOfMedia, readHeld } from '../content/media.ts';
import { textPart, type Part } from '../content/part.ts';
import { dictOf, takeDefaults } from '../message/dicts.ts';
import { Members } from '../message/members.ts';

/** The codec for a role: an assistant has texts and refusals, other roles texts, images and files. */
export function partsOfRole(role: string | undefined): PartCodec {
  return role === 'assistant' ? outputParts : inputParts;
}

/** Marks a text with an unusual type, such as that of the other role. */
const TYPE = '$type';
const SILENT = [
  { key: 'annotations', value: listValue([]) },
  { key: 'logprobs', value: listValue([]) },
];
const AUTO = { key: 'detail', value: textValue('auto') };

const inputParts: PartCodec = {
  protocol: 'responses',
  read: own => read(own, 'input_text'),
  write: writeInput,
};

const outputParts: PartCodec = {
  protocol: 'responses',
  read: own => read(own, 'output_text'),
  write: writeOutput,
};

function read(own: Members, usual: string): Part | undefined {
  const type = textIn(own.peek('type')) ?? '';
  const found = readOf(type, own);
  if (!found) return undefined;
  own.take('type');
  if (found.type === 'text' && type !== usual) own.put(TYPE, textValue(type));
  return found;
}

function readOf(type: string, own: Members): Part | undefined {
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text': {
      const text = own.takeKind('text', 'text');
      if (text) takeDefaults(own, SILENT);
      return text && textPart(text);
    }
    case 'refusal': {
      const refusal = own.takeKind('refusal', 'text');
      return refusal && { type, holds: 'text', value: refusal };
    }
    case 'input_image': {
      const url = own.takeKind('image_url', 'text');
      const id = url ? undefined : own.takeKind('file_id', 'text');
      if (url ?? id) takeDefaults(own, [AUTO]);
      if (url) return { type: 'image', ...readHeld(url) };
      return id && { type: 'image', holds: 'id', value: id };
    }
    case 'input_file':
      return readFile(own);
    default:
      return undefined;
  }
}

function readFile(own: Members): Part | undefined {
  const data = own.takeKind('file_data', 'text');
  const url = data ? undefined : own.takeKind('file_url', 'text');
  const id = (data ?? url) ? undefined : own.takeKind('file_id', 'text');
  const name = own.takeKind('filename', 'text');
  if (id) return { type: 'file', holds: 'id', value: id, name };
  const held = data ? readHeld(data) : url && ({ holds: 'url', value: url } as const);
  if (!held) return undefined;
  // Images have a part type of their own; audio and video are files here.
  const kind = 'mimeType' in held ? kindOfMedia(held.mimeType) : 'file';
  return { type: kind === 'image' ? 'file' : kind, name, ...held };
}

function writeInput(part: Part, lose: Lose): Value {
  const { type, holds, value, name } = part;
  if (type === 'text' || type === 'refusal' || type === 'data')
    return dictOf({ type: typeOf(part) ?? textValue('input_text'), text: asText(part, TITLE, lose) });
  if (type === 'image') {
    const image =
      holds === 'id' ? { file_id: value } : { image_url: holds === 'data' ? dataUrl(part, lose) : value };
    return dictOf({
      type: textValue('input_image'),
      detail: ownMember(part, 'detail') ?? AUTO.value,
      ...image,
    });
  }
  if (type !== 'file') lose('moved', `${TITLE} takes no ${type}; it is written as a file`);
  const held = holds === 'data' ? dataUrl(part, lose) : value;
  return dictOf({ type: textValue('input_file'), [`file_${holds}`]: held, filename: name });
}

const TITLE = 'Responses';

function writeOutput(part: Part, lose: Lose): Value {
  if (part.type === 'refusal') return dictOf({ type: textValue('refusal'), refusal: part.value });
  const text = asText(part, 'A reply of Responses', lose);
  const type = typeOf(part) ?? textValue('output_text');
  const annotations = type.text === 'output_text' ? listValue([]) : undefined;
  return dictOf({ type, text, annotations: ownMember(part, 'annotations') ?? annotations });
}

/** A member of the part that only Responses has; undefined where the part came from another protocol. */
function ownMember({ rest }: Part, key: string): Value | undefined {
  return findEntry(findEntry(rest, 'responses'), key);
}

/** The original type of a text, if it is an unusual one. */
function typeOf({ rest }: Part): Extract<Value, { kind: 'text' }> | undefined {
  const own = new Members(rest?.entries.find(({ key }) => key === 'responses')?.value);
  return own.takeKind(TYPE, 'text');
}

/** The media types of images that Responses generates, by `output_format`. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['svg', 'image/svg+xml'],
]);

/** Reads the image of a generation item and takes its members; a message of the assistant cannot hold it. */
export function readGenerated(own: Members): Part | undefined {
  const result = own.takeKind('result', 'text');
  const media = result && FORMATS.get(textIn(own.peek('output_format')) ?? '');
  if (media) own.take('output_format');
  return (
    result && {
      type: 'image',
      holds: 'data',
      value: result,
      mimeType: media === undefined ? undefined : textValue(media),
    }
  );
}

/** The members of a generation item for a part; undefined for a part other than an image with bytes. */
export function writeGenerated(part: Part): Readonly<Record<string, Value | undefined>> | undefined {
  if (part.type !== 'image' || part.holds !== 'data') return undefined;
  const format = [...FORMATS].find(([, media]) => media === textIn(part.mimeType))?.[0];
  return { result: part.value, output_format: format === undefined ? undefined : textValue(format) };
}
