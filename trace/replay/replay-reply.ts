import { decodeField } from '../../language/aicf/codec.ts';
import { findConversion } from '../../core/catalog/conversions.ts';
import type { Protocol, Protocols } from '../../protocols/protocol.ts';
import { convertText } from '../../protocols/convert/convert.ts';
import { isSse, listSseData } from '../../language/values/sse.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { comparableText } from '../diff/diff-content.ts';
import type { CallChange } from '../diff/diff.ts';
import type { HeadEvent, TraceProtocol, WireEvent } from '../../core/events/events.ts';
import { joinPayload } from '../export/payload-text.ts';
import { splitMessages } from '../messages.ts';
import type { CallNode } from '../fold/tree.ts';

interface Pair {
  readonly recorded: CallNode;
  readonly replayed: CallNode;
  readonly before: readonly (HeadEvent | WireEvent)[];
  readonly after: readonly (HeadEvent | WireEvent)[];
}

/**
 * What differs between the reply that was recorded and the one that came now. Replies of two protocols are compared by what
 * they say in AICF, which both can be converted to.
 */
export function compareReplies(
  { recorded, replayed, before, after }: Pair,
  protocols: Protocols,
): readonly CallChange[] {
  const [from, to] = [recorded.call.protocol, replayed.call.protocol];
  const [one, other] = [findReply(before, protocols.find(from)), findReply(after, protocols.find(to))];
  const isSameText =
    from === to
      ? comparableText(one) === comparableText(other)
      : comparableText(inAicf(one, from)) === comparableText(inAicf(other, to));
  const changes: CallChange[] = [];
  if (!isSameText) changes.push('output');
  // Each protocol has codes of its own.
  const isSameCode = from !== to || recorded.code === replayed.code;
  if (recorded.status !== replayed.status || !isSameCode) changes.push('status');
  return changes;
}

/** The text that answers a request among all that came for it. */
function findReply(payload: readonly (HeadEvent | WireEvent)[], protocol: Protocol | undefined): string {
  const texts = splitMessages(payload, 'in').flatMap(({ wire }) => {
    const joined = joinPayload(wire, 'in');
    return joined ? ['text' in joined ? joined.text : joined.base64] : [];
  });
  if (protocol?.replay?.answersInResult)
    for (const text of texts.toReversed()) {
      const answer = listMessages(text).findLast(isAnswer);
      if (answer !== undefined) return answer;
    }
  return texts.at(-1) ?? '';
}

/** The messages of a body: one, one a line, or one an event. */
function listMessages(text: string): readonly string[] {
  return isSse(text) ? listSseData(text) : [text, ...text.split('\n')];
}

function isAnswer(text: string): boolean {
  const fields = readFields(parseJson(text));
  return fields?.has('result') === true || fields?.has('error') === true;
}

/** What a reply says in AICF. A text that holds JSON, as tools of MCP answer, says the same as that JSON. */
function inAicf(text: string, from: TraceProtocol): string {
  const isAicf = from === 'other' || from === 'aicf';
  const line = (
    isAicf ? text : convertText(text, { from: findConversion(from)?.name, to: 'aicf' }).text
  ).trimEnd();
  if (!line.startsWith(OK)) return line;
  const said = decodeField(line.slice(OK.length), 'response');
  const value = parseJson(said);
  return `${OK}${typeof value === 'string' ? value : said}`;
}

const OK = 'OK|';
