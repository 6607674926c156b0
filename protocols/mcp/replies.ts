import { MCP_BARE_RESULTS } from './names.ts';
import type { MessageField } from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import {
  boolValue,
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import {
  deriveText,
  isToolFailure,
  readOriginal,
  takeError,
  writeOriginal,
  type ErrorFields,
} from '../errors/errors.ts';
import { ENVELOPE, packEnvelope, readMessage, type Leftovers } from '../message/envelope.ts';
import { findBlockMark, joinTexts, readBlocks, writeBlocks } from './content.ts';
import { closeMeta, joinLeft, openMeta } from '../rpc/meta.ts';
import { Members } from '../message/members.ts';
import { readErrorObject, takeId, writeErrorObject, writeReply, type RpcFrame } from '../rpc/frame.ts';
import type { Reading, Writing } from '../message/shape.ts';
import { fromSchemaTool, toSchemaTool } from '../tools/tool-schema.ts';

/** Says in the envelope what the blocks of a result stand for. */
const BLOCK = 'block';
/** Says in the envelope that the list of tools stands for the declaration of one. */
const LISTED = 'listed';
const DECLARATION = textValue('declaration');
/**
 * Stands in what only MCP knows, at `result._meta.parley`, where nothing else can stand: the whole result is the data,
 * such as that of `prompts/get`. Those that look like nothing else need no mark.
 */
const WHOLE = textValue('data');

/** The message of a result. */
export function readResult(frame: RpcFrame, reading: Reading): Message {
  const { body, members, id } = frame;
  if (body?.kind !== 'dict')
    return readMessage(
      { kind: 'result', fields: { id, data: body }, rest: members.left(), envelope: undefined },
      'mcp',
      reading.report,
    );
  if (isTrue(findEntry(body, 'isError'))) return readFailure(body, frame, reading);
  const meta = openMeta(body);
  const result = new Members(meta.body);
  const resultType = result.take('resultType');
  const envelope = new Members(meta.envelope);
  const found = findResult(result, envelope);
  const left = joinLeft(result, [
    { key: 'content', value: found.again },
    { key: 'resultType', value: resultType },
    {
      key: '_meta',
      value: joinLeft(meta.left, [{ key: ENVELOPE, value: found.isWhole ? WHOLE : undefined }]),
    },
  ]);
  const { data, content, tools, declaration } = found;
  return readMessage(
    {
      kind: 'result',
      fields: { id, trace: meta.trace, data, content, tools, declaration },
      rest: joinLeft(members, [{ key: 'result', value: left }]),
      envelope: meta.envelope?.kind === 'dict' ? envelope.left() : meta.envelope,
    },
    'mcp',
    reading.report,
  );
}

interface FoundResult {
  readonly data: Value | undefined;
  readonly content: Value | undefined;
  readonly tools: Value | undefined;
  readonly declaration?: Value | undefined;
  readonly again?: Value | undefined;
  /** True where the whole result is the data and does not look like it. */
  readonly isWhole: boolean;
}

function findResult(result: Members, envelope: Members): FoundResult {
  const tools = result.take('tools');
  const blocks = { content: result.take('content'), structured: result.take('structuredContent') };
  if (!tools && !blocks.content && !blocks.structured && result.size > 0) {
    const data = dictValue(result.entries());
    for (const { key } of data.entries) result.take(key);
    return { data, content: undefined, tools, isWhole: !isBareResult(data) };
  }
  const mark = findBlockMark(envelope.peek(BLOCK));
  const marked = mark && readBlocks(blocks, mark);
  if (marked) envelope.take(BLOCK);
  const meaning = marked ?? readBlocks(blocks, undefined);
  const { data, content, again } = meaning ?? { data: undefined, content: undefined };
  const declaration = textIn(envelope.peek(LISTED)) === DECLARATION.text ? readListed(tools) : undefined;
  if (!declaration) return { data, content, again, tools, isWhole: false };
  envelope.take(LISTED);
  return { data, content, again, tools: undefined, declaration, isWhole: false };
}

/** True for data that looks like the whole result of a method of MCP, such as `initialize` or `resources/read`. */
function isBareResult(data: DictValue): boolean {
  if (
    ['content', 'structuredContent', 'tools', '_meta', 'isError', 'resultType'].some(key =>
      findEntry(data, key),
    )
  )
    return false;
  return MCP_BARE_RESULTS.some(({ members, items }) =>
    members.every(key => {
      const value = findEntry(data, key);
      if (items.length === 0 || value?.kind !== 'list') return value !== undefined && items.length === 0;
      return value.items.every(item => items.every(name => findEntry(item, name) !== undefined));
    }),
  );
}

/**
 * A tool that ran and failed says so in its result: an error without a code, whose data is the result. What another
 * protocol said of it is in the envelope.
 */
function readFailure(body: DictValue, { members, id }: RpcFrame, reading: Reading): Message {
  const meta = openMeta(body);
  const marks = new Members(meta.envelope);
  const original = readOriginal(marks.peek(ORIGINAL));
  const isOriginal =
    original && isToolFailure(original) && isSameValue(meta.body, failureOf(deriveText(original, 'mcp')));
  if (isOriginal) marks.take(ORIGINAL);
  const own = {
    protocol: textValue('mcp'),
    text: joinTexts(findEntry(meta.body, 'content')),
    data: meta.body,
  };
  const left = joinLeft(new Members(undefined), [{ key: '_meta', value: meta.left.left() }]);
  return readMessage(
    {
      kind: 'error',
      fields: { id, trace: meta.trace, ...(isOriginal ? original : own) },
      rest: joinLeft(members, [{ key: 'result', value: left }]),
      envelope: isOriginal ? marks.left() : meta.envelope,
    },
    'mcp',
    reading.report,
  );
}

/** Holds in the envelope what another protocol said of a tool that failed. */
const ORIGINAL = 'error';

/** The result of a tool that failed. */
function failureOf(text: string): DictValue {
  const block = dictValue([
    { key: 'type', value: textValue('text') },
    { key: 'text', value: textValue(text) },
  ]);
  return dictValue([
    { key: 'content', value: listValue([block]) },
    { key: 'isError', value: boolValue(true) },
  ]);
}

/** The message of an error. Its envelope is in `error.data`, because a reply has no other place for one. */
export function readFault({ body, members, id }: RpcFrame, reading: Reading): Message {
  const data = new Members(findEntry(body, 'data'));
  const packed = data.take(ENVELOPE);
  const envelope = new Members(packed);
  // Data that had no room for the envelope stands in there; it may be another protocol's error.
  const own = data.left() ?? envelope.take('data');
  const opened =
    packed && body?.kind === 'dict'
      ? dictValue(body.entries.map(entry => (entry.key === 'data' ? { key: 'data', value: own } : entry)))
      : body;
  const { fields, left } = readErrorObject('mcp', opened, reading);
  const rest = joinLeft(members, [{ key: 'error', value: left }]);
  return readMessage(
    {
      kind: 'error',
      fields: { id, ...fields },
      rest,
      envelope: packed?.kind === 'dict' ? envelope.left() : packed,
    },
    'mcp',
    reading.report,
  );
}

/** Writes a result. */
export function buildResult(open: Leftovers, writing: Writing): Value {
  const { fields, rest } = open;
  const id = takeId(fields, writing);
  const data = fields.peek('data');
  const isBare = data?.kind === 'dict' && isBareResult(data) && !holdsMore(fields);
  const isWhole = takeWhole(rest) || isBare;
  if (isWhole && data?.kind === 'dict' && !findEntry(data, '_meta')) {
    fields.take('data');
    return writeReply('result', { id, body: closeMeta(data, open, {}) ?? dictValue([]) });
  }
  const { tools, listed } = takeTools(fields);
  if (tools?.kind === 'list' && tools.items.some(tool => !findEntry(tool, 'inputSchema')))
    writing.report.note('MCP wants an `inputSchema` of each tool: a client refuses a list of tools without');
  const isModern = findEntry(rest.peek('result'), 'resultType') !== undefined;
  const blocks = writeBlocks({ data, content: fields.peek('content') }, isModern ? 'any' : 'dict');
  for (const name of blocks.holds) fields.take(name);
  const body = dictValue([
    { key: 'content', value: blocks.content },
    { key: 'structuredContent', value: blocks.structured },
    { key: 'tools', value: tools },
  ]);
  const marks = [
    { key: BLOCK, value: blocks.mark && textValue(blocks.mark) },
    { key: LISTED, value: listed },
  ];
  const closed = closeMeta(body, open, { envelope: dictValue(marks).entries });
  return writeReply('result', { id, body: closed ?? dictValue([]) });
}

/** True for a result with fields that stand beside its data. */
function holdsMore(fields: Members<MessageField>): boolean {
  return (['content', 'tools', 'declaration'] as const).some(name => fields.peek(name) !== undefined);
}

/** The tools of a result; the declaration of one is a list of one tool, if that says all of it. */
function takeTools(fields: Members<MessageField>): {
  readonly tools: Value | undefined;
  readonly listed?: Value;
} {
  const declaration = fields.peek('declaration');
  const tool = declaration && !fields.peek('tools') ? toSchemaTool(declaration) : undefined;
  if (!tool) return { tools: fields.take('tools') };
  fields.take('declaration');
  return { tools: listValue([tool]), listed: DECLARATION };
}

/** The declaration that a list of one tool stands for. */
function readListed(tools: Value | undefined): Value | undefined {
  const [tool, ...others] = tools?.kind === 'list' ? tools.items : [];
  return tool && others.length === 0 ? fromSchemaTool(tool) : undefined;
}

/** Takes the mark that the whole result is the data. */
function takeWhole(rest: Members): boolean {
  const result = new Members(rest.peek('result'));
  const meta = new Members(result.peek('_meta'));
  if (!meta.takeWord(ENVELOPE, WHOLE.text)) return false;
  const left = meta.left();
  if (left) result.put('_meta', left);
  else result.take('_meta');
  const more = result.left();
  if (more) rest.put('result', more);
  else rest.take('result');
  return true;
}

/** Writes an error: as a result where a tool ran and failed, else as an error of JSON-RPC. */
export function buildFault(open: Leftovers, writing: Writing): Value {
  const { fields } = open;
  const id = takeId(fields, writing);
  const failure = findFailure(fields.peek('data'));
  if (failure && isOwnFailure(open, failure)) {
    for (const name of ['protocol', 'text', 'data'] as const) fields.take(name);
    return writeReply('result', { id, body: closeMeta(failure, open, {}) });
  }
  if (isToolFailure(peekError(fields))) {
    const original = takeError(fields);
    const envelope = [{ key: ORIGINAL, value: writeOriginal(original) }];
    const body = closeMeta(failureOf(deriveText(original, 'mcp')), open, { envelope });
    return writeReply('result', { id, body });
  }
  const error = new Members(writeErrorObject(fields, 'mcp', writing));
  const data = error.take('data');
  error.put('data', closeData(data, packEnvelope(open)));
  return writeReply('error', { id, body: dictValue(error.entries()) });
}

function peekError(fields: Members<MessageField>): ErrorFields {
  return { protocol: fields.peek('protocol'), code: fields.peek('code'), text: fields.peek('text') };
}

function findFailure(data: Value | undefined): DictValue | undefined {
  return data?.kind === 'dict' && isTrue(findEntry(data, 'isError')) && !findEntry(data, '_meta')
    ? data
    : undefined;
}

function isOwnFailure({ fields }: Leftovers, failure: DictValue): boolean {
  const text = joinTexts(findEntry(failure, 'content'));
  const said = fields.peek('text');
  const isSameText = text && said ? isSameValue(text, said) : text === said;
  return isSameText && textIn(fields.peek('protocol')) === 'mcp' && !fields.peek('code');
}

/** The data of an error with the envelope. Data that has no room for it goes in there as well. */
function closeData(data: Value | undefined, envelope: DictValue | undefined): Value | undefined {
  const isOccupied = findEntry(data, ENVELOPE) !== undefined;
  if (!envelope && !isOccupied) return data;
  const packed = envelope?.entries ?? [];
  if (data?.kind === 'dict' && data.entries.length > 0 && !isOccupied)
    return dictValue([...data.entries, { key: ENVELOPE, value: envelope }]);
  return dictValue([{ key: ENVELOPE, value: dictValue([...packed, { key: 'data', value: data }]) }]);
}

function isTrue(value: Value | undefined): boolean {
  return value !== undefined && isSameValue(value, boolValue(true));
}
