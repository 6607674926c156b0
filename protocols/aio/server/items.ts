import { findEntry, listValue, textIn, textValue, type Value } from '../../../core/values/value.ts';
import type { ListedItem } from '../../../language/tools.ts';
import { encodeParts } from '../../content/codec.ts';
import { kindOfMedia } from '../../content/media.ts';
import { dataPart, textPart, type Part } from '../../content/part.ts';
import { dictOf } from '../../message/dicts.ts';
import { aioParts } from '../parts.ts';

/** A resource as AIO lists it: its URI is the `id`. */
export function writeResource({ kind, name, description, detail, value }: ListedItem): Value {
  const mimeType = findEntry(value, 'mimeType');
  return dictOf({
    id: textValue(detail),
    title: textValue(name),
    type: textValue(kind === 'template' ? 'template' : typeOf(mimeType)),
    description: description === '' ? undefined : textValue(description),
    mimeType,
  });
}

/** A prompt as AIO lists it. */
export function writePrompt({ name, description, parameters, value }: ListedItem): Value {
  return dictOf({
    name: textValue(name),
    title: findEntry(value, 'title'),
    description: description === '' ? undefined : textValue(description),
    arguments: listValue(
      parameters.map(parameter =>
        dictOf({
          name: textValue(parameter.name),
          description: parameter.description === '' ? undefined : textValue(parameter.description),
          required: { kind: 'bool', bool: parameter.isRequired },
        }),
      ),
    ),
  });
}

/** The contents of a resource, or the messages of a prompt, in MCP's form, as the body of a reply. */
export function writeItem(item: Value | undefined, note: (text: string) => void): Record<string, Value> {
  const contents = findEntry(item, 'contents');
  const messages = findEntry(item, 'messages');
  const parts =
    contents?.kind === 'list'
      ? contents.items.map(readContents)
      : messages?.kind === 'list'
        ? messages.items.map(message => readBlock(findEntry(message, 'content')))
        : undefined;
  if (!parts) return { result: item ?? dictOf({}) };
  const written = encodeParts(parts, aioParts, (_index, _kind, text) => note(text));
  const roles = messages?.kind === 'list' ? messages.items.map(message => findEntry(message, 'role')) : [];
  const values = written.items.map((value, index) => withMember(value, 'role', roles[index]));
  const [only, ...others] = values;
  return only && others.length === 0 ? { result: only } : { outputs: listValue(values) };
}

/** The contents of a resource: a text, or bytes. */
function readContents(contents: Value): Part {
  const mimeType = findEntry(contents, 'mimeType');
  const text = findEntry(contents, 'text');
  const blob = findEntry(contents, 'blob');
  if (text?.kind === 'text') return { ...textPart(text), mimeType };
  return blob?.kind === 'text'
    ? { type: kindOfMedia(mimeType), holds: 'data', value: blob, mimeType }
    : dataPart(contents);
}

/** The content of a message: a text, a picture or a sound, or a resource. */
function readBlock(block: Value | undefined): Part {
  const mimeType = findEntry(block, 'mimeType');
  const text = findEntry(block, 'text');
  const data = findEntry(block, 'data');
  const resource = findEntry(block, 'resource');
  if (text?.kind === 'text') return textPart(text);
  if (data?.kind === 'text') return { type: kindOfMedia(mimeType), holds: 'data', value: data, mimeType };
  return resource ? readContents(resource) : dataPart(block ?? dictOf({}));
}

function withMember(value: Value, key: string, member: Value | undefined): Value {
  return value.kind === 'dict' && member
    ? { kind: 'dict', entries: [...value.entries, { key, value: member }] }
    : value;
}

function typeOf(mimeType: Value | undefined): string {
  const media = textIn(mimeType) ?? 'text/plain';
  return /^text\/|json|xml/.test(media) ? 'text' : kindOfMedia(mimeType);
}
