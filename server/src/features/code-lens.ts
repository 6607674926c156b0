import { CodeLensRefreshRequest, CodeLensRequest } from 'vscode-languageserver';
import { SEND_COMMAND } from '../../../protocol/src/wire/server-messages.ts';
import { toPosition } from '../lsp.ts';
import { requestFeature } from './feature.ts';

/** An editor draws no more lenses with any use; a file of a million calls has them on its first thousand. */
const MOST_LENSES = 1000;

/** Send above every request, where the client can send. */
export const codeLens = requestFeature({
  name: 'codeLens',
  type: CodeLensRequest.type,
  capabilities: () => ({ codeLensProvider: { resolveProvider: false } }),
  neutral: null,
  answer({ document, uri }, _params, host) {
    if (!host.options().canSend) return [];
    return document.requests(MOST_LENSES).map(request => {
      const start = toPosition(document, request.span.start);
      return {
        range: { start, end: start },
        command: { title: '$(play)\u00a0Send', command: SEND_COMMAND, arguments: [uri, start] },
      };
    });
  },
  async refresh(host, change) {
    if (change === 'tools' || host.client.workspace?.codeLens?.refreshSupport !== true) return;
    await host.connection.sendRequest(CodeLensRefreshRequest.type);
  },
});
