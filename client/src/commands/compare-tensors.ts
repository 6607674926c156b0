import { workspace } from 'vscode';
import { isRecord } from '../../../protocol/src/wire/guard.ts';
import type { Services } from '../services.ts';
import { chooseTensor } from '../tensor/choose-tensor.ts';
import type { TensorSource } from '../tensor/source.ts';
import { findTensor } from '../tensor/find-tensor.ts';
import type { Inspector } from '../tensor/inspector.ts';
import { readPosition, readUri } from './arguments.ts';
import type { Command } from './command.ts';
import { findTarget } from './tensor-target.ts';

/**
 * Compares two tensors: the one of the inspector in front or at the cursor, else one that the user picks, with one that
 * the user picks. Two arguments name them: `{uri, position}` in a document, `{uri, member}` in an array file.
 */
export const compareTensors: Command = async (services, args) => {
  const first = await findFirst(services, args);
  if (first) await compareWithChosen(services, first, args[1]);
};

/** Asks what the tensor of an inspector is compared with, and shows both. */
export async function compareWithChosen(
  services: Services,
  inspector: Inspector,
  argument?: unknown,
): Promise<void> {
  const other =
    (await readTensor(services, argument)) ??
    (await chooseTensor(services.server, services.inspectors, 'Compare with'));
  if (other) inspector.compareWith(other);
}

async function findFirst(services: Services, args: readonly unknown[]): Promise<Inspector | undefined> {
  const { inspectors, server } = services;
  const named = await readTensor(services, args[0]);
  if (named) return inspectors.show(named, 'Tensor');
  if (inspectors.active) return inspectors.active;
  const found = await findTarget(services, []);
  if (found) return inspectors.inspect(found);
  const chosen = await chooseTensor(server, inspectors, 'Compare');
  return chosen && inspectors.show(chosen, 'Tensor');
}

async function readTensor(
  { inspectors, server }: Services,
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
