import { message, withoutField, type Message } from '../../../core/message/message.ts';
import { findEntry, listValue, textIn, textValue, type Value } from '../../../core/values/value.ts';
import { canonical } from '../../content/canonical.ts';
import { writeParts } from '../../content/part.ts';
import { ANEW, PIECE } from '../../event-stream/joined.ts';
import { dictOf } from '../../message/dicts.ts';
import { restOf } from '../../message/rest.ts';
import type { ServerCodec } from '../../serving/codec.ts';
import { OpenValues } from '../../serving/open-values.ts';
import type { CallOptions, ServedAgent, ServedReply } from '../../serving/serving.ts';
import { listArtifacts } from '../artifacts.ts';
import { isOldForm } from '../parts.ts';
import { stateName } from '../results.ts';
import { SAID_AT_END } from '../stream.ts';
import { TaskQuestions } from './questions.ts';
import type { ServedTask, Statement, StoredMessage, TaskState } from './task.ts';
import { convertParts } from './written.ts';

/** How a turn of a task is made. */
export interface TurnOptions extends Pick<CallOptions, 'request' | 'drained'> {
  readonly agent: ServedAgent;
  readonly codec: ServerCodec;
  /** Receives what A2A cannot carry, each sentence once. */
  readonly note: (text: string) => void;
}

/**
 * Passes a message of the caller to the agent, and what the agent says to the task. Resolves when the agent has
 * answered or asks something.
 */
export async function runTurn(
  task: ServedTask,
  said: StoredMessage,
  asked: Message,
  options: TurnOptions,
): Promise<void> {
  const { agent, request, drained } = options;
  const turn = new Turn(task, options);
  const call = agent.call(task.takesResult ? asResult(asked) : asked, {
    request,
    session: task.contextId,
    questions: new TaskQuestions(task),
    take: chunks => chunks.forEach(chunk => turn.take(chunk)),
    step: ({ done, total, message: words }) =>
      turn.report(words ?? `${done}${total === undefined ? '' : ` of ${total}`}`),
    ...(drained ? { drained } : {}),
  });
  task.begin(said, () => call.cancel());
  turn.end(await call.reply);
}

/** The answer to a request of the agent: data are its result as they are, a text is a JSON value or a text. */
function asResult(asked: Message): Message {
  const { content } = asked.fields;
  return asked.kind === 'task' && content ? canonical(message('result', { content })) : asked;
}

class Turn {
  readonly #task: ServedTask;
  readonly #codec: ServerCodec;
  readonly #note: (text: string) => void;
  /** The id of what the agent says without naming an artifact. */
  readonly #ownId: string;
  readonly #open = new OpenValues();
  #saidAtEnd: Message | undefined;

  constructor(task: ServedTask, { codec, note }: TurnOptions) {
    this.#task = task;
    this.#codec = codec;
    this.#note = note;
    this.#ownId = `artifact-${task.history.length + 1}`;
  }

  /**
   * Takes a chunk: reasoning is what the agent says while it works, all else belongs to an artifact. Pieces of a value
   * that only its end completes wait for the end.
   */
  take(chunk: Message): void {
    if (this.#open.holds(chunk)) return;
    // What an A2A agent says at the end of a stream is its question if it asks, else part of the reply.
    if (restOf(chunk, 'a2a').peek(SAID_AT_END)) this.#saidAtEnd = chunk;
    else if (chunk.fields.event) {
      const { parts } = this.#read(withoutField(chunk, 'event'));
      this.#task.change('working', { parts });
    } else this.#add(chunk, 'more');
  }

  report(words: string): void {
    this.#task.change('working', say(words));
  }

  end(reply: ServedReply): void {
    const { message: whole, unsent, question } = reply;
    if (question !== undefined) return this.#ask(reply, question);
    if (this.#saidAtEnd) this.#add(this.#saidAtEnd, 'more');
    const waited = this.#open.partsOf(whole);
    if (waited.length > 0) this.#add(message('chunk', { content: writeParts(waited) }), 'more');
    if (unsent) this.#add(unsent, 'last');
    else if (whole.kind !== 'error') this.#task.closeArtifact();
    if (whole.kind === 'error') this.#task.change(ownStateOf(whole) ?? stateOf(reply), this.#describe(whole));
    else this.#task.change('completed');
  }

  /** The agent asks something: in words, and with its request where its protocol has one. */
  #ask({ unsent, request }: ServedReply, question: string): void {
    const said = unsent && this.#read(unsent);
    // The words of the question are no part of the reply.
    const parts = said?.parts.filter(part => !isText(part, '') && !isText(part, question)) ?? [];
    if (said && parts.length > 0) this.#task.add(said.id, said.more, parts, { isAnew: false, isLast: false });
    const { query, format, tool, arguments: given } = request?.fields ?? {};
    const data = request ? [dictOf({ data: dictOf({ query, format, tool, arguments: given }) })] : [];
    this.#task.takesResult = request !== undefined;
    this.#task.change('input-required', { parts: [...say(question).parts, ...data] });
  }

  #add(chunk: Message, which: 'more' | 'last'): void {
    const { id, more, parts } = this.#read(chunk);
    const isAnew = restOf(chunk, 'a2a').peek(ANEW) !== undefined;
    this.#task.add(id, more, parts, { isAnew, isLast: which === 'last' });
  }

  /** The artifact that the chunk is a piece of, and its parts. */
  #read(chunk: Message): Pick<Piece, 'id' | 'more' | 'parts'> {
    const body = findEntry(this.#codec.write(chunk, { note: this.#note }), 'result');
    const isOld = isOldForm(body);
    const [artifact] = listArtifacts(isOld ? body : findEntry(body, 'artifactUpdate'));
    const isNamed = restOf(chunk, 'a2a').peek(PIECE) !== undefined;
    const written = findEntry(artifact, 'parts') ?? listValue([]);
    const parts = convertParts(written, isOld ? '0.3' : '1.0', '1.0', (_kind, text) => this.#note(text));
    const entries = artifact?.kind === 'dict' ? artifact.entries : [];
    return {
      id: (isNamed && textIn(findEntry(artifact, 'artifactId'))) || this.#ownId,
      more: entries.filter(({ key }) => key !== 'artifactId' && key !== 'parts'),
      parts: parts.kind === 'list' ? parts.items : [],
    };
  }

  /** An error as the agent's statement: its text, and the error of another protocol in its metadata. */
  #describe(error: Message): Statement {
    const plain = message('error', { ...error.fields, rest: undefined });
    const written = findEntry(this.#codec.write(plain, { note: this.#note }), 'error');
    const original = findEntry(written, 'data');
    const metadata = original ? dictOf({ error: original }) : undefined;
    return { ...say(textIn(findEntry(written, 'message')) ?? ''), metadata };
  }
}

interface Piece {
  readonly id: string;
  readonly more: readonly { readonly key: string; readonly value: Value }[];
  readonly parts: readonly Value[];
}

/** The state in which an A2A agent itself ended its task without an answer; undefined for `failed`. */
function ownStateOf(error: Message): TaskState | undefined {
  const whole = restOf(error, 'a2a').peek('$whole');
  const update = findEntry(whole, 'statusUpdate') ?? findEntry(whole, 'task') ?? whole;
  const state = stateName(textIn(findEntry(findEntry(update, 'status'), 'state')) ?? '');
  return state === 'rejected' || state === 'canceled' ? state : undefined;
}

/** The state of a task that ended without an answer. */
function stateOf({ status, failure }: ServedReply): TaskState {
  if (failure === 'refused' || failure === 'busy') return 'rejected';
  return status === 'cancelled' || failure === 'cancelled' ? 'canceled' : 'failed';
}

function isText(part: Value, words: string): boolean {
  return textIn(findEntry(part, 'text')) === words;
}

function say(words: string): Statement {
  return { parts: [dictOf({ text: textValue(words) })] };
}
