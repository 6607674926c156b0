import {
  Diagnostic,
  DiagnosticSeverity,
  languages,
  Range,
  workspace,
  type Disposable,
  type TextDocument,
} from 'vscode';
import { checkExposure, type Advertised, type ExposureIssue } from '../../../agents/openstarry/exposure.ts';
import type { AgentService } from '../agent-service.ts';
import { DisposableStore } from '../dispose.ts';
import { Throttle } from '../throttle.ts';

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Hint,
} as const satisfies Record<ExposureIssue['severity'], DiagnosticSeverity>;

/** What the check needs of agents. It connects to none: what is known of them is looked at. */
type KnownAgents = Pick<AgentService, 'list' | 'offer' | 'onDidChange' | 'onDidChangeOffer'>;

/**
 * Findings on open `agent.json` files of OpenStarry: which tools they expose, and, while the agent is connected, whether it
 * advertises the same ones (OpenStarry inter-agent MCP, section 2.2).
 */
export class ExposureDiagnostics implements Disposable {
  readonly #agents: KnownAgents;
  readonly #store = new DisposableStore();
  readonly #found = this.#store.add(languages.createDiagnosticCollection('parley-openstarry'));
  readonly #check = this.#store.add(new Throttle(() => void this.#checkAll()));

  constructor(agents: KnownAgents) {
    this.#agents = agents;
    const ask = (document: TextDocument): void => {
      if (isAgentFile(document)) this.#check.request();
    };
    this.#store.add(workspace.onDidOpenTextDocument(ask));
    this.#store.add(workspace.onDidCloseTextDocument(ask));
    this.#store.add(workspace.onDidChangeTextDocument(({ document }) => ask(document)));
    this.#store.add(agents.onDidChange(() => this.#checkOpen()));
    this.#store.add(agents.onDidChangeOffer(() => this.#checkOpen()));
    this.#checkOpen();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Agents are read only where there is something to compare them with. */
  #checkOpen(): void {
    if (workspace.textDocuments.some(isAgentFile)) this.#check.request();
  }

  async #checkAll(): Promise<void> {
    const open = workspace.textDocuments.filter(isAgentFile);
    const { agents } = open.length === 0 ? { agents: [] } : await this.#agents.list();
    const names = agents.map(agent => agent.name);
    this.#found.clear();
    for (const document of open) {
      if (document.isClosed) continue;
      const checked = checkExposure(document.getText(), called => this.#findAdvertised(called, names));
      if (checked)
        this.#found.set(
          document.uri,
          checked.issues.map(issue => toDiagnostic(document, issue)),
        );
    }
  }

  /** The agent of the workspace that is called as the file calls it, or says itself that it is called so. */
  #findAdvertised(called: readonly string[], names: readonly string[]): Advertised | undefined {
    const wanted = new Set(called.map(fold));
    const isOwn = (name: string): boolean =>
      wanted.has(fold(name)) || called.some(each => isNamed(this.#agents.offer(name).peer?.name, each));
    for (const agent of names) {
      const { state, tools } = this.#agents.offer(agent);
      if (state === 'connected' && tools && isOwn(agent))
        return { agent, tools: tools.map(tool => tool.name) };
    }
    return undefined;
  }
}

function isAgentFile({ uri, languageId }: TextDocument): boolean {
  return /(?:^|\/)agent\.json$/.test(uri.path) && /^jsonc?$/.test(languageId);
}

/** A peer's name ends with its version. */
function isNamed(peer: string | undefined, name: string): boolean {
  return peer !== undefined && (fold(peer) === fold(name) || fold(peer).startsWith(`${fold(name)} `));
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}

function toDiagnostic(document: TextDocument, { span, severity, message }: ExposureIssue): Diagnostic {
  const range = new Range(document.positionAt(span.start), document.positionAt(span.end));
  const diagnostic = new Diagnostic(range, message, SEVERITIES[severity]);
  diagnostic.source = 'Parley';
  return diagnostic;
}
