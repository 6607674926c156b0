import { findEntry, textIn, type Value } from '../../core/values/value.ts';

/** Members that only requests and responses of OpenAI's Responses have, not those of the Agent API. */
const MARKS = new Set([
  'instructions',
  'previous_response_id',
  'max_output_tokens',
  'metadata',
  'reasoning',
  'store',
  'text',
  'truncation',
  'include',
  'parallel_tool_calls',
  'tool_choice',
  'background',
  'conversation',
  'prompt',
  'output_text',
  'incomplete_details',
  'service_tier',
]);
const PART_TYPE = /^(?:input|output)_/;

/** True for a request or response of Responses; those of the Agent API look alike. */
export function looksLikeResponses(value: Value): boolean {
  if (value.kind !== 'dict') return false;
  const isResponse = textIn(findEntry(value, 'object')) === 'response';
  if (value.entries.some(({ key }) => MARKS.has(key) || (isResponse && key === 'model'))) return true;
  const input = findEntry(value, 'input');
  if (input?.kind === 'text') return true;
  const items = input ?? findEntry(value, 'output');
  return items?.kind === 'list' && items.items.some(looksLikeItem);
}

function looksLikeItem(item: Value): boolean {
  if (findEntry(item, 'object')) return false;
  const content = findEntry(item, 'content');
  if (content?.kind === 'text' || findEntry(item, 'call_id') || findEntry(item, 'summary')) return true;
  return (
    content?.kind === 'list' &&
    content.items.some(part => PART_TYPE.test(textIn(findEntry(part, 'type')) ?? ''))
  );
}
