import { listTemplateVariables } from '../../core/text/uri-template.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import type { ItemParameter, ListedItem } from '../../language/tools.ts';
import { readJsonPieces } from '../../language/values/json-reader.ts';
import type { ItemList } from '../call-rules.ts';

type Kind = ListedItem['kind'];

/** The lists of a server besides that of its tools (MCP, "Resources" and "Prompts"), with the capabilities that announce them. */
export const ITEM_LISTS: readonly ItemList[] = [
  itemList('resource', 'resources', 'resources/list', 'resources'),
  itemList('template', 'resources', 'resources/templates/list', 'resourceTemplates'),
  itemList('prompt', 'prompts', 'prompts/list', 'prompts'),
];

/** `member` is the member of the result that has the items. */
function itemList(kind: Kind, capability: string, method: string, member: string): ItemList {
  return {
    kind,
    capability,
    method,
    writeRequest(cursor) {
      const params = cursor === undefined ? {} : { cursor };
      return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    },
    readPage(reply) {
      const result = findResult(reply);
      const listed = findEntry(result, member);
      if (listed?.kind !== 'list') return undefined;
      const items = listed.items.map(item => toItem(item, kind));
      return { items, cursor: textIn(findEntry(result, 'nextCursor')) };
    },
  };
}

/** The result in a JSON-RPC reply, which is JSON or events. */
function findResult(text: string): Value | undefined {
  for (const { value } of readJsonPieces(text).pieces) {
    const result = findEntry(value, 'result');
    if (result) return result;
  }
  return undefined;
}

function toItem(value: Value, kind: ListedItem['kind']): ListedItem {
  const uri = textIn(findEntry(value, 'uri')) ?? textIn(findEntry(value, 'uriTemplate')) ?? '';
  const name = textIn(findEntry(value, 'name')) ?? uri;
  const description = textIn(findEntry(value, 'description')) ?? textIn(findEntry(value, 'title')) ?? '';
  const parameters = kind === 'template' ? listTemplateVariables(uri).map(toVariable) : listArguments(value);
  const detail = kind === 'prompt' ? showArguments(parameters) : uri;
  return { kind, name, description, detail, parameters, value };
}

function toVariable(name: string): ItemParameter {
  return { name, description: '', isRequired: true };
}

function listArguments(prompt: Value): readonly ItemParameter[] {
  const declared = findEntry(prompt, 'arguments');
  if (declared?.kind !== 'list') return [];
  return declared.items.map(item => {
    const required = findEntry(item, 'required');
    return {
      name: textIn(findEntry(item, 'name')) ?? '',
      description: textIn(findEntry(item, 'description')) ?? '',
      isRequired: required?.kind === 'bool' && required.bool,
    };
  });
}

/** Prints the arguments of a prompt in the form of a tool's signature. */
function showArguments(parameters: readonly ItemParameter[]): string {
  const names = parameters.map(({ name, isRequired }) => `${name}${isRequired ? '' : '?'}`);
  return names.length === 0 ? '' : `(${names.join(', ')})`;
}
