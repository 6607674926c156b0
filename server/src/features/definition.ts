import { DefinitionRequest } from 'vscode-languageserver';
import { defineVariable } from '../../../language/variables/editing.ts';
import { toOffset, toRange } from '../lsp.ts';
import { findDefinitions, toLocation } from '../names.ts';
import { requestFeature } from './feature.ts';

/**
 * Go to definition: from a tool to its `TOOL` line, from a session, stream or call to its first occurrence in
 * the file, from a variable to its definition.
 */
export const definition = requestFeature({
  name: 'definition',
  type: DefinitionRequest.type,
  capabilities: () => ({ definitionProvider: true }),
  neutral: null,
  async answer(snapshot, params, host) {
    const { document, uri } = snapshot;
    const offset = toOffset(document, params.position);
    const variable = defineVariable(document, offset, host.options().environment);
    if (variable) return [{ uri, range: toRange(document, variable) }];
    const name = document.nameAt(offset);
    if (!name) return null;
    const found = await findDefinitions(host.workspace, snapshot, name);
    return found.length > 0 ? found.map(toLocation) : null;
  },
});
