import { commands, window, workspace } from 'vscode';
import { showWarning } from '../../window/messages.ts';
import { runStoppable } from '../../window/progress.ts';
import { IN_BROWSER } from '../../base/trust.ts';
import { findAgentName } from '../../targets/agent-target.ts';
import type { Command, Shared } from '../feature.ts';

/**
 * Diagnoses the connection to an agent, from an argument or picked, and shows the result of each step with
 * the likely cause and advice. Returns the text of the document.
 */
export const diagnoseAgent: Command = async (services, [target]) => {
  const { agents } = services;
  if (!agents) return showWarning(IN_BROWSER);
  const name = await findAgentName(agents, target, 'Agent whose connection is tried');
  if (name === undefined) return undefined;
  const text = await runStoppable(`Trying to reach ${name}`, async signal => {
    const found = await agents.diagnose(name, step => services.log.info(`${name}: tried ${step}`), signal);
    return signal.aborted ? undefined : found;
  });
  if (text !== undefined) await show(services, name, text);
  return text;
};

async function show({ replies }: Shared, name: string, text: string): Promise<void> {
  const uri = replies.add(`Connection to ${name.replace(/[\\/]/g, '∕')}`, text);
  await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
  // Turns on word wrap, because the sentences are longer than an editor is wide.
  const isCut = workspace.getConfiguration('editor', uri).get('wordWrap') === 'off';
  if (isCut) await commands.executeCommand('editor.action.toggleWordWrap');
}
