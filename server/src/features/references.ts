import { ReferencesRequest, type Location } from 'vscode-languageserver';
import { toOffset } from '../lsp.ts';
import { filesAround, findDefinitions, findPlaces, toLocation } from '../names.ts';
import { requestFeature } from './feature.ts';

/** Maximum number of references in a list. */
const MAX_PLACES = 20_000;

/** All occurrences of a session, stream, tool or call name in the workspace. */
export const references = requestFeature({
  name: 'references',
  type: ReferencesRequest.type,
  capabilities: () => ({ referencesProvider: true }),
  neutral: null,
  async answer(snapshot, params, { workspace, reportOnce }) {
    const { document } = snapshot;
    const name = document.nameAt(toOffset(document, params.position));
    if (!name) return null;
    const definitions = params.context.includeDeclaration
      ? []
      : await findDefinitions(workspace, snapshot, name);
    const isDefinition = new Set(
      definitions.map(({ file, occurrence }) => placeKey(file.uri, occurrence.span.start)),
    );
    const found: Location[] = [];
    for (const place of findPlaces(await filesAround(workspace, snapshot), name)) {
      if (isDefinition.has(placeKey(place.file.uri, place.occurrence.span.start))) continue;
      if (found.length === MAX_PLACES) {
        reportOnce(snapshot.uri, `only the first ${MAX_PLACES} places of '${name.name}' are listed`);
        break;
      }
      found.push(toLocation(place));
    }
    return found;
  },
});

function placeKey(uri: string, offset: number): string {
  return `${offset} ${uri}`;
}
