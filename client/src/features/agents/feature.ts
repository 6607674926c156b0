import { registerCommands, type ActivateFeature } from '../feature.ts';
import { addAgent } from './add-agent.ts';
import { AgentsView } from './agents-view.ts';
import { CallForms } from './call-forms.ts';
import { callTool } from './call-tool.ts';
import { connectAgent, disconnectAgent, refreshAgent } from './connect-agent.ts';
import { copyCall } from './copy-call.ts';
import { correctAgent } from './correct-agent.ts';
import { startDemoAgents, stopDemoAgents } from './demo-agents.ts';
import { diagnoseAgent } from './diagnose-agent.ts';
import { messageAgent, removeAgent, renameAgent } from './edit-agent.ts';
import { insertCall } from './insert-call.ts';
import { insertRequest } from './insert-request.ts';
import { keepAgentTools } from './keep-agent-tools.ts';
import type { AGENTS } from './manifest.ts';
import { openAgentsFile } from './open-agents-file.ts';
import type { AgentsParts } from './parts.ts';
import { signOut } from './sign-out.ts';
import { writeJsonRequest } from './write-json-request.ts';

/** The agents: their list, connections, tools and forms to call these. */
export const activate: ActivateFeature = (shared, store) => {
  const { agents, context, traces, recordings, bridges } = shared;
  const view = agents && store.add(new AgentsView(agents, traces, recordings, bridges));
  const callForms = store.add(new CallForms(context.extensionUri, shared.storedCalls));
  const parts: AgentsParts = { ...shared, callForms, reveal: async agent => view?.reveal(agent) };
  registerCommands<typeof AGENTS, AgentsParts>(store, parts, {
    addAgent,
    connectAgent,
    disconnectAgent,
    refreshAgent,
    signOut,
    callTool,
    insertCall,
    insertRequest,
    copyCall,
    writeJsonRequest,
    openAgentsFile,
    messageAgent,
    renameAgent,
    removeAgent,
    correctAgent,
    diagnoseAgent,
    startDemoAgents,
    stopDemoAgents,
  });
  if (agents) keepAgentTools(store, shared, agents);
};
