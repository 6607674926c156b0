import type { Disposable, ExtensionContext, LogOutputChannel, Uri } from 'vscode';
import type { TraceEvent } from '../../core/events/events.ts';
import type { ServerOptions } from '../../wire/server-messages.ts';
import type { TraceTree } from '../../trace/fold/tree.ts';
import { DisposableStore } from './base/dispose.ts';
import { createLog } from './base/log.ts';
import type { ReadRange } from './base/read-file.ts';
import { maySend } from './base/trust.ts';
import { activate as activateAgents } from './features/agents/feature.ts';
import { activate as activateBridge } from './features/bridge/feature.ts';
import { activate as activateCompose } from './features/compose/feature.ts';
import { activate as activateConvert } from './features/convert/feature.ts';
import { activate as activateCost } from './features/cost/feature.ts';
import { activate as activateCredentials } from './features/credentials/feature.ts';
import type { Shared } from './features/feature.ts';
import { activate as activateLanguage } from './features/language/feature.ts';
import { activate as activateRecording } from './features/recording/feature.ts';
import { activate as activateReplies } from './features/replies/feature.ts';
import { activate as activateSend } from './features/send/feature.ts';
import { activate as activateStart } from './features/start/feature.ts';
import { activate as activateTelemetry } from './features/telemetry/feature.ts';
import { activate as activateTensors } from './features/tensors/feature.ts';
import { activate as activateTraces } from './features/traces/feature.ts';
import { activate as activateValues } from './features/values/feature.ts';
import { activate as activateVariables } from './features/variables/feature.ts';
import { StoredCalls } from './forms/stored-calls.ts';
import { DialectChoices } from './language-client/dialect-choices.ts';
import { keepOptions } from './language-client/keep-options.ts';
import { LanguageServer, type CreateClient } from './language-client/language-client.ts';
import { GrowingReplies } from './replies/growing-replies.ts';
import { MediaFiles } from './media/media-files.ts';
import { ReplyDocuments } from './replies/reply-documents.ts';
import { ReplyPages } from './replies/reply-pages.ts';
import { NamedReplies } from './sending/named-replies.ts';
import { RunningCalls } from './sending/running-calls.ts';
import type { AgentService } from './services/agent-service.ts';
import { ComposeTarget } from './services/compose-target.ts';
import { PickedAgents } from './services/picked-agents.ts';
import type { BridgeService } from './services/bridge-service.ts';
import type { RecordingService } from './services/recording-service.ts';
import type { TelemetryService } from './services/telemetry-service.ts';
import { followSecretNames } from './trace/secret-names.ts';
import { StoreSource } from './trace/store-source.ts';
import type { TraceKeeper } from './trace/trace-keeper.ts';
import { TracePins } from './trace/trace-pins.ts';
import type { OpenTraceFile } from './trace/trace-reader.ts';
import { TraceStore } from './trace/trace-store.ts';
import { setContext } from './window/context-key.ts';

const FEATURES = [
  activateReplies,
  activateSend,
  activateCompose,
  activateAgents,
  activateCredentials,
  activateVariables,
  activateTraces,
  activateRecording,
  activateBridge,
  activateTelemetry,
  activateConvert,
  activateCost,
  activateTensors,
  activateValues,
  activateLanguage,
  activateStart,
] as const;

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
    readonly bridges: BridgeService;
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

/** What the language server may do before the agents and environments are known. */
const OPTIONS = {
  canInspect: true,
  canShowMedia: true,
  canConvert: true,
  agents: [],
  showsDialects: true,
  environment: [],
  secrets: [],
} as const satisfies Partial<ServerOptions>;

/** Activates all features. Starts only the language server, and only if an AICF or AICL document is open. */
export function activateExtension(context: ExtensionContext, platform: Platform): Activated {
  const store = new DisposableStore();
  const log = store.add(createLog());
  store.add(followSecretNames());
  const pins = store.add(new TracePins(context.workspaceState));
  const keeper = platform.openTraceKeeper?.(context, () => pins.calls);
  const traces = store.add(new TraceStore(all => pins.tracesOf(all), keeper));
  const desktop = platform.openAgents?.(context, log, event => traces.add(event));
  for (const service of Object.values(desktop ?? {})) store.add(service);
  // Menus then hide what sends.
  if (!desktop) setContext('inBrowser', true);
  const may = (): Pick<ServerOptions, 'canSend' | 'needsTrust'> => ({
    canSend: desktop !== undefined && maySend(),
    needsTrust: desktop !== undefined && !maySend(),
  });
  const growing = store.add(new GrowingReplies());
  const replies = store.add(new ReplyDocuments());
  const running = store.add(new RunningCalls());
  const dialects = store.add(new DialectChoices(context.workspaceState));
  const isUnfinished = (uri: Uri): boolean => growing.find(uri) !== undefined || replies.isCut(uri);
  const server = store.add(
    new LanguageServer(
      platform.createClient,
      log,
      { ...OPTIONS, ...may(), dialects: dialects.all() },
      isUnfinished,
      (uri, line) => running.findAt(uri.toString(), line),
    ),
  );
  store.add(running.onDidChange(() => server.redrawLenses()));
  const source = store.add(new StoreSource(traces));
  const media = store.add(new MediaFiles());
  const shared: Shared = {
    context,
    log,
    server,
    dialects,
    agents: desktop?.agents,
    recordings: desktop?.recordings,
    bridges: desktop?.bridges,
    telemetry: desktop?.telemetry,
    readRange: platform.readRange,
    openTraceFile: platform.openTraceFile,
    traces,
    source,
    pins,
    picked: store.add(new PickedAgents(context.workspaceState)),
    compose: store.add(new ComposeTarget()),
    storedCalls: new StoredCalls(context.workspaceState),
    running,
    namedReplies: new NamedReplies(),
    replies,
    growing,
    media,
    pages: store.add(new ReplyPages({ context, source, replies, media, running })),
  };
  for (const activate of FEATURES) activate(shared, store);
  keepOptions(store, shared, may);
  return { api: buildApi(traces), stop: () => stopAll(store, server, keeper) };
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
