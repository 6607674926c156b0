import { printForAgent } from '../../language/values/json-printer.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';

/** A request, read from its text. */
export interface A2aRequest {
  readonly method: string;
  readonly params: Value | undefined;
  /** True for a message of version 1.0, which the official client writes in the version of the agent. */
  readonly isMessage: boolean;
  /** True for a message of any version: its task is awaited. */
  readonly isWaiting: boolean;
  /** True if the agent is asked to answer before its task has ended. */
  readonly isImmediate: boolean;
}

const SENDS: ReadonlySet<string> = new Set(['SendMessage', 'SendStreamingMessage']);
const OLD_SENDS: ReadonlySet<string> = new Set(['message/send', 'message/stream']);

/** Reads the text of a JSON-RPC request; undefined if it is not one. */
export function readA2aRequest(text: string): A2aRequest | undefined {
  const value = readWrittenJson(text);
  const method = textIn(findEntry(value, 'method'));
  if (method === undefined) return undefined;
  const params = findEntry(value, 'params');
  const configuration = findEntry(params, 'configuration');
  const [returns, blocks] = ['returnImmediately', 'blocking'].map(key => findEntry(configuration, key));
  return {
    method,
    params,
    isWaiting: SENDS.has(method) || OLD_SENDS.has(method),
    isMessage: SENDS.has(method) && findEntry(params, 'message')?.kind === 'dict',
    isImmediate: (returns?.kind === 'bool' && returns.bool) || (blocks?.kind === 'bool' && !blocks.bool),
  };
}

/** The ids that conversions write, which are the same in every text. */
const WRITTEN_ID = /^msg-\d+$/;

/** The ids that a message gets in addition to its text. */
export interface MessageNames {
  /** A unique id: agents take a second message with the same id for the first one. */
  readonly messageId: string;
  /** The task that waits for this message, if the text names none. */
  readonly taskId: string | undefined;
}

/** The parameters of a message with its ids. */
export function nameMessage(params: Value | undefined, { messageId, taskId }: MessageNames): DictValue {
  const message = findEntry(params, 'message');
  const written = textIn(findEntry(message, 'messageId'));
  const isNamed = written !== undefined && written !== '' && !WRITTEN_ID.test(written);
  const entries = message?.kind === 'dict' ? message.entries : [];
  const named = [
    { key: 'messageId', value: textValue(isNamed ? written : messageId) },
    ...entries.filter(({ key }) => key !== 'messageId'),
    ...(taskId === undefined || findEntry(message, 'taskId')
      ? []
      : [{ key: 'taskId', value: textValue(taskId) }]),
  ];
  const others = params?.kind === 'dict' ? params.entries.filter(({ key }) => key !== 'message') : [];
  return dictValue([{ key: 'message', value: dictValue(named) }, ...others]);
}

/**
 * The text of a request that the library has printed, with the parameters as they were written: numbers that
 * JavaScript cannot represent, and members that the library does not know, reach the agent unchanged.
 * Additions of the library stay.
 */
export function writeExactly(printed: string, params: DictValue): string {
  const fields = readFields(parseJson(printed));
  const added = readFields(fields?.get('params'));
  if (!fields || !added) return printed;
  const members = new Map([...added].map(([key, value]) => [key, JSON.stringify(value)]));
  for (const { key, value } of params.entries) members.set(key, printForAgent(value));
  const texts = [...members].map(([key, text]) => `${JSON.stringify(key)}:${text}`);
  const others = [...fields]
    .filter(([key]) => key !== 'params')
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{${[...others, `"params":{${texts.join(',')}}`].join(',')}}`;
}

/**
 * The text of a message that the library has printed in the older version, with its data as they were
 * written: both versions have the same form of data.
 */
export function writeDataExactly(printed: string, params: DictValue): string {
  const written = listOf(findEntry(findEntry(params, 'message'), 'parts'));
  if (!written.some(part => findEntry(part, 'data'))) return printed;
  const value = readWrittenJson(printed);
  const exact = replaceIn(value, ['params', 'message', 'parts'], parts => {
    const items = listOf(parts);
    if (items.length !== written.length) return parts;
    return listValue(
      items.map(
        (part, at) => replaceIn(part, ['data'], data => findEntry(written[at], 'data') ?? data) ?? part,
      ),
    );
  });
  return exact ? printForAgent(exact) : printed;
}

function listOf(value: Value | undefined): readonly Value[] {
  return value?.kind === 'list' ? value.items : [];
}

/** Replaces the value at a path; a value without that path stays unchanged. */
function replaceIn(
  value: Value | undefined,
  [key, ...path]: readonly string[],
  replace: (value: Value) => Value,
): Value | undefined {
  if (!value || key === undefined) return value && replace(value);
  if (value.kind !== 'dict') return value;
  return dictValue(
    value.entries.map(each =>
      each.key === key ? { key, value: replaceIn(each.value, path, replace) } : each,
    ),
  );
}
