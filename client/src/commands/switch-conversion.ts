import { window } from 'vscode';
import { pickTarget } from '../convert/pick-target.ts';
import { showWarning } from '../messages.ts';
import { readUri } from './targets/arguments.ts';
import type { Command } from './command.ts';
import { readTarget } from './targets/convert-target.ts';

/**
 * Shows the content of a live view in another protocol, in place of the view: that of a title bar, else the
 * one in front.
 */
export const switchConversion: Command = async ({ conversions, lastTarget }, [uriArgument, target]) => {
  const uri = readUri(uriArgument) ?? window.activeTextEditor?.document.uri;
  const view = uri && conversions.find(uri);
  if (!view?.source) {
    showWarning(
      view
        ? 'The source of this conversion was replaced, so it cannot be shown in another protocol.'
        : 'Open a conversion first, by Convert above a message.',
      new Map(),
    );
    return undefined;
  }
  const to =
    readTarget(target) ??
    (
      await pickTarget({
        title: 'Show as',
        how: 'show',
        offers: 'only this',
        last: undefined,
        current: view.to,
      })
    )?.to;
  if (!to) return undefined;
  await lastTarget.set(to);
  const shown = await conversions.switchTo(view, to);
  if (!shown && to !== view.to)
    showWarning('The source of this conversion is closed. Open it and convert it again.', new Map());
  return shown?.uri;
};
