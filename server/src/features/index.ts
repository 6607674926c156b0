import type { ClientCapabilities, ServerCapabilities } from 'vscode-languageserver';
import { callHierarchy } from './call-hierarchy.ts';
import { codeAction } from './code-action.ts';
import { codeLens } from './code-lens.ts';
import { completion } from './completion.ts';
import { convert } from './convert.ts';
import { cost, tokens } from './cost.ts';
import { countTexts } from './count-texts.ts';
import { definition } from './definition.ts';
import { diagnostics } from './diagnostics.ts';
import { dialect } from './dialect.ts';
import { documentHighlight } from './document-highlight.ts';
import { documentLink } from './document-link.ts';
import { documentSymbol } from './document-symbol.ts';
import type { Feature } from './feature.ts';
import { foldingRange } from './folding-range.ts';
import { formatting } from './formatting.ts';
import { hover } from './hover.ts';
import { inlayHint } from './inlay-hint.ts';
import { onTypeFormatting } from './on-type-formatting.ts';
import { rangeFormatting } from './range-formatting.ts';
import { references } from './references.ts';
import { prepareRename, rename } from './rename.ts';
import { requestAt } from './request-at.ts';
import { requestsIn } from './requests-in.ts';
import { selectionRange } from './selection-range.ts';
import { semanticTokens } from './semantic-tokens.ts';
import { signatureHelp } from './signature-help.ts';
import { tensorAt, tensors } from './tensors.ts';
import { textAt } from './text-at.ts';
import { tokenLens } from './token-lens.ts';
import { workspaceDiagnostics } from './workspace-diagnostics.ts';
import { workspaceSymbol } from './workspace-symbol.ts';

/** All features of the server. */
export const FEATURES: readonly Feature[] = [
  diagnostics,
  workspaceDiagnostics,
  hover,
  completion,
  signatureHelp,
  documentSymbol,
  foldingRange,
  semanticTokens,
  inlayHint,
  documentLink,
  formatting,
  rangeFormatting,
  onTypeFormatting,
  codeLens,
  tokenLens,
  codeAction,
  definition,
  references,
  documentHighlight,
  prepareRename,
  rename,
  callHierarchy,
  workspaceSymbol,
  selectionRange,
  requestAt,
  requestsIn,
  tensorAt,
  tensors,
  textAt,
  dialect,
  convert,
  cost,
  tokens,
  countTexts,
];

/** The server capabilities for a client, combined from all features. */
export function listCapabilities(client: ClientCapabilities): ServerCapabilities {
  return FEATURES.reduce<ServerCapabilities>(
    (sum, feature) => ({ ...sum, ...feature.capabilities(client) }),
    {},
  );
}
