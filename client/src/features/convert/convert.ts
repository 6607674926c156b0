import type { CancellationToken } from 'vscode';
import type { ConversionName } from '../../../../core/catalog/conversions.ts';
import { stoppedBy } from '../../language-client/ask.ts';
import type { ConversionView } from '../../conversion/conversion-view.ts';
import { pickTarget, type How, type PickedTarget } from '../../conversion/pick-target.ts';
import { copyMessages, replaceMessages } from './replace.ts';
import { shortName } from '../../conversion/words.ts';
import { showWarning } from '../../window/messages.ts';
import { REPLY_SCHEME } from '../../replies/reply-documents.ts';
import { runStoppable } from '../../window/progress.ts';
import {
  findConvertTarget,
  readHow,
  readPlace,
  readTarget,
  type ConvertTarget,
} from '../../targets/convert-target.ts';
import type { Command } from '../feature.ts';
import type { ConvertParts } from './parts.ts';

/**
 * Converts the message at the cursor, the selection or a file. Shows the result beside it, live; replaces the source by it; or
 * copies it. In a view of a conversion, it shows another protocol in the same view. Arguments name a document, a place in it (a
 * position, a range or `file`), the protocol, and `show`, `replace` or `copy`; missing ones are asked for. Returns the URI of the
 * view, or why nothing was done.
 */
export const convert: Command<ConvertParts> = async (services, args) => {
  const target = await findConvertTarget(services, args);
  if (!target) return refuse(NOTHING);
  const [, place, named, way] = args;
  const view = readPlace(place) ? undefined : services.conversions.find(target.document.uri);
  const picked = await choose(services, readTarget(named), readHow(way), target, view);
  if (!picked) return undefined;
  await services.lastTarget.set(picked.to);
  const problem = await runStoppable(`Converting ${target.what} to ${shortName(picked.to)}`, (_, token) =>
    act(services, target, picked, view, token),
  );
  return typeof problem === 'string' ? refuse(problem) : problem;
};

const NOTHING =
  'There is no message here. Open a file with messages, such as an .aicl or .json file, and put the cursor on one.';
const NO_SOURCE = 'The source of this conversion is closed or was replaced. Open it and convert it again.';

function refuse(problem: string): string {
  showWarning(problem);
  return problem;
}

async function choose(
  { lastTarget }: ConvertParts,
  to: ConversionName | undefined,
  how: How | undefined,
  { document, what, own }: ConvertTarget,
  view: ConversionView | undefined,
): Promise<PickedTarget | undefined> {
  if (to) return { to, how: how ?? 'show' };
  const isFixed = view !== undefined || document.uri.scheme === REPLY_SCHEME;
  return pickTarget({
    what: view ? 'this view' : what,
    ways: isFixed ? ['show', 'copy'] : ['show', 'replace', 'copy'],
    last: view ? undefined : lastTarget.get(),
    own: view ? undefined : own,
    current: view?.to,
  });
}

/** Runs the chosen action. Returns an error sentence, the URI of the shown document, or undefined. */
async function act(
  { server, conversions }: ConvertParts,
  { document, range }: ConvertTarget,
  { to, how }: PickedTarget,
  view: ConversionView | undefined,
  token: CancellationToken,
): Promise<unknown> {
  const work = { converter: stoppedBy(server, token), views: conversions };
  if (how === 'replace') return replaceMessages(work, document, range, to);
  if (how === 'copy') return copyMessages(work, document, view ? undefined : range, to);
  if (!view) return (await conversions.show(document, range, to, token)).uri;
  return (await conversions.switchTo(view, to))?.uri ?? (to === view.to ? undefined : NO_SOURCE);
}
