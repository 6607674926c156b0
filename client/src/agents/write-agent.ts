import { Uri, workspace } from 'vscode';
import { addAgent, splitCommandLine } from '../../../agents/config/edit-agents-file.ts';
import { AGENTS_FILE } from '../../../agents/config/agents-file.ts';
import type { AgentDraft } from '../services/agent-service.ts';
import { chooseFolder } from '../window/choose-folder.ts';
import { describeError } from '../base/log.ts';
import { readConfig } from './read-config.ts';

/** Adds an agent to the agents file of a folder. Returns an error sentence if that fails. */
export async function writeAgent(draft: AgentDraft): Promise<string | undefined> {
  const folder = await chooseFolder();
  if (!folder) return 'Agents are listed in a folder. Open a folder first.';
  const uri = Uri.joinPath(folder.uri, AGENTS_FILE);
  const open = workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
  if (open?.isDirty) return 'The agents file has edits that are not saved. Save it, then add the agent.';
  const { name, protocol, type, where } = draft;
  const [command = '', ...args] = splitCommandLine(where);
  const place = type === 'http' ? { type, url: where } : { type, command, args };
  try {
    const reading = await readConfig(uri);
    // An unreadable file is not overwritten.
    if (!reading.ok) return `The agents file ${reading.message}.`;
    const added = addAgent(reading.text ?? '', { name, protocol, place });
    if (!added.ok) return added.message;
    await workspace.fs.writeFile(uri, new TextEncoder().encode(added.text));
    return undefined;
  } catch (error) {
    return `The agents file could not be written: ${describeError(error)}.`;
  }
}
