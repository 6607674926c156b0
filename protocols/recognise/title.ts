import { decodeField } from '../../language/aicf/codec.ts';
import { findFieldEnd } from '../../language/aicf/characters.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { startOf } from '../../core/text/utf8.ts';
import type { TraceProtocol } from '../../core/events/events.ts';

/** The most characters of a title. */
const LONGEST = 80;

/**
 * What a list of calls shows for a message: the tool, query or method, as far as it names one; undefined where it names
 * nothing. Of a conversation it is the beginning of what the user said last.
 */
export function findTitle(protocol: TraceProtocol, message: Value): string | undefined {
  const title = titleOf(protocol, message);
  return title === undefined || title.trim() === '' ? undefined : shorten(title);
}

/** The title of an AICF request: its tool, or the command with what it is about. */
export function titleOfAicf(line: string): string {
  const [command = '', rest] = splitOnce(line);
  const subject = rest === undefined ? '' : decodeField(rest.slice(0, findFieldEnd(rest, 0)), 'request');
  if (command === 'CALL' && subject !== '') return shorten(subject);
  return shorten(subject === '' ? command : `${command} ${subject}`);
}

function splitOnce(line: string): readonly [string, string?] {
  const at = line.indexOf('|');
  return at === -1 ? [line.trim()] : [line.slice(0, at).trim(), line.slice(at + 1)];
}

function titleOf(protocol: TraceProtocol, message: Value): string | undefined {
  if (protocol === 'aicl') return titleOfAicl(message);
  if (protocol === 'agent-api' || protocol === 'responses') return lastWords(findEntry(message, 'input'));
  const method = textIn(findEntry(message, 'method'));
  const params = findEntry(message, 'params');
  const subject = SUBJECTS.get(method?.replace(/^[^:]*::/, '') ?? '')?.map(key =>
    textIn(findEntry(params, key)),
  );
  const named = subject?.find(each => each !== undefined);
  if (method === undefined || named === undefined) return method?.replace(/^[^:]*::/, '');
  return CALLS.has(method.replace(/^[^:]*::/, '')) ? named : `${method} ${named}`;
}

/** Where a method names what it is about. */
const SUBJECTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['tools/call', ['name']],
  ['tools.call', ['tool', 'name']],
  ['tools_call', ['tool', 'name']],
  ['aip.tool.invoke', ['tool']],
  ['resources/read', ['uri']],
  ['resources/subscribe', ['uri']],
  ['prompts/get', ['name']],
  ['tasks/get', ['id', 'taskId']],
  ['tasks/cancel', ['id', 'taskId']],
  ['tasks/resubscribe', ['id']],
  ['GetTask', ['id']],
  ['CancelTask', ['id']],
  ['SubscribeToTask', ['id']],
  ['notifications/cancelled', ['reason']],
]);

/** Methods that call a tool: the tool's name says enough. */
const CALLS: ReadonlySet<string> = new Set(['tools/call', 'tools.call', 'tools_call', 'aip.tool.invoke']);

function titleOfAicl(message: Value): string | undefined {
  for (const key of ['tool', 'query', 'task', 'reason']) {
    const text = textIn(findEntry(message, key));
    if (text !== undefined && text !== '') return text;
  }
  return textIn(findEntry(message, 'msg_type'));
}

/** The beginning of the last text of a conversation. */
function lastWords(input: Value | undefined): string | undefined {
  if (input?.kind === 'text') return input.text;
  const item = input?.kind === 'list' ? input.items.at(-1) : undefined;
  const content = findEntry(item, 'content');
  if (content?.kind === 'text') return content.text;
  if (content?.kind === 'list')
    for (const part of content.items.toReversed()) {
      const text = textIn(findEntry(part, 'text'));
      if (text !== undefined) return text;
    }
  return textIn(findEntry(item, 'name')) ?? textIn(findEntry(item, 'type'));
}

function shorten(text: string): string {
  const line = text
    .slice(0, LONGEST * 8)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > LONGEST ? `${startOf(line, LONGEST - 1)}…` : line;
}
