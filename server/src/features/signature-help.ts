import { SignatureHelpRequest, type ClientCapabilities, type SignatureHelp } from 'vscode-languageserver';
import { LANGUAGES } from '../../../core/catalog/languages.ts';
import type { Signature } from '../../../language/signature.ts';
import { toOffset } from '../lsp.ts';
import { toMarkup } from '../markup.ts';
import { requestFeature } from './feature.ts';

const TRIGGERS: readonly string[] = [...new Set(LANGUAGES.flatMap(row => row.signatureTriggers))];

/** How the call around the cursor is written, and which argument the cursor is in. */
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

/** A client that knows no offsets in a label finds a parameter by its text. */
function toSignatureHelp(signature: Signature, client: ClientCapabilities): SignatureHelp {
  const support = client.textDocument?.signatureHelp?.signatureInformation;
  const tell = (markdown: string): Pick<SignatureHelp['signatures'][number], 'documentation'> =>
    markdown === '' ? {} : { documentation: toMarkup(markdown, support?.documentationFormat) };
  const { label, active } = signature;
  const parameters = signature.parameters.map(({ span, documentation }) => ({
    label: support?.parameterInformation?.labelOffsetSupport
      ? ([span.start, span.end] satisfies [number, number])
      : label.slice(span.start, span.end),
    ...tell(documentation),
  }));
  return {
    signatures: [{ label, ...tell(signature.documentation), parameters }],
    activeSignature: 0,
    activeParameter: active,
  };
}
