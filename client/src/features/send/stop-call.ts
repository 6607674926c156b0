import { window } from 'vscode';
import { readCall, readUri } from '../../targets/arguments.ts';
import type { Command } from '../feature.ts';

/**
 * Stops a call: the one of a row or of the tab of the button; from the palette or a key, the one whose reply
 * is in front, else the newest one. Returns true if there was one.
 */
export const stopCall: Command = (services, [target]) => {
  const uri = target === undefined ? window.activeTextEditor?.document.uri : readUri(target);
  const shown = uri && services.growing.findCall(uri);
  const page = target === undefined ? services.pages.active?.call : undefined;
  const newest = target === undefined ? services.running.newest : undefined;
  const call = readCall(target) ?? shown ?? page ?? newest;
  return call !== undefined && services.running.stop(call);
};
