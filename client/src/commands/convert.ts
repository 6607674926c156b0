import type { CancellationToken } from 'vscode';
import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { stoppedBy } from '../convert/conversion-source.ts';
import { pickTarget, type How, type PickedTarget } from '../convert/pick-target.ts';
import { copyMessages, replaceMessages } from '../convert/replace.ts';
import { shortName } from '../convert/words.ts';
import { showWarning } from '../messages.ts';
import { runStoppable } from '../sending/progress.ts';
import type { Services } from '../services.ts';
import { findConvertTarget, readHow, readTarget, type ConvertTarget } from './targets/convert-target.ts';
import type { Command } from './command.ts';

/**
 * Converts the message at the cursor, the selection or a file, and shows the result beside it, live.
 * Arguments name a document, a place in it (a position, a range or `file`), the protocol, and `show`,
 * `replace` or `copy`; missing ones are asked for. Returns the URI of the view, or why nothing was done.
 */
export const convert: Command = (services, args) => run(services, args, 'show', 'others');

/** Like `convert`, but replaces the source by the result. */
export const convertAndReplace: Command = (services, args) => run(services, args, 'replace', 'only this');

/** Like `convert`, but copies the result to the clipboard. */
export const copyAs: Command = (services, args) => run(services, args, 'copy', 'only this');

/** Like `convert`, but offers no other action. */
export const showAs: Command = (services, args) => run(services, args, 'show', 'only this');

const NOTHING =
  'There is no message here. Open a file with messages, such as an .aicl or .json file, and put the cursor on one.';

async function run(
  services: Services,
  args: readonly unknown[],
  how: How,
  offers: 'only this' | 'others',
): Promise<unknown> {
  const target = await findConvertTarget(services, args);
  if (!target) {
    showWarning(NOTHING, new Map());
    return NOTHING;
  }
  const picked = await choose(services, args, target, { how, offers });
  if (!picked) return undefined;
  await services.lastTarget.set(picked.to);
  const problem = await runStoppable(`Converting ${target.what} to ${shortName(picked.to)}`, token =>
    act(services, target, picked, token),
  );
  if (typeof problem === 'string') showWarning(problem, new Map());
  return problem;
}

const TITLES: Readonly<Record<How, (what: string) => string>> = {
  show: what => `Convert ${what} to`,
  replace: what => `Convert and replace ${what}`,
  copy: what => `Copy ${what} as`,
};

async function choose(
  { lastTarget }: Services,
  [, , target, how]: readonly unknown[],
  { what, own }: ConvertTarget,
  question: { readonly how: How; readonly offers: 'only this' | 'others' },
): Promise<PickedTarget | undefined> {
  const named: ConversionName | undefined = readTarget(target);
  if (named) return { to: named, how: readHow(how) ?? question.how };
  return pickTarget({ ...question, title: TITLES[question.how](what), last: lastTarget.get(), own });
}

/** Runs the chosen action. Returns an error sentence, the URI of the shown document, or undefined. */
async function act(
  { server, conversions }: Services,
  { document, range }: ConvertTarget,
  { to, how }: PickedTarget,
  token: CancellationToken,
): Promise<unknown> {
  const work = { converter: stoppedBy(server, token), views: conversions };
  if (how === 'replace') return replaceMessages(work, document, range, to);
  if (how === 'copy') return copyMessages(work, document, range, to);
  return (await conversions.show(document, range, to, token)).uri;
}
