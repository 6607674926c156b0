import { workspace, type Uri } from 'vscode';
import { PASTED_READERS } from '../../../agents/all.ts';
import { nameAfter, readPasted } from '../../../agents/adding/pasted.ts';
import type { AgentConfig } from '../../../agents/config/agent-config.ts';
import {
  changeAgent,
  removeAgent,
  renameAgent,
  type AgentPlace,
  type FileEdit,
} from '../../../agents/config/edit-agents-file.ts';
import { resolveAgent } from '../../../agents/config/resolve-agent.ts';
import { readEnv, type Variables } from '../../../agents/config/variables.ts';
import { discover } from '../../../agents/discovery/discover.ts';
import { showCommandLine } from '../../../agents/stdio/command-line.ts';
import { findProtocol, type ProtocolName } from '../../../core/catalog/protocols.ts';
import { redactUrl } from '../../../core/secrets/redact.ts';
import { quote } from '../../../core/text/quote.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type {
  AgentDraft,
  AgentEntries,
  AgentImport,
  AgentMistake,
  DiscoveredDraft,
  PastedDrafts,
  ShownDraft,
} from '../services/agent-draft.ts';
import { SETTING_SCHEME } from '../services/agents-setting.ts';
import { receiverOf } from './agent-address.ts';
import type { AgentConsent } from './agent-consent.ts';
import type { AgentFiles } from './agent-files.ts';
import { readImports } from './imports.ts';
import type { Secrets } from './secrets.ts';
import { editAgentsFile, writeAgent } from './write-agent.ts';

interface EntriesOptions {
  readonly files: AgentFiles;
  readonly consent: AgentConsent;
  readonly secrets: Secrets;
  /** Called when the agents file was written: its watcher is slower, and the user expects to see the change. */
  onWritten(): Promise<void>;
}

const CHANGED_SINCE = 'The agents file was changed since the agent was removed. Undo it in the editor.';

/** Adds, changes and removes entries of the agents file. */
export class WrittenEntries implements AgentEntries {
  readonly #options: EntriesOptions;

  constructor(options: EntriesOptions) {
    this.#options = options;
  }

  async readPasted(text: string): Promise<PastedDrafts> {
    const { agents, problems } = readPasted(text, await this.#context());
    return { drafts: agents.map(toShown), problems };
  }

  async listImports(): Promise<readonly AgentImport[]> {
    const context = await this.#context();
    const read = (text: string): PastedDrafts => {
      const { agents, problems } = readPasted(text, context);
      return { drafts: agents.map(toShown), problems };
    };
    return readImports(workspace.workspaceFolders ?? [], read);
  }

  async discover(draft: AgentDraft, signal: AbortSignal): Promise<DiscoveredDraft> {
    const none = { draft: undefined, models: [], isLocked: false };
    const { place } = draft;
    if (place.type !== 'http') return { ...none, words: 'It is a process' };
    const config = toConfig(draft, 'json-rpc', place);
    const resolution = await resolveAgent(config, variablesOf(draft));
    if (!resolution.ok || resolution.agent.type !== 'http')
      return { ...none, words: resolution.ok ? '' : resolution.message };
    const { found, words } = await discover(resolution.agent, ALL_PROTOCOLS, signal);
    const protocol = findProtocol(found?.protocol.facts.name)?.name;
    if (!found || !protocol) return { ...none, words };
    const url = found.address === resolution.agent.url.href ? place.url : found.address;
    return {
      draft: nameAfter(
        { ...draft, protocol, place: { ...place, url } },
        found.name ?? '',
        await this.#names(),
      ),
      models: found.models ?? [],
      isLocked: found.isLocked === true,
      words,
    };
  }

  async add(
    draft: AgentDraft & { readonly protocol: ProtocolName },
    consent: 'given' | 'open',
  ): Promise<string | undefined> {
    const { secrets, consent: consents, files } = this.#options;
    const written = await writeAgent(draft);
    if (!written.ok) return written.message;
    const found = (await files.read()).agents.get(draft.name);
    if (found?.file.toString() === written.file.toString()) {
      for (const [name, value] of draft.secrets) await secrets.keep(name, value, receiverOf(found));
      if (consent === 'given') await consents.give(found.file.fsPath, found.config);
    }
    await this.#options.onWritten();
    return undefined;
  }

  async rename(agent: string, name: string): Promise<string | undefined> {
    return this.#edit(agent, text => renameAgent(text, agent, name));
  }

  async remove(agent: string): Promise<(() => Promise<string | undefined>) | string> {
    const file = (await this.#options.files.read()).agents.get(agent)?.file;
    let before = '';
    let after = '';
    const problem = await this.#edit(agent, text => {
      const edited = removeAgent(text, agent);
      before = text;
      after = edited.ok ? edited.text : '';
      return edited;
    });
    if (problem !== undefined || !file) return problem ?? '';
    return () =>
      this.#write(file, text =>
        text === after ? { ok: true, text: before } : { ok: false, message: CHANGED_SINCE },
      );
  }

  async correct(agent: string, { protocol, address }: AgentMistake): Promise<string | undefined> {
    const found = (await this.#options.files.read()).agents.get(agent);
    const isOther =
      found?.config.type === 'http' && !found.config.url.includes('${') && address !== undefined;
    const members = { protocol, ...(isOther ? { url: address } : {}) };
    return this.#edit(agent, text => changeAgent(text, agent, members));
  }

  async #edit(agent: string, edit: (text: string) => FileEdit): Promise<string | undefined> {
    const found = (await this.#options.files.read()).agents.get(agent);
    if (!found) return `The agent ${quote(agent)} is no longer in the agents file.`;
    if (found.file.scheme === SETTING_SCHEME || !/agents\.json$/.test(found.file.path))
      return `The agent ${quote(agent)} is not in an agents.json. Change it where it is written.`;
    return this.#write(found.file, edit);
  }

  async #write(file: Uri, edit: (text: string) => FileEdit): Promise<string | undefined> {
    const problem = await editAgentsFile(file, edit);
    if (problem === undefined) await this.#options.onWritten();
    return problem;
  }

  async #names(): Promise<ReadonlySet<string>> {
    return new Set((await this.#options.files.read()).agents.keys());
  }

  async #context(): Promise<Parameters<typeof readPasted>[1]> {
    return {
      protocols: ALL_PROTOCOLS,
      readers: PASTED_READERS,
      taken: await this.#names(),
      platform: process.platform,
      hasVariable: name => Boolean(readEnv(process.env, name)),
    };
  }
}

function toShown(draft: AgentDraft): ShownDraft {
  const { place } = draft;
  const shown = place.type === 'http' ? redactUrl(place.url) : showCommandLine(place.command, place.args);
  const texts = place.type === 'http' ? [place.url, ...(place.headers ?? new Map()).values()] : [];
  const used = texts.flatMap(text =>
    [...String(text).matchAll(/\$\{env:([^{}]*)\}/g)].map(([, name = '']) => name),
  );
  const host = place.type === 'http' ? (URL.parse(place.url)?.host ?? place.url) : undefined;
  return { draft, shown, host, variables: [...new Set(used)] };
}

function toConfig(
  { name, inputs }: AgentDraft,
  protocol: ProtocolName,
  place: AgentPlace & { readonly type: 'http' },
): AgentConfig {
  const byId = new Map(inputs.map(input => [input.id, input]));
  // Values that are not known yet are asked for later; the probes are sent without them.
  const headers = new Map(
    [...(place.headers ?? [])].filter(([, value]) => !/\$\{(?:env|input):/.test(value)),
  );
  return {
    name,
    protocol,
    inputs: byId,
    span: { start: 0, end: 0 },
    type: 'http',
    url: place.url,
    headers,
    tls: {},
  };
}

/** Only what the user pasted is known of a draft. */
function variablesOf({ secrets }: AgentDraft): Variables {
  return {
    env: () => undefined,
    input: () => undefined,
    demo: () => undefined,
    workspaceFolder: () => undefined,
    secret: name => secrets.get(name) ?? '',
  };
}
