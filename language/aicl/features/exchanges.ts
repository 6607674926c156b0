import type { MessageTypeName } from '../../../core/catalog/aicl.ts';
import { readDirective } from '../../directives.ts';
import type { Exchange } from '../../feature-results.ts';
import type { Span } from '../../../core/text/span.ts';
import { CONTENT_START } from '../ast.ts';
import { defaultAgent } from '../call-tools.ts';
import type { AiclDocument } from '../document.ts';
import type { Unit } from '../unit.ts';

const KINDS: ReadonlyMap<string, Exchange['kind']> = new Map<MessageTypeName, Exchange['kind']>([
  ['task_request', 'task'],
  ['tool_call', 'call'],
  ['data_query', 'query'],
]);
const REPLIES: ReadonlySet<string> = new Set<MessageTypeName>(['result', 'error']);

interface OpenExchange extends Exchange {
  readonly replies: Span[];
}

/** The requests of a session so far; the first `answered` of them have a reply. */
interface Session {
  readonly requests: OpenExchange[];
  answered: number;
  /** The request that each stream answers, by stream. */
  readonly streams: Map<string, OpenExchange>;
}

/**
 * The requests of a file with their replies: in each session a reply answers the oldest open request, and the
 * chunks of a stream form one reply (reading of LightAICL 3.3). Uses unit summaries only.
 */
export function exchanges(doc: AiclDocument): readonly Exchange[] {
  const found: Exchange[] = [];
  const sessions = new Map<string, Session>();
  const usual = defaultAgent(doc);
  let agent = '';
  for (const unit of doc.units) {
    if (unit.kind === 'container') {
      const directive = readDirective(doc.text.slice(unit.start, unit.end));
      if (directive?.name === 'agent') agent = directive.value;
      continue;
    }
    const { messageType, session: name } = unit.summary;
    const session: Session = sessions.get(name) ?? { requests: [], answered: 0, streams: new Map() };
    sessions.set(name, session);
    const kind = unit.kind === 'message' ? KINDS.get(messageType) : undefined;
    if (kind) {
      const exchange = toExchange(unit, kind, agent === '' ? usual : agent);
      found.push(exchange);
      session.requests.push(exchange);
    } else if (unit.kind === 'message' && REPLIES.has(messageType)) addReply(session, unit);
    agent = '';
  }
  return found;
}

function addReply(session: Session, { start, end, summary }: Unit): void {
  const stream = summary.chunk?.stream;
  const begun = stream === undefined ? undefined : session.streams.get(stream);
  const exchange = begun ?? session.requests[session.answered];
  if (!exchange) return;
  if (!begun) session.answered++;
  if (stream !== undefined) session.streams.set(stream, exchange);
  exchange.replies.push({ start, end });
}

function toExchange({ start, end, summary }: Unit, kind: Exchange['kind'], agent: string): OpenExchange {
  return {
    kind,
    name: summary.title || summary.messageType,
    session: summary.session,
    agent,
    span: { start, end },
    nameSpan: { start, end: Math.min(end, start + CONTENT_START) },
    replies: [],
  };
}
