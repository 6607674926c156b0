import { findEntry, textIn, type Value } from '../../core/values/value.ts';

/** The title of a request with a conversation as `input`: its last text, else the name or type of its last item. */
export function titleOfInput(request: Value): string | undefined {
  const input = findEntry(request, 'input');
  if (input?.kind === 'text') return input.text;
  const item = input?.kind === 'list' ? input.items.at(-1) : undefined;
  const content = findEntry(item, 'content');
  if (content?.kind === 'text') return content.text;
  if (content?.kind === 'list')
    for (const part of content.items.toReversed()) {
      const text = textIn(findEntry(part, 'text'));
      if (text !== undefined) return text;
    }
  return textIn(findEntry(item, 'name')) ?? textIn(findEntry(item, 'type'));
}
