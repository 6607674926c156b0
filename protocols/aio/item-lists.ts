import {
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import type { Message } from '../../core/message/message.ts';
import type { ItemParameter, ListedItem } from '../../language/tools.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { printForAgent } from '../../language/values/json-printer.ts';
import { canonical, contentOf } from '../content/canonical.ts';
import { mediaOf } from '../content/media.ts';
import type { Part } from '../content/part.ts';
import { dictOf } from '../message/dicts.ts';
import type { ItemList } from '../call-rules.ts';

/** The lists of the modules (AIO-MCP 1.2.1, sections 8.1 and 8.2), for agents whose help has these modules. */
export const ITEM_LISTS: readonly ItemList[] = [
  itemList('resource', 'resources', toResource),
  itemList('prompt', 'prompts', toPrompt),
];

function itemList(
  kind: 'resource' | 'prompt',
  module: string,
  toItem: (item: Value) => ListedItem | undefined,
): ItemList {
  const method = `${module}.list`;
  return {
    kind,
    capability: module,
    method,
    // The document has no pages.
    writeRequest: () => JSON.stringify({ method: `agent::${method}`, params: {} }),
    readPage(reply) {
      const value = readWrittenJson(reply);
      const listed = ['result', 'output']
        .map(key => findEntry(findEntry(value, key), module))
        .find(found => found?.kind === 'list');
      return listed?.kind === 'list'
        ? { items: listed.items.flatMap(item => toItem(item) ?? []), cursor: undefined }
        : undefined;
    },
  };
}

/** A resource, whose `id` is its URI. */
function toResource(item: Value): ListedItem | undefined {
  const id = item.kind === 'text' ? item.text : textIn(findEntry(item, 'id'));
  if (!id) return undefined;
  const name = textIn(findEntry(item, 'title')) ?? id;
  const { description, about } = describe(item);
  const value = dictOf({
    uri: textValue(id),
    name: textValue(name),
    ...about,
    mimeType: findEntry(item, 'mimeType'),
  });
  return { kind: 'resource', name, description, detail: id, parameters: [], value };
}

function toPrompt(item: Value): ListedItem | undefined {
  const name = item.kind === 'text' ? item.text : textIn(findEntry(item, 'name'));
  if (!name) return undefined;
  const given = findEntry(item, 'arguments');
  const parameters = (given?.kind === 'list' ? given.items : []).flatMap(each => toParameter(each) ?? []);
  const { description, about } = describe(item);
  const value = dictOf({
    name: textValue(name),
    title: findEntry(item, 'title'),
    ...about,
    arguments: parameters.length > 0 ? given : undefined,
  });
  const names = parameters.map(each => `${each.name}${each.isRequired ? '' : '?'}`);
  const detail = names.length > 0 ? `(${names.join(', ')})` : '';
  return { kind: 'prompt', name, description, detail, parameters, value };
}

function toParameter(given: Value): ItemParameter | undefined {
  const name = given.kind === 'text' ? given.text : textIn(findEntry(given, 'name'));
  if (!name) return undefined;
  const required = findEntry(given, 'required');
  return {
    name,
    description: textIn(findEntry(given, 'description')) ?? '',
    isRequired: required?.kind === 'bool' && required.bool,
  };
}

function describe(item: Value): {
  readonly description: string;
  readonly about: { readonly description?: Value };
} {
  const description = textIn(findEntry(item, 'description')) ?? textIn(findEntry(item, 'template')) ?? '';
  return { description, about: description === '' ? {} : { description: textValue(description) } };
}

/** The reply to `resources.get` or `prompts.get` as MCP has it: the contents of a resource, or messages. */
export function readItem(kind: 'resource' | 'prompt', name: string, reply: Message): Value {
  const { parts } = contentOf(canonical(reply));
  if (kind === 'resource') return dictOf({ contents: listValue(parts.map(part => toContents(name, part))) });
  const messages = parts.map(part => dictOf({ role: roleOf(part), content: toBlock(name, part) }));
  return dictOf({ messages: listValue(messages) });
}

function roleOf({ rest }: Part): Value {
  return findEntry(findEntry(rest, 'aio'), 'role') ?? textValue('user');
}

/** The contents of a resource. An address where they are is a list of one URI. */
function toContents(uri: string, part: Part): DictValue {
  const { type, holds, value, mimeType } = part;
  const named = { uri: textValue(uri), mimeType };
  if (type === 'data')
    return dictOf({
      ...named,
      mimeType: textValue('application/json'),
      text: textValue(printForAgent(value)),
    });
  if (holds === 'data') return dictOf({ ...named, mimeType: mediaOf(part, () => undefined), blob: value });
  return dictOf({ ...named, mimeType: holds === 'url' ? textValue('text/uri-list') : mimeType, text: value });
}

function toBlock(name: string, part: Part): DictValue {
  const { type, holds, value } = part;
  if (type === 'text') return dictOf({ type: textValue('text'), text: value });
  if (holds === 'data' && (type === 'image' || type === 'audio'))
    return dictOf({ type: textValue(type), data: value, mimeType: mediaOf(part, () => undefined) });
  return dictOf({ type: textValue('resource'), resource: toContents(name, part) });
}
