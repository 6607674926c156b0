import { defined } from '../../core/text/fields.ts';
import { asAnswer } from '../../protocols/a2a/results.ts';
import type { ReplyEvent } from '../../protocols/convert/calls/reply-reader.ts';
import { quote } from '../../core/text/quote.ts';
import type { Reply, WireListener } from '../connection.ts';
import { readWithin, UNLIMITED } from '../slices.ts';
import type { HttpFailure } from '../http/failure.ts';
import type { A2aCall } from './call.ts';
import type { ReplyObserver } from './reply-observer.ts';
import type { Client } from './library.ts';
import type { A2aRequest } from './request-text.ts';
import type { PushedUpdate } from './task-update.ts';

/** What is needed to follow a task. */
export interface Following {
  readonly call: A2aCall;
  readonly client: Client;
  /** The exchange that began the task. */
  readonly sent: ReplyObserver;
  readonly a2aRequest: A2aRequest;
  readonly listener: WireListener;
  readonly limits: { readonly firstPause: number };
}

/** The final outcome of a request. */
interface Followed {
  readonly reply: Reply;
  /** The last update of its task. */
  readonly update: PushedUpdate | undefined;
}

/** The maximum number of milliseconds between two requests for a task. */
const LONGEST_PAUSE = 5_000;

/**
 * Waits for a task that continues after the reply that began it: a stream is resumed, then the agent is asked
 * for the task until it ends. After a stream that did not report the end, the task itself is added as another
 * event. A request that needs only the beginning is answered with that.
 */
export async function followTask(following: Following): Promise<Followed> {
  const { call, sent, a2aRequest, listener } = following;
  const reply = call.judge(sent);
  const { update } = sent;
  const isRunning = reply.status === 'ok' && update?.stage !== 'ended' && update?.stage !== 'asking';
  const followed = isRunning && a2aRequest.isWaiting ? update : undefined;
  if (followed && !a2aRequest.isImmediate && !sent.isStream) return askForTask(following, followed);
  sent.deliver();
  if (followed && !a2aRequest.isImmediate) return followStream(following, followed);
  if (followed) listener.note(`The task ${quote(followed.id)} is still running; fetch it with GetTask`);
  return { reply, update };
}

/** Asks the agent to cancel a task that is no longer needed. Never throws. */
export async function cancelTask(
  id: string,
  { call, client, listener }: Pick<Following, 'call' | 'client' | 'listener'>,
): Promise<void> {
  const observer = await call.ask(
    signal => client.cancelTask({ id, tenant: '', metadata: undefined }, { signal }),
    { isOfReply: false },
  );
  const { status, message } = call.judge(observer);
  const name = `the task ${quote(id)}`;
  listener.note(
    // A cancelled task is read as a failed one.
    status === 'ok' || observer.update?.stage === 'ended'
      ? `A request to cancel ${name} was sent`
      : `The agent did not cancel ${name}: ${message ?? 'it did not answer'}`,
  );
}

/** Reads a stream of the library to its end: its events were observed before. */
export async function readAll(events: AsyncGenerator): Promise<void> {
  for await (const event of events) void event;
}

async function followStream(following: Following, begun: PushedUpdate): Promise<Followed> {
  const { call, client, sent, listener } = following;
  const { id } = begun;
  let reported = closeEvents(sent.text, listener);
  let update = begun;
  listener.note(
    `The stream ended while the task ${quote(id)} was still running; Parley subscribed to it again`,
  );
  const next = await call.ask(signal => readAll(client.resubscribeTask({ id, tenant: '' }, { signal })), {
    continues: sent,
  });
  const reply = call.judge(next);
  if (next.failure || (next.isStream && next.isProtocol)) next.deliver();
  if (next.failure) return { reply: { ...reply, text: reported + next.text, isProtocol: true }, update };
  // What was received in place of a stream does not continue it.
  if (next.isStream && next.isProtocol) {
    update = next.update ?? update;
    if (reply.status !== 'ok' || update.stage === 'ended' || update.stage === 'asking')
      return { reply: { ...reply, text: reported + next.text }, update };
    reported += closeEvents(next.text, listener);
  }
  const { reply: polled, update: last } = await askForTask(following, update);
  if (!polled.isProtocol || polled.text === '')
    return { reply: { ...polled, text: reported, isProtocol: true }, update };
  return { reply: { ...polled, text: reported + asEvent(polled.text) }, update: last };
}

/** The text of a stream, ended so that another event can be added. */
function closeEvents(text: string, listener: WireListener): string {
  const end = /\n\n$|\r\n\r\n$/.test(text) ? '' : '\n\n';
  if (end !== '') listener.progress(end);
  return text + end;
}

async function askForTask(
  { call, client, sent, listener, limits }: Following,
  begun: PushedUpdate,
): Promise<Followed> {
  const { id } = begun;
  listener.note(`The task ${quote(id)} is still running; Parley polls the agent until it ends`);
  let task = sent.isStream ? undefined : sent.last;
  let update = begun;
  let pause = limits.firstPause;
  for (;;) {
    const failure = await call.wait(pause);
    if (failure) return { reply: breakOff(failure, task, update), update };
    const next = await call.ask(
      signal => client.getTask({ id, tenant: '', historyLength: undefined }, { signal }),
      { isOfReply: false },
    );
    if (next.failure) return { reply: breakOff(next.failure, task, update), update };
    if (next.update?.stage === undefined || !next.last) return { reply: call.judge(next), update };
    ({ update } = next);
    task = asAnswer(next.last);
    if (update.stage !== 'running') return { reply: await readTask(sent, task), update };
    pause = Math.min(Math.max(pause, 1) * 2, LONGEST_PAUSE);
  }
}

/** The reply of a call that ended while its task was running. */
function breakOff(
  { kind, code, message }: HttpFailure,
  task: ReplyEvent | undefined,
  { id, contextId }: PushedUpdate,
): Reply {
  const status = kind === 'cancelled' ? 'cancelled' : 'incomplete';
  const carried = { session: contextId, task: id };
  return { status, code, message, text: task?.data ?? '', isProtocol: true, carried };
}

/** A task as an event of a stream. */
function asEvent(text: string): string {
  return `data: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`;
}

/** Reads the final task; after a stream it is another event of it. */
async function readTask(sent: ReplyObserver, task: ReplyEvent): Promise<Reply> {
  const came = { text: task.data, isProtocol: true };
  const reading = await readWithin(sent.taskSteps(task), UNLIMITED);
  if (reading.ended !== 'read') return { status: 'ok', ...came };
  const { outcome, continuation } = reading.result;
  if (outcome.kind !== 'error') return { status: 'ok', ...came, ...continuation };
  return defined({ status: 'error', code: outcome.code, message: outcome.text, ...came, ...continuation });
}
