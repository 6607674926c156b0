import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { TraceEvent } from '../../../core/events/events.ts';
import { readFields } from '../../../core/text/fields.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { setSecretNames } from '../../../core/secrets/secret-name.ts';
import { RANDOM_IDS } from '../../runtime.ts';
import { openTraceFile, type TraceFileWriter } from '../../store/trace-file.ts';
import { Callers } from '../callers.ts';
import type { ExchangeRecord } from '../recording/exchange-record.ts';
import { Recorder } from '../recording/recorder.ts';
import type { ExchangeAct, FromRecorder, RecorderTask, ToRecorder } from './recorder-messages.ts';
import type { RecordingFacts } from '../exchange.ts';

/**
 * The program of the thread that `RecorderThread` starts: turns acts into events, in order, and writes them
 * to a file or sends them back. It reports each message that it has recorded, so that the sender knows how
 * much is not recorded yet.
 */
class RecorderProgram {
  readonly #send: (message: FromRecorder) => void;
  readonly #file: TraceFileWriter | undefined;
  readonly #recorders = new Map<number, Recorder>();
  readonly #agents = new Map<number, string>();
  readonly #callers = new Callers();
  /** The exchanges of which more may be reported. */
  readonly #exchanges = new Map<number, ExchangeRecord>();
  #events: { readonly recording: number; readonly events: TraceEvent[] } | undefined;
  /** The time of the act that is being recorded. */
  #at = 0;

  constructor(send: (message: FromRecorder) => void, file: TraceFileWriter | undefined) {
    this.#send = send;
    this.#file = file;
  }

  async take(message: ToRecorder): Promise<void> {
    switch (message.type) {
      case 'recording':
        setSecretNames(message.secretNames);
        this.#recorders.set(message.recording, this.#open(message.recording, message.facts));
        this.#agents.set(message.recording, message.facts.agent);
        return;
      case 'acts':
        for (const act of message.acts) {
          this.#record(act);
          // Decompressing takes time. Acts stay in order, each with its own time.
          const settled = this.#exchanges.get(act.exchange)?.settled;
          if (settled) await settled;
        }
        await this.#pass();
        this.#send({ type: 'recorded' });
        return;
      case 'stop':
        this.#at = message.at;
        await this.#recorders.get(message.recording)?.stop(message.outcome);
        this.#recorders.delete(message.recording);
        this.#agents.delete(message.recording);
        this.#callers.forget(message.recording);
        return;
      case 'flush':
        await this.#pass();
        this.#send({ type: 'done', number: message.number });
        return;
      case 'close':
        this.#sendEvents();
        this.#send({ type: 'closed', missing: await this.#file?.close() });
    }
  }

  #open(recording: number, { agent, protocol, secrets, secretHeaders }: RecordingFacts): Recorder {
    return new Recorder({
      protocols: ALL_PROTOCOLS,
      agent,
      protocol,
      ids: RANDOM_IDS,
      redactor: new Redactor(secrets, secretHeaders),
      now: () => this.#at,
      emit: event => this.#emit(recording, event),
    });
  }

  #emit(recording: number, event: TraceEvent): void {
    if (this.#file) {
      this.#file.write(event);
      return;
    }
    if (this.#events?.recording !== recording) this.#sendEvents();
    this.#events ??= { recording, events: [] };
    this.#events.events.push(event);
  }

  /** Sends events back, or waits until the file has them. The file reports what it cannot write. */
  async #pass(): Promise<void> {
    this.#sendEvents();
    await this.#file?.flush();
  }

  #sendEvents(): void {
    if (this.#events) this.#send({ type: 'events', ...this.#events });
    this.#events = undefined;
  }

  #record(act: ExchangeAct): void {
    this.#at = act.at;
    if (act.type === 'open') {
      const { recording, request, origin, at } = act;
      const from = this.#callers.find(recording, this.#agents.get(recording) ?? '', request, at);
      const reported = from === undefined ? request : { ...request, from };
      const record = this.#recorders.get(recording)?.open(reported, origin);
      if (record) this.#exchanges.set(act.exchange, record);
      return;
    }
    const record = this.#exchanges.get(act.exchange);
    if (record) report(record, act);
    if (act.type === 'forget') this.#exchanges.delete(act.exchange);
  }
}

function report(record: ExchangeRecord, act: Exclude<ExchangeAct, { readonly type: 'open' }>): void {
  switch (act.type) {
    case 'requestBody':
      return record.requestBody(asBuffer(act.bytes));
    case 'replyBody':
      return record.replyBody(asBuffer(act.bytes), act.chunks);
    case 'foreignOut':
      return record.foreign('out', asBuffer(act.bytes));
    case 'foreignIn':
      return record.foreign('in', asBuffer(act.bytes));
    case 'requestOver':
      return record.requestOver();
    case 'replyOver':
      return record.replyOver();
    case 'replyHead':
      return record.replyHead(act.line, act.status, act.headers);
    case 'note':
      return record.note(act.text);
    case 'fail':
      return record.fail(act.outcome);
    case 'forget':
      return record.forget();
  }
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The number of calls of each kind that are recorded to warm up. */
const WARMING = 12;
const WARMING_TEXTS = [
  'CALL|x',
  '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:data_query],[s:query]:[s:x]]',
].map(text => new TextEncoder().encode(text));

/**
 * Code takes many times as long when it runs for the first time: on a busy machine, the first calls would be
 * in the file seconds after they ended. Therefore invented calls are recorded first, without a file.
 */
async function warmUp(): Promise<void> {
  const program = new RecorderProgram(event => void JSON.stringify(event), undefined);
  const facts = { agent: '', secrets: [], secretHeaders: [] };
  await program.take({ type: 'recording', recording: 0, facts, secretNames: [] });
  const headers = [{ name: 'Content-Type', value: 'text/plain' }];
  for (let exchange = 0; exchange < WARMING * WARMING_TEXTS.length; exchange++) {
    const bytes = WARMING_TEXTS[exchange % WARMING_TEXTS.length] ?? new Uint8Array();
    const each = { exchange, at: 0 };
    const request = { method: 'POST', path: '/', line: 'POST http://127.0.0.1/', headers };
    await program.take({
      type: 'acts',
      acts: [
        { ...each, type: 'open', recording: 0, request, origin: 'http://127.0.0.1' },
        { ...each, type: 'requestBody', bytes, chunks: 1 },
        { ...each, type: 'requestOver' },
        { ...each, type: 'replyHead', line: 'HTTP/1.1 200 OK', status: 200, headers },
        { ...each, type: 'replyBody', bytes, chunks: 1 },
        { ...each, type: 'replyOver' },
        { ...each, type: 'forget' },
      ],
    });
  }
}

async function run(port: MessagePort, task: RecorderTask): Promise<void> {
  const send = (message: FromRecorder): void => port.postMessage(message);
  const report = (message: string): void => send({ type: 'missing', message });
  const opened =
    task.to === 'file' ? await openTraceFile(task.path, task.producer, { notify: report }) : undefined;
  if (opened?.ok === false) return send({ type: 'opened', message: opened.message });
  const program = new RecorderProgram(send, opened?.file);
  await warmUp();
  let work = Promise.resolve();
  port.on('message', (message: ToRecorder) => {
    work = work.then(() => program.take(message));
    if (message.type === 'close') work = work.then(() => port.close());
  });
  send({ type: 'opened', message: undefined });
}

/** True for a task that this thread can be started with. */
function isTask(value: unknown): value is RecorderTask {
  const task = readFields(value);
  const [to, path, producer] = [task?.get('to'), task?.get('path'), task?.get('producer')];
  return to === 'starter' || (to === 'file' && typeof path === 'string' && typeof producer === 'string');
}

if (parentPort && isTask(workerData)) void run(parentPort, workerData);
