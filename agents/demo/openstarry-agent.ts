import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { isExposed, readExposure } from '../mcp/exposure.ts';
import { fail, initialize, print, say, type McpResult, type Params } from './mcp-rpc.ts';
import { readId } from './rpc.ts';

/** The tools that the agent registers. Which of them others may call is up to its `agent.json`. */
const REGISTERED: ReadonlyMap<string, { readonly description: string; run(given: Params): McpResult }> =
  new Map([
    ['fs:read_file', { description: 'Reads a file of the project', run: readFile }],
    [
      'fs:list',
      { description: 'Lists the files of the project', run: () => say([...FILES.keys()].join('\n')) },
    ],
    [
      'git:status',
      { description: 'Tells what changed', run: () => say('nothing to commit, working tree clean') },
    ],
    ['admin:reset', { description: 'Forgets everything', run: () => say('Everything is forgotten') }],
  ]);

const FILES: ReadonlyMap<string, string> = new Map([
  ['README.md', '# Project Readme\n\nThis file is made up.'],
  ['LICENSE', 'MIT'],
]);

/**
 * Answers a line that the demo agent `files` receives: an MCP server over standard input and output, which exposes the
 * tools that the text of an `agent.json` names (OpenStarry, section 2.2). Undefined for a line without an answer.
 */
export function answerOpenstarryLine(line: string, agentFile: string): string | undefined {
  const message = readFields(parseJson(line));
  if (!message) return print(null, fail(-32700, 'Send one message of JSON-RPC on each line'));
  const id = readId(message.get('id'));
  const method = message.get('method');
  if (id === null || typeof method !== 'string') return undefined;
  return print(id, answer(method, readFields(message.get('params')) ?? new Map(), agentFile));
}

function answer(method: string, params: Params, agentFile: string): McpResult {
  if (method === 'initialize') return initialize({ name: 'files', capabilities: { tools: {} } }, params);
  if (method === 'ping') return { result: {} };
  const exposure = readExposure(agentFile);
  const exposed = [...REGISTERED].filter(([name]) => isExposed(exposure, name));
  if (method === 'tools/list')
    return {
      result: {
        tools: exposed.map(([name, { description }]) => ({ name, description, inputSchema: schemaOf(name) })),
      },
    };
  if (method !== 'tools/call') return fail(-32601, `Method not found: ${method}`);
  // A tool that is not exposed is not found, whether or not it is registered.
  const tool = new Map(exposed).get(String(params.get('name')));
  if (!tool) return fail(-32602, `Tool not found: ${String(params.get('name'))}`);
  return tool.run(readFields(params.get('arguments')) ?? new Map());
}

function schemaOf(name: string): { readonly type: 'object' } {
  const path = { properties: { path: { type: 'string' } }, required: ['path'] };
  return { type: 'object', ...(name === 'fs:read_file' ? path : {}) };
}

function readFile(given: Params): McpResult {
  const path = given.get('path');
  const text = typeof path === 'string' ? FILES.get(path) : undefined;
  return text === undefined ? say(`There is no file ${JSON.stringify(path ?? '')}`, 'failed') : say(text);
}
