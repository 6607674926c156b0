import { decodeField } from '../../language/aicf/codec.ts';
import type { Protocol, Protocols } from '../../protocols/protocol.ts';
import { convertText } from '../../protocols/convert/convert.ts';
import { isSse, listSseData } from '../../core/text/event-stream.ts';
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
 * The differences between the recorded reply and the new one. Replies of different protocols are converted to
 * AICF and compared there.
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
      : comparableText(inAicf(one, from, protocols)) === comparableText(inAicf(other, to, protocols));
  const changes: CallChange[] = [];
  if (!isSameText) changes.push('output');
  // Error codes of different protocols are not comparable.
  const isSameCode = from !== to || recorded.code === replayed.code;
  if (recorded.status !== replayed.status || !isSameCode) changes.push('status');
  return changes;
}

/** The text that answers the request, among all that arrived. */
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

/** The messages of a body: a single one, one for each line, or one for each event. */
function listMessages(text: string): readonly string[] {
  return isSse(text) ? listSseData(text) : [text, ...text.split('\n')];
}

function isAnswer(text: string): boolean {
  const fields = readFields(parseJson(text));
  return fields?.has('result') === true || fields?.has('error') === true;
}

/** Converts a reply to AICF. A text that is a JSON string, as in tool results of MCP, is replaced by its value. */
function inAicf(text: string, from: TraceProtocol, protocols: Protocols): string {
  const facts = protocols.find(from)?.facts;
  const isAicf = facts === undefined || facts.language === 'aicf';
  const line = (
    isAicf ? text : convertText(text, { protocols, from: facts.name, to: 'aicf' }).text
  ).trimEnd();
  if (!line.startsWith(OK)) return line;
  const reported = decodeField(line.slice(OK.length), 'response');
  const value = parseJson(reported);
  return `${OK}${typeof value === 'string' ? value : reported}`;
}

const OK = 'OK|';
