import type { AgentsFile } from '../../../agents/config/agent-config.ts';
import { parseAgentsFile } from '../../../agents/config/agents-file.ts';

/** Reads the value of the setting: agents by name, as in the agents file. Never throws; undefined is none. */
export function readSettingAgents(value: unknown): AgentsFile {
  if (value === undefined || value === null) return { agents: new Map(), inputs: new Map(), issues: [] };
  // A setting is read by VS Code: only what it says has a place in it.
  return parseAgentsFile(JSON.stringify({ agents: value }));
}
