import type { Message } from '../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  intValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../message/same-value.ts';
import { decodePart, decodeParts, encodeParts } from '../content/codec.ts';
import { onlyPlain, readParts, writeParts, type Part } from '../content/part.ts';
import { readErrorObject, writeErrorObject, writeReply, type RpcFrame } from '../rpc/frame.ts';
import { dictOf } from '../message/dicts.ts';
import { joinLeft } from '../rpc/meta.ts';
import { Members } from '../message/members.ts';
import { joinPath } from '../../core/message/report.ts';
import { foundMessage } from '../message/rest.ts';
import type { Reading, Writing } from '../message/shape.ts';
import { fromSchemaTool, isTool, toSchemaTool } from '../tools/tool-schema.ts';
import { aioParts, textOutput } from './parts.ts';
import { findTrace } from './trace.ts';

/**
 * Marks the form of an agent's reply, if it is not the one that we write: `output`, with an untyped value;
 * `value`, an `output` with a type; `result`, a typed value as the result; `outputs`, with one text.
 */
export const UNDER = '$under';

/** Reads a reply with only `output` or `outputs` as a frame; undefined for any other value. */
export function readOutput(value: Value): RpcFrame | undefined {
  if (!findEntry(value, 'output') && !findEntry(value, 'outputs')) return undefined;
  const members = new Members(value);
  members.takeWord('jsonrpc', '2.0');
  return { kind: 'result', method: '', body: undefined, id: members.take('id'), members };
}

/** The output of a sampling, whose result names it and says whether it is done. */
export function readSampling(reply: Message): Message {
  const { data } = reply.fields;
  const sampling = reply.kind === 'result' ? findSampling(data) : undefined;
  const body = findEntry(sampling, 'output');
  const outputs = findEntry(sampling, 'outputs');
  if (!body && !outputs) return reply;
  const members = new Members(dictOf({ outputs }));
  return readResult({ kind: 'result', method: '', body, id: undefined, members });
}

/** A sampling that waits for its next step. */
export interface OpenSampling {
  readonly id: string;
  /** What it asks: what it has said, where that is a text. */
  readonly asks: string;
}

/** The sampling that a reply leaves open; undefined for any other reply. */
export function findOpenSampling(reply: Value): OpenSampling | undefined {
  const sampling = findSampling(findEntry(reply, 'result') ?? findEntry(reply, 'output'));
  const done = findEntry(sampling, 'done');
  const id = textIn(findEntry(sampling, 'id'));
  if (id === undefined || done?.kind !== 'bool' || done.bool) return undefined;
  const output = findEntry(sampling, 'output');
  const words = textIn(output) ?? textIn(findEntry(output, 'value'));
  const isText = output?.kind === 'text' || textIn(findEntry(output, 'type')) === 'text';
  return { id, asks: (isText && words) || 'The agent needs the next input to go on with its sampling' };
}

function findSampling(result: Value | undefined): Value | undefined {
  return findEntry(result, 'done')?.kind === 'bool' && findEntry(result, 'id') ? result : undefined;
}

/** Reads a reply that is no JSON-RPC error. */
export function readResult(frame: RpcFrame): Message {
  const { members, id, body } = frame;
  const trace = members.take('trace_id');
  const output = body === undefined ? members.take('output') : undefined;
  if (output && textIn(findEntry(output, 'type')) === 'error') {
    const rest = joinLeft(members, [{ key: UNDER, value: textValue('output') }]);
    const fields = { id, trace, protocol: textValue('aio'), ...readOutputError(output) };
    return foundMessage({ kind: 'error', fields, rest }, 'aio');
  }
  const listed = decodeParts(members.peek('outputs'), aioParts);
  if (listed) members.take('outputs');
  const stated = output ?? body;
  const single = listed ? undefined : readSingle(stated);
  const parts = listed ?? single;
  const text = parts && onlyPlain(parts, 'text');
  const content = text ? { data: text } : { content: parts && writeParts(parts) };
  const under = single ? (output ? 'value' : 'result') : listed ? text && 'outputs' : output && 'output';
  return foundMessage(
    {
      kind: 'result',
      fields: { id, trace, ...(parts ? content : {}), ...(single || text ? {} : findData(stated)) },
      rest: joinLeft(members, [{ key: UNDER, value: under === undefined ? under : textValue(under) }]),
    },
    'aio',
  );
}

/** The part of a value with `type` and `value` alone. */
function readSingle(value: Value | undefined): readonly Part[] | undefined {
  if (value?.kind !== 'dict' || value.entries.length !== 2 || !findEntry(value, 'value')) return undefined;
  const part = decodePart(value, aioParts);
  return part.type === 'data' ? undefined : [part];
}

interface FoundData {
  readonly data?: Value | undefined;
  readonly declaration?: Value | undefined;
  readonly tools?: Value | undefined;
}

function findData(body: Value | undefined): FoundData {
  const tools = onlyEntry(body, 'tools');
  if (tools?.kind === 'list' && tools.items.every(item => item.kind === 'text' || isTool(item)))
    return { tools };
  const tool = onlyEntry(body, 'tool');
  const declaration = tool && fromSchemaTool(tool);
  if (declaration) return { declaration };
  return { data: body };
}

/** The value of the only member of a dictionary. */
function onlyEntry(body: Value | undefined, key: string): Value | undefined {
  return body?.kind === 'dict' && body.entries.length === 1 ? findEntry(body, key) : undefined;
}

/** Reads an error inside an output: its text, and the whole output as data if it has more than the text. */
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
  return dictOf({ type: textValue('error'), value: text });
}

/** Reads a JSON-RPC error. */
export function readFault({ body, members, id }: RpcFrame, reading: Reading): Message {
  const trace = members.take('trace_id');
  const { fields, left } = readErrorObject('aio', body, reading);
  const rest = joinLeft(members, [{ key: 'error', value: left }]);
  return foundMessage({ kind: 'error', fields: { id, trace, ...fields }, rest }, 'aio');
}

export function buildResult({ fields }: Message, rest: Members, writing: Writing): DictValue {
  const id = fields.id ?? intValue(writing.id);
  const under = textIn(rest.take(UNDER));
  const { body, output, outputs } = replyOf(fields, under, writing);
  return writeReply('result', {
    id,
    body,
    beside: [
      { key: 'output', value: output },
      { key: 'outputs', value: outputs },
      { key: 'trace_id', value: findTrace(fields) },
    ],
  });
}

interface WrittenReply {
  readonly body?: Value | undefined;
  readonly output?: Value;
  readonly outputs?: Value;
}

function replyOf(fields: Message['fields'], under: string | undefined, writing: Writing): WrittenReply {
  const values = valuesOf(fields, under, writing);
  const [only, ...others] = values;
  if (only && others.length === 0 && under === 'value') return { output: only };
  if (only && others.length === 0 && under === 'result') return { body: only };
  if (only) return { outputs: listValue(values) };
  const { data, tools, declaration } = fields;
  if (data && under === 'output') return { output: data };
  const tool = declaration && toSchemaTool(declaration);
  const listed = tools ? { key: 'tools', value: tools } : { key: 'tool', value: tool };
  return { body: data ?? dictValue([listed]) };
}

/** The values with a type: those of a content, and a text that came as one. */
function valuesOf(
  { content, data }: Message['fields'],
  under: string | undefined,
  { report }: Writing,
): readonly Value[] {
  if (data?.kind === 'text' && under !== undefined && under !== 'output') return [textOutput(data)];
  const values = encodeParts(readParts(content) ?? [], aioParts, (index, kind, reported) =>
    report.lose(kind, joinPath('content', index), reported),
  );
  return values.items;
}

/** Writes an error: as an output if it came as one and fits, else as an error of JSON-RPC. */
export function buildFault({ fields }: Message, rest: Members, writing: Writing): DictValue {
  const id = fields.id ?? intValue(writing.id);
  const output = rest.take(UNDER) ? findOutputError(fields) : undefined;
  const body = output ? undefined : writeErrorObject(fields, 'aio', writing);
  const beside = [
    { key: 'output', value: output },
    { key: 'trace_id', value: findTrace(fields) },
  ];
  return writeReply(output ? 'result' : 'error', { id, body, beside });
}

function findOutputError({ protocol, code, text, data }: Message['fields']): Value | undefined {
  if (code || textIn(protocol) !== 'aio') return undefined;
  return data ?? (text && outputError(text));
}
