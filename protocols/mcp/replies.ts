import { MCP_BARE_RESULTS } from './names.ts';
import type { Message } from '../../core/message/message.ts';
import {
  boolValue,
  dictValue,
  findEntry,
  intValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { isSameField, isSameValue } from '../message/same-value.ts';
import type { LoseAt } from '../content/codec.ts';
import { dictOf } from '../message/dicts.ts';
import {
  type ErrorFields,
  deriveText,
  isToolFailure,
  readOriginal,
  writeOriginal,
} from '../errors/errors.ts';
import { readErrorObject, writeErrorObject, writeReply, type RpcFrame } from '../rpc/frame.ts';
import { Members } from '../message/members.ts';
import { foundMessage } from '../message/rest.ts';
import type { Reading, Writing } from '../message/shape.ts';
import { joinTexts, readBlocks, writeBlocks, type ResultBlocks } from './content.ts';
import type { MessageProtocols } from '../protocol.ts';
import { closeMeta, joinLeft, openMeta } from '../rpc/meta.ts';

/** Marks the original blocks of a result, where ours would have another form. */
const BLOCKS = '$blocks';
/** Marks a whole result that is data, as for `prompts/get`, but is not recognisable as such, and one without members. */
const WHOLE = '$whole';
const YES = boolValue(true);

export function readResult(frame: RpcFrame, reading: Reading): Message {
  const { body, members, id } = frame;
  if (body?.kind !== 'dict')
    return foundMessage({ kind: 'result', fields: { id, data: body }, rest: members.left() }, 'mcp');
  if (isTrue(findEntry(body, 'isError'))) return readFailure(body, frame, reading);
  const meta = openMeta(body);
  const result = new Members(meta.body);
  const resultType = result.take('resultType');
  const found = findResult(result);
  const left = joinLeft(result, [
    { key: 'resultType', value: resultType },
    { key: '_meta', value: meta.left.left() },
  ]);
  const { data, content, tools } = found;
  return foundMessage(
    {
      kind: 'result',
      fields: { id, trace: meta.trace, data, content, tools },
      rest: joinLeft(members, [found.mark ?? NO_MARK, { key: 'result', value: left }]),
    },
    'mcp',
  );
}

interface FoundResult {
  readonly data?: Value | undefined;
  readonly content?: Value | undefined;
  readonly tools?: Value | undefined;
  readonly mark?: Entry | undefined;
}

const NO_MARK = { key: '', value: undefined };

function findResult(result: Members): FoundResult {
  const tools = result.take('tools');
  const content = result.peek('content');
  // The answer of a model has one block, which is not in a list.
  const isOne = content?.kind === 'dict';
  const structured = result.peek('structuredContent');
  const original = asMembers({ content, structured });
  const blocks = { content: isOne ? listValue([content]) : content, structured };
  if (!tools && !blocks.content && !blocks.structured) {
    if (result.size === 0) return { mark: { key: WHOLE, value: YES } };
    const data = dictValue(result.entries());
    for (const { key } of data.entries) result.take(key);
    return { data, mark: isBareResult(data) ? undefined : { key: WHOLE, value: YES } };
  }
  const data = { data: blocks.structured, content: undefined };
  const isData = blocks.structured !== undefined && isOurs(blocks, data);
  const meaning = isData ? data : readBlocks(blocks);
  if (!meaning) return { tools };
  for (const key of ['content', 'structuredContent']) result.take(key);
  return {
    ...meaning,
    tools,
    mark: !isOne && (isData || isOurs(blocks, meaning)) ? undefined : { key: BLOCKS, value: original },
  };
}

/** True if writing the meaning of the blocks gives the same blocks. */
function isOurs(
  blocks: ResultBlocks,
  meaning: { data: Value | undefined; content: Value | undefined },
): boolean {
  if (!blocks.structured) return true;
  const ours = writeBlocks(meaning, 'dict', () => undefined);
  return isSameField(ours.content, blocks.content) && isSameField(ours.structured, blocks.structured);
}

function asMembers({ content, structured }: ResultBlocks): DictValue {
  return dictOf({ content, structuredContent: structured });
}

const BARE_MEMBERS: ReadonlySet<string> = new Set(MCP_BARE_RESULTS.flatMap(({ members }) => members));
/** Members of other results, such as that of a tool. */
const TOOL_MEMBERS: ReadonlySet<string> = new Set([
  'content',
  'structuredContent',
  'tools',
  '_meta',
  'isError',
  'resultType',
]);

/**
 * True for data that looks like the whole result of a method of MCP, such as `initialize` or
 * `resources/read`.
 */
function isBareResult(data: DictValue): boolean {
  if (!data.entries.some(({ key }) => BARE_MEMBERS.has(key))) return false;
  if (data.entries.some(({ key }) => TOOL_MEMBERS.has(key))) return false;
  return MCP_BARE_RESULTS.some(({ members, items }) =>
    members.every(key => {
      const value = findEntry(data, key);
      if (items.length === 0 || value?.kind !== 'list') return value !== undefined && items.length === 0;
      return value.items.every(item => items.every(name => findEntry(item, name) !== undefined));
    }),
  );
}

/**
 * Reads a result with `isError`, of a tool that ran and failed: an error without a code, with the result as
 * its data. An error of another protocol is restored from the structured content.
 */
function readFailure(body: DictValue, { members, id }: RpcFrame, reading: Reading): Message {
  const meta = openMeta(body);
  const original = readOriginal(findEntry(meta.body, 'structuredContent'));
  const isOriginal =
    original?.protocol &&
    isToolFailure(original, reading.protocols) &&
    isSameValue(meta.body, failureOf(original, reading.protocols));
  const own = {
    protocol: textValue('mcp'),
    text: joinTexts(findEntry(meta.body, 'content')),
    data: meta.body,
  };
  const left = joinLeft(new Members(undefined), [{ key: '_meta', value: meta.left.left() }]);
  return foundMessage(
    {
      kind: 'error',
      fields: { id, trace: meta.trace, ...(isOriginal ? original : own) },
      rest: joinLeft(members, [{ key: 'result', value: left }]),
    },
    'mcp',
  );
}

/** The result for a tool that failed in another protocol. */
function failureOf(original: ErrorFields, protocols: MessageProtocols): DictValue {
  return dictOf({
    content: listValue([
      dictOf({ type: textValue('text'), text: textValue(deriveText(original, 'mcp', protocols)) }),
    ]),
    structuredContent: writeOriginal(original),
    isError: YES,
  });
}

/** Reads a JSON-RPC error. */
export function readFault({ body, members, id }: RpcFrame, reading: Reading): Message {
  const { fields, left } = readErrorObject('mcp', body, reading);
  const rest = joinLeft(members, [{ key: 'error', value: left }]);
  return foundMessage({ kind: 'error', fields: { id, ...fields }, rest }, 'mcp');
}

export function buildResult({ fields }: Message, rest: Members, writing: Writing): DictValue {
  const { data, content, tools, trace } = fields;
  const id = fields.id ?? intValue(writing.id);
  const isWhole = rest.take(WHOLE) !== undefined;
  if (
    data?.kind === 'dict' &&
    !content &&
    !tools &&
    (isWhole || isBareResult(data)) &&
    !findEntry(data, '_meta')
  )
    return writeReply('result', { id, body: closeMeta(data, trace) ?? dictValue([]) });
  if (tools?.kind === 'list' && tools.items.some(tool => !findEntry(tool, 'inputSchema')))
    writing.report.note(
      'MCP requires an `inputSchema` for each tool: a client refuses a list of tools without',
    );
  const isModern = findEntry(rest.peek('result'), 'resultType') !== undefined;
  const lose: LoseAt = (index, kind, reported) =>
    writing.report.lose(kind, content ? `content[${index}]` : 'data', reported);
  const own = rest.takeKind(BLOCKS, 'dict');
  const written = own ?? asMembers(writeBlocks({ data, content }, isModern ? 'any' : 'dict', lose));
  // The result of a tool has `content`, also if it is empty; the result of a `ping` has no member.
  const isEmpty = written.entries.length === 0 && !tools && !isWhole;
  const blocks = isEmpty ? dictOf({ content: listValue([]) }) : written;
  const body = tools ? dictValue([...blocks.entries, { key: 'tools', value: tools }]) : blocks;
  return writeReply('result', { id, body: closeMeta(body, trace) ?? dictValue([]) });
}

/** Writes an error: as a result if a tool ran and failed, else as a JSON-RPC error. */
export function buildFault({ fields }: Message, writing: Writing): DictValue {
  const id = fields.id ?? intValue(writing.id);
  const { data } = fields;
  const isOwn = textIn(fields.protocol) === 'mcp' && !fields.code;
  if (isOwn && data?.kind === 'dict' && isTrue(findEntry(data, 'isError')) && !findEntry(data, '_meta'))
    return writeReply('result', { id, body: closeMeta(data, fields.trace) });
  if (isToolFailure(fields, writing.protocols))
    return writeReply('result', { id, body: closeMeta(failureOf(fields, writing.protocols), fields.trace) });
  return writeReply('error', { id, body: writeErrorObject(fields, 'mcp', writing) });
}

function isTrue(value: Value | undefined): boolean {
  return value !== undefined && isSameValue(value, YES);
}
