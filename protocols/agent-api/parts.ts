import { findEntry, textIn, textValue, type DictValue, type Value } from '../../core/values/value.ts';
import { asText } from '../content/as-text.ts';
import type { Lose, PartCodec } from '../content/codec.ts';
import { dataUrl, readHeld } from '../content/media.ts';
import { dataPart, textPart, type Part } from '../content/part.ts';
import { dictOf } from '../message/dicts.ts';
import type { Members } from '../message/members.ts';

/**
 * The contents of a message of the Agent API: text, refusal, data, image, audio, video and file. Bytes are
 * data URLs, except in audio, where `format` has the media type.
 */
export const agentParts: PartCodec = { protocol: 'agent-api', read, write };

/** Marks audio that came as a data URL. */
const FORM = '$form';
const AS_URL = textValue('url');

function read(own: Members): Part | undefined {
  const type = textIn(own.peek('type'));
  const found = type === undefined ? undefined : readOf(type, own);
  if (found) own.take('type');
  return found;
}

function readOf(type: string, own: Members): Part | undefined {
  switch (type) {
    case 'text': {
      const text = own.takeKind('text', 'text');
      return text && textPart(text);
    }
    case 'refusal': {
      const refusal = own.takeKind('refusal', 'text');
      return refusal && { type, holds: 'text', value: refusal };
    }
    case 'data': {
      const data = own.takeKind('data', 'dict');
      return data && dataPart(data);
    }
    case 'image':
    case 'video': {
      const held = own.takeKind(`${type}_url`, 'text');
      return held && { type, ...readHeld(held) };
    }
    case 'audio':
      return readAudio(own);
    case 'file':
      return readFile(own);
    default:
      return undefined;
  }
}

function readAudio(own: Members): Part | undefined {
  const held = own.takeKind('data', 'text');
  if (!held) return undefined;
  const found = readHeld(held);
  if (found.mimeType) {
    own.put(FORM, AS_URL);
    return { type: 'audio', ...found };
  }
  const format = own.takeKind('format', 'text');
  return { type: 'audio', ...found, mimeType: format && mediaOfFormat(format.text) };
}

function mediaOfFormat(format: string): Value {
  if (format === 'mp3') return textValue('audio/mpeg');
  return textValue(format.includes('/') ? format : `audio/${format}`);
}

function formatOf(mimeType: Value): Value {
  const media = textIn(mimeType) ?? '';
  if (media === 'audio/mpeg') return textValue('mp3');
  const format = media.startsWith('audio/') ? media.slice('audio/'.length) : media;
  return textValue(textIn(mediaOfFormat(format)) === media ? format : media);
}

function readFile(own: Members): Part | undefined {
  const data = own.takeKind('file_data', 'text');
  const url = data ? undefined : own.takeKind('file_url', 'text');
  const id = (data ?? url) ? undefined : own.takeKind('file_id', 'text');
  const name = own.takeKind('filename', 'text');
  if (data) return { type: 'file', name, ...readHeld(data) };
  if (url) return { type: 'file', holds: 'url', value: url, name };
  return id && { type: 'file', holds: 'id', value: id, name };
}

function write(part: Part, lose: Lose): Value {
  const { type, holds, value, mimeType, name } = part;
  switch (type) {
    case 'text':
      return content('text', { text: value });
    case 'refusal':
      return content('refusal', { refusal: value });
    case 'data':
      return value.kind === 'dict'
        ? content('data', { data: value })
        : content('text', { text: asText(part, TITLE, lose, 'data that is not an object') });
    case 'audio': {
      if (holds === 'id') break;
      const isUrl = textIn(findEntry(findEntry(part.rest, 'agent-api'), FORM)) === AS_URL.text;
      if (isUrl) return content(type, { data: dataUrl(part, lose) });
      return content(type, { data: value, format: mimeType && formatOf(mimeType) });
    }
    case 'image':
    case 'video':
      if (holds === 'id') break;
      return content(type, { [`${type}_url`]: holds === 'data' ? dataUrl(part, lose) : value });
    case 'file':
      break;
  }
  if (type !== 'file')
    lose('moved', `${TITLE} has no ${type} that is named by an id; it is written as a file`);
  const held = holds === 'data' && mimeType ? dataUrl(part, lose) : value;
  return content('file', { [`file_${holds}`]: held, filename: name });
}

const TITLE = 'The Agent API';

function content(type: string, members: Readonly<Record<string, Value | undefined>>): DictValue {
  return dictOf({ type: textValue(type), ...members });
}
