import { dictValue, findEntry, listValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { isSameValue } from '../message/same-value.ts';
import { decodeParts, encodePart, type LoseAt } from '../content/codec.ts';
import { dataPart, isPlain, onlyPlain, readParts, writeParts, type Part } from '../content/part.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { readJsonValue } from '../../language/values/json-reader.ts';
import { mcpParts, textBlock } from './parts.ts';

/** The blocks of an MCP result. */
export interface ResultBlocks {
  readonly content: Value | undefined;
  readonly structured: Value | undefined;
}

export interface BlockMeaning {
  readonly data: Value | undefined;
  readonly content: Value | undefined;
}

/**
 * The meaning of a result's blocks; undefined for a content that is no list of blocks. One text block is text
 * data. Structured content is data. A text block with its JSON, in any layout, is dropped: the specification
 * asks for this copy.
 */
export function readBlocks({ content, structured }: ResultBlocks): BlockMeaning | undefined {
  const parts = content ? decodeParts(content, mcpParts) : [];
  if (!parts || !structured) return parts && plainMeaning(parts);
  const [only, ...others] = parts;
  const text = only && others.length === 0 ? plainText(only) : undefined;
  const data = text ? readAgain(text, structured) : only ? undefined : structured;
  if (data) return { data, content: undefined };
  const at = parts.findIndex(part => plainText(part)?.text === compactJson(structured, 'written'));
  return at < 0
    ? { data: structured, content: writeParts(parts) }
    : plainMeaning(parts.with(at, dataPart(structured)));
}

function plainMeaning(parts: readonly Part[]): BlockMeaning {
  const data = onlyPlain(parts, 'text');
  return data ? { data, content: undefined } : { data: undefined, content: writeParts(parts) };
}

function plainText(part: Part): Extract<Value, { kind: 'text' }> | undefined {
  return part.type === 'text' && isPlain(part) && part.value.kind === 'text' ? part.value : undefined;
}

/**
 * The data, if structured content and the text next to it agree. FastMCP and others wrap a value that is no
 * object as `{"result": …}`; the text is then that of the bare value.
 */
function readAgain({ text }: { readonly text: string }, structured: Value): Value | undefined {
  const value = readJsonValue(text);
  if (value && isSameValue(value, structured)) return structured;
  const [only, ...others] = structured.kind === 'dict' ? structured.entries : [];
  if (only?.key !== RESULT || others.length > 0) return undefined;
  const isSame = textIn(only.value) === text || (value && isSameValue(value, only.value));
  return isSame ? only.value : undefined;
}

const RESULT = 'result';

/**
 * Writes a result's data or content as blocks. `structuredContent` is a dictionary before 2026-07-28 and any
 * value since, so `any` is for modern results.
 */
export function writeBlocks(
  { data, content }: BlockMeaning,
  structures: 'dict' | 'any',
  lose: LoseAt,
): ResultBlocks {
  const parts = readParts(content) ?? [];
  if (data?.kind === 'text') return { content: listValue([textBlock(data)]), structured: undefined };
  if (data) {
    const isBare = data.kind === 'dict' || structures === 'any';
    const structured = isBare ? data : dictValue([{ key: RESULT, value: data }]);
    return { content: listValue([jsonBlock(data)]), structured };
  }
  const plain = parts.filter(part => part.type === 'data' && isPlain(part));
  const [only] = plain;
  const structured = plain.length === 1 && only?.value.kind === 'dict' ? only : undefined;
  const blocks = parts.map((part, index) =>
    part === structured
      ? jsonBlock(part.value)
      : encodePart(part, mcpParts, (kind, reported) => lose(index, kind, reported)),
  );
  return { content: blocks.length > 0 ? listValue(blocks) : undefined, structured: structured?.value };
}

/** The block written last, because reading back what was written compares it with the same block. */
let written: { readonly data: Value; readonly block: Value } | undefined;

function jsonBlock(data: Value): Value {
  if (written?.data !== data) written = { data, block: textBlock(textValue(compactJson(data, 'written'))) };
  return written.block;
}

/** The texts of a result's text blocks, one line each; undefined if there are none. */
export function joinTexts(content: Value | undefined): Value | undefined {
  if (content?.kind !== 'list') return undefined;
  const blocks = content.items.filter(item => textIn(findEntry(item, 'type')) === 'text');
  const texts = blocks.map(block => textIn(findEntry(block, 'text'))).filter(text => text !== undefined);
  return texts.length === 0 ? undefined : textValue(texts.join('\n'));
}
