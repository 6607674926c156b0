import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { type Disposable, type ExtensionContext, type Memento, type SecretStorage } from 'vscode';
import { readEnv, type Variables } from '../../../agents/config/variables.ts';
import { batchesOf, sendSpans } from '../../../agents/collector/otlp-sender.ts';
import { fetchJaegerTrace } from '../../../agents/collector/jaeger.ts';
import { OTLP_PORT, startOtlpReceiver, type OtlpReceiver } from '../../../agents/collector/otlp-receiver.ts';
import { CallSender } from '../../../agents/collector/call-sender.ts';
import { resolveTarget, type TraceTarget } from '../../../agents/collector/target.ts';
import { quote } from '../../../core/text/quote.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import type { ExportSource } from '../../../trace/export/source.ts';
import { redactReported } from '../../../core/secrets/redact-event.ts';
import { Redactor, redactUrl } from '../../../core/secrets/redact.ts';
import { Changing } from '../base/changing.ts';
import { COLLECTOR_PLACE, readCollector } from '../services/collector-setting.ts';
import type {
  EndedCalls,
  OpenedTrace,
  ReceiverInfo,
  ReceiverStart,
  SendingInfo,
  SendingStart,
  SendStart,
  TelemetryService,
} from '../services/telemetry-service.ts';
import { maySend, UNTRUSTED } from '../base/trust.ts';
import { SECRET_QUESTIONS } from './secret-questions.ts';
import { describeReceiver, Secrets } from './secrets.ts';

const LAST_JAEGER = 'parley.jaeger';

/** The default address of Jaeger's pages. */
const DEFAULT_JAEGER = 'http://localhost:16686';

type Emit = (event: TraceEvent) => void;

/** The telemetry service for Node.js: received spans are emitted as trace events. */
export class Telemetry extends Changing implements TelemetryService {
  readonly #emit: Emit;
  readonly #secrets: Secrets;
  readonly #storedSecrets: SecretStorage;
  readonly #memory: Memento;
  #running: OtlpReceiver | undefined;
  #starting: Promise<ReceiverStart> | undefined;
  #spans = 0;
  #sending: { readonly address: string; readonly sender: CallSender; readonly watch: Disposable } | undefined;
  #beginning: Promise<SendingStart> | undefined;
  /** Redacts the secrets that are stored in this editor. */
  #redactor = new Redactor([]);
  #learning: Disposable | undefined;

  constructor({ secrets, globalState }: ExtensionContext, emit: Emit) {
    super();
    this.#emit = emit;
    this.#memory = globalState;
    this.#secrets = new Secrets(secrets, globalState, SECRET_QUESTIONS);
    this.#storedSecrets = secrets;
  }

  get receiver(): ReceiverInfo | undefined {
    return this.#running && { address: this.#running.address, spans: this.#spans };
  }

  get lastJaeger(): string {
    const stored: unknown = this.#memory.get(LAST_JAEGER);
    return typeof stored === 'string' ? stored : DEFAULT_JAEGER;
  }

  startReceiver(port = OTLP_PORT): Promise<ReceiverStart> {
    this.#starting ??= this.#start(port).finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async stopReceiver(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.changed.fire();
    await running?.close();
  }

  async send(traces: Pick<ExportSource, 'trees' | 'payload'>, signal: AbortSignal): Promise<SendStart> {
    const found = await this.#findCollector();
    if (!found.ok) return found;
    const { trees } = traces;
    const payload: ExportSource['payload'] = call => traces.payload(call);
    const batches = batchesOf({
      trees,
      payload,
      protocols: ALL_PROTOCOLS,
      includesContent: found.getsContent,
    });
    return { ok: true, ...(await sendSpans(found.target, batches, signal)) };
  }

  get sending(): SendingInfo | undefined {
    return this.#sending && { address: this.#sending.address, ...this.#sending.sender.state };
  }

  startSending(calls: EndedCalls): Promise<SendingStart> {
    this.#beginning ??= this.#beginSending(calls).finally(() => (this.#beginning = undefined));
    return this.#beginning;
  }

  async stopSending(): Promise<SendingInfo | undefined> {
    const running = this.#sending;
    if (!running) return undefined;
    running.watch.dispose();
    const state = await running.sender.stop();
    if (this.#sending === running) this.#sending = undefined;
    this.changed.fire();
    return { address: running.address, ...state };
  }

  async #beginSending(calls: EndedCalls): Promise<SendingStart> {
    if (this.sending) return { ok: true, sending: this.sending };
    const found = await this.#findCollector();
    if (!found.ok) return found;
    const { target, getsContent } = found;
    const sender = new CallSender({
      target,
      context: {
        protocols: ALL_PROTOCOLS,
        ...(getsContent && { payload: (call: string) => calls.payload(call) }),
      },
      find: call => calls.find(call),
      changed: () => this.changed.fire(),
    });
    const address = target.redactor.redactText(redactUrl(target.url.href));
    const watch = calls.onDidEnd(call => sender.add(call));
    this.#sending = { address, sender, watch };
    this.changed.fire();
    return { ok: true, sending: { address, ...sender.state } };
  }

  /** The collector in the settings with resolved secrets, for which the user may be asked. */
  async #findCollector(): Promise<
    | { readonly ok: true; readonly target: TraceTarget; readonly getsContent: boolean }
    | Extract<SendStart, { ok: false }>
  > {
    // Checked here, because all callers pass here before any network access.
    if (!maySend()) return { ok: false, message: UNTRUSTED };
    const collector = readCollector();
    if (!collector) return { ok: false, message: `Name a collector first, as ${COLLECTOR_PLACE}` };
    let hasLeft = false;
    const receiver = describeReceiver(collector.url, COLLECTOR_PLACE);
    const resolved = await resolveTarget(collector, {
      ...NO_VARIABLES,
      env: name => readEnv(process.env, name),
      secret: async name => {
        const value = await this.#secrets.get(name, receiver, COLLECTOR_PLACE);
        if (value === undefined) hasLeft = true;
        return value;
      },
    });
    return resolved.ok
      ? { ...resolved, getsContent: collector.getsContent }
      : { ok: false, message: hasLeft ? undefined : `${COLLECTOR_PLACE}: ${resolved.message}` };
  }

  async openTrace(url: string, trace: string, signal: AbortSignal): Promise<OpenedTrace> {
    if (!maySend()) return { ok: false, message: UNTRUSTED };
    const resolved = await resolveTarget({ url, headers: new Map() }, NO_VARIABLES);
    if (!resolved.ok) return resolved;
    const imported = await fetchJaegerTrace(resolved.target, trace, signal);
    if (!imported.ok) return { ok: false, message: imported.error };
    const call = imported.events.find(({ type }) => type === 'call')?.call;
    if (call === undefined)
      return { ok: false, message: `The trace ${quote(trace)} has no spans that can be read` };
    await this.#learnSecrets();
    for (const event of imported.events) this.#emit(redactReported(event, this.#redactor));
    await this.#memory.update(LAST_JAEGER, redactUrl(url));
    return { ok: true, call, notes: imported.notes };
  }

  override dispose(): void {
    // The host does not wait for disposal; the port is closed when its process ends.
    void this.#running?.close();
    this.#running = undefined;
    this.#sending?.watch.dispose();
    void this.#sending?.sender.stop();
    this.#sending = undefined;
    super.dispose();
  }

  async #start(port: number): Promise<ReceiverStart> {
    // Checked here, because all callers pass here before a port is opened.
    if (!maySend()) return { ok: false, message: UNTRUSTED };
    if (this.receiver) return { ok: true, receiver: this.receiver };
    await this.#learnSecrets();
    this.#learning ??= this.own(this.#storedSecrets.onDidChange(() => void this.#learnSecrets()));
    const started = await startOtlpReceiver(port, {
      emit: this.#emit,
      redactor: () => this.#redactor,
      received: spans => {
        this.#spans = spans;
        this.changed.fire();
      },
    });
    if (!started.ok) return started;
    this.#running = started.receiver;
    this.#spans = 0;
    this.changed.fire();
    return { ok: true, receiver: { address: started.receiver.address, spans: 0 } };
  }

  /** Updates the redactor, because spans of agents may repeat secrets that were sent to them. */
  async #learnSecrets(): Promise<void> {
    this.#redactor = new Redactor(await this.#secrets.values());
  }
}

/** The collector is in the user's settings, so variables of a folder do not apply. */
const NO_VARIABLES: Variables = {
  env: () => undefined,
  secret: () => undefined,
  input: () => undefined,
  demo: () => undefined,
  workspaceFolder: () => undefined,
};
