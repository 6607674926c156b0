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
  registerCommands<typeof AGENTS, AgentsParts>(
    store,
    { ...shared, callForms, reveal: async agent => view?.reveal(agent) },
    {
      'parley.addAgent': addAgent,
      'parley.connectAgent': connectAgent,
      'parley.disconnectAgent': disconnectAgent,
      'parley.refreshAgent': refreshAgent,
      'parley.signOut': signOut,
      'parley.callTool': callTool,
      'parley.insertCall': insertCall,
      'parley.insertRequest': insertRequest,
      'parley.copyCall': copyCall,
      'parley.writeJsonRequest': writeJsonRequest,
      'parley.openAgentsFile': openAgentsFile,
      'parley.messageAgent': messageAgent,
      'parley.renameAgent': renameAgent,
      'parley.removeAgent': removeAgent,
      'parley.correctAgent': correctAgent,
      'parley.diagnoseAgent': diagnoseAgent,
      'parley.startDemoAgents': startDemoAgents,
      'parley.stopDemoAgents': stopDemoAgents,
    },
  );
  if (agents) keepAgentTools(store, shared, agents);
};
