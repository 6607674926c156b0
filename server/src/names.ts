import type { Location } from 'vscode-languageserver';
import { definitionsOf, type Name, type NameOccurrence } from '../../language/names.ts';
import { toRange } from './lsp.ts';
import type { Snapshot } from './documents.ts';
import type { Workspace, WorkspaceFile } from './workspace.ts';

/** An occurrence of a name, with its file. */
export interface PlacedName {
  readonly file: WorkspaceFile;
  readonly occurrence: NameOccurrence;
}

/** The files of the workspace, starting with the requested one at the time of the request. */
export async function filesAround(
  workspace: Workspace,
  snapshot: Snapshot,
): Promise<readonly WorkspaceFile[]> {
  const files = await workspace.files();
  return [snapshot, ...files.filter(({ uri }) => uri !== snapshot.uri)];
}

/** Every occurrence of a name in the files of all languages, read lazily. */
export function* findPlaces(files: readonly WorkspaceFile[], name: Name): Generator<PlacedName> {
  for (const file of files) for (const occurrence of file.document.findName(name)) yield { file, occurrence };
}

/**
 * Finds the definition of a name. For a tool: its declarations in the requesting file, or else in any file,
 * or else the lists that contain it. For other names: the first occurrence in the requesting file.
 */
export async function findDefinitions(
  workspace: Workspace,
  snapshot: Snapshot,
  name: Name,
): Promise<readonly PlacedName[]> {
  const own = definitionsIn(snapshot, name);
  if (own.some(({ occurrence }) => name.kind !== 'tool' || occurrence.role === 'declares')) return own;
  const all = (await filesAround(workspace, snapshot)).flatMap(file => definitionsIn(file, name));
  const declared = all.filter(({ occurrence }) => occurrence.role === 'declares');
  return declared.length > 0 ? declared : all;
}

function definitionsIn(file: WorkspaceFile, name: Name): readonly PlacedName[] {
  return definitionsOf(file.document.findName(name)).map(occurrence => ({ file, occurrence }));
}

export function toLocation({ file, occurrence }: PlacedName): Location {
  return { uri: file.uri, range: toRange(file.document, occurrence.span) };
}
