import { CompletionRequest } from 'vscode-languageserver';
import { LANGUAGES } from '../../../protocol/src/catalog/languages.ts';
import { toCompletionItem, toOffset } from '../lsp.ts';
import { requestFeature } from './feature.ts';

const TRIGGERS: readonly string[] = [...new Set(LANGUAGES.flatMap(row => row.completionTriggers))];

/** Proposals for the place of the cursor. */
export const completion = requestFeature({
  name: 'completion',
  type: CompletionRequest.type,
  capabilities: () => ({ completionProvider: { triggerCharacters: [...TRIGGERS] } }),
  neutral: null,
  answer({ document }, params, host) {
    const offset = toOffset(document, params.position);
    const snippets = host.client.textDocument?.completion?.completionItem?.snippetSupport === true;
    return document.complete(offset).map(item => toCompletionItem(document, offset, item, { snippets }));
  },
});
