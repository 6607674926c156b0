import { protocolRow } from '../../core/catalog/protocols.ts';
import { findEntry, textIn } from '../../core/values/value.ts';
import { readReplyValues } from '../event-stream/reply-values.ts';
import { refuseResponse } from '../event-stream/refuse.ts';
import { titleOfInput } from '../event-stream/title.ts';
import { carrySession, lastText } from '../message/carry-session.ts';
import type { Protocol } from '../protocol.ts';
import { AgentApiFold } from './fold.ts';
import { agentApiShape } from './shape.ts';

/** AgentScope's Agent API. */
export const AGENT_API: Protocol = {
  facts: protocolRow('agent-api'),
  shape: agentApiShape,
  requests: {
    order: 5,
    isLoose: true,
    title: titleOfInput,
    session: (_headers, value) => textIn(findEntry(value, 'session_id')) || undefined,
  },
  replies: { openFold: (keeps, listener) => new AgentApiFold(keeps, listener) },
  // Its agents take what people say; the tools are the agent's own business.
  calls: { answers: ['task', 'call', 'query'] },
  errors: { column: 'http', hasWords: true, refuse: refuseResponse },
  conversations: {
    carryOn: carrySession,
    readCarried: reply => ({ session: lastText(readReplyValues(reply), 'session_id') }),
  },
  // What follows the first text is leave that was given, and requests nothing new.
  replay: { pick: texts => (texts.length > 0 ? 0 : undefined) },
};
