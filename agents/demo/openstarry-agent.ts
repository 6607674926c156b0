import { isExposed, readExposure } from '../mcp/exposure.ts';
import { MCP } from '../../protocols/mcp/protocol.ts';
import type { ServedAgent } from '../../protocols/serving/serving.ts';
import { serveTools } from './served-tools.ts';
import type { DemoTool, ToolOutcome } from './tools.ts';

/** The tools that the agent registers. Which of them others may call is up to its `agent.json`. */
const REGISTERED: readonly DemoTool[] = [
  {
    name: 'fs:read_file',
    description: 'Reads a file of the project',
    arguments: [{ name: 'path', type: 'string', isOptional: false }],
    run: given => readFile(String(given.get('path'))),
  },
  tellingTool('fs:list', 'Lists the files of the project', () => [...FILES.keys()].join('\n')),
  tellingTool('git:status', 'Reports what changed', () => 'nothing to commit, working tree clean'),
  tellingTool('admin:reset', 'Forgets everything', () => 'Everything is forgotten'),
];

const FILES: ReadonlyMap<string, string> = new Map([
  ['README.md', '# Project Readme\n\nThis file is made up.'],
  ['LICENSE', 'MIT'],
]);

/**
 * The demo agent `files`, which exposes the tools that its `agent.json` names (OpenStarry, section 2.2). A tool that is not
 * exposed is not found, whether or not it is registered.
 */
export function makeFilesAgent(readAgentFile: () => Promise<string>): ServedAgent {
  return serveTools(MCP, 'files', async () => {
    const exposure = readExposure(await readAgentFile());
    return REGISTERED.filter(({ name }) => isExposed(exposure, name));
  });
}

function tellingTool(name: string, description: string, tell: () => string): DemoTool {
  return { name, description, arguments: [], run: () => ({ kind: 'value', value: tell() }) };
}

function readFile(path: string): ToolOutcome {
  const text = FILES.get(path);
  return text === undefined
    ? { kind: 'failure', message: `There is no file ${JSON.stringify(path)}` }
    : { kind: 'value', value: text };
}
