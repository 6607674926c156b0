import type { AgentsFile } from '../../../agents/config/agent-config.ts';
import { parseAgentsFile } from '../../../agents/config/agents-file.ts';

/** Reads the value of the setting: agents by name, as in the agents file. Never throws; undefined means no agents. */
export function readSettingAgents(value: unknown): AgentsFile {
  if (value === undefined || value === null) return { agents: new Map(), inputs: new Map(), issues: [] };
  // VS Code has already parsed the setting, so positions of issues are meaningless.
  return parseAgentsFile(JSON.stringify({ agents: value }));
}
