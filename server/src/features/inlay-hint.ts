import { InlayHintKind, InlayHintRefreshRequest, InlayHintRequest } from 'vscode-languageserver';
import { MAX_HINTS, type TextHint } from '../../../language/feature-results.ts';
import { toPosition, toSpan } from '../lsp.ts';
import { shownParts } from '../shown-parts.ts';
import { requestFeature } from './feature.ts';

const KIND: Readonly<Record<TextHint['kind'], InlayHintKind>> = {
  parameter: InlayHintKind.Parameter,
  type: InlayHintKind.Type,
  escape: InlayHintKind.Type,
};

/** Inlay hints for argument names, tensor contents and escapes in the visible lines. */
export const inlayHint = requestFeature({
  name: 'inlayHint',
  type: InlayHintRequest.type,
  capabilities: () => ({ inlayHintProvider: { resolveProvider: false } }),
  neutral: null,
  answer({ document, settings, uri }, params, host) {
    if (!settings['inlayHints.enabled']) return [];
    const hints: TextHint[] = [];
    for (const part of shownParts(document, toSpan(document, params.range))) {
      if (hints.length >= MAX_HINTS) break;
      hints.push(...document.hints(part));
    }
    if (hints.length >= MAX_HINTS)
      host.reportOnce(uri, `only the first ${MAX_HINTS} hints of a range are shown`);
    return hints.slice(0, MAX_HINTS).map(({ offset, label, tooltip, kind }) => ({
      position: toPosition(document, offset),
      label,
      kind: KIND[kind],
      tooltip,
      paddingRight: kind !== 'escape',
    }));
  },
  async refresh(host, change) {
    if (change === 'options' || host.client.workspace?.inlayHint?.refreshSupport !== true) return;
    await host.connection.sendRequest(InlayHintRefreshRequest.type);
  },
});
