import { env, Uri } from 'vscode';
import { quote } from '../../../core/text/quote.ts';
import { showInformation } from './messages.ts';

/** The maximum length of a displayed address; the whole address is copied. */
const LONGEST = 200;

/** Shows the address of a link or of a medium. Only the user opens it, and only web and mail addresses can be opened. */
export function askToOpen(address: string, words = 'The reply has a link to'): void {
  const actions = new Map<string, () => unknown>();
  if (/^(?:https?|mailto):/i.test(address))
    actions.set('Open in browser', () => env.openExternal(Uri.parse(address, true)));
  actions.set('Copy address', () => env.clipboard.writeText(address));
  showInformation(`${words} ${quote(address, LONGEST)}`, actions);
}
