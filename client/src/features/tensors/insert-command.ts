import type { Tensor } from '../../../../tensor/tensor.ts';
import { isOneOf, isRecord, isShape, isString, type Guard } from '../../../../core/guard.ts';
import { showWarning } from '../../window/messages.ts';
import { chooseFile } from './choose-tensor.ts';
import { askForNew, FILLS, insertTensor as insert, makeTensor, type NewTensor } from './insert-tensor.ts';
import type { FileSource } from './file-source.ts';
import { findTensor } from '../../tensor/find-tensor.ts';
import { readLanguage, readPosition, readUri } from '../../targets/arguments.ts';
import { findEditPlace, type EditPlace } from '../../targets/edit-place.ts';
import { pickItem } from '../../window/sinks/quick-input.ts';
import type { Command } from '../feature.ts';
import type { TensorsParts } from './parts.ts';

/**
 * Inserts a tensor at the selection of an AICL editor: from a file, or with zeros, ones or random elements.
 * Arguments can name another place by document and position, and the tensor as `{fill, dtype, shape}` or as
 * `{uri, member}` of an array file. Returns why nothing was inserted.
 */
export const insertTensor: Command<TensorsParts> = async (services, [uri, position, what]) => {
  const place = await findPlace(uri, position);
  if (!place) return refuse('Open an .aicl file and put the cursor where the tensor should be inserted.');
  if (await isInsideTensor(services, place)) return refuse(INSIDE);
  const made = await makeOrAsk(services, what);
  if (made === undefined) return undefined;
  if (typeof made === 'string') return refuse(made);
  const problem = await insert(place.document, place.range, made);
  return problem === undefined ? undefined : refuse(problem);
};

const INSIDE =
  'A tensor cannot be inserted into another one. Select all of that one to replace it, or put the cursor elsewhere.';

/** True if a range begins or ends within a tensor. A range around a whole tensor is allowed and replaces it. */
async function isInsideTensor({ server }: TensorsParts, { document, range }: EditPlace): Promise<boolean> {
  for (const end of [range.start, range.end]) {
    const found = await findTensor(server, document, () => end);
    if (found && end.isAfter(found.range.start) && end.isBefore(found.range.end)) return true;
  }
  return false;
}

/** The place to insert at: named by the arguments, or in an AICL editor. */
async function findPlace(uri: unknown, position: unknown): Promise<EditPlace | undefined> {
  const place = await findEditPlace(uri, position);
  const isNamed = readUri(uri) && readPosition(position);
  return isNamed || readLanguage(place?.document.languageId ?? '') === 'aicl' ? place : undefined;
}

/** Creates the tensor, or asks for one. Returns it, an error sentence, or undefined if the user cancels. */
async function makeOrAsk(services: TensorsParts, what: unknown): Promise<Tensor | string | undefined> {
  if (isNewTensor(what)) return make(what);
  if (isRecord(what)) {
    const uri = readUri(what['uri']);
    const { member } = what;
    if (uri)
      return readFile(services.inspectors.openFile(uri, typeof member === 'string' ? member : undefined));
  }
  const items = [{ label: 'From a file…', detail: 'An array or an image.', fill: undefined }, ...FILLS];
  const picked = await pickItem(items, { title: 'Insert tensor' });
  if (!picked) return undefined;
  if (picked.fill) {
    const wanted = await askForNew(picked.fill);
    return wanted && make(wanted);
  }
  const source = await chooseFile(services.inspectors);
  return source && readFile(source);
}

function make(wanted: NewTensor): Tensor | string {
  const made = makeTensor(wanted);
  return made.kind === 'ok' ? made.tensor : `${made.problem}.`;
}

async function readFile(source: FileSource): Promise<Tensor | string> {
  try {
    const { content } = await source.read();
    return content.kind === 'ok' ? content.tensor : content.problem;
  } finally {
    source.dispose();
  }
}

const isNewTensor: Guard<NewTensor> = isShape({
  fill: isOneOf(FILLS.map(({ fill }) => fill)),
  dtype: isString,
  shape: isString,
});

function refuse(problem: string): string {
  showWarning(problem);
  return problem;
}
