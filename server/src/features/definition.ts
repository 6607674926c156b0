import { DefinitionRequest } from 'vscode-languageserver';
import { toOffset } from '../lsp.ts';
import { findDefinitions, toLocation } from '../names.ts';
import { requestFeature } from './feature.ts';

/** From the name of a tool to its `TOOL` line; from a session, stream or call to where the file has it first. */
export const definition = requestFeature({
  name: 'definition',
  type: DefinitionRequest.type,
  capabilities: () => ({ definitionProvider: true }),
  neutral: null,
  async answer(snapshot, params, { workspace }) {
    const { document } = snapshot;
    const name = document.nameAt(toOffset(document, params.position));
    if (!name) return null;
    const found = await findDefinitions(workspace, snapshot, name);
    return found.length > 0 ? found.map(toLocation) : null;
  },
});
