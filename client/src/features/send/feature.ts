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
  registerCommands<typeof SEND, SendParts>(
    store,
    { ...shared, selections },
    {
      'parley.pickAgent': pickAgent,
      'parley.send': send,
      'parley.stopCall': stopCall,
      'parley.sendSelection': sendSelection,
      'parley.sendAll': sendAll,
      'parley.sendText': sendText,
    },
  );
  if (!agents) return;
  store.add(registerTextLenses());
  const about = {
    id: 'parley.agent',
    place: 100,
    name: 'Parley agent',
    command: 'parley.pickAgent',
  } as const;
  showAgent(store, createStatus(store, about), agents, picked, (uri, position) =>
    server.requestAt(uri, position),
  );
};
