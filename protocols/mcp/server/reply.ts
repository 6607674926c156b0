import { message, type Message } from '../../../core/message/message.ts';
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
} from '../../../core/values/value.ts';
import { dictOf, joinEntries } from '../../message/dicts.ts';
import { joinDicts } from '../../message/rest.ts';
import type { ServerCodec } from '../../serving/codec.ts';
import type { Offer, ServedReply } from '../../serving/serving.ts';
import { isNotFoundText } from '../../errors/error-code.ts';
import { writeBlocks } from '../content.ts';
import { textBlock } from '../parts.ts';
import type { Channel } from './caller.ts';
import { CODES, codeOf, fail, result, type Answer } from './frames.ts';
import { describeServer, wrapStructured, type Era } from './offer.ts';

/** The member of `_meta` that names the server in each result since 2026-07-28. */
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** Members of a result since 2026-07-28. */
const OF_MODERN: ReadonlySet<string> = new Set(['resultType', 'ttlMs', 'cacheScope']);

/** The methods whose results say since 2026-07-28 how long they may be stored. */
const STORED: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

const REPLY_ID = intValue(1);

/** Writes the agent's reply to a request of a method. */
export function writeReply(
  method: string,
  { message: replied, failure }: ServedReply,
  era: Era,
  channel: Channel,
  codec: ServerCodec,
): Answer {
  if (failure !== undefined && failure !== 'refused')
    return fail(CODES.internal, textIn(replied.fields.text) ?? 'The agent did not answer');
  const named = message(replied.kind, { ...replied.fields, id: REPLY_ID });
  const marked = named.kind === 'result' ? withMarks(named, method, era) : named;
  const value = codec.write(marked, channel);
  const error = findEntry(value, 'error');
  if (error?.kind === 'dict' && failure) return refuse(error, method);
  if (error?.kind === 'dict')
    return findEntry(error, 'code')?.kind === 'int' ? { kind: 'error', body: error } : failed(error, method);
  const body = findEntry(value, 'result');
  const whole = body?.kind === 'dict' ? body : dictOf({});
  if (method !== 'tools/call') return result(whole);
  const written = withContent(whole, replied, era);
  return hasBlocks(written) ? result(written) : fail(CODES.internal, NO_BLOCKS, whole);
}

const NO_BLOCKS =
  "The agent's result is none of MCP: its 'content' is not a list of blocks, each with a 'type'";

function hasBlocks(written: DictValue): boolean {
  const content = findEntry(written, 'content');
  return (
    content?.kind === 'list' && content.items.every(block => textIn(findEntry(block, 'type')) !== undefined)
  );
}

/**
 * A request that the agent cannot take. Wrong arguments of a call are a failure of the tool, so that a model can correct
 * them (MCP 2025-11-25, "Error Handling").
 */
function refuse(error: DictValue, method: string): Answer {
  const refused: Answer = { kind: 'error', body: error };
  const text = textIn(findEntry(error, 'message')) ?? '';
  const isWrong = codeOf(refused) === CODES.invalidParameters && !isNotFoundText(text);
  if (method !== 'tools/call' || !isWrong) return refused;
  return result(dictOf({ content: listValue([textBlock(textValue(text))]), isError: boolValue(true) }));
}

/** An error of MCP without a code of JSON-RPC, as an agent of another protocol passes it on: that of a tool that failed. */
function failed(error: DictValue, method: string): Answer {
  const text = textValue(textIn(findEntry(error, 'message')) || 'The agent failed');
  return method === 'tools/call'
    ? result(dictOf({ content: listValue([textBlock(text)]), isError: boolValue(true) }))
    : fail(CODES.internal, text.text);
}

/**
 * Marks the result of another method than of a call as a whole, and one of 2026-07-28, whose structured content need not be
 * an object.
 */
function withMarks(replied: Message, method: string, era: Era): Message {
  const marks = dictOf({
    $whole: method === 'tools/call' ? undefined : boolValue(true),
    result: era === 'modern' ? dictOf({ resultType: textValue('complete') }) : undefined,
  });
  const { rest } = replied.fields;
  const mark = dictOf({ mcp: marks });
  return message(replied.kind, { ...replied.fields, rest: rest ? joinDicts(rest, mark) : mark });
}

/** Members of the result of a tool that some agents write as null where they have none. */
const MAY_LACK: ReadonlySet<string> = new Set(['isError', '_meta']);

/** The result of a tool has a list of blocks, and before 2026-07-28 an object as its structured content. */
function withContent(body: DictValue, { fields }: Message, era: Era): DictValue {
  const content = findEntry(body, 'content');
  const structured = findEntry(body, 'structuredContent');
  if (!content && !structured && fields.data && !findEntry(findEntry(fields.rest, 'mcp'), '$whole')) {
    // Data that look like the result of another method are those of the tool all the same.
    const blocks = writeBlocks({ data: fields.data, content: undefined }, 'any', () => undefined);
    return dictOf({ content: blocks.content, structuredContent: blocks.structured });
  }
  const entries: Entry[] = body.entries.filter(
    ({ key, value }) => value.kind !== 'null' || !MAY_LACK.has(key),
  );
  if (!content) entries.unshift({ key: 'content', value: listValue([]) });
  if (!structured || era === 'modern') return dictValue(entries);
  return dictValue(joinEntries(entries, [{ key: 'structuredContent', value: wrapStructured(structured) }]));
}

/** A result with the members that its version has: since 2026-07-28 it names the agent that has the offer. */
export function finishResult(answer: Answer, method: string, offer: Offer | undefined): Answer {
  if (answer.kind === 'error') return answer;
  const { entries } = answer.body;
  if (!offer) return result(dictValue(entries.filter(({ key }) => !OF_MODERN.has(key))));
  const stored = STORED.has(method)
    ? [entry('ttlMs', intValue(0)), entry('cacheScope', textValue('private'))]
    : [];
  const meta = findEntry(answer.body, '_meta');
  const own = meta?.kind === 'dict' ? meta.entries : [];
  return result(
    dictValue(
      joinEntries([entry('resultType', textValue('complete'))], stored, entries, [
        entry('_meta', dictValue(joinEntries([entry(SERVER_INFO, describeServer(offer))], own))),
      ]),
    ),
  );
}

function entry(key: string, value: Value): Entry {
  return { key, value };
}
