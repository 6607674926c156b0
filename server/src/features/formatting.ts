import { DocumentFormattingRequest } from 'vscode-languageserver';
import { toTextEdits } from '../lsp.ts';
import { contentModified, requestFeature } from './feature.ts';

/** Formats the whole document with the editor's indentation options. */
export const formatting = requestFeature({
  name: 'formatting',
  type: DocumentFormattingRequest.type,
  capabilities: () => ({ documentFormattingProvider: true }),
  neutral: null,
  stale: contentModified,
  answer({ document }, { options }) {
    return toTextEdits(document, document.format(options));
  },
});
