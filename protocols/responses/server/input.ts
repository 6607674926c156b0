import { findEntry, textIn, type Value } from '../../../core/values/value.ts';
import { Members } from '../../message/members.ts';
import { partsOfRole } from '../parts.ts';
import { wrong, type Refusal } from './refusal.ts';

const ROLES: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'developer']);

/** What is wrong with the input of a request; undefined if it can be read. */
export function findInputFault(input: Value | undefined): Refusal | undefined {
  if (!input || input.kind === 'null')
    return wrong("Missing required parameter: 'input'", 'input', 'missing_required_parameter');
  if (input.kind === 'text') return undefined;
  if (input.kind !== 'list')
    return wrong("Invalid type for 'input': it must be a text or a list of items", 'input', 'invalid_type');
  if (input.items.length === 0)
    return wrong("Invalid 'input': the list is empty; send at least one item", 'input', 'empty_array');
  for (const [index, item] of input.items.entries()) {
    const fault = findItemFault(item, `input[${index}]`);
    if (fault) return fault;
  }
  return undefined;
}

function findItemFault(item: Value, path: string): Refusal | undefined {
  if (item.kind !== 'dict')
    return wrong(`Invalid type for '${path}': it must be an object`, path, 'invalid_type');
  const role = findEntry(item, 'role');
  const type = textIn(findEntry(item, 'type')) ?? (role ? 'message' : undefined);
  if (type === undefined)
    return wrong(
      `Invalid '${path}': an item has a 'type', or a 'role' and a 'content'`,
      path,
      'invalid_value',
    );
  if (type === 'item_reference')
    return wrong(
      `Invalid '${path}': items are not stored by their ids; send the item itself, or 'previous_response_id'`,
      path,
      'unsupported_value',
    );
  return type === 'message' ? findMessageFault(item, role, path) : undefined;
}

function findMessageFault(item: Value, role: Value | undefined, path: string): Refusal | undefined {
  const name = textIn(role) ?? '';
  if (!ROLES.has(name))
    return wrong(
      `Invalid '${path}.role': it is one of ${[...ROLES].join(', ')}`,
      `${path}.role`,
      'invalid_value',
    );
  const content = findEntry(item, 'content');
  if (content?.kind === 'text') return undefined;
  if (content?.kind !== 'list')
    return wrong(
      `Invalid '${path}.content': it must be a text or a list of parts`,
      `${path}.content`,
      'invalid_type',
    );
  const { read } = partsOfRole(name);
  const at = content.items.findIndex(part => part.kind !== 'dict' || !read(new Members(part)));
  if (at === -1) return undefined;
  const types =
    name === 'assistant'
      ? "'output_text' with 'text' or 'refusal' with 'refusal'"
      : "'input_text' with 'text', 'input_image' with 'image_url', or 'input_file' with 'file_data' or 'file_url'";
  const place = `${path}.content[${at}]`;
  return wrong(`Invalid '${place}': a part of the ${name} is ${types}`, place, 'invalid_value');
}
