import { SymbolKind, WorkspaceSymbolRequest, type SymbolInformation } from 'vscode-languageserver';
import type { Landmark } from '../../../language/feature-results.ts';
import type { OpenDocument } from '../../../language/support.ts';
import { guardRequest } from '../guard.ts';
import { toRange } from '../lsp.ts';
import type { WorkspaceFile } from '../workspace.ts';
import type { Feature } from './feature.ts';

/** Maximum number of symbols in a result; users can type more of the name. */
const MAX_SYMBOLS = 1_000;

const KIND: Readonly<Record<Landmark['kind'], SymbolKind>> = {
  session: SymbolKind.Module,
  tool: SymbolKind.Interface,
  request: SymbolKind.Function,
  error: SymbolKind.Event,
  section: SymbolKind.Namespace,
};

/** Searches sessions, tools, requests, errors and sections by name in all files of the workspace. */
export const workspaceSymbol: Feature = {
  name: 'workspaceSymbol',
  capabilities: () => ({ workspaceSymbolProvider: true }),
  register(host) {
    const known = new WeakMap<OpenDocument, readonly Landmark[]>();
    const landmarksOf = (document: OpenDocument): readonly Landmark[] => {
      const landmarks = known.get(document) ?? document.landmarks();
      known.set(document, landmarks);
      return landmarks;
    };
    host.connection.onRequest(WorkspaceSymbolRequest.type, ({ query }, token) =>
      guardRequest<SymbolInformation[], void>(host, { feature: 'workspaceSymbol' }, [], token, async () => {
        const found: SymbolInformation[] = [];
        for (const file of await host.workspace.files()) {
          for (const landmark of landmarksOf(file.document)) {
            if (found.length === MAX_SYMBOLS) return found;
            if (isMatch(landmark.name, query)) found.push(toSymbol(file, landmark));
          }
        }
        return found;
      }),
    );
  },
};

function toSymbol(
  { uri, document }: WorkspaceFile,
  { name, kind, container, span }: Landmark,
): SymbolInformation {
  return {
    name,
    kind: KIND[kind],
    location: { uri, range: toRange(document, span) },
    ...(container === '' ? {} : { containerName: container }),
  };
}

/** True if the letters of the query occur in the name in this order, ignoring case. */
function isMatch(name: string, query: string): boolean {
  const inName = name.toLowerCase();
  let at = 0;
  for (const letter of query.toLowerCase()) {
    if (letter.trim() === '') continue;
    at = inName.indexOf(letter, at) + letter.length;
    if (at < letter.length) return false;
  }
  return true;
}
