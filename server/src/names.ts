import type { Location } from 'vscode-languageserver';
import { definitionsOf, type Name, type NameOccurrence } from '../../language/names.ts';
import { toRange } from './lsp.ts';
import type { Snapshot } from './documents.ts';
import type { Workspace, WorkspaceFile } from './workspace.ts';

/** A place where a name stands, and the file that it is in. */
export interface PlacedName {
  readonly file: WorkspaceFile;
  readonly occurrence: NameOccurrence;
}

/** The files of the workspace, first the one that was asked about, as it stood when the request came. */
export async function filesAround(
  workspace: Workspace,
  snapshot: Snapshot,
): Promise<readonly WorkspaceFile[]> {
  const files = await workspace.files();
  return [snapshot, ...files.filter(({ uri }) => uri !== snapshot.uri)];
}

/** Every place where a name stands in files of any of our languages, read as they are asked for. */
export function* findPlaces(files: readonly WorkspaceFile[], name: Name): Generator<PlacedName> {
  for (const file of files) for (const occurrence of file.document.findName(name)) yield { file, occurrence };
}

/**
 * Where a name comes from. A tool: the lines that declare it, in the asking file if they are there, else in any other;
 * where none does, the lists that name it. Any other name: where the asking file has it first.
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
