import {
  LSPErrorCodes,
  PrepareRenameRequest,
  RenameRequest,
  ResponseError,
  type ClientCapabilities,
  type TextDocumentEdit,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { refuseName } from '../../../language/names.ts';
import { toOffset, toRange } from '../lsp.ts';
import { filesAround, findPlaces, type PlacedName } from '../names.ts';
import type { WorkspaceFile } from '../workspace.ts';
import { contentModified, requestFeature } from './feature.ts';

/** Maximum number of edits of one rename. */
const MAX_PLACES = 100_000;

/** Returns whether the name at the cursor can be renamed, with its unescaped form. */
export const prepareRename = requestFeature({
  name: 'prepareRename',
  type: PrepareRenameRequest.type,
  capabilities: client => ({
    renameProvider: client.textDocument?.rename?.prepareSupport === true ? { prepareProvider: true } : true,
  }),
  neutral: null,
  answer({ document }, params) {
    const found = document.nameAt(toOffset(document, params.position));
    return found ? { range: toRange(document, found.span), placeholder: found.name } : null;
  },
});

/**
 * Renames a session, stream, tool or call in all files of the workspace; the new name is escaped for each
 * occurrence. Sessions with the same name in two files may be different, so clients with support for it ask
 * before changing other files.
 */
export const rename = requestFeature({
  name: 'rename',
  type: RenameRequest.type,
  capabilities: () => ({}),
  neutral: null,
  stale: contentModified,
  async answer(snapshot, params, { workspace, client }) {
    const { document } = snapshot;
    const name = document.nameAt(toOffset(document, params.position));
    if (!name) return refuse('No session, stream, tool or call is named here: put the cursor on such a name');
    const refusal = refuseName(name.kind, params.newName);
    if (refusal !== undefined) return refuse(refusal);
    const places: PlacedName[] = [];
    for (const place of findPlaces(await filesAround(workspace, snapshot), name)) {
      if (places.length === MAX_PLACES)
        return refuse(`The name occurs in more than ${MAX_PLACES} places: replace it by a search instead`);
      places.push(place);
    }
    const isLocal = name.kind === 'session' || name.kind === 'stream';
    return toWorkspaceEdit(client, toFileEdits(places, params.newName), isLocal ? snapshot.uri : undefined);
  },
});

function refuse(reason: string): ResponseError<void> {
  return new ResponseError<void>(LSPErrorCodes.RequestFailed, reason);
}

function toFileEdits(places: readonly PlacedName[], newName: string): Map<WorkspaceFile, TextEdit[]> {
  const edits = new Map<WorkspaceFile, TextEdit[]>();
  for (const { file, occurrence } of places) {
    const { document } = file;
    const edit = {
      range: toRange(document, occurrence.span),
      newText: document.writeName(occurrence, newName),
    };
    const list = edits.get(file);
    if (list) list.push(edit);
    else edits.set(file, [edit]);
  }
  return edits;
}

/** Creates the edit, with versions if the client can check them, so that it is not applied to a changed text. */
function toWorkspaceEdit(
  client: ClientCapabilities,
  edits: ReadonlyMap<WorkspaceFile, TextEdit[]>,
  onlySureIn: string | undefined,
): WorkspaceEdit {
  const can = client.workspace?.workspaceEdit;
  if (can?.documentChanges !== true)
    return { changes: Object.fromEntries([...edits].map(([{ uri }, list]) => [uri, list])) };
  const asks = (uri: string): boolean =>
    can.changeAnnotationSupport !== undefined && onlySureIn !== undefined && uri !== onlySureIn;
  const documentChanges = [...edits].map(([{ uri, version }, list]): TextDocumentEdit => ({
    textDocument: { uri, version: version ?? null },
    edits: asks(uri) ? list.map(edit => ({ ...edit, annotationId: ELSEWHERE })) : list,
  }));
  if (![...edits.keys()].some(({ uri }) => asks(uri))) return { documentChanges };
  const label = 'The same name in other files';
  return { documentChanges, changeAnnotations: { [ELSEWHERE]: { label, needsConfirmation: true } } };
}

const ELSEWHERE = 'elsewhere';
