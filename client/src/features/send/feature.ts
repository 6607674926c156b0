import { createStatus } from '../../window/status-bar.ts';
import { registerCommands, type ActivateFeature } from '../feature.ts';
import { showAgent } from './agent-status.ts';
import type { SEND } from './manifest.ts';
import { pickAgent } from './pick-agent.ts';
import { send } from './send-at-cursor.ts';
import { sendAll, sendSelection } from './send-several.ts';
import { SelectionDocuments } from './selection-documents.ts';
import { sendText, type SendParts } from './send-text.ts';
import { stopCall } from './stop-call.ts';
import { registerTextLenses } from './text-lenses.ts';

/** Sending the requests of files, and the agent that they go to. */
export const activate: ActivateFeature = (shared, store) => {
  const { agents, picked, server } = shared;
  const selections = store.add(new SelectionDocuments());
  const parts: SendParts = { ...shared, selections };
  registerCommands<typeof SEND, SendParts>(store, parts, {
    pickAgent,
    send,
    stopCall,
    sendSelection,
    sendAll,
    sendText,
  });
  if (!agents) return;
  store.add(registerTextLenses());
  const item = createStatus(store, {
    id: 'parley.agent',
    place: 100,
    name: 'Parley agent',
    command: 'parley.pickAgent',
  });
  showAgent(store, item, agents, picked, (uri, position) => server.requestAt(uri, position));
};
