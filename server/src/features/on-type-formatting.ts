import { DocumentOnTypeFormattingRequest } from 'vscode-languageserver';
import { toOffset, toTextEdits } from '../lsp.ts';
import { contentModified, requestFeature } from './feature.ts';

/** Formats the white space around a typed bracket, comma or line end. */
export const onTypeFormatting = requestFeature({
  name: 'onTypeFormatting',
  type: DocumentOnTypeFormattingRequest.type,
  capabilities: () => ({
    documentOnTypeFormattingProvider: { firstTriggerCharacter: '\n', moreTriggerCharacter: [']', ','] },
  }),
  neutral: null,
  stale: contentModified,
  answer({ document }, { position, ch, options }) {
    return toTextEdits(document, document.formatTyped(toOffset(document, position), ch, options));
  },
});
