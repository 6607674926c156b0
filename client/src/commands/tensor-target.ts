import { workspace } from 'vscode';
import type { TensorSource } from '../tensor/source.ts';
import { findTensor, type FoundTensor } from '../tensor/find-tensor.ts';
import { showWarning } from '../messages.ts';
import type { Services } from '../services.ts';
import { findCursor, readPosition, readUri } from './arguments.ts';

/** The tensor that arguments name by its document and position, else the one at the cursor; undefined where none stands there. */
export async function findTarget(
  { server }: Services,
  [uriArgument, positionArgument]: readonly unknown[],
): Promise<FoundTensor | undefined> {
  const [uri, position] = [readUri(uriArgument), readPosition(positionArgument)];
  const place = uri && position ? { uri, position } : findCursor();
  if (!place) return undefined;
  // An unopened document is opened first: the server answers only for those that it was told of.
  const document = await workspace.openTextDocument(place.uri);
  return findTensor(server, document, () => place.position);
}

/**
 * Does something with the tensor that a command means: the one that its arguments name, else the one of the inspector
 * in front, else the one at the cursor. Where there is none, the user is told.
 */
export async function withTensor<Result>(
  services: Services,
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

/** Says that a command found no tensor to work with. */
export function showNoTensor(): void {
  showWarning('Put the cursor on a tensor in an .aicl file, then try again.', new Map());
}
