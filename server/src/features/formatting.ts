import { DocumentFormattingRequest } from 'vscode-languageserver';
import { toTextEdits } from '../lsp.ts';
import { requestFeature } from './feature.ts';

/** Formats the whole document. Indentation is the language's own, so the editor's options are not asked. */
export const formatting = requestFeature({
  name: 'formatting',
  type: DocumentFormattingRequest.type,
  capabilities: () => ({ documentFormattingProvider: true }),
  neutral: null,
  answer({ document }) {
    return toTextEdits(document, document.format());
  },
});
