import { textValue, type Value } from '../../core/values/value.ts';
import { dictOf } from '../message/dicts.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import type { Lose } from './codec.ts';
import { dataUrl } from './media.ts';
import type { Part } from './part.ts';

/** Writes a part as a text (JSON, a URL, or a data URL) for a protocol with no other place for it, and reports that. */
export function asText(part: Part, title: string, lose: Lose, what = wordsOf(part)): Value {
  const { type, holds, value } = part;
  if (type === 'text') return value;
  lose('moved', `${title} has no ${what}; it is written as a text`);
  if (type === 'refusal' || holds === 'url') return value;
  if (type === 'data') return textValue(compactJson(value, 'written'));
  return holds === 'data' ? dataUrl(part, lose) : textValue(compactJson(idOf(part)));
}

function wordsOf({ type, holds }: Part): string {
  return holds === 'id' ? `${type} that is named by an id` : type;
}

/** A file stored by its agent, as JSON. */
function idOf({ type, value }: Part): Value {
  return dictOf({ type: textValue(type), id: value });
}
