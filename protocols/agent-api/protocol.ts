import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { refuseResponse } from '../event-stream/refuse.ts';
import { titleOfInput } from '../event-stream/title.ts';
import { carrySession } from '../message/carry-session.ts';
import { AGENT_API_PARAMETERS } from './parameters.ts';
import type { Protocol } from '../protocol.ts';
import { AgentApiFold } from './fold.ts';
import { AGENT_API_MESSAGES } from './messages.ts';
import { checkRequest } from './request-check.ts';

/** The path at which agents of the Agent API take requests. */
export const AGENT_API_PATH = '/process';

/** AgentScope's Agent API. */
export const AGENT_API: Protocol = {
  ...AGENT_API_MESSAGES,
  requests: {
    isLoose: true,
    title: titleOfInput,
    session: (_headers, value) => textIn(findEntry(value, 'session_id')) || undefined,
  },
  replies: { openFold: (keeps, listener) => new AgentApiFold(keeps, listener) },
  // Its agents take free text; their tools are internal.
  calls: { answers: ['task', 'call', 'query'], parameters: AGENT_API_PARAMETERS, findFaults: checkRequest },
  refuse: refuseResponse,
  conversations: {
    carryOn: carrySession,
    readCarried: (value, before) => ({
      session: textIn(findEntry(value, 'session_id')) || before.session,
      response: (isResponse(value) ? textIn(findEntry(value, 'id')) : undefined) ?? before.response,
    }),
  },
  // Later texts only grant permissions and request nothing new.
  replay: { pick: texts => (texts.length > 0 ? 0 : undefined) },
};

function isResponse(value: Value): boolean {
  return textIn(findEntry(value, 'object')) === 'response';
}
