import { Diagnostic, DiagnosticSeverity, languages, Range, workspace, type TextDocument } from 'vscode';
import { checkExposure, type Advertised, type ExposureIssue } from '../../../agents/mcp/exposure.ts';
import type { AgentService } from '../services/agent-service.ts';
import { Owner } from '../base/dispose.ts';
import { Throttle } from '../base/throttle.ts';

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Hint,
} as const satisfies Record<ExposureIssue['severity'], DiagnosticSeverity>;

/** The agent data that the check uses. It uses known capabilities and opens no connection. */
type KnownAgents = Pick<AgentService, 'list' | 'capabilities' | 'onDidChange' | 'onDidChangeCapabilities'>;

/**
 * Diagnostics for open `agent.json` files of OpenStarry: the tools that they expose and, while the agent is
 * connected, whether it advertises the same ones (OpenStarry inter-agent MCP, section 2.2).
 */
export class ExposureDiagnostics extends Owner {
  readonly #agents: KnownAgents;
  readonly #found = this.own(languages.createDiagnosticCollection('parley-openstarry'));
  readonly #check = this.own(new Throttle(() => void this.#checkAll()));

  constructor(agents: KnownAgents) {
    super();
    this.#agents = agents;
    const ask = (document: TextDocument): void => {
      if (isAgentFile(document)) this.#check.request();
    };
    this.own(workspace.onDidOpenTextDocument(ask));
    this.own(workspace.onDidCloseTextDocument(ask));
    this.own(workspace.onDidChangeTextDocument(({ document }) => ask(document)));
    this.own(agents.onDidChange(() => this.#checkOpen()));
    this.own(agents.onDidChangeCapabilities(() => this.#checkOpen()));
    this.#checkOpen();
  }

  /** Agents are listed only if there is an open file to compare. */
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

  /**
   * The advertised tools of the connected agent whose name, configured or self-reported, is one of the names
   * in the file.
   */
  #findAdvertised(called: readonly string[], names: readonly string[]): Advertised | undefined {
    const wanted = new Set(called.map(fold));
    const isOwn = (name: string): boolean =>
      wanted.has(fold(name)) ||
      called.some(each => isNamed(this.#agents.capabilities(name).peer?.name, each));
    for (const agent of names) {
      const { state, tools } = this.#agents.capabilities(agent);
      if (state === 'connected' && tools && isOwn(agent))
        return { agent, tools: tools.map(tool => tool.name) };
    }
    return undefined;
  }
}

function isAgentFile({ uri, languageId }: TextDocument): boolean {
  return /(?:^|\/)agent\.json$/.test(uri.path) && /^jsonc?$/.test(languageId);
}

/** A peer's name may be followed by its version. */
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
