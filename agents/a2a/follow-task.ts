import { A2A } from '../../protocols/a2a/protocol.ts';
import { printForAgent } from '../../protocols/convert/calls/agent-json.ts';
import { ReplyReader } from '../../protocols/convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../../protocols/convert/read-text.ts';
import { Report } from '../../core/message/report.ts';
import { readJsonValue } from '../../language/values/json-reader.ts';
import { dictValue, findEntry } from '../../core/values/value.ts';
import { quote } from '../../core/text/quote.ts';
import type { Reply, WireListener } from '../connection.ts';
import type { HttpFailure } from '../http/failure.ts';
import type { A2aCall } from './call.ts';
import type { Hearing } from './hearing.ts';
import type { Client } from './library.ts';
import type { AskedA2a } from './request-text.ts';
import type { PushedUpdate } from './task-news.ts';

/** What a task is followed with. */
export interface Following {
  readonly call: A2aCall;
  readonly client: Client;
  /** The exchange that began the task. */
  readonly sent: Hearing;
  readonly asked: AskedA2a;
  readonly listener: WireListener;
  readonly limits: { readonly firstPause: number };
}

/** What came of a request in the end. */
interface Followed {
  readonly reply: Reply;
  /** What was told of its task last. */
  readonly news: PushedUpdate | undefined;
}

/** Milliseconds between two questions, when a task goes on for long. */
const LONGEST_PAUSE = 5_000;

/**
 * Waits for a task that goes on after the reply that began it: a stream is taken up again, then the agent is asked until the
 * task ends. A stream that did not tell the end is followed by the task itself, as an event more. A request that wants no more
 * than the beginning is answered by it.
 */
export async function followTask(following: Following): Promise<Followed> {
  const { call, sent, asked, listener } = following;
  const reply = call.judge(sent);
  const { news } = sent;
  if (reply.status !== 'ok' || !news || news.stage === 'ended' || !asked.isWaiting) return { reply, news };
  if (news.stage === 'asking' && !sent.isStream) return { reply, news };
  if (asked.isImmediate) {
    listener.note(`The task ${quote(news.id)} goes on; ask for it with GetTask`);
    return { reply, news };
  }
  return sent.isStream ? followStream(following, news) : askForTask(following, news);
}

/** Tells the agent to end a task that nobody waits for any more. Never throws. */
export async function cancelTask(
  id: string,
  { call, client, listener }: Pick<Following, 'call' | 'client' | 'listener'>,
): Promise<void> {
  const hearing = await call.ask(signal =>
    client.cancelTask({ id, tenant: '', metadata: undefined }, { signal }),
  );
  const { status, message } = call.judge(hearing);
  const name = `the task ${quote(id)}`;
  listener.note(
    // A task that is cancelled reads as one that failed.
    status === 'ok' || hearing.news?.stage === 'ended'
      ? `The agent was told to cancel ${name}`
      : `The agent did not cancel ${name}: ${message ?? 'it did not answer'}`,
  );
}

/** Reads a stream of the library's to its end: what it tells was heard already. */
export async function readAll(events: AsyncGenerator): Promise<void> {
  for await (const event of events) void event;
}

async function followStream(following: Following, begun: PushedUpdate): Promise<Followed> {
  const { call, client, sent, listener } = following;
  const { id } = begun;
  let told = closeEvents(sent.text, listener);
  let news = begun;
  if (news.stage !== 'asking') {
    listener.note(`The stream ended while the task ${quote(id)} went on, and was taken up again`);
    const next = await call.ask(signal => readAll(client.resubscribeTask({ id, tenant: '' }, { signal })));
    const reply = call.judge(next);
    if (next.failure) return { reply: { ...reply, text: told + next.text, isProtocol: true }, news };
    // What came in place of a stream is no more of it.
    if (next.isStream && next.isProtocol) {
      news = next.news ?? news;
      if (reply.status !== 'ok' || news.stage === 'ended')
        return { reply: { ...reply, text: told + next.text }, news };
      told += closeEvents(next.text, listener);
    }
  }
  const { reply, news: last } = await askForTask(following, news);
  if (!reply.isProtocol || reply.text === '')
    return { reply: { ...reply, text: told, isProtocol: true }, news };
  const event = `data: ${reply.text.replaceAll(/[\r\n]+/g, ' ')}\n\n`;
  return { reply: { ...reply, text: told + event }, news: last };
}

/** The text of a stream to which another event can be added. */
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
  listener.note(
    begun.stage === 'asking'
      ? `The agent was asked for the task ${quote(id)}, which stands at the end of the reply`
      : `The task ${quote(id)} goes on; the agent is asked for it until it ends`,
  );
  let text = sent.isStream ? '' : sent.text;
  let news = begun;
  let pause = begun.stage === 'asking' ? 0 : limits.firstPause;
  for (;;) {
    const failure = pause > 0 ? await call.wait(pause) : undefined;
    if (failure) return { reply: breakOff(failure, text), news };
    const next = await call.ask(signal =>
      client.getTask({ id, tenant: '', historyLength: undefined }, { signal }),
    );
    if (next.failure) return { reply: breakOff(next.failure, text), news };
    if (next.news?.stage === undefined) return { reply: call.judge(next), news };
    ({ news } = next);
    text = asAnswer(next.text);
    if (news.stage !== 'running') return { reply: judgeAnswer(text), news };
    pause = Math.min(Math.max(pause, 1) * 2, LONGEST_PAUSE);
  }
}

function breakOff({ kind, code, message }: HttpFailure, text: string): Reply {
  const status = kind === 'cancelled' ? 'cancelled' : 'incomplete';
  return { status, code, message, text, isProtocol: true };
}

/** A task alone in the form in which a message is answered with it: version 1.0 has two forms, to the same letters. */
function asAnswer(text: string): string {
  const value = readJsonValue(text);
  const result = findEntry(value, 'result');
  const isBare = findEntry(result, 'status') !== undefined && findEntry(result, 'kind') === undefined;
  if (value?.kind !== 'dict' || !result || !isBare) return text;
  const task = dictValue([{ key: 'task', value: result }]);
  return printForAgent(
    dictValue(value.entries.map(each => (each.key === 'result' ? { key: 'result', value: task } : each))),
  );
}

function judgeAnswer(text: string): Reply {
  const reader = new ReplyReader(A2A, NO_TOOLS, new Report());
  reader.push(text);
  reader.end();
  const { outcome } = reader;
  if (outcome.kind !== 'error') return { status: 'ok', text, isProtocol: true };
  const code = outcome.code === undefined ? {} : { code: outcome.code };
  return { status: 'error', ...code, message: outcome.text, text, isProtocol: true };
}
