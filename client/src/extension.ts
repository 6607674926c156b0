import {
  languages,
  StatusBarAlignment,
  window,
  type Disposable,
  type ExtensionContext,
  type LogOutputChannel,
  type Uri,
} from 'vscode';
import type { TraceEvent } from '../../core/events/events.ts';
import type { TraceTree } from '../../trace/fold/tree.ts';
import type { AgentService } from './services/agent-service.ts';
import { AgentStatus, type FindRequest } from './features/send/agent-status.ts';
import { AgentsView } from './features/agents/agents-view.ts';
import { CallForms } from './features/agents/call-forms.ts';
import { compareWithChosen } from './features/tensors/compare-tensors.ts';
import { compareFrom } from './features/traces/compare/compare-command.ts';
import { registerCommands } from './commands/index.ts';
import { ComposerView } from './features/compose/composer-view.ts';
import { CostDocument } from './features/cost/cost-document.ts';
import { CostStatus } from './features/cost/cost-status.ts';
import { ConversionViews } from './features/convert/conversion-views.ts';
import { LastTarget } from './features/convert/last-target.ts';
import { DialectChoices } from './features/language/dialect-choices.ts';
import { DialectStatus } from './features/language/dialect-status.ts';
import { DisposableStore } from './base/dispose.ts';
import { keepAgentTools } from './features/agents/keep-agent-tools.ts';
import { keepOptions } from './keep-options.ts';
import { LanguageServer, type CreateClient } from './language-client/language-client.ts';
import { createLog } from './base/log.ts';
import { MediaFiles } from './features/values/media-files.ts';
import { PickedAgents } from './services/picked-agents.ts';
import type { RecordingService } from './services/recording-service.ts';
import { describeRecordings } from './features/recording/recording-status.ts';
import { GrowingBadges } from './features/replies/growing-badges.ts';
import { GrowingReplies } from './replies/growing-replies.ts';
import { PauseNotes } from './features/replies/pause-notes.ts';
import { RawReplies } from './features/replies/raw-replies.ts';
import { ReplyDocuments } from './replies/reply-documents.ts';
import { replayFrom } from './features/traces/replay/replay.ts';
import { RunningCalls } from './sending/running-calls.ts';
import { RunningStatus, type RunningStatusOptions } from './window/running-status.ts';
import type { Services } from './services.ts';
import type { TelemetryService } from './services/telemetry-service.ts';
import { describeSending } from './features/telemetry/sending-status.ts';
import { describeReceiver } from './features/telemetry/receiver-status.ts';
import type { ReadRange } from './features/tensors/array-file.ts';
import { Inspectors, TENSOR_FILE_EDITOR } from './features/tensors/inspectors.ts';
import { registerTextPaste } from './features/values/paste-text.ts';
import { TextFiles } from './features/values/text-files.ts';
import { buildLiveTimeline } from './features/traces/timeline/live-timeline.ts';
import { RequestCalls } from './features/traces/timeline/request-calls.ts';
import { countByServer } from './features/traces/view/server-counter.ts';
import { followSecretNames } from './trace/secret-names.ts';
import { StoreSource } from './trace/store-source.ts';
import { TraceEditors } from './features/traces/timeline/trace-editors.ts';
import type { TraceKeeper } from './trace/trace-keeper.ts';
import { TracePins } from './trace/trace-pins.ts';
import type { OpenTraceFile } from './trace/trace-reader.ts';
import { TraceStore } from './trace/trace-store.ts';
import { CountedTokens } from './features/traces/view/counted-tokens.ts';
import { TracesView } from './features/traces/view/traces-view.ts';
import { maySend } from './base/trust.ts';
import { EnvironmentStatus } from './features/variables/environment-status.ts';
import { NamedReplies } from './sending/named-replies.ts';
import { setContext } from './window/context-key.ts';

/** The capabilities that differ between desktop and browser host. */
export interface Platform {
  readonly createClient: CreateClient;
  /** Absent in a browser. */
  readonly openAgents?: (
    context: ExtensionContext,
    log: LogOutputChannel,
    emit: (event: TraceEvent) => void,
  ) => {
    readonly agents: AgentService;
    readonly recordings: RecordingService;
    readonly telemetry: TelemetryService;
  };
  /** Reads a part of a local file. Absent in a browser. */
  readonly readRange?: ReadRange;
  /** Stores traces on disk. The traces of the calls that `pinned` returns are always retained. Absent in a browser. */
  readonly openTraceKeeper?: (context: ExtensionContext, pinned: () => readonly string[]) => TraceKeeper;
  /** Reads a local trace file of any size. Absent in a browser. */
  readonly openTraceFile?: OpenTraceFile;
}

/** The public API for other extensions and for tests: access to the traces of this window. */
export interface ParleyApi {
  /** The trees of all traces, the newest first. */
  traces(): readonly TraceTree[];
  onDidChangeTraces(listener: () => void): Disposable;
}

/** The running extension. */
export interface Activated {
  readonly api: ParleyApi;
  /** Stops the language server and everything else. Resolves when that is done. */
  stop(): Promise<void>;
}

/** Registers everything. Starts only the language server, and only if an AICF or AICL document is open. */
export function activateExtension(context: ExtensionContext, platform: Platform): Activated {
  const store = new DisposableStore();
  const log = store.add(createLog());
  store.add(followSecretNames());
  const pins = store.add(new TracePins(context.workspaceState));
  const keeper = platform.openTraceKeeper?.(context, () => pins.calls);
  const traces = store.add(new TraceStore(all => pins.tracesOf(all), keeper));
  const { agents, recordings, telemetry } =
    platform.openAgents?.(context, log, event => traces.add(event)) ?? {};
  const canSend = (): boolean => agents !== undefined && maySend();
  const growing = store.add(new GrowingReplies());
  store.add(new GrowingBadges(growing, traces));
  store.add(new PauseNotes(growing));
  const replies = store.add(new ReplyDocuments());
  const dialects = store.add(new DialectChoices(context.workspaceState));
  const isUnfinished = (uri: Uri): boolean => growing.find(uri) !== undefined || replies.isCut(uri);
  const server = store.add(
    new LanguageServer(
      platform.createClient,
      log,
      {
        canSend: canSend(),
        canInspect: true,
        canShowMedia: true,
        canConvert: true,
        agents: [],
        dialects: dialects.all(),
        showsDialects: true,
        environment: [],
        secrets: [],
      },
      isUnfinished,
    ),
  );
  const services = buildServices(store, context, platform, {
    log,
    server,
    agents,
    recordings,
    telemetry,
    traces,
    pins,
    dialects,
    replies,
    growing,
  });
  store.add(
    window.registerCustomEditorProvider(TENSOR_FILE_EDITOR, services.inspectors, {
      supportsMultipleEditorsPerDocument: true,
    }),
  );
  store.add(registerTextPaste(server));
  for (const command of registerCommands(services)) store.add(command);
  showRecorders(store, services);
  if (agents) openAgentViews(store, context, services, agents);
  else setContext('inBrowser', true);
  keepOptions(store, services, canSend);
  showStates(store, services);
  return { api: buildApi(traces), stop: () => stopAll(store, server, keeper) };
}

/** Services that are created first, because others depend on them. */
type Made = Pick<
  Services,
  | 'log'
  | 'server'
  | 'agents'
  | 'recordings'
  | 'telemetry'
  | 'traces'
  | 'pins'
  | 'dialects'
  | 'replies'
  | 'growing'
>;

function buildServices(
  store: DisposableStore,
  context: ExtensionContext,
  platform: Platform,
  made: Made,
): Services {
  const { log, server, traces } = made;
  const source = store.add(new StoreSource(traces));
  const tokens = countByServer(server);
  const counted = store.add(new CountedTokens());
  const tracesView = store.add(new TracesView(source, made.pins, counted));
  const services: Services = {
    ...made,
    source,
    tracesView,
    requestCalls: store.add(new RequestCalls(source)),
    traceEditors: store.add(
      new TraceEditors(context.extensionUri, made.replies, platform.openTraceFile, {
        tokens,
        compare: place => compareFrom(services, place),
        replay: place => replayFrom(services, place, { question: 'asked' }),
      }),
    ),
    picked: store.add(new PickedAgents(context.workspaceState)),
    raw: store.add(new RawReplies(traces)),
    running: store.add(new RunningCalls()),
    callForms: store.add(new CallForms(context.extensionUri, context.workspaceState)),
    timeline: store.add(
      buildLiveTimeline(context.extensionUri, source, made.replies, tokens, counted, call => {
        void tracesView.select(call);
      }),
    ),
    inspectors: store.add(
      new Inspectors(context.extensionUri, {
        finder: server,
        readRange: platform.readRange,
        onCompare: inspector => compareWithChosen(services, inspector),
      }),
    ),
    media: store.add(new MediaFiles()),
    texts: store.add(new TextFiles(server)),
    conversions: store.add(new ConversionViews(server, log)),
    namedReplies: new NamedReplies(),
    lastTarget: new LastTarget(context.globalState),
    cost: store.add(
      new CostDocument(async (source, encoding, token) =>
        server.cost({ source: await source.read(), encoding }, token),
      ),
    ),
  };
  store.add(tracesView.onDidSelect(call => services.timeline.follow(call)));
  return services;
}

/** Creates the status bar and language status items for the document in front. */
function showStates(store: DisposableStore, services: Services): void {
  const { server } = services;
  const item = languages.createLanguageStatusItem('parley.dialect', []);
  store.add(new DialectStatus(item, server.onDidReadDialect));
  store.add(server.onDidReadDialect(({ uri }) => services.conversions.touch(uri)));
  store.add(server.onDidStartAnew(() => services.conversions.touchAll()));
  const tokens = window.createStatusBarItem('parley.tokens', StatusBarAlignment.Right, 99);
  store.add(new CostStatus(tokens, (...question) => server.tokens(...question)));
}

/** Creates the status bar items for recording, receiving and sending. */
function showRecorders(store: DisposableStore, { recordings, telemetry }: Services): void {
  const show = (id: string, place: number, options: RunningStatusOptions): void => {
    const item = window.createStatusBarItem(id, StatusBarAlignment.Right, place);
    store.add(new RunningStatus(item, options));
  };
  if (recordings) {
    store.add(recordings);
    store.add(recordings.onDidChange(() => setContext('recording', recordings.list().length > 0)));
    show('parley.recordings', 99.7, {
      name: 'Parley recordings',
      command: 'parley.stopRecording',
      onDidChange: recordings.onDidChange,
      describe: () => describeRecordings(recordings.list()),
    });
  }
  if (telemetry) {
    store.add(telemetry);
    const { onDidChange } = telemetry;
    show('parley.telemetry', 99.6, {
      name: 'Parley telemetry receiver',
      command: 'parley.telemetry',
      arguments: ['stopReceiver'],
      onDidChange,
      describe: () => telemetry.receiver && describeReceiver(telemetry.receiver),
    });
    show('parley.sending', 99.55, {
      name: 'Parley sending to a collector',
      command: 'parley.telemetry',
      arguments: ['stopSending'],
      onDidChange,
      describe: () => telemetry.sending && describeSending(telemetry.sending),
    });
  }
}

function openAgentViews(
  store: DisposableStore,
  context: ExtensionContext,
  services: Services,
  agents: AgentService,
): void {
  store.add(agents);
  store.add(new ComposerView(context.extensionUri, services, agents, context.workspaceState));
  store.add(new AgentsView(agents, services.traces, services.recordings));
  keepAgentTools(store, services, agents);
  const item = window.createStatusBarItem('parley.agent', StatusBarAlignment.Right, 100);
  const requestAt: FindRequest = (uri, position) => services.server.requestAt(uri, position);
  store.add(new AgentStatus(agents, services.picked, item, requestAt));
  const environment = window.createStatusBarItem('parley.environment', StatusBarAlignment.Right, 99.5);
  store.add(new EnvironmentStatus(agents.environments, environment));
}

function buildApi(traces: TraceStore): ParleyApi {
  return {
    traces: () => traces.trees(),
    onDidChangeTraces: listener => traces.onDidChange(() => listener()),
  };
}

async function stopAll(
  store: DisposableStore,
  server: LanguageServer,
  keeper: TraceKeeper | undefined,
): Promise<void> {
  // The server is stopped before its log channel is disposed of, because it still writes to it.
  await server.stop();
  store.dispose();
  await keeper?.close();
}
