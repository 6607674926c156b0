import { workspace } from 'vscode';
import { findMedium } from './find-medium.ts';
import { saveMedium } from '../../media/save-medium.ts';
import { showWarning } from '../../window/messages.ts';
import { findActivePlace, readPosition, readUri } from '../../targets/arguments.ts';
import type { Command } from '../feature.ts';
import type { ValuesParts } from './parts.ts';

/**
 * Shows the picture, sound or video of a lens, else the one at the cursor, in VS Code's viewer. An embedded
 * file is saved instead, as is anything if a third argument names a target file; the file is returned then.
 */
export const showMedia: Command<ValuesParts> = async ({ media }, args) => {
  const [uri, position, target] = [readUri(args[0]), readPosition(args[1]), readUri(args[2])];
  const place = uri && position ? { uri, position } : findActivePlace();
  const document = place && (await workspace.openTextDocument(place.uri));
  const medium = document && findMedium(document, place.position);
  if (!medium)
    return showWarning(
      'Put the cursor on an image, a sound, a video or a file in a message, then try again.',
    );
  if (target || (medium.kind === 'file' && 'base64' in medium.content)) return saveMedium(medium, target);
  return media.show(medium);
};
