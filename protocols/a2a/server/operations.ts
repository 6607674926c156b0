import { NoteOnce } from '../../../core/message/report.ts';
import { NEVER_STOPPED, type StopSignal } from '../../../core/message/message.ts';
import { quote } from '../../../core/text/quote.ts';
import {
  dictValue,
  findEntry,
  intValue,
  listValue,
  textIn,
  textValue,
  type Value,
} from '../../../core/values/value.ts';
import { dictOf } from '../../message/dicts.ts';
import type { ServerCodec } from '../../serving/codec.ts';
import type { CallerReply, CallerRequest, ServedAgent, ServerHost } from '../../serving/serving.ts';
import type { A2aVersion } from '../parts.ts';
import { stateName } from '../results.ts';
import { A2aFault } from './errors.ts';
import { NO_PUSH, readLength, readSent, type SentMessage } from './requests.ts';
import { FORGOTTEN, TaskStore } from './task-store.ts';
import { ServedTask } from './task.ts';
import { runTurn } from './turn.ts';
import { TaskWriter } from './written.ts';

/** A request, whatever its binding. */
export interface A2aCall {
  readonly version: A2aVersion;
  /** The name of the method in version 1.0. */
  readonly method: string;
  /** The request as JSON-RPC. */
  readonly value: Value;
  readonly request: CallerRequest;
  readonly reply: CallerReply;
}

/** What a request is answered with. */
export type A2aAnswer =
  | { readonly kind: 'result'; readonly value: Value }
  /** A stream of a task's events, which begins with the task. `start` begins the turn that the stream is about. */
  | { readonly kind: 'stream'; readonly task: ServedTask; readonly start: () => void }
  | A2aFault;

/** The operations of A2A on the tasks of one agent. */
export class Operations {
  readonly #agent: ServedAgent;
  readonly #codec: ServerCodec;
  readonly #host: ServerHost;
  readonly #store = new TaskStore();

  constructor(agent: ServedAgent, codec: ServerCodec, host: ServerHost) {
    this.#agent = agent;
    this.#codec = codec;
    this.#host = host;
  }

  async run(call: A2aCall): Promise<A2aAnswer> {
    switch (call.method) {
      case 'SendMessage':
      case 'SendStreamingMessage':
        return this.#send(call);
      case 'GetTask':
        return this.#get(call);
      case 'ListTasks':
        return this.#list(call);
      case 'CancelTask':
        return this.#cancel(call);
      case 'SubscribeToTask':
        return this.#subscribe(call);
      case 'GetExtendedAgentCard':
        return new A2aFault(
          'noExtendedCard',
          'This agent has no extended card, as its card says: read the card itself',
        );
      default:
        return NO_PUSH;
    }
  }

  async #send(call: A2aCall): Promise<A2aAnswer> {
    const sent = readSent(call.value, call.version, this.#codec);
    if (sent instanceof A2aFault) return sent;
    const task = this.#open(sent);
    if (task instanceof A2aFault) return task;
    if (sent.accepts.length > 0) call.reply.note(UNUSED_MODES);
    const isStream = call.method === 'SendStreamingMessage';
    const waits = isStream ? 'stream' : sent.isImmediate ? 'later' : 'whole';
    const start = (): void => {
      if (task.waits) task.answer(sent.said);
      else void this.#runTurn(task, sent, call, waits);
    };
    if (isStream) return { kind: 'stream', task, start };
    start();
    if (!sent.isImmediate) await task.settled();
    const writer = writerFor(call);
    return { kind: 'result', value: writer.wrap('task', writer.task(task, sent.historyLength)) };
  }

  /** The task that a message continues, or a new one. */
  #open({ taskId, contextId }: SentMessage): ServedTask | A2aFault {
    if (taskId === undefined) {
      const { newId, now } = this.#host;
      const task = new ServedTask(newId(), contextId ?? newId(), now);
      this.#store.add(task);
      return task;
    }
    const task = this.#find(textValue(taskId));
    if (task instanceof A2aFault) return task;
    if (contextId !== undefined && contextId !== task.contextId)
      return new A2aFault(
        'params',
        `The task ${quote(taskId)} belongs to the context ${quote(task.contextId)}, not to ${quote(contextId)}`,
      );
    if (task.state === 'input-required') return task;
    return new A2aFault(
      'unsupported',
      task.hasEnded
        ? `The task ${quote(taskId)} has ended (${task.state}) and takes no more messages: send a message with its contextId and no taskId to go on`
        : `The task ${quote(taskId)} is working and asks for nothing: wait until it ends, or cancel it`,
    );
  }

  /**
   * Runs a turn. A caller that waits for the whole reply does not know the task before, so its going ends the call. Any
   * other may ask for the task again, so the call goes on.
   */
  async #runTurn(
    task: ServedTask,
    { said, asked }: SentMessage,
    { request, reply }: A2aCall,
    waits: 'stream' | 'whole' | 'later',
  ): Promise<void> {
    const notes = new NoteOnce(reply);
    await runTurn(task, said, asked, {
      agent: this.#agent,
      codec: this.#codec,
      request: { ...request, gone: waits === 'whole' ? goneBefore(request.gone, task) : NEVER_STOPPED },
      ...(waits === 'stream' ? { drained: () => reply.drained() } : {}),
      note: text => notes.note(text),
    });
    this.#store.settle(task);
  }

  #find(id: Value | undefined): ServedTask | A2aFault {
    const name = textIn(id);
    if (name === undefined) return new A2aFault('params', "The request needs 'id', the id of a task");
    return this.#store.find(name) ?? new A2aFault('noTask', `There is no task ${quote(name)}: ${FORGOTTEN}`);
  }

  #get(call: A2aCall): A2aAnswer {
    const params = findEntry(call.value, 'params');
    const task = this.#find(findEntry(params, 'id'));
    if (task instanceof A2aFault) return task;
    const length = readLength(findEntry(params, 'historyLength'));
    if (length instanceof A2aFault) return length;
    return { kind: 'result', value: writerFor(call).task(task, length) };
  }

  #cancel(call: A2aCall): A2aAnswer {
    const task = this.#find(findEntry(findEntry(call.value, 'params'), 'id'));
    if (task instanceof A2aFault) return task;
    if (task.hasEnded)
      return new A2aFault(
        'notCancelable',
        `The task ${quote(task.id)} has ended (${task.state}), so it cannot be cancelled`,
      );
    task.cancel();
    return { kind: 'result', value: writerFor(call).task(task) };
  }

  #subscribe(call: A2aCall): A2aAnswer {
    const task = this.#find(findEntry(findEntry(call.value, 'params'), 'id'));
    if (task instanceof A2aFault) return task;
    if (task.state !== 'working')
      return new A2aFault(
        'unsupported',
        `The task ${quote(task.id)} sends no more events (${task.state}): get it instead`,
      );
    return { kind: 'stream', task, start: () => undefined };
  }

  #list(call: A2aCall): A2aAnswer {
    const params = findEntry(call.value, 'params');
    const query = readQuery(params);
    if (query instanceof A2aFault) return query;
    const { context, state, after, size, token, length } = query;
    const found = this.#store
      .list()
      .filter(
        task =>
          (context === undefined || task.contextId === context) &&
          (state === undefined || task.state === state) &&
          (after === undefined || task.changed >= after),
      );
    const begin = token === undefined ? 0 : found.findIndex(({ id }) => id === token) + 1;
    if (token !== undefined && begin === 0)
      return new A2aFault('params', "'pageToken' is none of a page that this agent sent: begin without it");
    const page = found.slice(begin, begin + size);
    const writer = writerFor(call);
    const isMore = begin + page.length < found.length;
    const tasks = page.map(task => {
      const written = writer.task(task, length);
      return query.hasArtifacts
        ? written
        : dictValue(written.entries.filter(({ key }) => key !== 'artifacts'));
    });
    return {
      kind: 'result',
      value: dictOf({
        tasks: listValue(tasks),
        nextPageToken: textValue((isMore && page.at(-1)?.id) || ''),
        pageSize: intValue(size),
        totalSize: intValue(found.length),
      }),
    };
  }
}

const UNUSED_MODES =
  'The caller names the media types that it accepts; A2A servers may ignore that, and the reply has whatever the agent answers';

/** The caller has gone before it was asked something: then it knows the task, and the call goes on. */
function goneBefore(gone: StopSignal, task: ServedTask): StopSignal {
  return {
    get aborted() {
      return gone.aborted && !task.isKnown;
    },
    addEventListener(type, listener) {
      gone.addEventListener(type, () => {
        if (!task.isKnown) listener();
      });
    },
  };
}

/** Writes the tasks in the version of a request. */
export function writerFor({ version, reply }: A2aCall): TaskWriter {
  return new TaskWriter(version, text => reply.note(text));
}

interface Query {
  readonly context: string | undefined;
  readonly state: string | undefined;
  readonly after: number | undefined;
  readonly size: number;
  readonly token: string | undefined;
  readonly length: number | undefined;
  readonly hasArtifacts: boolean;
}

const PAGE = { usual: 50, most: 100 };

function readQuery(params: Value | undefined): Query | A2aFault {
  const text = (key: string): string | undefined => textIn(findEntry(params, key)) || undefined;
  const length = readLength(findEntry(params, 'historyLength'));
  if (length instanceof A2aFault) return length;
  const size = findEntry(params, 'pageSize') ?? intValue(PAGE.usual);
  if (size.kind !== 'int' || Number(size.int) < 1 || Number(size.int) > PAGE.most)
    return new A2aFault('params', `'pageSize' is a whole number from 1 to ${PAGE.most}`);
  const since = text('statusTimestampAfter');
  const after = since === undefined ? undefined : Date.parse(since);
  if (Number.isNaN(after))
    return new A2aFault('params', "'statusTimestampAfter' is a time such as 2026-01-31T12:00:00Z");
  const state = text('status');
  const included = findEntry(params, 'includeArtifacts');
  return {
    context: text('contextId'),
    state: state === undefined || state === 'TASK_STATE_UNSPECIFIED' ? undefined : stateName(state),
    after,
    size: Number(size.int),
    token: text('pageToken'),
    length,
    hasArtifacts: included?.kind === 'bool' && included.bool,
  };
}
