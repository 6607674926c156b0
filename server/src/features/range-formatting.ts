import { DocumentRangeFormattingRequest } from 'vscode-languageserver';
import { toSpan, toTextEdits } from '../lsp.ts';
import { contentModified, requestFeature } from './feature.ts';

/** Formats the messages or lines that a range touches. */
export const rangeFormatting = requestFeature({
  name: 'rangeFormatting',
  type: DocumentRangeFormattingRequest.type,
  capabilities: () => ({ documentRangeFormattingProvider: true }),
  neutral: null,
  stale: contentModified,
  answer({ document }, { range, options }) {
    return toTextEdits(document, document.formatRange(toSpan(document, range), options));
  },
});
