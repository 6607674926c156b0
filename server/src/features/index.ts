import type { ClientCapabilities, ServerCapabilities } from 'vscode-languageserver';
import { codeAction } from './code-action.ts';
import { codeLens } from './code-lens.ts';
import { completion } from './completion.ts';
import { diagnostics } from './diagnostics.ts';
import { documentSymbol } from './document-symbol.ts';
import type { Feature } from './feature.ts';
import { foldingRange } from './folding-range.ts';
import { formatting } from './formatting.ts';
import { hover } from './hover.ts';
import { requestAt } from './request-at.ts';

/** All that the server can do. */
export const FEATURES: readonly Feature[] = [
  diagnostics,
  hover,
  completion,
  documentSymbol,
  foldingRange,
  formatting,
  codeLens,
  codeAction,
  requestAt,
];

/** What this client is told: the sum of what the features say. */
export function listCapabilities(client: ClientCapabilities): ServerCapabilities {
  return FEATURES.reduce<ServerCapabilities>(
    (sum, feature) => ({ ...sum, ...feature.capabilities(client) }),
    {},
  );
}
