import { message, withoutField, type Message } from '../../core/message/message.ts';
import { textIn, textValue } from '../../core/values/value.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import { putRecent } from '../recent.ts';
import { RANDOM_IDS } from '../runtime.ts';

/** The maximum number of conversations of callers that are remembered; the oldest are forgotten first. */
const MAX_SESSIONS = 1_000;

/** A request in the conversation of its caller. */
interface InSession {
  readonly asked: Message;
  /** The name of the conversation, for protocols that have conversations. */
  readonly session: string | undefined;
  /** What the caller may expect of the conversation and does not get. */
  readonly note: string | undefined;
}

/** The conversations of callers with one agent. */
export class CallerSessions {
  readonly #protocol: Protocol;
  /** The conversations that have begun, and whether the agent waits for an answer in them. */
  readonly #begun = new Map<string, 'waits' | 'waits not'>();

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
  }

  /** The request for the agent: without the names of the caller, and as the answer where the agent waits for one. */
  place(asked: Message, session: string | undefined): InSession {
    const state = session === undefined ? undefined : this.#begun.get(session);
    const own = withoutNames(state === 'waits' ? toAnswer(asked) : asked);
    const { conversations, facts } = this.#protocol;
    if (!conversations) {
      if (session !== undefined) this.keep(session, undefined);
      const note = `${facts.title} cannot continue a conversation: the agent receives this request alone`;
      return { asked: own, session: undefined, note: state === undefined ? undefined : note };
    }
    // Without a name, requests of all callers would be in one session.
    const named = conversations.readSession
      ? message(own.kind, { ...own.fields, session: textValue(session ?? RANDOM_IDS.newTrace()) })
      : own;
    return { asked: named, session, note: undefined };
  }

  /** Keeps what the last reply of a conversation asks. */
  keep(session: string | undefined, question: object | undefined): void {
    if (session === undefined) return;
    putRecent(this.#begun, session, question ? 'waits' : 'waits not', MAX_SESSIONS);
  }
}

/** A message without the names of its conversation and trace: callers and agents have their own. */
export function withoutNames(asked: Message): Message {
  return (['id', 'session', 'trace', 'agent', 'signature'] as const).reduce(withoutField, asked);
}

/** A task as the answer to the agent: its text is a JSON value or a text. */
function toAnswer(asked: Message): Message {
  if (asked.kind !== 'task') return asked;
  const { task, content } = asked.fields;
  const data = readWrittenJson(textIn(task) ?? '') ?? task;
  return message('result', { data, content });
}
