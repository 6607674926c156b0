import type { Uri } from 'vscode';
import { currentSettings } from '../../../base/settings.ts';
import { TimelinePanel } from './timeline-panel.ts';
import type { CountedTokens } from '../view/counted-tokens.ts';
import type { TokenCounter } from '../view/token-totals.ts';
import type { TraceSource } from '../../../trace/trace-source.ts';

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
    { onSelected },
  );
}
