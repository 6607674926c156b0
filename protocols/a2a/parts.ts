import { findEntry, listValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { Members } from '../message/members.ts';
import { newParts, oldParts } from './part-codec.ts';
import type { PartCodec } from '../content/codec.ts';
import { dictOf } from '../conversation/verified.ts';

/** The versions of A2A that differ in how a message looks. */
export type A2aVersion = '0.3' | '1.0';

/** What a message says by its parts, where it says one thing. */
export type PartMeaning =
  | { readonly kind: 'text'; readonly text: Value }
  | { readonly kind: 'data'; readonly data: Value }
  | { readonly kind: 'call'; readonly tool: Value; readonly arguments: Value | undefined };

/** The meaning of a list that is one plain part: a text, a call as data `{tool, arguments}` or `{tool}`, other data. */
export function readParts(parts: Value | undefined, version: A2aVersion): PartMeaning | undefined {
  const [part, ...others] = parts?.kind === 'list' ? parts.items : [];
  if (part?.kind !== 'dict' || others.length > 0) return undefined;
  const members = new Members(part);
  const kind = version === '0.3' ? members.takeKind('kind', 'text')?.text : undefined;
  const text = kind === 'data' ? undefined : members.takeKind('text', 'text');
  if (text)
    return members.size === 0 && (kind === 'text' || version === '1.0') ? { kind: 'text', text } : undefined;
  const data = kind === 'text' ? undefined : members.take('data');
  if (!data || data.kind === 'text' || members.size > 0 || (version === '0.3' && kind !== 'data'))
    return undefined;
  return readCall(data) ?? { kind: 'data', data };
}

function readCall(data: Value): PartMeaning | undefined {
  const members = new Members(data);
  const tool = members.takeKind('tool', 'text');
  const given = members.takeKind('arguments', 'dict');
  return tool && members.size === 0 ? { kind: 'call', tool, arguments: given } : undefined;
}

/** Parts that mean this. */
export function writeParts(meaning: PartMeaning | undefined, version: A2aVersion): Value {
  if (!meaning) return listValue([]);
  const kind = version === '0.3' ? textValue(meaning.kind === 'text' ? 'text' : 'data') : undefined;
  if (meaning.kind === 'text') return listValue([dictOf({ kind, text: meaning.text })]);
  const data =
    meaning.kind === 'data' ? meaning.data : dictOf({ tool: meaning.tool, arguments: meaning.arguments });
  return listValue([dictOf({ kind, data })]);
}

/** How a version writes parts of a content. */
export function codecOf(version: A2aVersion): PartCodec {
  return version === '0.3' ? oldParts : newParts;
}

/** True for a message, task or event of version 0.3, which name their kind and write roles and states in small letters. */
export function isOldForm(value: Value | undefined): boolean {
  return textIn(findEntry(value, 'kind')) !== undefined;
}
