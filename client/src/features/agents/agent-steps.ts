import type { QuickPickItem } from 'vscode';
import {
  findProtocol,
  PROTOCOLS,
  protocolRow,
  type ProtocolName,
  type ProtocolRow,
} from '../../../../core/catalog/protocols.ts';
import { quote } from '../../../../core/text/quote.ts';
import { maySend } from '../../base/trust.ts';
import type { AgentDraft, AgentEntries, DiscoveredDraft } from '../../services/agent-draft.ts';
import { runStoppable } from '../../window/progress.ts';
import { askText, pickItem } from '../../window/sinks/quick-input.ts';

/** A draft that can be added. */
export type ReadyDraft = AgentDraft & { readonly protocol: ProtocolName };

/** Steps of adding one agent, with right numbers. */
class Steps {
  readonly #count: number;
  #done = 0;

  constructor(count: number) {
    this.#count = count;
  }

  title(what: string): string {
    return `Add Agent (${++this.#done} of ${this.#count}): ${what}`;
  }
}

/** Asks for an agent of a protocol: its address or command, what the protocol needs, and its name. */
export async function askByHand(
  protocol: ProtocolName,
  entries: AgentEntries,
  taken: ReadonlySet<string>,
): Promise<ReadyDraft | undefined> {
  const row: ProtocolRow = protocolRow(protocol);
  const steps = new Steps(2 + Number(row.takesKey ?? false) + Number(row.takesModel ?? false));
  const draft = await askPlace(protocol, entries, steps);
  const filled = draft && (await askKeyAndModel({ ...draft, protocol }, entries, steps, undefined));
  const name = filled && (await askName(taken, filled, steps));
  return filled && name !== undefined ? { ...filled, name } : undefined;
}

/**
 * Completes a draft that was pasted: finds its protocol at its address, and asks for what that needs. Undefined if the user
 * cancels.
 */
export async function complete(draft: AgentDraft, entries: AgentEntries): Promise<ReadyDraft | undefined> {
  let found: DiscoveredDraft | undefined;
  if (draft.protocol === undefined && maySend())
    found = await runStoppable(`Asking ${draft.name} which protocol it speaks`, async signal => {
      const discovered = await entries.discover(draft, signal);
      return signal.aborted ? undefined : discovered;
    });
  if (draft.protocol === undefined && maySend() && !found) return undefined;
  const ready = isReady(draft) ? draft : (found?.draft ?? (await askProtocol(draft, found?.words)));
  if (!ready) return undefined;
  const needs = listNeeds(ready, found);
  return askKeyAndModel(ready, entries, new Steps(needs.length), found);
}

function isReady(draft: AgentDraft): draft is ReadyDraft {
  return draft.protocol !== undefined;
}

async function askProtocol(draft: AgentDraft, words = ''): Promise<ReadyDraft | undefined> {
  const rows: readonly (ProtocolRow & { readonly name: ProtocolName })[] = PROTOCOLS;
  const items = rows
    .filter(({ types }) => types.includes(draft.place.type))
    .toSorted((one, other) => (one.offer.rank ?? Infinity) - (other.offer.rank ?? Infinity))
    .map(({ name, offer }) => ({ label: offer.label, description: offer.detail, name }));
  const title = `Add Agent: protocol of ${draft.name}`;
  const placeHolder = words === '' ? 'Choose its protocol' : `${words}. Choose its protocol`;
  const protocol = (await pickItem(items, { title, placeHolder, ignoreFocusOut: true }))?.name;
  return protocol && { ...draft, protocol };
}

/** What a draft still needs. */
function listNeeds(draft: ReadyDraft, found: DiscoveredDraft | undefined): readonly ('key' | 'model')[] {
  const row: ProtocolRow = protocolRow(draft.protocol);
  const { place } = draft;
  if (place.type !== 'http') return [];
  const hasKey = [...(place.headers?.keys() ?? [])].some(name =>
    /^(?:authorization|x-api-key|api-key)$/i.test(name),
  );
  // An agent that lists its models without a key needs none.
  const isOpen = found !== undefined && !found.isLocked && found.models.length > 0;
  return [
    ...(row.takesKey && !hasKey && !isOpen ? (['key'] as const) : []),
    ...(row.takesModel && place.model === undefined ? (['model'] as const) : []),
  ];
}

async function askKeyAndModel(
  draft: ReadyDraft,
  entries: AgentEntries,
  steps: Steps,
  found: DiscoveredDraft | undefined,
): Promise<ReadyDraft | undefined> {
  const needs = listNeeds(draft, found);
  const withKey = needs.includes('key') ? await askKey(draft, steps) : draft;
  if (!withKey || !needs.includes('model')) return withKey;
  const models = found && found.models.length > 0 ? found.models : await listModels(withKey, entries);
  const model = await askModel(models, steps);
  if (model === undefined || withKey.place.type !== 'http') return undefined;
  return model === '' ? withKey : { ...withKey, place: { ...withKey.place, model } };
}

async function askKey(draft: ReadyDraft, steps: Steps): Promise<ReadyDraft | undefined> {
  const { place, name } = draft;
  if (place.type !== 'http') return draft;
  const host = URL.parse(place.url)?.host ?? place.url;
  const key = await askText({
    title: steps.title('API key (stored as a secret)'),
    prompt: `It is sent to ${host} only. Leave it empty if the agent needs none.`,
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined || key.trim() === '') return key === undefined ? undefined : draft;
  const secret = `${name}-key`;
  const headers = new Map([...(place.headers ?? []), ['Authorization', `Bearer \${secret:${secret}}`]]);
  return {
    ...draft,
    place: { ...place, headers },
    secrets: new Map([...draft.secrets, [secret, key.trim()]]),
  };
}

async function listModels(draft: ReadyDraft, entries: AgentEntries): Promise<readonly string[]> {
  if (!maySend()) return [];
  const found = await runStoppable(`Asking ${draft.name} for its models`, signal =>
    entries.discover(draft, signal),
  );
  return found?.models ?? [];
}

async function askModel(models: readonly string[], steps: Steps): Promise<string | undefined> {
  const title = steps.title('Model');
  if (models.length === 0) {
    const prompt =
      'The agent lists no models. Write the name of one, or leave it empty if the agent has its own.';
    return askText({ title, prompt, ignoreFocusOut: true });
  }
  const items: QuickPickItem[] = models.map(label => ({ label }));
  const placeHolder = 'Requests that name no model get this one';
  return (await pickItem(items, { title, placeHolder, ignoreFocusOut: true }))?.label;
}

async function askPlace(
  protocol: ProtocolName,
  entries: AgentEntries,
  steps: Steps,
): Promise<AgentDraft | undefined> {
  const { types, sampleAddress }: ProtocolRow = protocolRow(protocol);
  const takesCommand = types.includes('stdio');
  let draft: AgentDraft | undefined;
  const text = await askText({
    title: steps.title(takesCommand ? 'command or URL' : 'URL'),
    prompt: takesCommand
      ? 'The command that starts it, or the address at which it listens.'
      : 'The address at which it listens.',
    placeHolder: takesCommand ? `npx -y package, or ${sampleAddress}` : sampleAddress,
    ignoreFocusOut: true,
    validateInput: async value => {
      const { drafts, problems } = await entries.readPasted(value);
      draft = drafts.find(({ draft: each }) => types.includes(each.place.type))?.draft;
      if (draft) return undefined;
      const example = takesCommand
        ? `a command such as node agent.js, or an address such as ${sampleAddress}`
        : sampleAddress;
      return problems[0] ?? `Write ${takesCommand ? '' : 'an address such as '}${example}`;
    },
  });
  return text === undefined ? undefined : draft;
}

function askName(taken: ReadonlySet<string>, draft: ReadyDraft, steps: Steps): Thenable<string | undefined> {
  const { name, place, protocol } = draft;
  const where = place.type === 'http' ? place.url : [place.command, ...place.args].join(' ');
  const short = findProtocol(protocol)?.short ?? protocol;
  return askText({
    title: steps.title('name'),
    prompt: `Enter adds it and ${place.type === 'http' ? 'connects to' : 'starts'} ${where} (${short}).`,
    value: name,
    ignoreFocusOut: true,
    validateInput: text => checkName(text, taken),
  });
}

/** Why a text cannot be the name of an agent; undefined if it can. */
export function checkName(text: string, taken: ReadonlySet<string>): string | undefined {
  if (text.trim() === '' || text !== text.trim())
    return 'Write a name that neither begins nor ends with a blank';
  return taken.has(text) ? `There is an agent ${quote(text)} already` : undefined;
}
