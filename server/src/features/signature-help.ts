import { SignatureHelpRequest, type ClientCapabilities, type SignatureHelp } from 'vscode-languageserver';
import { LANGUAGES } from '../../../core/catalog/languages.ts';
import type { Signature } from '../../../language/feature-results.ts';
import { toOffset } from '../lsp.ts';
import { toMarkup } from '../markup.ts';
import { requestFeature } from './feature.ts';

const TRIGGERS: readonly string[] = [...new Set(LANGUAGES.flatMap(row => row.signatureTriggers))];

/** The signature of the call at the cursor, with the active parameter. */
export const signatureHelp = requestFeature({
  name: 'signature help',
  type: SignatureHelpRequest.type,
  capabilities: () => ({ signatureHelpProvider: { triggerCharacters: [...TRIGGERS] } }),
  neutral: null,
  answer({ document }, params, host) {
    const found = document.signature(toOffset(document, params.position));
    return found ? toSignatureHelp(found, host.client) : null;
  },
});

/** Clients without support for label offsets get the parameter's text instead. */
function toSignatureHelp(signature: Signature, client: ClientCapabilities): SignatureHelp {
  const support = client.textDocument?.signatureHelp?.signatureInformation;
  const report = (markdown: string): Pick<SignatureHelp['signatures'][number], 'documentation'> =>
    markdown === '' ? {} : { documentation: toMarkup(markdown, support?.documentationFormat) };
  const { label, active } = signature;
  const parameters = signature.parameters.map(({ span, documentation }) => ({
    label: support?.parameterInformation?.labelOffsetSupport
      ? ([span.start, span.end] satisfies [number, number])
      : label.slice(span.start, span.end),
    ...report(documentation),
  }));
  return {
    signatures: [{ label, ...report(signature.documentation), parameters }],
    activeSignature: 0,
    activeParameter: active,
  };
}
