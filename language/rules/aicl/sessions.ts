import { CONTENT_START } from '../../aicl/ast.ts';
import { EMPTY_SUMMARY } from '../../aicl/summary.ts';
import type { ChunkSummary } from '../../aicl/unit.ts';
import type { UnitList } from '../../aicl/unit-list.ts';
import type { AiclRuleCode } from '../../../core/catalog/aicl-rules.ts';
import { MESSAGE_TYPES, type MessageTypeName, type MessageTypeRow } from '../../../core/catalog/aicl.ts';
import type { Issue } from '../../../core/text/issue.ts';
import { quote } from '../../../core/text/quote.ts';
import type { Span } from '../../../core/text/span.ts';
import { makeIssue } from './report.ts';
import { Stream } from './streams.ts';

/** Negotiation messages are not requests that a result answers. */
const NEGOTIATION: MessageTypeName = 'protocol_negotiate';
const ROWS: readonly MessageTypeRow[] = MESSAGE_TYPES;
const ROLES: ReadonlyMap<string, MessageTypeRow['role']> = new Map(
  ROWS.filter(row => row.name !== NEGOTIATION).map(row => [row.name, row.role]),
);

/** The state of a session. */
interface Session {
  readonly name: string;
  /** The indices of its requests, in order; the first `answered` of them have a reply. */
  readonly requests: number[];
  answered: number;
  hasReply: boolean;
  streams: Map<string, Stream> | undefined;
}

type SessionIssue = Issue<AiclRuleCode>;
/** Creates an issue for the current positions of the units. */
type PlaceIssue = (units: UnitList) => SessionIssue;

/** Cached issues, valid while the units' `dialogue` is the same object. */
const FOUND = new WeakMap<object, readonly PlaceIssue[]>();

/**
 * Checks how the messages of a file relate in each session (reading of LightAICL 3.3): each result or error answers the
 * oldest open request, streams must be complete, results must have the requested type. One pass over unit summaries.
 */
export function checkSessions(units: UnitList): readonly SessionIssue[] {
  const found = FOUND.get(units.dialogue) ?? findIssues(units);
  FOUND.set(units.dialogue, found);
  return found.map(placeIssue => placeIssue(units));
}

function findIssues(units: UnitList): readonly PlaceIssue[] {
  const sessions = new Map<string, Session>();
  const issues: PlaceIssue[] = [];
  let last: Session | undefined;
  for (let index = 0; index < units.count; index++) {
    const content = units.contentAt(index);
    const role = content?.kind === 'message' ? ROLES.get(content.summary.messageType) : undefined;
    if (!content || role === undefined || content.summary.session === '') continue;
    const { summary } = content;
    if (last?.name !== summary.session) last = findSession(sessions, summary.session);
    const isContinued = summary.chunk !== undefined && addChunk(last, index, summary.chunk);
    if (role === 'request') last.requests.push(index);
    else if (!isContinued) addReply(units, last, index, issues);
  }
  for (const session of sessions.values()) {
    reportUnanswered(session, issues);
    if (session.streams) for (const stream of session.streams.values()) reportStream(stream, issues);
  }
  return issues;
}

function findSession(sessions: Map<string, Session>, name: string): Session {
  const known = sessions.get(name);
  if (known) return known;
  const session: Session = { name, requests: [], answered: 0, hasReply: false, streams: undefined };
  sessions.set(name, session);
  return session;
}

/** True for a further chunk of a stream; its first chunk was the reply. */
function addChunk(session: Session, index: number, chunk: ChunkSummary): boolean {
  session.streams ??= new Map();
  const stream = session.streams.get(chunk.stream);
  if (stream) return stream.add({ ...chunk, index });
  session.streams.set(chunk.stream, new Stream({ ...chunk, index }));
  return false;
}

function addReply(units: UnitList, session: Session, index: number, issues: PlaceIssue[]): void {
  session.hasReply = true;
  const request = session.requests[session.answered];
  if (request === undefined) return;
  session.answered++;
  const wantedKind = units.contentAt(request)?.summary.wantedKind;
  const reply = wantedKind && units.contentAt(index)?.summary;
  if (!reply?.dataKind || reply.dataKind === wantedKind || reply.chunk) return;
  const { dataKind, dataAt } = reply;
  const message = `The query that this answers requests a ${wantedKind}, not a ${dataKind}: send the data in that form`;
  issues.push(placed => {
    const span = place(placed, index, { start: dataAt, end: dataAt + CONTENT_START });
    const related = { span: typeSpan(placed, request), message: 'The query' };
    return { ...makeIssue('aicl/result-format', span, message), related: [related] };
  });
}

/**
 * Reports unanswered requests once per session; not in sessions without any reply, which consist of requests
 * to send.
 */
function reportUnanswered(session: Session, issues: PlaceIssue[]): void {
  const first = session.requests[session.answered];
  if (first === undefined || !session.hasReply) return;
  const count = session.requests.length - session.answered;
  const name = quote(session.name);
  const message =
    count === 1
      ? `This request of the session ${name} has no answer: neither a result nor an error follows for it`
      : `${count} requests of the session ${name}, this one first, have no answer: neither a result nor an error follows for them`;
  issues.push(placed => makeIssue('aicl/unanswered-request', typeSpan(placed, first), message));
}

function reportStream(stream: Stream, issues: PlaceIssue[]): void {
  for (const { chunk, message } of stream.finish())
    issues.push(placed => makeIssue('aicl/chunk-sequence', place(placed, chunk.index, chunk), message));
}

/** Converts a span in a unit to the file. */
function place(units: UnitList, index: number, { start, end }: Span): Span {
  const base = units.at(index)?.start ?? 0;
  return { start: base + start, end: base + end };
}

/** The span of the value of `msg_type`, whose length is known because known types contain no escapes. */
function typeSpan(units: UnitList, index: number): Span {
  const { typeAt, messageType } = units.contentAt(index)?.summary ?? EMPTY_SUMMARY;
  return place(units, index, { start: typeAt, end: typeAt + CONTENT_START + messageType.length + 1 });
}
