import type { Uri } from 'vscode';
import type { ActOnCall } from '../../../../../wire/timeline-messages.ts';
import type { CommandName } from '../../manifests.ts';
import { currentSettings } from '../../../base/settings.ts';
import { runCommand } from '../../../window/messages.ts';
import { TimelinePanel } from './timeline-panel.ts';
import type { ReplyDocuments } from '../../../replies/reply-documents.ts';
import type { CountedTokens } from '../view/counted-tokens.ts';
import { openPayload } from './open-payload.ts';
import type { TokenCounter } from '../view/token-totals.ts';
import type { TraceSource } from '../../../trace/trace-source.ts';

const OPEN_SOURCE: CommandName = 'parley.openSource';
const EXPORT_TRACE: CommandName = 'parley.exportTrace';
const COPY_TRACE: CommandName = 'parley.copyTrace';
const COMPARE_TRACES: CommandName = 'parley.compareTraces';
const REPLAY_CALL: CommandName = 'parley.replayCall';

/** Builds the panel with the live traces of this window. */
export function buildLiveTimeline(
  extension: Uri,
  source: TraceSource,
  documents: ReplyDocuments,
  tokens: TokenCounter,
  counted: CountedTokens,
  onSelected: (call: string) => void,
): TimelinePanel {
  return new TimelinePanel(
    extension,
    {
      source,
      kind: 'live',
      tokens,
      onCounted: (counts, encoding) => counted.keep(counts, encoding),
      actions: ['exportTrace', 'copyTrace', 'compareTrace', 'replayCall'],
      depthLimit: () => currentSettings()['trace.depthLimit'],
    },
    { onSelected, onAction: (action, call) => act(action, call, source, documents) },
  );
}

function act(
  action: ActOnCall['action'],
  call: string,
  source: TraceSource,
  documents: ReplyDocuments,
): void {
  switch (action) {
    case 'openSource':
      return runCommand(OPEN_SOURCE, call);
    case 'openRequest':
      void openPayload(source, documents, call, 'request');
      return;
    case 'openReply':
      void openPayload(source, documents, call, 'reply');
      return;
    case 'exportTrace':
      return runCommand(EXPORT_TRACE, call);
    case 'copyTrace':
      return runCommand(COPY_TRACE, call);
    case 'compareTrace':
      return runCommand(COMPARE_TRACES, call);
    case 'replayCall':
      return runCommand(REPLAY_CALL, call);
  }
}
