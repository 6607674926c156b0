import { registerCommands, type ActivateFeature } from '../feature.ts';
import { compareTraces } from './compare/compare-command.ts';
import { copyTrace, exportTrace } from './export/export-command.ts';
import type { TRACES } from './manifest.ts';
import type { TracesParts } from './parts.ts';
import { replayCall, sendAgain } from './replay/replay-commands.ts';
import { currentSettings } from '../../base/settings.ts';
import { openAsTrace, openTrace, pickTrace } from './timeline/open-trace.ts';
import { RequestCalls } from './timeline/request-calls.ts';
import { showCalls } from './timeline/show-calls.ts';
import { TimelinePanel } from './timeline/timeline-panel.ts';
import { TraceEditors } from './timeline/trace-editors.ts';
import { writeJsonCall } from './timeline/write-json-call.ts';
import { CountedTokens } from './view/counted-tokens.ts';
import { countByServer } from './view/server-counter.ts';
import { RecordedBadges } from './view/recorded-badges.ts';
import { TracesView } from './view/traces-view.ts';
import {
  clearTraceFilter,
  clearTraces,
  deleteTrace,
  filterTraces,
  openCall,
  openReply,
  openRequest,
  openSource,
  pauseTraces,
  pinTrace,
  resumeTraces,
  unpinTrace,
} from './view/view-commands.ts';

/** Traces of this window, of earlier ones and of files: the view, the timeline, comparison, replay and export. */
export const activate: ActivateFeature = (shared, store) => {
  const { context, server, source, pins, openTraceFile } = shared;
  const tokens = countByServer(server);
  const counted = store.add(new CountedTokens());
  const tracesView = store.add(new TracesView(source, pins, counted));
  store.add(new RecordedBadges());
  const parts: TracesParts = {
    ...shared,
    tracesView,
    requestCalls: store.add(new RequestCalls(source)),
    traceEditors: store.add(new TraceEditors(context.extensionUri, openTraceFile, tokens)),
    timeline: store.add(
      new TimelinePanel(context.extensionUri, {
        source,
        kind: 'live',
        tokens,
        onCounted: (counts, encoding) => counted.keep(counts, encoding),
        onSelected: call => void tracesView.select(call),
        depthLimit: () => currentSettings()['trace.depthLimit'],
      }),
    ),
  };
  store.add(tracesView.onDidSelect(call => parts.timeline.follow(call)));
  registerCommands<typeof TRACES, TracesParts>(store, parts, {
    openCall,
    openSource,
    openRequest,
    openReply,
    writeJsonCall,
    exportTrace,
    copyTrace,
    compareTraces,
    replayCall,
    sendAgain,
    clearTraces,
    deleteTrace,
    pinTrace,
    unpinTrace,
    filterTraces,
    clearTraceFilter,
    pauseTraces,
    resumeTraces,
    openTrace,
    openAsTrace,
    pickTrace,
    showCalls,
  });
};
