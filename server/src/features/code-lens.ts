import { CodeLensRefreshRequest, CodeLensRequest, type CodeLens } from 'vscode-languageserver';
import type { TensorPlace } from '../../../protocol/src/language/tensors.ts';
import { SEND_COMMAND } from '../../../protocol/src/wire/server-messages.ts';
import { INSPECT_COMMAND } from '../../../protocol/src/wire/tensor-requests.ts';
import type { Snapshot } from '../documents.ts';
import { toPosition } from '../lsp.ts';
import { requestFeature, type FeatureHost } from './feature.ts';

/** An editor draws no more lenses with any use; a file of a million calls has them on its first thousand. */
const MOST_LENSES = 1000;
/** More lenses side by side than this are no help. */
const MOST_IN_LINE = 20;

/** Send above every request and Inspect above every tensor, where the client can do so. */
export const codeLens = requestFeature({
  name: 'codeLens',
  type: CodeLensRequest.type,
  capabilities: () => ({ codeLensProvider: { resolveProvider: false } }),
  neutral: null,
  answer(snapshot, _params, host) {
    const { canSend, canInspect } = host.options();
    return [...(canSend ? sendLenses(snapshot) : []), ...(canInspect ? inspectLenses(snapshot, host) : [])];
  },
  async refresh(host, change) {
    if (change === 'tools' || host.client.workspace?.codeLens?.refreshSupport !== true) return;
    await host.connection.sendRequest(CodeLensRefreshRequest.type);
  },
});

function sendLenses({ document, uri }: Snapshot): readonly CodeLens[] {
  return document.requests(MOST_LENSES).map(request => {
    const start = toPosition(document, request.span.start);
    return {
      range: { start, end: start },
      command: { title: '$(play)\u00a0Send', command: SEND_COMMAND, arguments: [uri, start] },
    };
  });
}

/** One lens a tensor, at its line; where several share a line each is named. */
function inspectLenses({ document, uri }: Snapshot, host: FeatureHost): readonly CodeLens[] {
  const lines = new Map<number, TensorPlace[]>();
  let count = 0;
  for (const tensor of document.tensors()) {
    if (count === MOST_LENSES) {
      host.tellOnce(uri, `only the first ${MOST_LENSES} tensors have a lens`);
      break;
    }
    const line = document.text.lineAt(tensor.span.start);
    const found = lines.get(line) ?? [];
    lines.set(line, found);
    if (found.length === MOST_IN_LINE)
      host.tellOnce(uri, `only the first ${MOST_IN_LINE} tensors of a line have a lens`);
    else {
      found.push(tensor);
      count++;
    }
  }
  return [...lines.values()].flatMap(found =>
    found.map(({ span, path }) => {
      const start = toPosition(document, span.start);
      const title = found.length === 1 ? 'Inspect' : `Inspect ${path}`;
      return {
        range: { start, end: start },
        command: {
          title: `$(table)\u00a0${title}`.trimEnd(),
          command: INSPECT_COMMAND,
          arguments: [uri, start],
        },
      };
    }),
  );
}
