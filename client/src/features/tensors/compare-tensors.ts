import { workspace } from 'vscode';
import { isRecord } from '../../../../core/guard.ts';
import { chooseTensor } from './choose-tensor.ts';
import type { TensorSource } from './source.ts';
import { findTensor } from '../../tensor/find-tensor.ts';
import type { Inspector } from './inspector.ts';
import { readPosition, readUri } from '../../targets/arguments.ts';
import { findTarget } from './tensor-target.ts';
import type { Command } from '../feature.ts';
import type { TensorsParts } from './parts.ts';

/**
 * Compares two tensors. The first is that of the inspector in front or at the cursor, else picked; the second
 * is picked. Two arguments can name them: `{uri, position}` in a document, `{uri, member}` in an array file.
 */
export const compareTensors: Command<TensorsParts> = async (services, args) => {
  const { active } = services.inspectors;
  if (args.length === 0 && active) return compareWithChosen(services, active);
  const first = await findFirst(services, args);
  // Both are chosen before anything opens, because a page that takes the focus would close the picker.
  const other = first && (await readOrChoose(services, args[1], first));
  if (other) services.inspectors.show(first).compareWith(other);
  else first?.dispose();
};

/** Asks for the tensor to compare with that of an inspector, and shows both. */
export async function compareWithChosen(services: TensorsParts, inspector: Inspector): Promise<void> {
  const other = await readOrChoose(services, undefined, inspector.source);
  if (other) inspector.compareWith(other);
}

async function findFirst(
  services: TensorsParts,
  args: readonly unknown[],
): Promise<TensorSource | undefined> {
  const { inspectors, server } = services;
  const named = await readTensor(services, args[0]);
  if (named) return named;
  const found = await findTarget(services, []);
  return found ? inspectors.openMessage(found) : chooseTensor(server, inspectors, 'Compare');
}

async function readOrChoose(
  services: TensorsParts,
  argument: unknown,
  first: TensorSource,
): Promise<TensorSource | undefined> {
  const named = await readTensor(services, argument);
  return named ?? chooseTensor(services.server, services.inspectors, 'Compare with', first);
}

async function readTensor(
  { inspectors, server }: TensorsParts,
  argument: unknown,
): Promise<TensorSource | undefined> {
  if (!isRecord(argument)) return undefined;
  const [uri, position] = [readUri(argument['uri']), readPosition(argument['position'])];
  if (!uri) return undefined;
  const { member } = argument;
  if (!position) return inspectors.openFile(uri, typeof member === 'string' ? member : undefined);
  const document = await workspace.openTextDocument(uri);
  const found = await findTensor(server, document, () => position);
  return found && inspectors.openMessage(found);
}
