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
import { refuseName } from '../../../language/new-name.ts';
import { toOffset, toRange } from '../lsp.ts';
import { filesAround, findPlaces, type PlacedName } from '../names.ts';
import type { WorkspaceFile } from '../workspace.ts';
import { contentModified, requestFeature } from './feature.ts';

/** No editor applies more edits at once. */
const MOST_PLACES = 100_000;

/** Whether the name under the cursor can be changed, and what it is without its escapes. */
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
 * Writes a new name for a session, stream, tool or call in all files of the workspace, escaped for each place. Sessions
 * of one name in two files may be two: a client that can is told to ask before it changes them in other files.
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
      if (places.length === MOST_PLACES)
        return refuse(`The name stands in more than ${MOST_PLACES} places: replace it by a search instead`);
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

/** With versions where the client can check them, so that an edit meant for another text is not applied. */
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
