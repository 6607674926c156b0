import { workspace } from 'vscode';
import type { TensorSource } from './source.ts';
import { findTensor, type FoundTensor } from '../../tensor/find-tensor.ts';
import { showWarning } from '../../window/messages.ts';
import { findCursor, readPosition, readUri } from '../../targets/arguments.ts';
import type { TensorsParts } from './parts.ts';

/**
 * The tensor that the arguments name by document and position, else the one at the cursor; undefined if there
 * is none.
 */
export async function findTarget(
  { server }: TensorsParts,
  [uriArgument, positionArgument]: readonly unknown[],
): Promise<FoundTensor | undefined> {
  const [uri, position] = [readUri(uriArgument), readPosition(positionArgument)];
  const place = uri && position ? { uri, position } : findCursor();
  if (!place) return undefined;
  // Opens the document first, because the server knows only open documents.
  const document = await workspace.openTextDocument(place.uri);
  return findTensor(server, document, () => place.position);
}

/**
 * Runs `use` with the tensor of a command: the one that its arguments name, else that of the inspector in
 * front, else the one at the cursor. Shows a warning if there is none.
 */
export async function withTensor<Result>(
  services: TensorsParts,
  args: readonly unknown[],
  use: (source: TensorSource) => Promise<Result>,
): Promise<Result | undefined> {
  const { active } = services.inspectors;
  if (args.length === 0 && active) return use(active.source);
  const found = await findTarget(services, args);
  if (!found) {
    showNoTensor();
    return undefined;
  }
  const source = services.inspectors.openMessage(found);
  try {
    return await use(source);
  } finally {
    source.dispose();
  }
}

/** Warns that a command found no tensor. */
export function showNoTensor(): void {
  showWarning('Put the cursor on a tensor in an .aicl file, then try again.');
}
