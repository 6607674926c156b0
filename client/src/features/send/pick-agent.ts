import { window } from 'vscode';
import { LANGUAGES, type LanguageId } from '../../../../core/catalog/languages.ts';
import { pickAgent as askForAgent } from '../../services/choose-agent.ts';
import { runCommand, showWarning } from '../../window/messages.ts';
import { readLanguage } from '../../targets/arguments.ts';
import { pickItem } from '../../window/sinks/quick-input.ts';
import type { Command } from '../feature.ts';

/** Picks the default agent for requests of a language. */
export const pickAgent: Command = async services => {
  const language =
    readLanguage(window.activeTextEditor?.document.languageId ?? '') ?? (await askForLanguage());
  if (!language || !services.agents) return;
  const { agents } = await services.agents.list();
  if (agents.length > 0) {
    await askForAgent(agents, language, services.picked);
    return;
  }
  const open = (): unknown => runCommand('parley.openAgentsFile');
  showWarning(
    'There is no agent yet. Add one to .vscode/agents.json.',
    new Map([['Open agents file', open]]),
  );
};

async function askForLanguage(): Promise<LanguageId | undefined> {
  const items = LANGUAGES.map(row => ({ label: row.title, id: row.id }));
  return (await pickItem(items, { title: 'Which requests?' }))?.id;
}
