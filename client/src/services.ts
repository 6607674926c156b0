import type { LogOutputChannel } from 'vscode';
import type { AgentService } from './services/agent-service.ts';
import type { CallForms } from './features/agents/call-forms.ts';
import type { CostDocument } from './features/cost/cost-document.ts';
import type { ConversionViews } from './features/convert/conversion-views.ts';
import type { LastTarget } from './features/convert/last-target.ts';
import type { DialectChoices } from './features/language/dialect-choices.ts';
import type { LanguageServer } from './language-client/language-client.ts';
import type { MediaFiles } from './features/values/media-files.ts';
import type { TimelinePanel } from './features/traces/timeline/timeline-panel.ts';
import type { PickedAgents } from './services/picked-agents.ts';
import type { RecordingService } from './services/recording-service.ts';
import type { GrowingReplies } from './replies/growing-replies.ts';
import type { RawReplies } from './features/replies/raw-replies.ts';
import type { ReplyDocuments } from './replies/reply-documents.ts';
import type { RunningCalls } from './sending/running-calls.ts';
import type { NamedReplies } from './sending/named-replies.ts';
import type { TelemetryService } from './services/telemetry-service.ts';
import type { Inspectors } from './features/tensors/inspectors.ts';
import type { TextFiles } from './features/values/text-files.ts';
import type { RequestCalls } from './features/traces/timeline/request-calls.ts';
import type { TraceEditors } from './features/traces/timeline/trace-editors.ts';
import type { TracePins } from './trace/trace-pins.ts';
import type { TraceSource } from './trace/trace-source.ts';
import type { TraceStore } from './trace/trace-store.ts';
import type { TracesView } from './features/traces/view/traces-view.ts';

/** The services for commands and views. Created once, by `activateExtension`. */
export interface Services {
  readonly log: LogOutputChannel;
  readonly server: LanguageServer;
  /** Undefined in a browser, which cannot reach agents. */
  readonly agents: AgentService | undefined;
  /** Undefined in a browser. */
  readonly recordings: RecordingService | undefined;
  /** Undefined in a browser. */
  readonly telemetry: TelemetryService | undefined;
  readonly dialects: DialectChoices;
  readonly picked: PickedAgents;
  readonly traces: TraceStore;
  /** The traces of this window, for views. */
  readonly source: TraceSource;
  readonly tracesView: TracesView;
  readonly pins: TracePins;
  readonly traceEditors: TraceEditors;
  readonly requestCalls: RequestCalls;
  readonly namedReplies: NamedReplies;
  readonly running: RunningCalls;
  readonly callForms: CallForms;
  readonly replies: ReplyDocuments;
  readonly growing: GrowingReplies;
  readonly raw: RawReplies;
  readonly timeline: TimelinePanel;
  readonly inspectors: Inspectors;
  readonly media: MediaFiles;
  readonly texts: TextFiles;
  readonly conversions: ConversionViews;
  readonly lastTarget: LastTarget;
  readonly cost: CostDocument;
}
