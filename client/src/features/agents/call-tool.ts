import { ThemeIcon } from 'vscode';
import { quote } from '../../../../core/text/quote.ts';
import type { AgentService, CallRequest, ToolInfo, WarningPolicy } from '../../services/agent-service.ts';
import { runCommand, showWarning, type Actions } from '../../window/messages.ts';
import { runStoppable } from '../../window/progress.ts';
import { runCall, type CallHost, type Sent } from '../../sending/run-call.ts';
import { IN_BROWSER, maySend, UNTRUSTED } from '../../base/trust.ts';
import { findAgentName } from '../../targets/agent-target.ts';
import { readTool } from '../../targets/arguments.ts';
import { pickItem } from '../../window/sinks/quick-input.ts';
import type { Command, Shared } from '../feature.ts';
import type { AgentsParts } from './parts.ts';

/**
 * Opens a form to call a tool. Agent and tool are named by the arguments (names, or a row of the Agents view)
 * or picked. Returns true if a form was opened.
 */
export const callTool: Command<AgentsParts> = async (services, [target, toolTarget]) => {
  const { agents } = services;
  if (!agents) return refuse(IN_BROWSER);
  if (!maySend()) return refuse(UNTRUSTED);
  const agent = await findAgentName(agents, target, 'Agent whose tool is called');
  if (agent === undefined) return false;
  const tools = await findTools(agents, agent);
  if (!tools) return false;
  const wanted = readTool(toolTarget) ?? (typeof target === 'string' ? undefined : readToolOf(target));
  const tool = wanted === undefined ? await pickTool(agent, tools) : tools.find(each => each.name === wanted);
  if (!tool) return wanted === undefined ? false : refuse(`${agent} lists no tool ${quote(wanted)}.`);
  const known = (await agents.list()).agents.find(({ name }) => name === agent);
  if (!known) return refuse(`There is no agent ${quote(agent)}.`);
  const { protocol } = known;
  const writeCurl = (request: string): Promise<string | undefined> => agents.writeCurl(agent, request);
  services.callForms.show({ name: agent, protocol, writeCurl }, tool, (call, warningPolicy, host) =>
    // The form has checked the arguments against the agent's schema.
    sendCall(services, agents, { agent, title: tool.name, ...call, language: 'aicl', warningPolicy }, host),
  );
  return true;
};

/** The tool of a row; undefined for the row of an agent. */
function readToolOf(target: unknown): string | undefined {
  return typeof target === 'object' && target !== null && 'tool' in target ? readTool(target) : undefined;
}

/** The tools of an agent, which are fetched now if they are unknown. */
async function findTools(agents: AgentService, agent: string): Promise<readonly ToolInfo[] | undefined> {
  const known = agents.capabilities(agent).tools;
  if (known) return known;
  const capabilities = await runStoppable(`Asking ${agent} for its tools`, () => agents.connect(agent));
  if (capabilities?.tools && capabilities.tools.length > 0) return capabilities.tools;
  const reason = capabilities?.problem ?? `${agent} lists no tools`;
  const why = (): unknown => runCommand('parley.diagnoseAgent', agent);
  if (capabilities) refuse(reason.endsWith('.') ? reason : `${reason}.`, new Map([['Show why', why]]));
  return undefined;
}

async function pickTool(agent: string, tools: readonly ToolInfo[]): Promise<ToolInfo | undefined> {
  const items = tools.map(tool => ({
    label: tool.name,
    detail: tool.description,
    iconPath: new ThemeIcon('symbol-method'),
    tool,
  }));
  return (await pickItem(items, { title: `Tool of ${agent}`, matchOnDetail: true }))?.tool;
}

function sendCall(
  services: Shared,
  agents: AgentService,
  request: CallRequest,
  host?: CallHost,
): Promise<Sent> {
  // After another version was negotiated, the call is sent again without the form.
  const again = (warningPolicy: WarningPolicy): unknown =>
    sendCall(services, agents, { ...request, warningPolicy });
  return runCall(services, agents, request, { host, again });
}

function refuse(message: string, actions: Actions = new Map()): false {
  showWarning(message, actions);
  return false;
}
