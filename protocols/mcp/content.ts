import { dictValue, findEntry, listValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { decodeParts, encodeParts, openPart } from '../content/codec.ts';
import { isBlock, mcpParts } from './part-codec.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { readJsonValue } from '../../language/values/json-reader.ts';

/**
 * What the blocks of a result stand for where they do not say it themselves: the neutral `content` as it is, or a value
 * as JSON or as the text of the one block.
 */
export type BlockMark = 'content' | 'data-json' | 'content-json' | 'content-text';

export function findBlockMark(value: Value | undefined): BlockMark | undefined {
  switch (textIn(value)) {
    case 'content':
      return 'content';
    case 'data-json':
      return 'data-json';
    case 'content-json':
      return 'content-json';
    case 'content-text':
      return 'content-text';
    default:
      return undefined;
  }
}

/** What a result of MCP says. */
export interface ResultBlocks {
  readonly content: Value | undefined;
  readonly structured: Value | undefined;
}

export interface BlockMeaning {
  readonly data: Value | undefined;
  readonly content: Value | undefined;
  /** Blocks that say the data once more, but not as we write it: they are kept for MCP alone. */
  readonly again?: Value | undefined;
}

/**
 * What a result's blocks mean. One text block is data that is text; structured content is data, and the text block
 * that the specification wants beside it says nothing more if it is the JSON of that, in whatever layout. Undefined where
 * the mark does not fit.
 */
export function readBlocks(
  { content, structured }: ResultBlocks,
  mark: BlockMark | undefined,
): BlockMeaning | undefined {
  const parts = decodeParts(content, mcpParts);
  if (mark === 'content') return { data: structured, content: parts };
  if (mark) return structured ? undefined : readMarked(content, mark);
  if (structured) {
    if (!content || !saysAgain(content, structured)) return { data: structured, content: parts };
    const isDerived = isSameValue(content, describeStructured(structured));
    return { data: structured, content: undefined, again: isDerived ? undefined : content };
  }
  const text = soleText(content);
  return text ? { data: text, content: undefined } : { data: undefined, content: parts };
}

/**
 * True for one text block with the JSON of structured content. FastMCP puts what is no object into `{"result": …}`, and
 * the text is then that of the value alone.
 */
function saysAgain(content: Value, structured: Value): boolean {
  const text = soleText(content);
  if (!text) return false;
  const inner =
    structured.kind === 'dict' && structured.entries.length === 1 && findEntry(structured, 'result');
  if (inner && inner.kind === 'text' && inner.text === text.text) return true;
  const value = readJsonValue(text.text);
  return value !== undefined && [structured, inner].some(said => said && isSameValue(value, said));
}

function readMarked(content: Value | undefined, mark: BlockMark): BlockMeaning | undefined {
  const text = soleText(content);
  if (!text) return undefined;
  if (mark === 'content-text') return { data: undefined, content: text };
  const value = readOwnJson(text.text);
  if (!value) return undefined;
  return mark === 'data-json' ? { data: value, content: undefined } : { data: undefined, content: value };
}

/** A result's blocks for data and content, with the mark that they need. What has no place in them is left out. */
export interface WrittenBlocks extends ResultBlocks {
  readonly mark: BlockMark | undefined;
  /** Which of the two stand in the blocks. */
  readonly holds: readonly ('data' | 'content')[];
}

/**
 * Writes data and content as blocks. `structuredContent` is a dictionary before 2026-07-28 and any value since, so a
 * modern result says `any`.
 */
export function writeBlocks({ data, content }: BlockMeaning, structures: 'dict' | 'any'): WrittenBlocks {
  const isText = data?.kind === 'text' && !content;
  const isStructured = data?.kind === 'dict' || (structures === 'any' && !isText);
  const structured = isStructured ? data : undefined;
  if (content && isBlockList(content)) {
    const blocks = encodeParts(content, mcpParts);
    const plain = readBlocks({ content: blocks, structured }, undefined);
    return {
      content: blocks,
      structured,
      mark: plain?.content ? undefined : 'content',
      holds: structured ? ['data', 'content'] : ['content'],
    };
  }
  if (structured)
    return { content: describeStructured(structured), structured, mark: undefined, holds: ['data'] };
  if (data && content) return { content: undefined, structured: undefined, mark: undefined, holds: [] };
  return writeOneBlock(data, 'data') ?? writeOneBlock(content, 'content') ?? NO_BLOCKS;
}

const NO_BLOCKS: WrittenBlocks = { content: undefined, structured: undefined, mark: undefined, holds: [] };

function writeOneBlock(value: Value | undefined, field: 'data' | 'content'): WrittenBlocks | undefined {
  if (!value) return undefined;
  const text = value.kind === 'text' ? value : textValue(compactJson(value));
  const marks =
    field === 'data' ? ([undefined, 'data-json'] as const) : (['content-text', 'content-json'] as const);
  return {
    content: listValue([textBlock(text)]),
    structured: undefined,
    mark: value.kind === 'text' ? marks[0] : marks[1],
    holds: [field],
  };
}

/** The text of the text blocks of a result, a line each; undefined where there is none. */
export function joinTexts(content: Value | undefined): Value | undefined {
  if (content?.kind !== 'list') return undefined;
  const blocks = content.items.filter(item => textIn(findEntry(item, 'type')) === 'text');
  const texts = blocks.map(block => textIn(findEntry(block, 'text'))).filter(text => text !== undefined);
  return texts.length === 0 ? undefined : textValue(texts.join('\n'));
}

/** True for a list of blocks and of parts that can be written as such. */
function isBlockList(value: Value): boolean {
  return value.kind === 'list' && value.items.every(item => isBlock(item) || openPart(item) !== undefined);
}

function describeStructured(structured: Value): Value {
  return listValue([textBlock(textValue(compactJson(structured)))]);
}

function textBlock(text: Value): Value {
  return dictValue([
    { key: 'type', value: textValue('text') },
    { key: 'text', value: text },
  ]);
}

/** The text of a list of one text block that says nothing else. */
function soleText(content: Value | undefined): Extract<Value, { kind: 'text' }> | undefined {
  if (content?.kind !== 'list' || content.items.length !== 1) return undefined;
  const [block] = content.items;
  if (block?.kind !== 'dict' || block.entries.length !== 2) return undefined;
  const text = findEntry(block, 'text');
  return textIn(findEntry(block, 'type')) === 'text' && text?.kind === 'text' ? text : undefined;
}

/** A value from JSON that is exactly as we print it. */
function readOwnJson(text: string): Value | undefined {
  const value = readJsonValue(text);
  return value && compactJson(value) === text ? value : undefined;
}
