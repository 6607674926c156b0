import type { Message } from '../../core/message/message.ts';
import { dictValue, findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { ENVELOPE, packEnvelope, readMessage, type Leftovers } from '../message/envelope.ts';
import { joinLeft } from '../rpc/meta.ts';
import { findText, takeTrace, textOutput } from './text.ts';
import { aioParts } from './part-codec.ts';
import { decodeParts, encodeParts } from '../content/codec.ts';
import { Members } from '../message/members.ts';
import { readErrorObject, takeId, writeErrorObject, writeReply, type RpcFrame } from '../rpc/frame.ts';
import type { Reading, Writing } from '../message/shape.ts';
import { fromSchemaTool, toSchemaTool } from '../tools/tool-schema.ts';

/**
 * Agents answer under `result` or `output`. `rest.aio.result` says that it was `output`: nothing else can stand there,
 * because a reader takes `result` off.
 */
const OUTPUT = textValue('output');
/** The same of an `output` that is the value of a text. */
const OUTPUT_TEXT = textValue('output-text');
/** Says in the envelope that a `result` which looks like a list of tools is the data, or that there is no data at all. */
const MEANS = 'means';
const DATA = textValue('data');
const CONTENT = textValue('content');
const NOTHING = textValue('nothing');

/** A reply whose value stands under `output` or `outputs` alone, as a frame; undefined for any other value. */
export function readOutput(value: Value): RpcFrame | undefined {
  if (!findEntry(value, 'output') && !findEntry(value, 'outputs')) return undefined;
  const members = new Members(value);
  members.takeWord('jsonrpc', '2.0');
  return { kind: 'result', method: '', body: undefined, id: members.take('id'), members };
}

/** The message of a reply that is no JSON-RPC error. */
export function readResult(frame: RpcFrame, reading: Reading): Message {
  const { members, id } = frame;
  const trace = members.take('trace_id');
  const output = frame.body === undefined ? members.take('output') : undefined;
  const envelope = members.take(ENVELOPE);
  const said = findText(output);
  if (output && textIn(findEntry(output, 'type')) === 'error') {
    const rest = joinLeft(members, [{ key: 'result', value: OUTPUT }]);
    const fields = { id, trace, protocol: textValue('aio'), ...readOutputError(output) };
    return readMessage({ kind: 'error', fields, rest, envelope }, 'aio', reading.report);
  }
  const marks = new Members(envelope);
  const parts = decodeParts(members.take('outputs'), aioParts);
  const isContent = said !== undefined && !parts && marks.takeWord(MEANS, CONTENT.text);
  const found = isContent
    ? { content: said }
    : { content: parts, ...findData(frame.body ?? said ?? output, marks) };
  const form = output && (said ? OUTPUT_TEXT : OUTPUT);
  return readMessage(
    {
      kind: 'result',
      fields: { id, trace, ...found },
      rest: joinLeft(members, [{ key: 'result', value: isContent ? undefined : form }]),
      envelope: envelope?.kind === 'dict' ? marks.left() : envelope,
    },
    'aio',
    reading.report,
  );
}

interface FoundData {
  readonly data?: Value | undefined;
  readonly declaration?: Value | undefined;
  readonly tools?: Value | undefined;
}

function findData(body: Value | undefined, marks: Members): FoundData {
  const tools = findTools(body);
  if (body && isEmpty(body) && marks.takeWord(MEANS, NOTHING.text)) return {};
  const declaration = findDeclaration(body);
  if (!tools && !declaration) return { data: body };
  if (declaration) return marks.takeWord(MEANS, DATA.text) ? { data: body } : { declaration };
  return marks.takeWord(MEANS, DATA.text) ? { data: body } : { tools };
}

/** The tools of a result that says nothing else. */
function findTools(body: Value | undefined): Value | undefined {
  return body?.kind === 'dict' && body.entries.length === 1 ? findEntry(body, 'tools') : undefined;
}

/** The declaration of a result that is one tool with its schema. */
function findDeclaration(body: Value | undefined): Value | undefined {
  const tool = body?.kind === 'dict' && body.entries.length === 1 ? findEntry(body, 'tool') : undefined;
  return tool && fromSchemaTool(tool);
}

function isEmpty(value: Value): boolean {
  return value.kind === 'dict' && value.entries.length === 0;
}

/** An error that hides in an output: its text, and the output as data where it says more than that. */
function readOutputError(output: Value): {
  readonly text: Value | undefined;
  readonly data: Value | undefined;
} {
  const value = findEntry(output, 'value') ?? findEntry(output, 'message');
  const text = value?.kind === 'text' ? value : undefined;
  const isPlain = text && isSameValue(output, outputError(text));
  return { text, data: isPlain ? undefined : output };
}

function outputError(text: Value): Value {
  return dictValue([
    { key: 'type', value: textValue('error') },
    { key: 'value', value: text },
  ]);
}

/** The message of an error. */
export function readFault({ body, members, id }: RpcFrame, reading: Reading): Message {
  const trace = members.take('trace_id');
  const envelope = members.take(ENVELOPE);
  const { fields, left } = readErrorObject('aio', body, reading);
  const rest = joinLeft(members, [{ key: 'error', value: left }]);
  return readMessage(
    { kind: 'error', fields: { id, trace, ...fields }, rest, envelope },
    'aio',
    reading.report,
  );
}

/** Writes a result. */
export function buildResult(open: Leftovers, writing: Writing): Value {
  const { fields, rest } = open;
  const id = takeId(fields, writing);
  const trace = takeTrace(fields);
  const content = fields.take('content');
  const { body, means, shown } = takeData(open, content);
  const output = shown ?? (body && takeOutput(rest, body));
  const envelope = new Members(packEnvelope(open));
  envelope.put(MEANS, means);
  return writeReply('result', {
    id,
    body: output ? undefined : body,
    beside: [
      { key: 'output', value: output },
      { key: 'outputs', value: content && !shown ? encodeParts(content, aioParts) : undefined },
      { key: 'trace_id', value: trace },
      { key: ENVELOPE, value: envelope.left() },
    ],
  });
}

/** The data as an `output`, if it came as one. */
function takeOutput(rest: Members, body: Value): Value | undefined {
  if (rest.takeWord('result', OUTPUT.text)) return body;
  return body.kind === 'text' && rest.takeWord('result', OUTPUT_TEXT.text) ? textOutput(body) : undefined;
}

interface TakenData {
  readonly body: Value | undefined;
  /** Content that is one text, as an `output`. */
  readonly shown?: Value;
  readonly means?: Value | undefined;
}

function takeData({ fields }: Leftovers, content: Value | undefined): TakenData {
  const data = fields.take('data');
  if (data) return { body: data, means: (findTools(data) ?? findDeclaration(data)) && DATA };
  const tools = fields.take('tools');
  if (tools) return { body: dictValue([{ key: 'tools', value: tools }]) };
  const declaration = fields.peek('declaration');
  const tool = declaration && !content ? toSchemaTool(declaration) : undefined;
  if (tool) {
    fields.take('declaration');
    return { body: dictValue([{ key: 'tool', value: tool }]) };
  }
  if (content?.kind === 'text') return { body: undefined, means: CONTENT, shown: textOutput(content) };
  return content ? { body: undefined } : { body: dictValue([]), means: NOTHING };
}

/** Writes an error: as the output that it was if that says it all, else as an error of JSON-RPC. */
export function buildFault(open: Leftovers, writing: Writing): Value {
  const { fields, rest } = open;
  const id = takeId(fields, writing);
  const trace = takeTrace(fields);
  const output = takeOutputError(open);
  if (output) rest.take('result');
  const error = output ? undefined : writeErrorObject(fields, 'aio', writing);
  const beside = [
    { key: 'output', value: output },
    { key: 'trace_id', value: trace },
    { key: ENVELOPE, value: packEnvelope(open) },
  ];
  return writeReply(output ? 'result' : 'error', { id, body: error, beside });
}

function takeOutputError({ fields, rest }: Leftovers): Value | undefined {
  const isOutput = textIn(rest.peek('result')) === OUTPUT.text && !fields.peek('code');
  if (!isOutput || textIn(fields.peek('protocol')) !== 'aio') return undefined;
  const text = fields.peek('text');
  const output = fields.peek('data') ?? (text && outputError(text));
  if (!output) return undefined;
  for (const name of ['protocol', 'text', 'data'] as const) fields.take(name);
  return output;
}
