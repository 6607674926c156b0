import type { Uri } from 'vscode';
import type { ActOnCall } from '../../../../../wire/timeline-messages.ts';
import type { CommandName } from '../../manifests.ts';
import { currentSettings } from '../../../base/settings.ts';
import { runCommand } from '../../../window/messages.ts';
import { TimelinePanel } from './timeline-panel.ts';
import type { CountedTokens } from '../view/counted-tokens.ts';
import type { TokenCounter } from '../view/token-totals.ts';
import type { TraceSource } from '../../../trace/trace-source.ts';

/** The command of each action of the page. */
const COMMANDS = {
  openSource: 'parley.openSource',
  openRequest: 'parley.openRequest',
  openReply: 'parley.openReply',
  exportTrace: 'parley.exportTrace',
  copyTrace: 'parley.copyTrace',
  compareTrace: 'parley.compareTraces',
  replayCall: 'parley.replayCall',
} as const satisfies Record<ActOnCall['action'], CommandName>;

/** Builds the panel with the live traces of this window. */
export function buildLiveTimeline(
  extension: Uri,
  source: TraceSource,
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
    { onSelected, onAction: (action, call) => runCommand(COMMANDS[action], call) },
  );
}
