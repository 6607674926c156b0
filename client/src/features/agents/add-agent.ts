import { IN_BROWSER, maySend } from '../../base/trust.ts';
import { showWarning } from '../../window/messages.ts';
import type { Command } from '../feature.ts';
import { askByHand, complete, type ReadyDraft } from './agent-steps.ts';
import { askForAgents } from './ask-agent.ts';
import { connectTo } from './connect-agent.ts';
import type { AgentsParts } from './parts.ts';

/**
 * Adds agents from what the user pastes or chooses, or from the text in the first argument. Connects to them and selects
 * the last one in Compose. Returns its name.
 */
export const addAgent: Command<AgentsParts> = async (services, [given]) => {
  const { agents } = services;
  if (!agents) return showWarning(IN_BROWSER);
  const { entries } = agents;
  const chosen = await askForAgents(entries, typeof given === 'string' ? given : '');
  if (!chosen) return undefined;
  if (chosen.kind === 'protocol') {
    const taken = new Set((await agents.list()).agents.map(({ name }) => name));
    const ready = await askByHand(chosen.protocol, entries, taken);
    return ready && add(services, ready, isShownWhole(ready) ? 'given' : 'open');
  }
  let last: string | undefined;
  for (const { draft } of chosen.drafts) {
    const ready = await complete(draft, entries);
    if (ready) last = (await add(services, ready, 'given')) ?? last;
  }
  return last;
};

/** True if the command line or the address is all that the user agrees to. */
function isShownWhole({ place }: ReadyDraft): boolean {
  if (place.type === 'stdio') return !place.env?.size && place.cwd === undefined;
  return ![place.url, ...(place.headers?.values() ?? [])].some(text => text.includes('${env:'));
}

async function add(
  services: AgentsParts,
  draft: ReadyDraft,
  consent: 'given' | 'open',
): Promise<string | undefined> {
  const { agents, compose } = services;
  const problem = await agents?.entries.add(draft, consent);
  if (!agents || problem !== undefined) {
    if (problem !== undefined) showWarning(problem);
    return undefined;
  }
  // An untrusted workspace may list agents, but not connect to them.
  const listed = maySend() ? (await connectTo(agents, draft.name)).tools : undefined;
  compose.choose(draft.name, listed ? 'quiet' : 'shown');
  await services.reveal(draft.name);
  return draft.name;
}
